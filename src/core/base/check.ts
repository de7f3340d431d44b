import { nearest, quote } from "./words.ts";

/** Makes the error of a check; `name` and `problem` together are its sentence. */
export type Refuse = (name: string, problem: string, range?: "range") => Error;

/** Makes a `TypeError`, or a `RangeError` for a number out of range. */
export function refuseMistake(failed: string): Refuse {
  return (name, problem, range) =>
    new (range === undefined ? TypeError : RangeError)(
      `${failed}: ${name} ${problem}`,
    );
}

/** The bounds of a whole number, inclusive; `Infinity` may stand for no limit. */
interface Bounds {
  readonly least: number;
  readonly most?: number;
  readonly unlimited?: boolean;
}

/** A test, and what it accepts, in words that follow "must be". */
export interface Kind {
  readonly wanted: string;
  readonly fits: (value: unknown) => boolean;
  /** Whether the error shows a wrong string; by default not, since it may be a secret meant for another argument. */
  readonly shown?: true;
}

/** The values that an option takes: one of a list, a number within bounds, or a kind. */
export type Rule = readonly string[] | Bounds | Kind | keyof typeof KINDS;

const KINDS = {
  any: { wanted: "anything", fits: () => true },
  flag: {
    wanted: "true or false",
    fits: (value) => typeof value === "boolean",
    shown: true,
  },
  function: {
    wanted: "a function",
    fits: (value) => typeof value === "function",
  },
  text: { wanted: "a string", fits: (value) => typeof value === "string" },
  signal: {
    wanted: "an AbortSignal",
    // An AbortController has no `aborted`, and would never abort the call.
    fits: (value) =>
      typeof propertyOf(value, "aborted") === "boolean" &&
      hasFunctions(value, ["addEventListener", "removeEventListener"]),
  },
  port: {
    wanted: "a file system, such as memoryFs({})",
    fits: (value) =>
      hasFunctions(value, ["realPath", "lstat", "readLink", "open"]),
  },
} satisfies Readonly<Record<string, Kind>>;

/** The rule of each option; the compiler names one that is missing. */
export type Rules<Options> = {
  readonly [Name in keyof Options & string]-?: Rule;
};

/**
 * Copies an options object: later changes by the caller have no effect. Refuses a
 * value that breaks its rule, an unknown name, and options that are not a plain
 * object: the entries of a `Map` would be ignored.
 */
export function takeOptions<Options extends object>(
  value: Options | undefined,
  rules: Rules<Options>,
  refuse: Refuse,
  name = "options",
): Options {
  const options = copyOf(value, name, refuse);
  for (const [key, given] of Object.entries(options)) {
    if (given === undefined) continue;
    if (!Object.hasOwn(rules, key)) {
      throw refuse(quote(key), unknownName(key, Object.keys(rules)));
    }
    checkValue(key, given, rules[key as keyof typeof rules], refuse);
  }
  return options;
}

/** An object without properties, also without inherited ones. `Object.create(null)` is the same for programs, but V8 makes a hash table of it. */
class Bare {
  static {
    Object.setPrototypeOf(Bare.prototype, null);
  }
}

/** Copies the properties of an object itself: what other code adds to `Object.prototype` is not in the copy. */
export function ownOf<Value extends object>(value: Value): Value {
  // Cast, since the copy has the same properties.
  return Object.assign(new Bare(), value) as Value;
}

/** Reads what an object of any class may leave out: what other code adds to `Object.prototype` is not there. */
export function optionalOf<Value extends object, Name extends keyof Value>(
  value: Value,
  name: Name,
): Value[Name] | undefined {
  const given = value[name];
  const isAdded = given !== undefined && !Object.hasOwn(value, name) &&
    given === (Object.prototype as Value)[name];
  return isAdded ? undefined : given;
}

/**
 * Copies a plain object; `wanted` describes it in the error. Without that,
 * `undefined` counts as an empty object. The copy has its own properties alone:
 * what other code adds to `Object.prototype` is no option.
 */
export function copyOf<Value extends object>(
  value: Value | undefined,
  name: string,
  refuse: Refuse,
  wanted?: string,
): Value {
  const mayBeAbsent = value === undefined && wanted === undefined;
  if (mayBeAbsent || isPlainObject(value)) {
    return ownOf(value ?? {} as Value);
  }
  const kind = wanted ?? "a plain object";
  throw refuse(name, `must be ${kind}, not ${typeName(value)}`);
}

