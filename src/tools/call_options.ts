import {
  checkValue,
  copyOf,
  didYouMean,
  isObject,
  ownOf,
  type Refuse,
  type Rules,
  takeOptions,
  unknownName,
} from "../core/base/check.ts";
import { ReadFileError } from "../core/base/errors.ts";
import { quote, twinOf } from "../core/base/words.ts";
import { MAX_NOTES, unknownArgument, WHOLE } from "./arguments.ts";
import type { JsonSchema, Tool } from "./call.ts";

/** Which tools may be called; all of them by default. */
export interface ToolPolicy<Name extends string = string> {
  /** The decision for a tool, by its own name; takes precedence. */
  readonly tools?: { readonly [Tool in Name]?: "allow" | "deny" } | undefined;
  /** The decision for every other tool; `"allow"` by default, since tools only read. */
  readonly defaultPolicy?: "allow" | "deny";
}

const DECISIONS = ["allow", "deny"] as const;

const RULES: Rules<ToolPolicy> = { tools: "any", defaultPolicy: DECISIONS };

/** Checks a policy. A misspelt one is refused: it would allow what it should deny. */
function takeToolPolicy(
  policy: ToolPolicy | undefined,
  checkName: (name: string, rules: object) => void,
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
  tools: ReadonlyMap<string, Pick<Tool, "definition">>,
  names: readonly string[],
  refuse: Refuse,
): ToolPolicy {
  return takeToolPolicy(policy, (name) => {
    const own = tools.get(name)?.definition.name;
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
  return takeToolPolicy(policy, (name, rules) => {
    // With a rule for this tool, the other rules are for other tools.
    if (Object.hasOwn(rules, own)) return;
    const rule = `policy.tools: ${quote(name)}`;
    if (ALL.test(name)) {
      throw refuse(rule, "names no tool; defaultPolicy is for all the others");
    }
    // A rule for an alias, or for a misspelt name, would never apply.
    const isAlias = aliases.includes(name);
    // Refuse other spellings of tools of this package, too, such as "readFile".
    const isMisspelt = didYouMean(name, [own, ...aliases]) !== "" ||
      ["read_file", "open_file"].some((other) =>
        other !== name && twinOf(other)(name)
      );
    if (isAlias || isMisspelt) throw refuse(rule, unknownName(name, [own]));
  }, refuse);
}

/** Throws `POLICY_DENIED` if the checked policy does not allow the tool. */
export function checkPolicy(policy: ToolPolicy, name: string, path: string) {
  const rule = ruleAgainst(policy, name);
  if (rule === undefined) return;
  // Of a call without a path, such as a listing of the root, only the tool has a name.
  throw new ReadFileError(
    "POLICY_DENIED",
    path,
    { rule },
    path !== "" ? {} : {
      words: {
        POLICY_DENIED: () => [
          `Cannot call ${name}: the rule ${quote(rule)} does not allow it`,
          "use another tool, or ask the user to change the rule",
        ],
      },
    },
  );
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

/** The notes for a model: the first few about arguments, and every note from the tool. */
export class Notes {
  readonly #onArguments: string[] = [];
  readonly #fromTool: string[] = [];
  #argumentCount = 0;

  /** Adds a note about an argument; after the first few, `make` is not called. */
  addArgument(make: () => string): void {
    if (this.#argumentCount++ < MAX_NOTES) this.#onArguments.push(make());
  }

  add(note: string): void {
    this.#fromTool.push(note);
  }

  get list(): readonly string[] {
    const more = this.#argumentCount - this.#onArguments.length;
    const rest = more === 0 ? [] : [`and so on, ${more} times more`];
    return [...new Set(this.#onArguments.concat(rest, this.#fromTool))];
  }
}

/** Copies parsed arguments, and converts what models often send: quoted numbers and booleans, lists as JSON text, `null` for absent arguments. */
export function takeLeniently(
  { properties, required = [] }: JsonSchema,
  args: unknown,
  notes: Notes,
  prefix = "",
): unknown {
  // Where the schema names no argument, none is unknown.
  if (!isObject(args) || properties === undefined) return args;
  const object = ownOf<Record<string, unknown>>(args);
  const known = Object.keys(properties);
  for (const key of Object.keys(object)) {
    const name = prefix + key;
    if (!known.includes(key)) {
      notes.addArgument(() => unknownArgument(key, known, prefix));
    } else if (object[key] !== null || required.includes(key)) {
      object[key] = takeValue(properties[key]!, object[key], name, notes);
    } else {
      notes.addArgument(() => `${name}: null was taken as absent`);
      delete object[key];
    }
  }
  return object;
}

function takeValue(
  schema: JsonSchema,
  value: unknown,
  name: string,
  notes: Notes,
): unknown {
  const { type, items } = schema;
  const isText = typeof value === "string";
  if (type === "object") {
    // An object as JSON text is left to the tool, which refuses it.
    return isText ? value : takeLeniently(schema, value, notes, `${name}.`);
  }
  if (type === "array") {
    const list = parseList(value);
    if (list === undefined) return value;
    if (isText) {
      notes.addArgument(() => `${name}: JSON text was taken as a list`);
    }
    // A null in a list is an element, not an absent argument.
    return list.map((element, at) =>
      items === undefined || "anyOf" in items || element === null
        ? element
        : takeValue(items, element, `${name}[${at}]`, notes)
    );
  }
  const meant = isText ? meaningOf(type, value) : undefined;
  if (meant === undefined) return value;
  notes.addArgument(() =>
    `${name}: ${quote(String(value))} was taken as ${meant}`
  );
  return meant;
}

/** Copies an array, or parses one from JSON text. */
function parseList(value: unknown): readonly unknown[] | undefined {
  try {
    const list: unknown = typeof value === "string" ? JSON.parse(value) : value;
    return Array.isArray(list) ? [...list] : undefined;
  } catch {
    return undefined;
  }
}

function meaningOf(type: string, value: string): number | boolean | undefined {
  if (type === "boolean") {
    const word = value.trim().toLowerCase();
    return word === "true" ? true : word === "false" ? false : undefined;
  }
  const isNumber = type === "integer" || type === "number";
  if (!isNumber || !WHOLE.test(value)) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}
