// Runtime-agnostic.
import {
  checkValue,
  copyOf,
  didYouMean,
  takeOptions,
  unknownName,
} from "../core/base/check.ts";
import type { Refuse, Rules } from "../core/base/check.ts";
import { ReadFileError, type ReadFileErrorCode } from "../core/base/errors.ts";
import { quote, twinOf } from "../core/base/words.ts";
import { isForeign, type ToolOutcome } from "./call.ts";
import { ToolkitReadFileError } from "./toolkit_read_file.ts";
import type { ToolkitReadFileCode } from "./toolkit_read_file.ts";

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

/** The codes of calls that were allowed, but failed. */
export type ToolFailureCode =
  | Exclude<
    ReadFileErrorCode | ToolkitReadFileCode,
    "OUTSIDE_WORKSPACE" | "SANDBOX_VIOLATION" | "POLICY_DENIED"
  >
  | "TOOL_NOT_FOUND";

/** What went wrong, and whether to try again. */
export interface ToolError<Code extends string = string> {
  /** The kind of failure. */
  readonly code: Code;
  /** The code, a colon, and a sentence. */
  readonly message: string;
  /** Whether the same call may succeed later. */
  readonly retriable: boolean;
  /** The facts behind the code; `path` is the requested path. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** A call that succeeded. */
export interface ToolSuccess<Data> {
  /** Always `"success"`. */
  readonly status: "success";
  /** The tool's own answer. */
  readonly data: Data;
}

/** A call that the policy or the boundary of the workspace did not allow. */
export type ToolDenial =
  | {
    readonly status: "denied";
    readonly reason: "policy";
    readonly error: ToolError<"POLICY_DENIED">;
  }
  | {
    readonly status: "denied";
    readonly reason: "sandbox";
    readonly error: ToolError<"SANDBOX_VIOLATION">;
  };

/** A call that was allowed, but failed. */
export interface ToolFailure {
  /** Always `"failure"`. */
  readonly status: "failure";
  /** Always `"runtime"`. */
  readonly reason: "runtime";
  /** What went wrong. */
  readonly error: ToolError<ToolFailureCode>;
}

/** The result of a call; its promise never rejects. */
export type ToolResult<Data = unknown> =
  | ToolSuccess<Data>
  | ToolDenial
  | ToolFailure;

/** Makes the result of a call, for a program. */
export function resultOf<Data>(
  { output, error }: ToolOutcome<Data>,
): ToolResult<Data> {
  if (error === undefined) return { status: "success", data: output as Data };
  const { path, hint } = error;
  if (isForeign(error)) {
    const problem = "the tool failed for a reason of its own";
    const sentence = `Cannot read ${quote(path)}: ${problem}`;
    return failure(toolError("INTERNAL", sentence, { path }));
  }
  const code = error instanceof ToolkitReadFileError
    ? error.toolkitCode
    : error.code;
  const details = {
    path,
    ...(hint !== undefined && { hint }),
    // INTERNAL replaces several codes of the core.
    ...(code === "INTERNAL" && { code: error.code }),
    ...error.details,
  };
  if (code === "POLICY_DENIED") {
    const denial = toolError(code, error.message, details);
    return { status: "denied", reason: "policy", error: denial };
  }
  if (code === "OUTSIDE_WORKSPACE" || code === "SANDBOX_VIOLATION") {
    const denial = toolError("SANDBOX_VIOLATION", error.message, details);
    return { status: "denied", reason: "sandbox", error: denial };
  }
  const retriable = error.is("CHANGED") ||
    error.is("IO") && error.details.passing;
  return failure({ ...toolError(code, error.message, details), retriable });
}

/** The sentence about an unknown tool. */
export function notOffered(name: string, offered: readonly string[]): string {
  const list = offered.map(quote).join(", ") || "none";
  const problem = `there is no such tool; the tools are: ${list}`;
  return `Cannot call ${quote(name)}: ${problem}`;
}

/** The result for an unknown tool. */
export function toolNotFound(
  name: string,
  offered: readonly string[],
): ToolFailure {
  const sentence = notOffered(name, offered);
  return failure(toolError("TOOL_NOT_FOUND", sentence, { name }));
}

function failure(error: ToolFailure["error"]): ToolFailure {
  return { status: "failure", reason: "runtime", error };
}

function toolError<Code extends string>(
  code: Code,
  sentence: string,
  details: ToolError["details"],
): ToolError<Code> {
  return { code, message: `${code}: ${sentence}`, retriable: false, details };
}
