// Runtime-agnostic.
import type { JsonSchema } from "@agent-tools/read-file";
import { LEAST_MAX_CHARS } from "./bounds.ts";
import type { Json } from "./messages.ts";
import type { FittedPage } from "./page_answer.ts";

type Schema = Json & { readonly type: string };

function typed(type: string, description: string | undefined): Schema {
  return description === undefined ? { type } : { type, description };
}

export function text(description?: string): Schema {
  return typed("string", description);
}

function flag(description?: string): Schema {
  return typed("boolean", description);
}

export function whole(description?: string): Schema {
  return typed("integer", description);
}

/** An object that has all of these properties and no others. */
export function objectOf(properties: Json, description?: string): Json {
  return {
    ...typed("object", description),
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/** A nullable schema, in the form that all clients support. */
export function orNull({ description, ...schema }: Json): Json {
  return { anyOf: [schema, { type: "null" }], description };
}

const LINE: JsonSchema = { type: "integer", minimum: 1 };
const line = (description: string) => ({ ...LINE, description });

const COUNT: JsonSchema = { type: "integer", minimum: 0 };

/** The arguments of a call for one file. */
const PAGE_PROPERTIES: Readonly<Record<string, JsonSchema>> = {
  path: text(),
  start: line("First line; 1 is the first of the file."),
  end: line("Last line, inclusive."),
  count: line("Number of lines; not with end."),
  tail: line("Only the last N lines."),
  around: line("The lines around this one."),
  match: text("Only lines with this text."),
  regex: flag("match is a pattern."),
  before: { ...COUNT, description: "Lines before (around: default 10)." },
  after: COUNT,
  column: line("Character of the first line to begin at."),
  maxTokens: line("The most tokens of text."),
  escape: flag("Shows hidden characters as \\u{202E}."),
  numbered: flag("With tail: counts lines from the first, or from the end."),
  etag: text("From the page before: fails if the file changed."),
  encoding: text("If the one it was read in is wrong."),
  view: text('"raw": the file itself, not its cells.'),
};

/** The arguments that `read_files` lists for each file; it takes all those of `read_file`. */
export const FILE_PROPERTIES: Readonly<Record<string, JsonSchema>> = {
  path: text(),
  start: LINE,
  end: LINE,
  tail: LINE,
};

export interface PageToolOptions {
  readonly maxChars: number;
  /** How paths are resolved, in words. */
  readonly paths: string;
  /** Whether a view has pages. */
  readonly paged: boolean;
  /** Whether lines that were shown before are left out. */
  readonly session?: boolean | undefined;
}

export function pageSchema({ maxChars, paged, session }: PageToolOptions) {
  return {
    type: "object",
    properties: {
      ...PAGE_PROPERTIES,
      ...(paged && { pages: text('Pages of a PDF, such as "3" or "3-5".') }),
      ...(session && { refresh: flag("Shows what an earlier answer showed.") }),
      maxChars: charsProperty(maxChars),
    },
    required: ["path"],
  } as const satisfies JsonSchema;
}

export function charsProperty(maxChars: number): JsonSchema {
  return {
    type: "integer",
    minimum: LEAST_MAX_CHARS,
    maximum: maxChars,
    description: "The longest answer, if less is wanted.",
  };
}

const PAGE_FACTS = {
  path: text(),
  firstLine: orNull(whole("The first line shown.")),
  lastLine: orNull(whole("The last line shown.")),
  totalLines: orNull(whole("The lines of the file, if they were counted.")),
  next: orNull({
    type: "object",
    description:
      "The arguments of the call of read_file that goes on; null at the end.",
  }),
  hits: orNull(objectOf({
    count: whole("How many lines match, those not shown among them."),
    exact: flag("Whether these are all."),
    lines: { type: "array", items: whole() },
  }, "The lines that match, and are shown.")),
  shown: objectOf(
    { start: whole(), end: whole() },
    "The bytes of the file that are shown; the end is exclusive.",
  ),
  size: whole("The size of the file in bytes."),
  exact: flag("Whether the lines are the very bytes of the file."),
  encoding: orNull(text("The encoding of the file.")),
  empty: orNull(text(
    'Why there are no lines: "empty file", "past the end", "past the last column" or "no hit".',
  )),
  hidden: {
    type: "array",
    description: "The first characters that a reader does not see.",
    items: objectOf({
      line: whole(),
      column: whole(),
      code: text("As Unicode writes it."),
      name: text(),
    }),
  },
  hiddenCount: whole("How many there are in all."),
  view: orNull(text("The view that is shown, if not the file itself.")),
  image: orNull(objectOf({
    mediaType: text(),
    width: whole(),
    height: whole(),
    frames: orNull(whole()),
  }, "The image that follows, if the file is one.")),
};

export const PAGE_OUTPUT = objectOf(PAGE_FACTS);

/** The facts of one of several files, which may be an error instead of a page. */
const FILE_FACTS = {
  path: PAGE_FACTS.path,
  firstLine: PAGE_FACTS.firstLine,
  lastLine: PAGE_FACTS.lastLine,
  totalLines: PAGE_FACTS.totalLines,
  next: PAGE_FACTS.next,
  shown: orNull(PAGE_FACTS.shown),
  size: orNull(PAGE_FACTS.size),
  exact: orNull(PAGE_FACTS.exact),
  encoding: PAGE_FACTS.encoding,
  view: PAGE_FACTS.view,
  error: orNull(objectOf(
    { code: text(), message: text() },
    "Why the file could not be read.",
  )),
};

export const FILES_OUTPUT: Json = objectOf({
  files: {
    type: "array",
    description: "The files, in the order in which they were asked for.",
    items: objectOf(FILE_FACTS),
  },
});

/** How many hidden characters are listed one by one. */
const MOST_LISTED = 20;

/** The facts of a page, for programs; the text is only in `content`. */
export function factsOfPage({ page, path, totalLines, next }: FittedPage) {
  const { lines, hits, warnings } = page;
  return {
    path,
    firstLine: lines[0]?.number ?? null,
    lastLine: lines.at(-1)?.number ?? null,
    totalLines,
    shown: page.shown,
    size: page.size,
    encoding: page.encoding.label,
    empty: page.empty,
    next,
    exact: page.exact,
    hits: hits === undefined
      ? null
      : { count: hits.count, exact: hits.exact, lines: hits.lines },
    hidden: warnings.slice(0, MOST_LISTED).map(
      ({ line, column, code, name }) => ({ line, column, code, name }),
    ),
    hiddenCount: warnings.length,
    view: page.view,
    image: null,
  };
}

/** The facts of one of several files, with `null` for what is unknown. */
export function factsOfFile(facts: Json): Json {
  const names = Object.keys(FILE_FACTS);
  return Object.fromEntries(names.map((name) => [name, facts[name] ?? null]));
}
