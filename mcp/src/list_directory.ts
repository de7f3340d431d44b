// Runtime-agnostic.
import type { JsonSchema, Listing, ListOptions } from "@agent-tools/read-file";
import { LIST_NAMES, takeArguments } from "./arguments.ts";
import {
  fits,
  MOST_NAMED,
  MOST_PATH_CHARS,
  type Size,
  sizeOf,
} from "./bounds.ts";
import { noteOf } from "./failure.ts";
import { charsProperty, NOTES, orNull } from "./page_schema.ts";
import { boundsOf, takeChars, takePath } from "./read_file.ts";
import type { Scope } from "./scope.ts";
import type { Answer, Json, ServedTool } from "./served_tool.ts";
import { visibleJson } from "./visible.ts";
import { pathOf } from "./words.ts";

/** What a listing is told by. */
interface ToldListing extends Pick<Listing, "entries" | "next"> {
  readonly unlisted?: Listing["unlisted"];
  readonly omitted?: Listing["omitted"];
}

/** The tool `list_directory`: names with kinds and sizes, and how to go on. */
export function listDirectoryTool(maxChars: number, paths: string): ServedTool {
  const input: JsonSchema = {
    type: "object",
    properties: {
      path: { type: "string", description: 'Default ".".' },
      depth: { type: "integer", minimum: 1, maximum: 5 },
      glob: {
        type: "string",
        description: 'Shows only what matches: "*.ts", "src/**/*.ts".',
      },
      after: { type: "string", description: "From the listing before." },
      limit: { type: "integer", minimum: 1, maximum: 10_000 },
      maxChars: charsProperty(maxChars),
    },
  };
  return {
    name: "list_directory",
    title: "List a directory",
    description: [
      "Lists a directory, sorted. Each line is a size in bytes, or dir, link or other, then a tab and the name.",
      "If more follows, the last line is the call that goes on.",
      paths,
    ].join(" "),
    input,
    output: OUTPUT,
    async call(given, { scope, bounds, signal, note }) {
      const { args, notes } = await takeArguments(input, given, LIST_NAMES);
      note(notes);
      const { path: asked = ".", maxChars: chars, ...options } = args;
      const path = takePath(asked);
      const most = chars === undefined ? undefined : takeChars(chars, maxChars);
      const size = boundsOf({ maxChars: most }, bounds);
      const limits = {
        ...args,
        ...(most === undefined ? {} : { maxChars: most }),
      };
      const listing = isTop(path, scope)
        ? namesOf(scope)
        : await scope.at(path, async (place) => {
          const limit = options.limit ?? Math.max(1, size.lines);
          const asked: ListOptions = { ...options, limit: limit as number };
          return await place.root.workspace.list(place.path, asked, { signal });
        });
      return answerOf(listing, { path, args: limits, notes, size });
    },
  };
}

/** Whether a path stands above the directories, of which none is meant without its name. */
function isTop(path: string, scope: Scope): boolean {
  return scope.roots.length > 1 && scope.base === undefined &&
    /^\.?\/*$/.test(path);
}

function namesOf(scope: Scope): ToldListing {
  const entries = scope.roots.map(({ name }) => ({
    path: name,
    kind: "directory" as const,
    size: null,
  }));
  return { entries, next: null };
}

/** What an answer is made of, besides the listing. */
interface Asked {
  readonly path: string;
  readonly args: Json;
  readonly notes: readonly string[];
  readonly size: Size;
}

/** Writes as many entries as there is room for. */
function answerOf(listing: ToldListing, asked: Asked): Answer {
  const rows = listing.entries.map(rowOf);
  let count = rows.length;
  for (;;) {
    const last = listing.entries[count - 1]?.path;
    const next = count < rows.length ? last : listing.next?.after;
    const text = wordsOf(listing, rows.slice(0, count), next, asked);
    const size = sizeOf(text);
    if (count <= 1 || fits(size, asked.size)) {
      return {
        text,
        facts: {
          path: asked.path,
          entries: listing.entries.slice(0, count),
          next: next === undefined ? null : callAfter(next, asked),
          unlisted: listing.unlisted ?? [],
          omitted: listing.omitted ?? [],
          ...(asked.notes.length > 0 && { notes: asked.notes }),
        },
      };
    }
    const share = Math.min(
      asked.size.chars / size.chars,
      asked.size.bytes / size.bytes,
      asked.size.lines / size.lines,
    );
    count = Math.max(1, Math.min(count - 1, Math.floor(count * share)));
  }
}

function rowOf({ path, kind, size }: Listing["entries"][number]): string {
  const what = kind === "directory"
    ? "dir"
    : kind === "symlink"
    ? "link"
    : kind;
  const plain = visibleJson(path);
  // A name that shows all there is to it needs no quotes.
  const isPlain = plain === `"${path}"` && path.trim() === path;
  return `${size ?? what}\t${isPlain ? path : plain}`;
}

function wordsOf(
  { unlisted = [], omitted = [] }: ToldListing,
  rows: readonly string[],
  next: string | undefined,
  asked: Asked,
): string {
  const count = rows.length === 1 ? "1 entry" : `${rows.length} entries`;
  const more = next === undefined ? "" : " More follow.";
  const failed = unlisted.slice(0, MOST_NAMED)
    .map(({ path, code }) => `${pathOf(path)} (${code})`);
  if (unlisted.length > failed.length) {
    failed.push(`and ${unlisted.length - failed.length} more`);
  }
  const notes = [
    ...asked.notes,
    ...omitted.map((why) =>
      why === "denied"
        ? "names that a rule denies are left out"
        : "names that are not Unicode are left out"
    ),
    ...(failed.length > 0 ? [`could not list ${failed.join(", ")}`] : []),
  ];
  const call = next === undefined ? undefined : callAfter(next, asked);
  // A very long path is left out of the call.
  const same = call === undefined || "path" in call
    ? ""
    : "with the same path and ";
  return [
    `${pathOf(asked.path)}: ${count}.${more}`,
    ...notes.map(noteOf),
    ...rows,
    call === undefined
      ? "End of the listing."
      : `Next: list_directory ${same}${visibleJson(call)}`,
  ].join("\n");
}

function callAfter(after: string, { path, args }: Asked): Json {
  const { path: _, after: __, ...rest } = args;
  const isShort = visibleJson(path).length <= MOST_PATH_CHARS;
  return { ...(isShort && { path }), ...rest, after };
}

const ENTRY: Json = {
  type: "object",
  properties: {
    path: { type: "string", description: "From the directory." },
    kind: { type: "string", enum: ["file", "directory", "symlink", "other"] },
    size: orNull({ type: "integer", description: "Of a file, in bytes." }),
  },
  required: ["path", "kind", "size"],
  additionalProperties: false,
};

const OUTPUT: Json = {
  type: "object",
  properties: {
    path: { type: "string", description: "The directory." },
    entries: { type: "array", description: "In order.", items: ENTRY },
    next: orNull({
      type: "object",
      description: "The arguments of the call that goes on; null at the end.",
    }),
    unlisted: {
      type: "array",
      description: "Directories below that could not be listed.",
      items: {
        type: "object",
        properties: { path: { type: "string" }, code: { type: "string" } },
        required: ["path", "code"],
        additionalProperties: false,
      },
    },
    omitted: {
      type: "array",
      description: 'Why names were left out: "denied" or "not Unicode".',
      items: { type: "string" },
    },
    notes: NOTES,
  },
  required: ["path", "entries", "next", "unlisted", "omitted"],
  additionalProperties: false,
};
