// Runtime-agnostic.
import { quote } from "../core/quote.ts";
import { type Arguments, hint, takeArguments } from "./args.ts";
import type { JsonSchema } from "./json_schema.ts";

/** Arguments as they were meant, and how that was understood. */
export interface TakenLeniently {
  /** The arguments. */
  readonly args: unknown;
  /** A sentence for each that was not taken as it came. */
  readonly notes: readonly string[];
}

/** A note is for a model to learn from; a hundred of them are noise. */
const MAX_NOTES = 8;

/** A whole number in digits, as models write it. */
const WHOLE = /^\s*[+-]?\d{1,16}(?:\.0+)?\s*$/;

/**
 * Takes what models often send for what they mean: numbers and truth values in
 * quotes, a list as its JSON text, and `null` for what is absent. Never a path
 * for another one.
 */
export function takeLeniently(
  schema: JsonSchema,
  args: unknown,
): TakenLeniently {
  const object = takeArguments(args);
  if (object === undefined) return { args, notes: [] };
  const notes: string[] = [];
  const taken = takeObject(schema, object, "", notes);
  const more = notes.splice(MAX_NOTES).length;
  if (more > 0) notes.push(`and so on, ${more} times more`);
  return { args: taken, notes };
}

function takeObject(
  { properties = {}, required = [] }: JsonSchema,
  object: Arguments,
  prefix: string,
  notes: string[],
): Arguments {
  const known = Object.keys(properties);
  const taken = Object.entries(object).flatMap(([key, value]) => {
    const name = prefix + key;
    if (!known.includes(key)) {
      notes.push(`${quote(name)} is not an argument${hint(key, known)}`);
      return [[key, value]];
    }
    if (value !== null || required.includes(key)) {
      return [[key, takeValue(properties[key]!, value, name, notes)]];
    }
    notes.push(`${name}: null was taken as absent`);
    return [];
  });
  return Object.fromEntries(taken);
}

function takeValue(
  schema: JsonSchema,
  value: unknown,
  name: string,
  notes: string[],
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
  notes.push(`${name}: ${quote(value)} was taken as ${meant}`);
  return meant;
}

function takeArray(
  { items }: JsonSchema,
  value: unknown,
  name: string,
  notes: string[],
): unknown {
  const list = listOf(value);
  if (list === undefined) return value;
  if (typeof value === "string") {
    notes.push(`${name}: JSON text was taken as a list`);
  }
  // What is null in a list is an element, and not an absent one.
  return list.map((element, at) =>
    items === undefined || element === null
      ? element
      : takeValue(items, element, `${name}[${at}]`, notes)
  );
}

/** A copy of an array, or of the one that a text has in JSON. */
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
