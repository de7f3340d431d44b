import type { FsPort } from "@agent-tools/read-file";

/** Makes the error of a check; `problem` is the rest of a sentence. */
export function mistake(failed: string, problem: string): TypeError {
  return new TypeError(`${failed}: ${problem}`);
}

/** Throws if a value is not a file system. */
export function checkPort(value: unknown, name: string, failed: string): void {
  const port = Object(value) as Record<keyof FsPort, unknown>;
  const isPort = [port.realPath, port.lstat, port.readLink, port.open]
    .every((member) => typeof member === "function");
  if (isPort) return;
  const wanted = "must be a file system, such as memoryFs({})";
  throw mistake(failed, `${name} ${wanted}, not ${kindOf(value)}`);
}

/** Whether a value is a plain object: not an array, a `Map` or another instance. */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A value as a message shows it: a string in quotes. */
export function show(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : kindOf(value);
}

/** The kind of a value as a message shows it. */
export function kindOf(value: unknown): string {
  const type = typeof value;
  if (Array.isArray(value)) return "an array";
  if (value instanceof Promise) return "a promise; await it";
  if (type === "object" && value !== null) return "an object";
  return /^(?:string|symbol|function)$/.test(type)
    ? `a ${type}`
    : String(value);
}
