// Runtime-agnostic.
import type { JsonSchema } from "@agent-tools/read-file";
import { LEAST_MAX_CHARS, MOST_LISTED } from "./bounds.ts";
import type { FittedPage } from "./page_answer.ts";
import type { Json } from "./served_tool.ts";

const line = (description: string): JsonSchema => ({
  type: "integer",
  minimum: 1,
  description,
});

const COUNT: JsonSchema = { type: "integer", minimum: 0 };

/** What a call of one file is asked with. */
const PAGE_PROPERTIES: Readonly<Record<string, JsonSchema>> = {
  path: { type: "string" },
  start: line("First line; 1 is the first of the file."),
  end: line("Last line, inclusive."),
  count: line("Number of lines; not with end."),
  tail: line("Only the last N lines."),
  around: line("The lines around this one."),
  before: { ...COUNT, description: "Lines before around (default 10)." },
  after: { ...COUNT, description: "Lines after around (default 10)." },
  column: line("Character of the first line to begin at."),
  escape: {
    type: "boolean",
    description: "Shows hidden characters as \\u{202E}.",
  },
  numbered: {
    type: "boolean",
    description: "With tail: counts lines from the first, or from the end.",
  },
  etag: {
    type: "string",
    description: "From the page before: fails if the file changed.",
  },
};

/** What `read_files` tells of each file; it takes what `read_file` does. */
export const FILE_PROPERTIES: Readonly<Record<string, JsonSchema>> = {
  path: { type: "string" },
  start: { type: "integer", minimum: 1 },
  end: { type: "integer", minimum: 1 },
  tail: { type: "integer", minimum: 1 },
};

/** Which part of a file a call may ask for, in how many characters. */
export function pageProperties(
  maxChars: number,
): Readonly<Record<string, JsonSchema>> {
  return { ...PAGE_PROPERTIES, maxChars: charsProperty(maxChars) };
}

/** The bound that a call may ask for. */
export function charsProperty(maxChars: number): JsonSchema {
  return {
    type: "integer",
    minimum: LEAST_MAX_CHARS,
    maximum: maxChars,
    description: "The longest answer, if less is wanted.",
  };
}

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

const NEXT: Json = orNull({
  type: "object",
  description:
    "The arguments of the call of read_file that goes on; null at the end.",
});

const TOTAL: Json = orNull(
  number("The lines of the file, where they were counted."),
);

const PAGE_FACTS: Json = {
  path: { type: "string", description: "The path of the file." },
  firstLine: orNull(number("The first line shown.")),
  lastLine: orNull(number("The last line shown.")),
  totalLines: TOTAL,
  shown: SHOWN,
  size: number("The size of the file in bytes."),
  empty: orNull({
    type: "string",
    description:
      'Why there are no lines: "empty file", "past the end" or "past the last column".',
  }),
  next: NEXT,
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
};

/** What is told of a page. */
export const PAGE_OUTPUT: Json = {
  type: "object",
  properties: { ...PAGE_FACTS, notes: NOTES },
  required: Object.keys(PAGE_FACTS),
  additionalProperties: false,
};

const FILE_FACTS: Json = {
  path: PAGE_FACTS.path,
  firstLine: PAGE_FACTS.firstLine,
  lastLine: PAGE_FACTS.lastLine,
  totalLines: TOTAL,
  shown: orNull(SHOWN),
  size: orNull(number("The size of the file in bytes.")),
  next: NEXT,
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
    files: {
      type: "array",
      description: "The files, in the order in which they were asked for.",
      items: {
        type: "object",
        properties: FILE_FACTS,
        required: Object.keys(FILE_FACTS),
        additionalProperties: false,
      },
    },
    notes: NOTES,
  },
  required: ["files"],
  additionalProperties: false,
};

/** The facts of a page, for programs; the text stands in the words alone. */
export function factsOfPage(
  { page, next }: FittedPage,
  notes: readonly string[],
): Json {
  const { path, lines, shown, size, totalLines, empty, exact, warnings } = page;
  return {
    path,
    firstLine: lines[0]?.number ?? null,
    lastLine: lines.at(-1)?.number ?? null,
    totalLines,
    shown,
    size,
    empty,
    next,
    exact,
    hidden: warnings.slice(0, MOST_LISTED).map(
      ({ line, column, code, name }) => ({ line, column, code, name }),
    ),
    hiddenCount: warnings.length,
    ...(notes.length > 0 && { notes }),
  };
}

/** The facts of one of several files: of its page, its failure, or neither. */
export function factsOfFile(
  path: string,
  { page, next = null, error = null }: {
    readonly page?: FittedPage;
    readonly next?: Json | null;
    readonly error?: Json | null;
  },
): Json {
  const all = page === undefined ? {} as Json : factsOfPage(page, []);
  const { firstLine = null, lastLine = null, totalLines = null } = all;
  const { shown = null, size = null, exact = null } = all;
  return {
    path: page === undefined ? path : page.page.path,
    ...{ firstLine, lastLine, totalLines, shown, size, exact },
    next: page === undefined ? next : page.next,
    error,
  };
}
