import { type Json, ownOf } from "../../core/base/check.ts";
import type { Page } from "../../core/pages/page.ts";
import { quote, visibleJson } from "../../core/base/words.ts";
import type { ImageContent } from "../../core/read_image.ts";
import { endingFor, isWhole } from "../arguments.ts";
import type { JsonSchema } from "../call.ts";
import { Notes, takeLeniently } from "../call_options.ts";
import { toBase64 } from "../shown_text.ts";
import { wrongArgument } from "./failures.ts";

// What the tools take.

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

function whole(description?: string): Schema {
  return typed("integer", description);
}

const LINE: JsonSchema = { type: "integer", minimum: 1 };
const line = (description: string) => ({ ...LINE, description });

const COUNT: JsonSchema = { type: "integer", minimum: 0 };

/** What the schemas depend on. */
export interface SchemaOptions {
  readonly maxChars: number;
  /** Whether a view has pages. */
  readonly paged: boolean;
  /** Whether lines that were shown before are left out. */
  readonly session: boolean;
  /** Whether a file can be compared with a revision. */
  readonly changes: boolean;
}

/** The arguments of `read_file`. */
export function pageSchema(
  { maxChars, paged, session, changes }: SchemaOptions,
) {
  return {
    type: "object",
    properties: {
      path: text('May name lines: "a.ts:10-30,80-90", "a.ts:/TODO/+3".'),
      start: line("First line, from 1."),
      end: line("Last line, inclusive."),
      count: line("Number of lines, or of matches; not with end."),
      tail: line("The last N lines."),
      around: line("The lines around this one."),
      match: text(
        "Only lines with this text. A directory: of all files in it.",
      ),
      regex: flag("match is a pattern."),
      ignoreCase: flag(),
      glob: text('Files of a directory: "*.ts".'),
      ignored: flag("Those of .gitignore, too."),
      from: text(),
      before: { ...COUNT, description: "Lines before (around: default 10)." },
      after: COUNT,
      column: line("Character of the first line to begin at."),
      maxTokens: line("The most tokens of text."),
      escape: flag("Shows hidden characters as \\u{202E}."),
      numbered: flag(
        "With tail: false numbers from the end.",
      ),
      etag: text("From the page before: fails if the file changed."),
      encoding: text("If the one it was read in is wrong."),
      view: text('"raw": the file itself, not its cells.'),
      ...(paged && { pages: text('Pages of a PDF, such as "3" or "3-5".') }),
      ...(changes && {
        changes: text('Only what changed since a revision: "HEAD", "main~2".'),
      }),
      ...(session && { refresh: flag("Shows what an earlier answer showed.") }),
      maxChars: charsProperty(maxChars),
    },
    required: ["path"],
  } as const satisfies JsonSchema;
}

/** The most files of a call of `read_files`. */
export const MOST_FILES = 50;

/** The arguments of `read_files`. It takes all those of `read_file` for each file, and lists a few of them. */
export function filesSchema(maxChars: number) {
  const files = {
    type: "array",
    description: "Each with arguments of read_file.",
    minItems: 1,
    maxItems: MOST_FILES,
    items: {
      anyOf: [text(), {
        type: "object",
        properties: { path: text(), start: LINE, end: LINE, tail: LINE },
        required: ["path"],
      }],
    },
  };
  return {
    type: "object",
    properties: { files, maxChars: charsProperty(maxChars) },
    required: ["files"],
  } as const satisfies JsonSchema;
}

/** The arguments of `list_directory`. */
export function listSchema(maxChars: number): JsonSchema {
  return {
    type: "object",
    properties: {
      path: text('Default ".".'),
      depth: { type: "integer", minimum: 1, maximum: 5 },
      glob: text('Only matches: "*.ts", "src/**/*.ts".'),
      after: text("From the listing before."),
      limit: { type: "integer", minimum: 1, maximum: 10_000 },
      times: flag("Shows mtimes."),
      maxChars: charsProperty(maxChars),
    },
  };
}

