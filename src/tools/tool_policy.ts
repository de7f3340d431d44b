// Runtime-agnostic.
import {
  checkValue,
  copyOf,
  didYouMean,
  takeOptions,
  unknownName,
} from "../core/base/check.ts";
import type { Refuse, Rules } from "../core/base/check.ts";
import { ReadFileError } from "../core/base/errors.ts";
import { quote, twinOf } from "../core/base/words.ts";

/** The decision of a policy. */
export type PolicyDecision = "allow" | "deny";

/** Which tools may be called; all of them by default. */
export interface ToolPolicy<Name extends string = string> {
  /** The decision for a tool, by its own name; takes precedence. */
  readonly tools?: { readonly [Tool in Name]?: PolicyDecision } | undefined;
  /** The decision for every other tool; `"allow"` by default, since tools only read. */
  readonly defaultPolicy?: PolicyDecision;
}

const DECISIONS: readonly PolicyDecision[] = ["allow", "deny"];

const RULES: Rules<ToolPolicy> = { tools: "any", defaultPolicy: DECISIONS };

/** Checks a policy. A misspelt one is refused: it would allow what it should deny. */
function takePolicy(
  policy: ToolPolicy | undefined,
  checkName: (name: string, named: object) => void,
  refuse: Refuse,
): ToolPolicy {
  const options = takeOptions(policy, RULES, refuse, "policy");
  const rules = copyOf(options.tools, "policy.tools", refuse);
  // An explicit `undefined` is probably a mistake.
  if (Object.hasOwn(options, "defaultPolicy")) {
    checkValue("defaultPolicy", options.defaultPolicy, DECISIONS, refuse);
  }
  for (const [name, decision] of Object.entries(rules)) {
    checkName(name, rules);
    const rule = `policy.tools[${quote(name)}]`;
    checkValue(rule, decision, DECISIONS, refuse);
  }
  return { tools: rules, defaultPolicy: options.defaultPolicy ?? "allow" };
}

/** Checks the policy of a toolkit, whose tools are known by name and alias. */
export function takeToolkitPolicy(
  policy: ToolPolicy | undefined,
  ownNameOf: (name: string) => string | undefined,
  names: readonly string[],
  refuse: Refuse,
): ToolPolicy {
  return takePolicy(policy, (name) => {
    const own = ownNameOf(name);
    if (own === name) return;
    // A rule for an alias would never apply.
    if (own === undefined) {
      throw refuse(`policy.tools: ${quote(name)}`, unknownName(name, names));
    }
    const alias = `${quote(name)}, which is an alias of ${quote(own)}`;
    throw refuse("the policy", `names ${alias}; name the tool itself`);
  }, refuse);
}

/** Names that are probably meant for all tools. */
const ALL = /[*?\s]|^(?:default.*|all|any|others?|tools|__proto__)?$/i;

/** Checks a policy for one tool; it may name other tools, which are not known here. */
export function takePolicyFor(
  policy: ToolPolicy | undefined,
  own: string,
  aliases: readonly string[],
  refuse: Refuse,
): ToolPolicy {
  return takePolicy(policy, (name, named) => {
    if (Object.hasOwn(named, own)) return;
    const rule = `policy.tools: ${quote(name)}`;
    if (ALL.test(name)) {
      throw refuse(rule, "names no tool; defaultPolicy is for all the others");
    }
    const isMisspelt = aliases.includes(name) ||
      didYouMean(name, [own, ...aliases]) !== "" ||
      ["read_file", "open_file"].some((ours) =>
        ours !== name && twinOf(ours)(name)
      );
    if (isMisspelt) throw refuse(rule, unknownName(name, [own]));
  }, refuse);
}

/** Throws `POLICY_DENIED` if the checked policy does not allow the tool. */
export function checkPolicy(
  policy: ToolPolicy,
  name: string,
  path: string,
): void {
  const rule = ruleAgainst(policy, name);
  if (rule === undefined) return;
  throw new ReadFileError("POLICY_DENIED", path, { rule });
}

/** The rule that denies the tool; `undefined` if it is allowed. */
export function ruleAgainst(
  { tools = {}, defaultPolicy = "allow" }: ToolPolicy,
  name: string,
): string | undefined {
  const decision = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if ((decision ?? defaultPolicy) === "allow") return undefined;
  return decision === undefined ? "defaultPolicy" : `tools.${name}`;
}
