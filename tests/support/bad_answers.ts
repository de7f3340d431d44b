/** Checks for answers to bad input. */
import { assert } from "@std/assert";
import { type JsonSchema, memoryFs, openWorkspace } from "../../mod.ts";
import { countingFs } from "./counting_fs.ts";

const FILES = {
  "/ws/a.txt": "one\n  two\nthree\n",
  "/ws/d/b.txt": "b\n",
  "/ws/big.txt": "0123456789\n".repeat(9_000),
  "/ws/out": { link: "../etc/passwd" },
  "/ws/loop": { link: "loop" },
  "/etc/passwd": "SECRET",
} as const;

/** A workspace with a file for every argument, and a secret outside. */
export async function workspaceOf() {
  const fs = countingFs(memoryFs(FILES));
  return { workspace: await openWorkspace("/ws", { fs }), counts: fs.counts };
}

/** Matches a message about a wrong argument: its name, and what it must be. */
const UNKNOWN = /^"(\\.|[^"\\])*" is unknown; the names are \w+/;
const MUST =
  /^(failed to parse function arguments: )?[\w, /]+ (must (not )?be |cannot be combined|hold ".*", which \w+ does not take)/s;
/** Matches a message about a malformed path. */
const NO_PATH =
  /(^Cannot read "[^]*": |^failed to read file: )path (must |holds |is longer |has a name longer )/;

/** Fails if a sentence reveals what a getter threw, or what lies outside the root. */
export function assertTellsNothing(text: string): void {
  // A sentence may quote the value that was sent.
  const ours = text.replace(/"(\\.|[^"\\])*"/g, '""');
  const leak = /SECRET|hostile|reason of its own|undefined|\[object/;
  assert(!leak.test(ours), text);
}

/** Fails unless the sentence names an argument and says what it must be. */
export function assertSaysWhatToSend(sentence: string): void {
  const patterns = [MUST, UNKNOWN, NO_PATH];
  assert(patterns.some((pattern) => pattern.test(sentence)), sentence);
}

/** Whether the type of an argument differs from the schema. */
export function isMistyped(schema: JsonSchema, args: unknown): boolean {
  try {
    const value = typeof args === "string" ? JSON.parse(args) : args;
    return !isOfType({ type: "object" }, value) ||
      hasMistyped(schema, { ...value });
  } catch {
    return true;
  }
}

function hasMistyped(
  { properties = {}, required = [] }: JsonSchema,
  object: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(properties).some(([name, schema]) => {
    // `null` counts as absent.
    const value = Object.hasOwn(object, name) ? object[name] ?? null : null;
    if (value === null) return required.includes(name);
    return !isOfType(schema, value) || (schema.properties !== undefined &&
      isMistyped(schema, value));
  });
}

function isOfType({ type }: JsonSchema, value: unknown): boolean {
  switch (type) {
    case "object":
      return typeof value === "object" && value !== null &&
        !Array.isArray(value);
    case "number":
    case "integer":
      return Number.isInteger(value);
    default:
      return type === "string"
        ? typeof value === "string"
        : typeof value === "boolean";
  }
}
