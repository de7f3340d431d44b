// Runtime-agnostic.
import type { JsonSchema } from "@agent-tools/read-file";
import type { Size } from "./bounds.ts";
import type { Scope } from "./scope.ts";
import type { Sessions } from "./sessions.ts";
import type { Versions } from "./versions.ts";

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** What a tool answers. */
export interface Answer {
  /** What a model reads. */
  readonly text: string;
  /** What a program may ask for beside the words; fits the output schema. */
  readonly facts: Json;
  /** An image that follows the words, as base64. */
  readonly image?: { readonly data: string; readonly mimeType: string };
}

/** What a call needs besides its arguments. */
export interface CallContext {
  readonly scope: Scope;
  /** The limits of the answer. */
  readonly bounds: Size;
  readonly versions: Versions;
  /** What the connection was shown. */
  readonly sessions: Sessions;
  readonly signal: AbortSignal;
  /** The encoding of files, if the server was told; else each is told by its bytes. */
  readonly encoding?: string | undefined;
  /** How arguments were understood; an answer and a failure both tell it. */
  readonly notes: string[];
}

/** A tool as the server offers it. */
export interface ServedTool {
  readonly name: string;
  /** Its name for people. */
  readonly title: string;
  readonly description: string;
  readonly input: JsonSchema;
  /** The schema of its facts, without the notes. */
  readonly output: Json;
  call(args: Json, context: CallContext): Promise<Answer>;
}

/** Makes a schema of a type, which a description may follow. */
const typed = (type: string) =>
(
  description?: string,
): Json & { readonly type: string } => ({
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
