// Runtime-agnostic.
import type { JsonSchema, Listing, ListOptions } from "@agent-tools/read-file";
import { LIST_NAMES, takeArguments } from "./arguments.ts";
import { boundsOf, fits, type Size, sizeOf } from "./bounds.ts";
import type { Json } from "./messages.ts";
import { charsProperty, objectOf, orNull, text, whole } from "./page_schema.ts";
import type { Scope } from "./scope.ts";
import type { Answer, ServedTool } from "./served_tool.ts";
import { listFirst, noteOf, visibleJson } from "./visible.ts";
import { nextCall, quotePath, shortPath } from "./words.ts";

export function listDirectoryTool(maxChars: number, paths: string): ServedTool {
  const parameters: JsonSchema = {
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
    parameters,
    output: OUTPUT,
    async call(given, { scope, bounds, signal, notes }) {
      const taken = await takeArguments(parameters, given, LIST_NAMES, notes);
      const { path, maxChars, options } = taken;
      const fitting = boundsOf(maxChars, bounds);
      const listing = isTop(path, scope)
        ? namesOf(scope)
        : await scope.at(path, async (place) => {
          // More entries than lines would not fit.
          const limit = Math.max(1, fitting.lines);
          const limited: ListOptions = { limit, ...options };
          const { workspace } = place.root;
          return await workspace.list(place.path, limited, { signal });
        }, { wanted: "directory" });
      notes.push(...notesOnNames(path, listing.entries, scope));
      const args = { ...options, maxChars };
      return answerOf({ ...listing, path }, args, notes, fitting);
    },
  };
}

/** Whether a path means the list of the directories, if there are several. */
function isTop(path: string, { roots, base }: Scope): boolean {
  return roots.length > 1 && base === undefined && /^\.?\/*$/.test(path);
}

/** Notes on entries with the name of a served directory: without "./", the name means that directory. */
function notesOnNames(
  path: string,
  entries: Listing["entries"],
  { roots, base }: Scope,
): string[] {
  const isBase = path.split("/").every((part) => part === "" || part === ".");
  if (roots.length < 2 || base === undefined || !isBase) return [];
  const first = new Set(entries.map(({ path }) => path.split("/")[0]));
  return roots.filter(({ name }) => first.has(name)).map(({ name }) => {
    const [here, other] = [`./${name}`, name].map(visibleJson);
    return `write ${here} for an entry here, since ${other} is a served directory`;
  });
}

function namesOf({ roots }: Scope): Omit<Listing, "path"> {
  const kind = "directory" as const;
  const entries = roots.map(({ name }) => ({ path: name, kind, size: null }));
  return { entries, next: null, unlisted: [], omitted: [] };
}

/** Writes as many entries as fit; `args` are the other arguments of the call. */
function answerOf(
  { path, entries, unlisted, omitted, next: rest }: Listing,
  args: Json,
  notes: readonly string[],
  bounds: Size,
): Answer {
  let count = entries.length;
  for (;;) {
    const shown = entries.slice(0, count);
    const after = count < entries.length ? shown.at(-1)?.path : rest?.after;
    const next = after === undefined
      ? null
      : { ...shortPath(path), ...args, after };
    const facts = { path, entries: shown, next, unlisted, omitted };
    const text = writeListing(facts, notes);
    const size = sizeOf(text);
    if (count <= 1 || fits(size, bounds)) return { text, facts };
    const share = Math.min(
      bounds.chars / size.chars,
      bounds.bytes / size.bytes,
      bounds.lines / size.lines,
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

const LEFT_OUT = { denied: "a rule denies", "not Unicode": "are not Unicode" };

type Facts = Omit<Listing, "next"> & { readonly next: Json | null };

function writeListing(
  { path, entries, next, unlisted, omitted }: Facts,
  notes: readonly string[],
): string {
  const count = entries.length === 1 ? "1 entry" : `${entries.length} entries`;
  const all = [
    ...notes,
    ...omitted.map((why) => `names that ${LEFT_OUT[why]} are left out`),
  ];
  const failed = unlisted.map(({ path, code }) =>
    `${quotePath(path)} (${code})`
  );
  if (failed.length > 0) all.push(`could not list ${listFirst(failed)}`);
  return [
    `${quotePath(path)}: ${count}.${next === null ? "" : " More follow."}`,
    ...all.map(noteOf),
    ...entries.map(rowOf),
    next === null ? "End of the listing." : nextCall("list_directory", next),
  ].join("\n");
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
