// Runtime-agnostic.
import { ReadFileError } from "./errors.ts";
import { nearest, quote } from "./words.ts";

/**
 * Makes the error of a check: `problem` is the rest of a sentence that begins
 * with `name`.
 */
export type Refuse = (name: string, problem: string, range?: "range") => Error;

/** For what a programmer wrote: a `TypeError`, or a `RangeError` for a number out of range. */
export function refuseMistake(failed: string): Refuse {
  return (name, problem, range) =>
    new (range === undefined ? TypeError : RangeError)(
      `${failed}: ${name} ${problem}`,
    );
}

/** For what a model may have sent: `INVALID_ARGUMENT`. */
export function refuseArgument(path: unknown): Refuse {
  const shown = typeof path === "string" ? path : "";
  return (argument, problem) =>
    new ReadFileError("INVALID_ARGUMENT", shown, { argument, problem });
}

/**
 * Takes a plain object: a copy, so that no getter is asked twice and no caller
 * changes it later. `undefined` is an empty one.
 *
 * Refuses `null`, numbers, arrays, maps and other instances of classes: their
 * entries would be silently left out.
 */
export function takeObject<T extends object>(
  value: T | undefined,
  name: string,
  refuse: Refuse,
): T {
  const given: unknown = value === undefined ? {} : value;
  try {
    if (isPlainObject(given)) return { ...given } as T;
  } catch {
    // A getter or a proxy that throws is refused like any other wrong object.
  }
  throw refuse(name, "must be a plain object");
}

/** Whether it is an object whose own properties are all there is to it. */
export function isPlainObject(
  value: unknown,
): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return false;
  }
  const prototype = Object.getPrototypeOf(value);
  // The prototype of another realm's objects has no prototype either.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Refuses a name that is not known: a misspelt limit would pass for one that holds. */
export function checkNames(
  object: object,
  known: readonly string[],
  refuse: Refuse,
): void {
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined || known.includes(name)) continue;
    throw refuse(quote(name), unknownName(name, known));
  }
}

/** What is wrong with a name that is not known, as the rest of a sentence. */
export function unknownName(name: string, known: readonly string[]): string {
  return `is unknown; the names are ${known.join(", ")}${
    didYouMean(name, known)
  }`;
}

/** The known name that an unknown one seems to be, as the end of a sentence. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const [likely] = nearest(name, known, 1);
  return likely === undefined ? "" : `; did you mean ${likely}?`;
}

/** Takes an options object: plain, and with known names alone. */
export function takeOptionsObject<T extends object>(
  value: T | undefined,
  known: readonly (keyof T & string)[],
  refuse: Refuse,
): T {
  const options = takeObject(value, "options", refuse);
  checkNames(options, known, refuse);
  return options;
}

/** Refuses what is not an `AbortSignal`: a controller, for one, would never abort. */
export function checkSignal(signal: unknown, refuse: Refuse): void {
  const isSignal = signal === undefined ||
    typeof (signal as AbortSignal | null)?.aborted === "boolean";
  if (!isSignal) throw refuse("signal", "must be an AbortSignal");
}

/** The bounds of a whole number; both are inclusive. */
export interface Bounds {
  readonly least: number;
  readonly most?: number;
  /** Whether `Infinity` stands for no limit. */
  readonly unlimited?: boolean;
}

/** Refuses a number that is not whole or out of bounds; `undefined` passes. */
export function checkWhole(
  name: string,
  value: unknown,
  { least, most = Number.MAX_SAFE_INTEGER, unlimited = false }: Bounds,
  refuse: Refuse,
): void {
  if (value === undefined || (unlimited && value === Infinity)) return;
  const fits = Number.isSafeInteger(value) &&
    (value as number) >= least && (value as number) <= most;
  if (fits) return;
  const bounds = most < Number.MAX_SAFE_INTEGER
    ? `from ${least} to ${most}`
    : `from ${least} on`;
  throw refuse(
    name,
    `must be a whole number ${bounds}, not ${shown(value)}`,
    typeof value === "number" ? "range" : undefined,
  );
}

/** Refuses what is neither `true` nor `false`; `undefined` passes. */
export function checkFlag(
  name: string,
  value: unknown,
  refuse: Refuse,
): void {
  if (value === undefined || typeof value === "boolean") return;
  throw refuse(name, `must be true or false, not ${shown(value)}`);
}

/** Refuses what is not one of the choices; `undefined` passes. */
export function checkChoice(
  name: string,
  value: unknown,
  choices: readonly string[],
  refuse: Refuse,
): void {
  if (value === undefined || choices.includes(value as string)) return;
  const listed = choices.map((choice) => JSON.stringify(choice)).join(", ");
  const meant = typeof value === "string" ? didYouMean(value, choices) : "";
  throw refuse(name, `must be one of ${listed}, not ${shown(value)}${meant}`);
}

/** A value as a message shows it: short, and told apart from a number by its quotes. */
function shown(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

/**
 * Refuses what is no plain object of options, and unknown names in it.
 *
 * @param failed What cannot be done, as the beginning of a sentence.
 */
export function refuseUnknown(
  failed: string,
  options: object,
  known: readonly string[],
): void {
  const refuse = refuseMistake(failed);
  checkNames(takeObject(options, "options", refuse), known, refuse);
}