/** Copies an array; `wanted` describes it in the error. */
export function listOf(
  value: unknown,
  name: string,
  refuse: Refuse,
  wanted = "an array",
): unknown[] {
  if (Array.isArray(value)) return Array.from(value);
  throw refuse(name, `must be ${wanted}, not ${show(value)}`);
}

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether a value that was parsed from JSON is an object. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a plain object: not an array, a `Map` or another instance. */
function isPlainObject(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The problem of an unknown name, as the rest of a sentence; `meant` is its end. */
export function unknownName(
  name: string,
  known: readonly string[],
  meant = didYouMean(name, known),
): string {
  if (known.length === 0) return "is unknown: there are no options";
  return `is unknown; the names are ${known.join(", ")}${meant}`;
}

/** The known name that is most like an unknown one, as the end of a sentence. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const likely = nearest(name, known);
  return likely === undefined ? "" : `; did you mean ${likely}?`;
}

export function checkValue(
  name: string,
  value: unknown,
  rule: Rule,
  refuse: Refuse,
): void {
  if (fitsRule(value, rule)) return;
  const { wanted, shown } = describeRule(rule);
  const found = shown ? show(value) : typeName(value);
  const isText = typeof value === "string";
  const meant = isChoice(rule) && isText ? didYouMean(value, rule) : "";
  const range = isBounds(rule) && typeof value === "number"
    ? "range"
    : undefined;
  throw refuse(name, `must be ${wanted}, not ${found}${meant}`, range);
}

// `in` would also see what other code adds to `Object.prototype`.
const isChoice = (rule: Rule): rule is readonly string[] => Array.isArray(rule);
const isBounds = (rule: Rule): rule is Bounds =>
  typeof rule === "object" && Object.hasOwn(rule, "least");

function fitsRule(value: unknown, rule: Rule): boolean {
  if (typeof rule === "string") return KINDS[rule].fits(value);
  if (isChoice(rule)) return rule.includes(value as string);
  if (isBounds(rule)) return isInBounds(value, rule);
  return rule.fits(value);
}

function describeRule(rule: Rule): Pick<Kind, "wanted" | "shown"> {
  if (typeof rule === "string") return KINDS[rule];
  if (isChoice(rule)) {
    return { wanted: `one of ${rule.map(quote).join(", ")}`, shown: true };
  }
  if (isBounds(rule)) return { wanted: numberWithin(rule), shown: true };
  return rule;
}

export function checkText(text: unknown, failed: string): void {
  // Checked for each line of a page.
  if (typeof text === "string") return;
  checkValue("text", text, "text", refuseMistake(failed));
}

function isInBounds(value: unknown, bounds: Bounds): boolean {
  const { least, most = Number.MAX_SAFE_INTEGER, unlimited } = ownOf(bounds);
  const number = value as number;
  return unlimited === true && value === Infinity ||
    Number.isSafeInteger(value) && number >= least && number <= most;
}

function numberWithin(bounds: Bounds): string {
  const { least, most } = ownOf(bounds);
  const end = most === undefined ? "on" : `to ${most}`;
  return `a whole number${least === -Infinity ? "" : ` from ${least} ${end}`}`;
}

export function hasFunctions(value: unknown, names: readonly string[]) {
  return names.every((name) => typeof propertyOf(value, name) === "function");
}

/** Reads a property of any value; `undefined` where it has none. */
export function propertyOf(value: unknown, name: string): unknown {
  return Object(value)[name];
}

/** A value as a message shows it: short, and with quotes if it is a string. */
export function show(value: unknown): string {
  return typeof value === "string" ? quote(value) : typeName(value);
}

/** The kind of a value as a message shows it, without the text of a string: that may be a secret meant for another argument. */
function typeName(value: unknown): string {
  const type = typeof value;
  if (type === "object" && value !== null) {
    if (Array.isArray(value)) return "an array";
    return value instanceof Promise ? "a promise; await it" : "an object";
  }
  return /^(?:string|symbol|function)$/.test(type)
    ? `a ${type}`
    : String(value);
}
