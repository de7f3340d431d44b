// Runtime-agnostic.
import { ReadFileError } from "./errors.ts";
import { nearest, quote } from "./words.ts";

/**
 * Makes the error of a check: `problem` is the rest of a sentence that begins
 * with `name`.
 */
export type Refuse = (name: string, problem: string, range?: "range") => Error;

/** For what makes something: a `TypeError`, or a `RangeError` for a number out of range. */
export function refuseMistake(failed: string): Refuse {
  return (name, problem, range) =>
    new (range === undefined ? TypeError : RangeError)(
      `${failed}: ${name} ${problem}`,
    );
}

/** For calls that read, which a model's words may reach: `INVALID_ARGUMENT`. */
export function refuseArgument(path: unknown): Refuse {
  const shown = typeof path === "string" ? path : "";
  return (argument, problem) =>
    new ReadFileError("INVALID_ARGUMENT", shown, { argument, problem });
}

/** The bounds of a whole number; both are inclusive. */
export interface Bounds {
  readonly least: number;
  readonly most?: number;
  /** Whether `Infinity` stands for no limit. */
  readonly unlimited?: boolean;
}

/** What a test tells apart; it must not throw. */
export interface Kind {
  /** What is wanted, after "must be". */
  readonly wanted: string;
  readonly fits: (value: unknown) => boolean;
}

/** What an option may be: one of a list, a number within bounds, of a kind, or what the word says. */
export type Rule =
  | readonly string[]
  | Bounds
  | Kind
  | "flag"
  | "text"
  | "signal"
  | "port"
  | "any";

/** The rule of each option; the compiler names one that is missing. */
export type Rules<Options> = {
  readonly [Name in keyof Options & string]-?: Rule;
};

/**
 * Takes an options object: a copy, so that no getter is asked twice and no
 * caller changes it later. `undefined` is an empty one.
 *
 * Refuses a value that breaks its rule, an unknown name, and whatever is not a
 * plain object: entries of a `Map`, or a misspelt limit, would silently not hold.
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

/** Copies a plain object; `undefined` is an empty one. */
export function copyOf<Value extends object>(
  value: Value | undefined,
  name: string,
  refuse: Refuse,
): Value {
  const given: unknown = value === undefined ? {} : value;
  let copy: Value | undefined;
  try {
    if (isPlainObject(given)) copy = { ...given } as Value;
  } catch {
    throw refuse(name, "must be a plain object; reading this one throws");
  }
  if (copy !== undefined) return copy;
  throw refuse(name, `must be a plain object, not ${kindOf(given)}`);
}

/** Whether it is an object whose own enumerable properties are all there is to it. */
function isPlainObject(
  value: unknown,
): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return false;
  }
  const prototype = Object.getPrototypeOf(value);
  // Another realm has an `Object.prototype` of its own.
  const isPlain = prototype === null ||
    Object.getPrototypeOf(prototype) === null &&
      Object.hasOwn(prototype, "isPrototypeOf");
  return isPlain && Reflect.ownKeys(value).length === Object.keys(value).length;
}

/** What is wrong with a name that is not known, as the rest of a sentence. */
export function unknownName(name: string, known: readonly string[]): string {
  if (known.length === 0) return "is unknown: there are no options";
  return `is unknown; the names are ${known.join(", ")}${
    didYouMean(name, known)
  }`;
}

/** The known name that an unknown one seems to be, as the end of a sentence. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const [likely] = nearest(name, known, 1);
  return likely === undefined ? "" : `; did you mean ${likely}?`;
}

/** Refuses a value that breaks its rule. */
export function checkValue(
  name: string,
  value: unknown,
  rule: Rule,
  refuse: Refuse,
): void {
  if (rule === "any") return;
  const wanted = typeof rule === "string"
    ? fits(value, rule) ? undefined : WANTED[rule]
    : isChoices(rule)
    ? choose(value, rule)
    : "wanted" in rule
    ? rule.fits(value) ? undefined : rule.wanted
    : bound(value, rule);
  if (wanted === undefined) return;
  const isKind = typeof rule === "object" && "wanted" in rule;
  const found = isKind || rule === "port" ? kindOf(value) : shown(value);
  const meant = typeof value === "string" && isChoices(rule)
    ? didYouMean(value, rule)
    : "";
  const isRange = typeof rule === "object" && !isKind &&
    typeof value === "number";
  throw refuse(
    name,
    `must be ${wanted}, not ${found}${meant}`,
    isRange ? "range" : undefined,
  );
}

/** Refuses what is no string, before a method of it would be called. */
export function checkText(text: unknown, failed: string): void {
  if (typeof text === "string") return;
  checkValue("text", text, "text", refuseMistake(failed));
}

/** Whether a rule is a list of choices: `Array.isArray` does not narrow a readonly one. */
function isChoices(rule: Rule): rule is readonly string[] {
  return Array.isArray(rule);
}

type Word = Exclude<Rule, readonly string[] | Bounds | Kind | "any">;

const WANTED: Readonly<Record<Word, string>> = {
  flag: "true or false",
  text: "a string",
  signal: "an AbortSignal",
  port: "a file system, such as memoryFs({})",
};

function fits(value: unknown, rule: Word): boolean {
  switch (rule) {
    case "flag":
      return typeof value === "boolean";
    case "text":
      return typeof value === "string";
    case "signal":
      // An AbortController has no `aborted`, and would never abort the call.
      return typeof propertyOf(value, "aborted") === "boolean";
    case "port":
      return ["realPath", "lstat", "readLink", "open"].every((name) =>
        typeof propertyOf(value, name) === "function"
      );
  }
}

/** A property of anything at all; `undefined` where a getter or a proxy throws. */
export function propertyOf(value: unknown, name: string): unknown {
  try {
    return Object(value)[name];
  } catch {
    return undefined;
  }
}

function choose(
  value: unknown,
  choices: readonly string[],
): string | undefined {
  if (choices.includes(value as string)) return undefined;
  return `one of ${choices.map(quote).join(", ")}`;
}

function bound(
  value: unknown,
  { least, most = Number.MAX_SAFE_INTEGER, unlimited = false }: Bounds,
): string | undefined {
  if (unlimited && value === Infinity) return undefined;
  const isWithin = Number.isSafeInteger(value) &&
    (value as number) >= least && (value as number) <= most;
  if (isWithin) return undefined;
  return least === -Infinity
    ? "a whole number"
    : most < Number.MAX_SAFE_INTEGER
    ? `a whole number from ${least} to ${most}`
    : `a whole number from ${least} on`;
}

/** A value as a message shows it: short, and with quotes if it is a string. */
export function shown(value: unknown): string {
  return typeof value === "string" ? quote(value) : kindOf(value);
}

/** The same without the text, which may be a secret that was meant for another argument. */
function kindOf(value: unknown): string {
  switch (typeof value) {
    case "string":
    case "symbol":
    case "function":
      return `a ${typeof value}`;
    case "object":
      if (value === null) return "null";
      return isArray(value) ? "an array" : "an object";
    default:
      return String(value);
  }
}

/** `Array.isArray` throws for a proxy that was revoked. */
function isArray(value: object): boolean {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}
