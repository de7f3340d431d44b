// Runtime-agnostic.
import type { JsonSchema, Listing, ListOptions } from "@agent-tools/read-file";
import { LIST_NAMES, takeArguments } from "./arguments.ts";
import {
  boundsOf,
  fits,
  MOST_PATH_CHARS,
  type Size,
  sizeOf,
} from "./bounds.ts";
import { noteOf } from "./failure.ts";
import { charsProperty } from "./page_schema.ts";
import type { Scope } from "./scope.ts";
import {
  type Answer,
  type Json,
  objectOf,
  orNull,
  type ServedTool,
  text,
  whole,
} from "./served_tool.ts";
import { listFirst, visibleJson } from "./visible.ts";
import { nextCall, pathOf } from "./words.ts";

/** The tool `list_directory`: names with kinds and sizes, and the next call. */
export function listDirectoryTool(maxChars: number, paths: string): ServedTool {
  const input: JsonSchema = {
    type: "object",
    properties: {
      path: text('Default ".".'),
      depth: { type: "integer", minimum: 1, maximum: 5 },
      glob: text('Shows only what matches: "*.ts", "src/**/*.ts".'),
      after: text("From the listing before."),
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
    async call(given, { scope, bounds, signal, notes }) {
      const taken = await takeArguments(input, given, LIST_NAMES, notes);
      const { path, maxChars, options } = taken;
      const size = boundsOf(maxChars, bounds);
      const args = { ...options, ...(maxChars !== undefined && { maxChars }) };
      const listing = isTop(path, scope)
        ? namesOf(scope)
        : await scope.at(path, async (place) => {
          const limited: ListOptions = {
            limit: Math.max(1, size.lines),
            ...options,
          };
          const { workspace } = place.root;
          return await workspace.list(place.path, limited, { signal });
        }, "directory");
      return answerOf(listing, { path, args, notes, size });
    },
  };
}

/** Whether a path means the list of the directories, if there are several. */
function isTop(path: string, { roots, base }: Scope): boolean {
  return roots.length > 1 && base === undefined && /^\.?\/*$/.test(path);
}

function namesOf({ roots }: Scope): Omit<Listing, "path"> {
  const entries = roots.map(({ name }) => ({
    path: name,
    kind: "directory" as const,
    size: null,
  }));
  return { entries, next: null, unlisted: [], omitted: [] };
}

/** What an answer needs besides the listing. */
interface ListingCall {
  readonly path: string;
  /** The other arguments of the call. */
  readonly args: Json;
  readonly notes: readonly string[];
  readonly size: Size;
}

/** Writes as many entries as fit. */
function answerOf(listing: Omit<Listing, "path">, call: ListingCall): Answer {
  const { entries, unlisted, omitted } = listing;
  const rows = entries.map(rowOf);
  let count = rows.length;
  for (;;) {
    const last = entries[count - 1]?.path;
    const after = count < rows.length ? last : listing.next?.after;
    const next = after === undefined ? null : callAfter(after, call);
    const text = writeListing(listing, rows.slice(0, count), next, call);
    const size = sizeOf(text);
    if (count <= 1 || fits(size, call.size)) {
      const shown = entries.slice(0, count);
      const { path } = call;
      return { text, facts: { path, entries: shown, next, unlisted, omitted } };
    }
    const share = Math.min(
      call.size.chars / size.chars,
      call.size.bytes / size.bytes,
      call.size.lines / size.lines,
    );
    count = Math.max(1, Math.min(count - 1, Math.floor(count * share)));
  }
}

const KINDS = {
  file: "file",
  directory: "dir",
  symlink: "link",
  other: "other",
};

function rowOf({ path, kind, size }: Listing["entries"][number]): string {
  const json = visibleJson(path);
  // A name without hidden characters or spaces around it needs no quotes.
  const isPlain = json === `"${path}"` && path.trim() === path;
  return `${size ?? KINDS[kind]}\t${isPlain ? path : json}`;
}

function writeListing(
  { unlisted, omitted }: Omit<Listing, "path">,
  rows: readonly string[],
  next: Json | null,
  { path, notes }: ListingCall,
): string {
  const count = rows.length === 1 ? "1 entry" : `${rows.length} entries`;
  const all = [
    ...notes,
    ...omitted.map((why) =>
      why === "denied"
        ? "names that a rule denies are left out"
        : "names that are not Unicode are left out"
    ),
  ];
  if (unlisted.length > 0) {
    const failed = listFirst(
      unlisted,
      ({ path, code }) => `${pathOf(path)} (${code})`,
    );
    all.push(`could not list ${failed}`);
  }
  return [
    `${pathOf(path)}: ${count}.${next === null ? "" : " More follow."}`,
    ...all.map(noteOf),
    ...rows,
    next === null ? "End of the listing." : nextCall("list_directory", next),
  ].join("\n");
}

function callAfter(after: string, { path, args }: ListingCall): Json {
  const isShort = visibleJson(path).length <= MOST_PATH_CHARS;
  return { ...(isShort && { path }), ...args, after };
}

const OUTPUT = objectOf({
  path: text("The directory."),
  entries: {
    type: "array",
    description: "In order.",
    items: objectOf({
      path: text("From the directory."),
      kind: { type: "string", enum: Object.keys(KINDS) },
      size: orNull(whole("Of a file, in bytes.")),
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
});
