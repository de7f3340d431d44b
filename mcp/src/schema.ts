// Runtime-agnostic.
import type { Json } from "./served_tool.ts";

/** Makes a schema of a type, which a description may follow. */
const typed = (type: string) => (description?: string): Json => ({
  type,
  ...(description !== undefined && { description }),
});

export const text = typed("string");
export const flag = typed("boolean");
export const whole = typed("integer");

/** An object that has all of these properties and no others. */
export function objectOf(properties: Json, description?: string): Json {
  return {
    ...typed("object")(description),
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/** Or `null`, in the form that all clients take. */
export function orNull({ description, ...schema }: Json): Json {
  const told = description === undefined ? {} : { description };
  return { anyOf: [schema, { type: "null" }], ...told };
}
