// Runtime-agnostic.
import type { JsonSchema } from "@agent-tools/read-file";
import { DEFAULT_MAX_BYTES, MOST_MAX_BYTES } from "./limits.ts";
import type { Json } from "./served_tool.ts";

const line = (description: string): JsonSchema => ({
  type: "integer",
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description,
});

/** Which part of a file a call may ask for. */
export const PAGE_PROPERTIES: Readonly<Record<string, JsonSchema>> = {
  start: line("First line to show, from 1 on (default: 1)."),
  count: line("The most lines to show; not with end."),
  end: line("Last line to show, inclusive; not with count."),
  tail: line("Shows that many of the last lines; alone, or with maxBytes."),
  numbered: {
    type: "boolean",
    description:
      "With tail: whether to count the lines before, which takes long where the file is far away.",
  },
  around: line("Shows the lines around this one; not with start or tail."),
  before: {
    type: "integer",
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "With around: how many lines before it (default: 10).",
  },
  after: {
    type: "integer",
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "With around: how many lines after it (default: 10).",
  },
  maxBytes: {
    ...line(
      `The most bytes of the file to show, at most ${MOST_MAX_BYTES} (default: ${DEFAULT_MAX_BYTES}).`,
    ),
    maximum: MOST_MAX_BYTES,
  },
  column: line("The character of the first line to begin at (default: 1)."),
  width: line("The most characters to show, all of one line."),
  escape: {
    type: "boolean",
    description: "Shows hidden characters as \\u{202E}.",
  },
  etag: {
    type: "string",
    description:
      "The etag of the page before: fails if the file has changed since.",
  },
};

const number = (description: string) => ({ type: "integer", description });

/** Or `null`, as schemas say it that all clients take. */
export function orNull({ description, ...schema }: Json): Json {
  const told = description === undefined ? {} : { description };
  return { anyOf: [schema, { type: "null" }], ...told };
}

/** What is told of arguments that were not as they should be. */
export const NOTES: Json = {
  type: "array",
  description: "How arguments were understood.",
  items: { type: "string" },
};

const SHOWN: Json = {
  type: "object",
  description: "The bytes of the file that are shown.",
  properties: {
    start: number("The first one."),
    end: number("The one after the last."),
  },
  required: ["start", "end"],
};

/** What is told of a page. */
export const PAGE_OUTPUT: Json = {
  type: "object",
  properties: {
    path: { type: "string", description: "The path of the file." },
    text: {
      type: "string",
      description:
        "The lines, each after its number and ¦, and a notice after the last.",
    },
    firstLine: orNull(number("The first line shown.")),
    lastLine: orNull(number("The last line shown.")),
    totalLines: orNull(
      number("The lines of the file, where they were counted."),
    ),
    shown: SHOWN,
    size: number("The size of the file in bytes."),
    empty: orNull({
      type: "string",
      description:
        'Why there are no lines: "empty file", "past the end" or "past the last column".',
    }),
    next: orNull({
      type: "object",
      description: "The arguments of the call that goes on; null at the end.",
    }),
    etag: { type: "string", description: "Names this version of the file." },
    exact: {
      type: "boolean",
      description: "Whether the lines are the very bytes of the file.",
    },
    hidden: {
      type: "array",
      description: "Characters that a reader does not see; the first of them.",
      items: {
        type: "object",
        properties: {
          line: number("The line."),
          column: number("The character of the line."),
          code: { type: "string", description: "As Unicode writes it." },
          name: { type: "string", description: "Its name." },
        },
        required: ["line", "column", "code", "name"],
      },
    },
    hiddenCount: number("How many there are in all."),
    notes: NOTES,
  },
  required: [
    "path",
    "text",
    "firstLine",
    "lastLine",
    "totalLines",
    "shown",
    "size",
    "empty",
    "next",
    "etag",
    "exact",
    "hidden",
    "hiddenCount",
  ],
  additionalProperties: false,
};

const OF_EACH: Json = {
  path: { type: "string", description: "The path of the file." },
  firstLine: orNull(number("The first line shown.")),
  lastLine: orNull(number("The last line shown.")),
  totalLines: orNull(number("The lines of the file, where they were counted.")),
  shown: orNull(SHOWN),
  size: orNull(number("The size of the file in bytes.")),
  next: orNull({
    type: "object",
    description:
      "The arguments of the call of read_file that goes on; null at the end.",
  }),
  etag: orNull({
    type: "string",
    description: "Names this version of the file.",
  }),
  exact: orNull({
    type: "boolean",
    description: "Whether the lines are the very bytes of the file.",
  }),
  error: orNull({
    type: "object",
    description: "Why the file could not be read.",
    properties: {
      code: { type: "string", description: "The kind of failure." },
      message: { type: "string", description: "What is the case." },
    },
    required: ["code", "message"],
  }),
};

/** What is told of several files. */
export const FILES_OUTPUT: Json = {
  type: "object",
  properties: {
    text: {
      type: "string",
      description: "The pages one after the other, each with its notice.",
    },
    files: {
      type: "array",
      description: "The files, in the order in which they were asked for.",
      items: {
        type: "object",
        properties: OF_EACH,
        required: Object.keys(OF_EACH),
        additionalProperties: false,
      },
    },
    notes: NOTES,
  },
  required: ["text", "files"],
  additionalProperties: false,
};
