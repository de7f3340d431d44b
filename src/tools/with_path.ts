// Runtime-agnostic.
import type { ReadFileError } from "../core/errors.ts";
import { type Arguments, badArgument, takeArguments } from "./args.ts";

/** The object form of a call whose path came by itself; the path wins. */
export function withPath(
  name: string,
  path: unknown,
  options: unknown,
): Arguments {
  const object = takeArguments(options ?? {});
  if (object === undefined) throw badArguments(textOf(path));
  return { ...object, [name]: path };
}

/** The failure of arguments that are no arguments at all. */
export function badArguments(path: string): ReadFileError {
  const problem = "must be an object, or its JSON text";
  return badArgument(path, "arguments", problem);
}

/** What was given where a string belongs, for messages. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