/** The longest answer, which the name says. */
function charsProperty(maxChars: number): JsonSchema {
  return { type: "integer", minimum: 1, maximum: maxChars };
}

/** For each argument, its names in other tools, which models use too. */
type ForeignNames = Readonly<Record<string, readonly string[]>>;

const CHARS_NAMES = {
  maxChars: ["maxBytes", "max_bytes", "max_chars"],
};

export const PAGE_NAMES: ForeignNames = {
  ...CHARS_NAMES,
  path: ["absolute_path", "file", "filePath", "file_path", "filename"],
  start: ["offset", "startLine", "start_line"],
  end: ["endLine", "end_line"],
  count: ["head", "limit", "line_count", "max_lines"],
  around: ["line"],
  match: ["query", "search"],
  glob: ["include"],
  etag: ["version"],
};

export const FILES_NAMES: ForeignNames = {
  ...CHARS_NAMES,
  files: ["file_paths", "paths"],
};

export const LIST_NAMES: ForeignNames = {
  ...CHARS_NAMES,
  path: [
    "absolute_path",
    "dir",
    "dir_path",
    "directory",
    "directory_path",
    "folder",
  ],
  depth: ["max_depth", "maxDepth"],
  glob: ["pattern"],
};

/** How many names a call may hold; to copy many would hold up all other work. */
const MOST_NAMES = 1000;

/** Refuses an object with too many names, before it is copied: most of them are no arguments. */
export function refuseManyNames(
  given: Json,
  parameters: JsonSchema,
  names: ForeignNames,
): void {
  const all = Object.keys(given);
  if (all.length <= MOST_NAMES) return;
  const known = knownNames(parameters);
  const name = all.find((name) => meantBy(name, known, names) === undefined);
  throw notAnArgument(name!, known);
}

/**
 * Renames foreign names, then converts what models often send. Adds a note for
 * each argument that was changed. The read checks the `options`. A path that is
 * optional and missing becomes `"."`.
 */
export function takeArguments(
  parameters: JsonSchema,
  given: Json,
  names: ForeignNames,
  notes: string[],
) {
  refuseManyNames(given, parameters, names);
  const { properties = {}, required = [] } = parameters;
  const named = rename(ownOf(given), parameters, names, notes);
  const taken = convert(parameters, named, notes);
  const fallback = required.includes("path") ? undefined : ".";
  const { path = fallback, maxChars, ...options } = taken;
  if (typeof path !== "string") {
    throw wrongArgument("path", 'must be a string, such as "a.txt"');
  }
  const most = Number(properties.maxChars?.maximum);
  if (maxChars === undefined || isWhole(maxChars, 1, most)) {
    return { path, maxChars, options: ownOf(options) };
  }
  if (!isWhole(maxChars, 1)) {
    throw wrongArgument("maxChars", `must be a whole number from 1 to ${most}`);
  }
  notes.push(`maxChars ${maxChars} was taken as ${most}, the largest`);
  return { path, maxChars: most, options: ownOf(options) };
}

function rename(
  given: Json,
  parameters: JsonSchema,
  names: ForeignNames,
  notes: string[],
): Json {
  const known = knownNames(parameters);
  const named = ownOf<Record<string, unknown>>({});
  const renamed: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const meant = meantBy(name, known, names);
    if (meant === undefined) throw notAnArgument(name, known);
    if (meant !== name) {
      if (given[meant] !== undefined || meant in named) {
        const shown = visibleJson(name);
        const problem = `hold ${shown}, which is another name of ${meant}`;
        throw wrongArgument("arguments", `${problem}; send one of them`);
      }
      const taken = renamed.length === 0 ? " was taken" : "";
      renamed.push(`${name}${taken} as ${meant}`);
    }
    // In other tools, the offset 0 is the first line.
    const isFirst = name === "offset" && value === 0;
    const property = parameters.properties?.[meant];
    // The largest answer of another tool may be larger.
    const most = name === meant ? undefined : property?.maximum;
    named[meant] = isFirst ? 1 : clamp(value, most);
  }
  if (renamed.length > 0) notes.push(renamed.join(", "));
  return named;
}

