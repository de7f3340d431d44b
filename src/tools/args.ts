// Runtime-agnostic.
import { ReadFileError } from "../core/errors.ts";

export { hint } from "../core/nearest.ts";

/** The arguments of a call, as they came. */
export type Arguments = Readonly<Record<string, unknown>>;

/**
 * Takes the arguments of a call: an object, or its JSON text.
 *
 * @returns A copy of the object, or `undefined` if it is no such thing.
 */
export function takeArguments(args: unknown): Arguments | undefined {
  try {
    const value: unknown = typeof args === "string" ? JSON.parse(args) : args;
    const isObject = typeof value === "object" && value !== null &&
      !Array.isArray(value);
    // What a getter or a proxy gives is asked for once, here, where it may throw.
    return isObject ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** An own property; `null` means absent, and so does what is inherited. */
export function argument(args: Arguments, name: string): unknown {
  return Object.hasOwn(args, name) ? args[name] ?? undefined : undefined;
}

/** The path among the arguments, for messages, whatever it is. */
export function pathOf(args: unknown, name: string): string {
  const path = argument(takeArguments(args) ?? {}, name);
  return typeof path === "string" ? path : "";
}

/** The failure of an argument; the message is the whole sentence. */
export function badArgument(
  path: string,
  argument: string,
  problem: string,
  hint?: string,
): ReadFileError<"INVALID_ARGUMENT"> {
  const details = {
    argument,
    problem,
    ...(hint === undefined ? {} : { hint }),
  };
  const message = `${argument} ${problem}`;
  return new ReadFileError("INVALID_ARGUMENT", path, details, { message });
}
