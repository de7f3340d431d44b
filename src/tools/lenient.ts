// Runtime-agnostic.
import { quote } from "../core/base/words.ts";
import { MAX_NOTES, takeArguments, unknownArgument } from "./arguments.ts";
import { WHOLE } from "./arguments.ts";
import type { Arguments } from "./arguments.ts";
import type { JsonSchema } from "./call.ts";

/**
 * Collects the notes for a model: the first few about how arguments were
 * understood, and all notes of the tool, such as what was cut.
 */
export class Notes {
  readonly #first: string[] = [];
  readonly #fromTool = new Set<string>();
  #count = 0;

  /** Adds a note about an argument; after the first few, `make` is not called. */
  add(make: () => string): void {
    if (this.#count++ < MAX_NOTES) this.#first.push(make());
  }

  /** Adds a note of the tool, unless it is there already. */
  take(note: string): void {
    if (!this.#first.includes(note)) this.#fromTool.add(note);
  }

  get list(): readonly string[] {
    const more = this.#count - this.#first.length;
    const rest = more === 0 ? [] : [`and so on, ${more} times more`];
    return [...this.#first, ...rest, ...this.#fromTool];
  }
}

/**
 * Converts what models often send: numbers and booleans in quotes, a list as
 * JSON text, and `null` for an absent argument. It never changes a path.
 */
export function takeLeniently(
  schema: JsonSchema,
  args: unknown,
  notes: Notes,
): unknown {
  const object = takeArguments(args);
  return object === undefined ? args : takeObject(schema, object, "", notes);
}

/** Converts the members of an object, which may be changed. */
function takeObject(
  { properties = {}, required = [] }: JsonSchema,
  object: Record<string, unknown>,
  prefix: string,
  notes: Notes,
): Arguments {
  const known = Object.keys(properties);
  for (const key of Object.keys(object)) {
    const name = prefix + key;
    if (!known.includes(key)) {
      notes.add(() => unknownArgument(key, known, prefix));
    } else if (object[key] !== null || required.includes(key)) {
      object[key] = takeValue(properties[key]!, object[key], name, notes);
    } else {
      notes.add(() => `${name}: null was taken as absent`);
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
  if (schema.type === "object") {
    const object = typeof value === "string" ? undefined : takeArguments(value);
    return object === undefined
      ? value
      : takeObject(schema, object, `${name}.`, notes);
  }
  if (schema.type === "array") return takeArray(schema, value, name, notes);
  if (typeof value !== "string") return value;
  const meant = meaningOf(schema.type, value);
  if (meant === undefined) return value;
  notes.add(() => `${name}: ${quote(value)} was taken as ${meant}`);
  return meant;
}

function takeArray(
  { items }: JsonSchema,
  value: unknown,
  name: string,
  notes: Notes,
): unknown {
  const list = listOf(value);
  if (list === undefined) return value;
  if (typeof value === "string") {
    notes.add(() => `${name}: JSON text was taken as a list`);
  }
  // A null in a list is an element, not an absent argument.
  return list.map((element, at) =>
    items === undefined || element === null
      ? element
      : takeValue(items, element, `${name}[${at}]`, notes)
  );
}

/** Copies an array, or parses one from JSON text. */
function listOf(value: unknown): readonly unknown[] | undefined {
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