function knownNames({ properties = {} }: JsonSchema): readonly string[] {
  return Object.keys(properties);
}

/** The argument that a name means: its own, or one in other tools. */
function meantBy(
  name: string,
  known: readonly string[],
  names: ForeignNames,
): string | undefined {
  return known.find((own) =>
    own === name || Object.hasOwn(names, own) && names[own]!.includes(name)
  );
}

function notAnArgument(name: string, known: readonly string[]) {
  const all = `; the arguments are ${known.join(", ")}`;
  const ending = endingFor(name, known) || all;
  return wrongArgument(quote(name), `is not an argument${ending}`);
}

function convert(parameters: JsonSchema, args: Json, notes: string[]): Json {
  const found = new Notes();
  const taken = takeLeniently(parameters, args, found);
  notes.push(...found.list);
  return taken as Json;
}

/** Clamps integers that are too large; for JavaScript, they mean the end of the file. */
function clamp(value: unknown, most = Number.MAX_SAFE_INTEGER): unknown {
  return Number.isInteger(value) ? Math.min(value as number, most) : value;
}

// The facts that they give, for programs.

/** The properties that most objects lack. */
const RARE = ["files", "mtimeMs", "notes", "others", "special"];

/** An object that has these properties and no others; all but rare ones are always there. */
function objectOf(properties: Json, description?: string): Json {
  return {
    ...typed("object", description),
    properties,
    required: Object.keys(properties).filter((name) => !RARE.includes(name)),
    additionalProperties: false,
  };
}

/** A nullable schema, in the form that all clients support. */
function orNull({ description, ...schema }: Json): Json {
  return { anyOf: [schema, { type: "null" }], description };
}

const NOTES: Json = {
  type: "array",
  description: "How arguments were understood.",
  items: text(),
};

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

const LINES: Json = {
  type: "array",
  description: "The lines that are shown: text and ending of all, in order.",
  items: objectOf({
    number: whole("From the end of the file, if it is negative."),
    column: whole("Where the text begins: not 1 inside a line."),
    text: text("Without the ending."),
    ending: { type: "string", enum: ["", "\n", "\r\n"] },
  }),
};

/** What typed facts hold besides: the content as data. */
const TYPED_FACTS = {
  lines: LINES,
  base64: orNull(text(
    "The bytes of the file that are shown, if the lines as UTF-8 are not these; null if they are, or for a view.",
  )),
};

/** The facts of `read_file`; if typed, the lines are among them. */
export const pageFactsSchema = (typed: boolean): Json =>
  objectOf({
    ...PAGE_FACTS,
    ...(typed && TYPED_FACTS),
    others: {
      type: "array",
      description:
        "The other parts, as in read_files, if the path names several.",
      items: { type: "object" },
    },
    files: {
      type: "array",
      description: "The files that match, if the path is a directory.",
      items: objectOf({
        path: text(),
        lines: { type: "array", items: whole() },
        ...(typed && {
          found: LINES,
          exact: PAGE_FACTS.exact,
          encoding: PAGE_FACTS.encoding,
          base64: TYPED_FACTS.base64,
        }),
      }),
    },
    notes: NOTES,
  });

/** The facts of `read_files`. */
export const filesFactsSchema = (typed: boolean): Json =>
  objectOf({
    files: {
      type: "array",
      description: "The files, in the order in which they were asked for.",
      items: objectOf({
        ...FILE_FACTS,
        ...(typed && { ...TYPED_FACTS, lines: orNull(LINES) }),
      }),
    },
    notes: NOTES,
  });

/** The facts of `list_directory`. */
export const LIST_FACTS_SCHEMA: Json = objectOf({
  path: text("The directory."),
  entries: {
    type: "array",
    description: "In order.",
    items: objectOf({
      path: text("From the directory."),
      kind: { type: "string", enum: ["file", "directory", "symlink", "other"] },
      size: orNull(whole("Of a file, in bytes.")),
      special: text(),
      mtimeMs: orNull({ type: "number" }),
    }),
  },
  next: orNull({
    type: "object",
    description: "The arguments of the call that goes on; null at the end.",
  }),
  unlisted: {
    type: "array",
    description: "Directories below that could not be listed.",
    items: objectOf({ path: text(), code: text() }),
  },
  omitted: {
    type: "array",
    description: 'Why names were left out: "denied" or "not Unicode".',
    items: text(),
  },
  notes: NOTES,
});

/** How many hidden characters are listed one by one. */
const MOST_LISTED = 20;

/** The facts of a page; if they are not typed, the text is only in the answer. */
export function factsOfPage(
  page: Page,
  path: string,
  next: Json | null,
  typed: boolean,
) {
  const { lines, hits, warnings } = page;
  return {
    ...(typed && { lines, base64: base64Of(page) }),
    path,
    firstLine: lines[0]?.number ?? null,
    lastLine: lines.at(-1)?.number ?? null,
    totalLines: page.totalLines,
    shown: page.shown,
    size: page.size,
    encoding: page.encoding.label,
    empty: page.empty,
    next,
    exact: page.exact,
    hits: hits === undefined
      ? null
      : { count: hits.count, exact: hits.exact, lines: hits.lines },
    ...factsOfHidden(warnings),
    view: page.view,
    image: null,
  };
}

/** The bytes of a page whose lines do not give them back, as of another encoding than UTF-8. */
function base64Of(page: Page): string | null {
  return page.exact || page.view !== null ? null : toBase64(page.bytes());
}

/** The facts of hidden characters. */
export function factsOfHidden(warnings: Page["warnings"]) {
  return {
    hidden: warnings.slice(0, MOST_LISTED).map(
      ({ line, column, code, name }) => ({ line, column, code, name }),
    ),
    hiddenCount: warnings.length,
  };
}

/** The facts of what is no page. */
function factsWithoutLines(path: string, length: number, typed: boolean) {
  return {
    ...(typed && { lines: [], base64: null }),
    path,
    firstLine: null,
    lastLine: null,
    totalLines: null,
    shown: { start: 0, end: length },
    size: length,
    encoding: null,
    empty: null,
    next: null,
    exact: true,
    hits: null,
    hidden: [],
    hiddenCount: 0,
    view: null,
    image: null,
  };
}

/** The facts of an image. */
export function factsOfImage(
  { mediaType, width, height, frames, bytes: { length } }: ImageContent,
  path: string,
  typed: boolean,
): Json {
  const image = { mediaType, width, height, frames };
  return { ...factsWithoutLines(path, length, typed), image };
}

/** The facts of a file with lines that match, in a search. */
export function factsOfFound(page: Page, path: string, typed: boolean) {
  const lines = page.hits?.lines ?? [];
  if (!typed) return { path, lines };
  const { lines: found, exact, encoding: { label: encoding } } = page;
  return { path, lines, found, exact, encoding, base64: base64Of(page) };
}

/** The facts of a search in the files below a directory. */
export function factsOfSearch(
  path: string,
  files: readonly ReturnType<typeof factsOfFound>[],
  count: number,
  next: Json | null,
  typed: boolean,
): Json {
  const hits = { count, exact: next === null, lines: [] };
  const empty = count > 0 ? null : "no hit";
  // Only typed facts hold lines that may be inexact.
  const exact = files.every(({ exact = true }) => exact);
  return {
    ...factsWithoutLines(path, 0, typed),
    empty,
    exact,
    hits,
    next,
    files,
  };
}

/** The facts of one of several files, with `null` for what is unknown. */
export function factsOfFile(facts: Json, typed: boolean): Json {
  const names = Object.keys({ ...FILE_FACTS, ...(typed && TYPED_FACTS) });
  return Object.fromEntries(names.map((name) => [name, facts[name] ?? null]));
}
