// Runtime-agnostic.
import { type JsonSchema, ReadFileError } from "@agent-tools/read-file";
import { FILES_NAMES, takeArguments } from "./arguments.ts";
import {
  boundsOf,
  divide,
  fits,
  isOverdrawn,
  minus,
  type Size,
  sizeOf,
  smaller,
} from "./bounds.ts";
import { isObject, type Json } from "./messages.ts";
import { fitPage, type PageCall, takePageCall } from "./page_answer.ts";
import {
  charsProperty,
  factsOfFile,
  factsOfPage,
  FILE_PROPERTIES,
  FILES_OUTPUT,
  pageSchema,
  type PageToolOptions,
} from "./page_schema.ts";
import type { Answer, CallContext, ServedTool } from "./served_tool.ts";
import {
  failureText,
  noteOf,
  shorten,
  visibleJson,
  wrongArgument,
} from "./visible.ts";

const MOST_FILES = 50;

/** The most characters of the sentence about one file. */
const MOST_SENTENCE_CHARS = 600;

export function readFilesTool(tool: PageToolOptions): ServedTool {
  const schema = pageSchema(tool);
  const files = {
    type: "array",
    description: `1 to ${MOST_FILES} files, each with arguments of read_file.`,
    minItems: 1,
    maxItems: MOST_FILES,
  };
  const schemaWith = (files: JsonSchema): JsonSchema => ({
    type: "object",
    properties: { files, maxChars: charsProperty(tool.maxChars) },
    required: ["files"],
  });
  const items = {
    type: "object",
    properties: FILE_PROPERTIES,
    required: ["path"],
  };
  return {
    name: "read_files",
    title: "Read several files",
    description: [
      "Reads several text files in one call, each as read_file does.",
      "Small files are shown whole; larger ones share the rest, and each says how to go on.",
    ].join(" "),
    parameters: schemaWith({ ...files, items }),
    output: FILES_OUTPUT,
    async call(given, context) {
      const { notes } = context;
      // Each file is checked separately: a mistake in one fails only that one.
      const outer = schemaWith(files);
      const taken = await takeArguments(outer, given, FILES_NAMES, notes);
      const bounds = boundsOf(taken.maxChars, context.bounds);
      const batch = { ...context, bounds };
      const works = takeFiles(taken.options.files)
        .map((file, at) => workOf(file, at, schema, batch));
      return await readBatch(await Promise.all(works), batch, taken.maxChars);
    },
  };
}

function takeFiles(given: unknown): readonly Json[] {
  const files = Array.isArray(given)
    ? given.map((file) => typeof file === "string" ? { path: file } : file)
    : [];
  if (files.length === 0 || files.length > MOST_FILES) {
    const example = '[{"path":"a.txt"},{"path":"b.txt","start":10}]';
    throw wrongArgument(
      "files",
      `must be a list of 1 to ${MOST_FILES} files, such as ${example}`,
    );
  }
  const wrong = files.findIndex((file) => !isObject(file));
  if (wrong < 0) return files;
  const problem = 'must be a path or an object, such as {"path":"a.txt"}';
  throw wrongArgument(`files[${wrong}]`, problem);
}

const GAP = "\n\n";

/** The smallest page worth its frame; if it does not fit, the file is left for another call. */
const LEAST: Size = { chars: 600, bytes: 1200, lines: 5 };

/** Reads several files; the whole answer is within the bounds of the call. */
async function readBatch(
  works: readonly Work[],
  context: CallContext,
  maxChars: number | undefined,
): Promise<Answer> {
  const { bounds, notes } = context;
  // What each file takes if it is alone.
  const parts = await Promise.all(
    works.map((work) => answerFor(work, bounds, context)),
  );
  const needs = parts.map(({ text }) => sizeOf(`${text}${GAP}`));
  const before = notes.map((note) => `${noteOf(note)}\n`).join("");
  const all = minus(bounds, sizeOf(before));
  // Leave room for the longest note about files that were not read.
  const most = countKept(needs, all, skippedText(works, all, maxChars));
  for (let count = most;; count--) {
    const left = works.slice(count);
    const after = skippedText(left, all, maxChars);
    const room = minus(all, sizeOf(`${after}${GAP}`));
    const shares = shareOut(needs.slice(0, count), room);
    const kept = await Promise.all(
      shares.map(async (share, at) =>
        share === "whole"
          ? parts[at]!
          : await answerFor(works[at]!, minus(share, sizeOf(GAP)), context)
      ),
    );
    const texts = kept.map(({ text }) => text);
    if (left.length > 0) texts.push(after);
    const text = before + texts.join(GAP);
    if (count > 1 && !fits(sizeOf(text), bounds)) continue;
    const skipped = left.map(({ path, next }) => ({ path, next }));
    const facts = [...kept.map(({ facts }) => facts), ...skipped];
    return { text, facts: { files: facts.map(factsOfFile) } };
  }
}

/** How many of the files have room for a page each; at least one. */
function countKept(needs: readonly Size[], all: Size, after: string) {
  let left = minus(all, sizeOf(after));
  const count = needs.findIndex((need) => {
    left = minus(left, smaller(need, LEAST));
    return isOverdrawn(left);
  });
  return count < 0 ? needs.length : Math.max(1, count);
}

/** The call that reads the files that did not fit. */
function skippedText(
  works: readonly Work[],
  { chars }: Size,
  maxChars: number | undefined,
): string {
  // Objects, even for paths alone: agents that check calls refuse strings.
  const calls: Json[] = [];
  let room = Math.floor(chars / 4);
  for (const { next } of works) {
    room -= visibleJson(next).length + 1;
    if (room < 0) break;
    calls.push(next);
  }
  const all = works.length;
  const more = all - calls.length;
  const unnamed = more === 0 || more === all
    ? ""
    : `, of which the last ${more} ${more === 1 ? "is" : "are"} not named here`;
  const next = more === all
    ? `with the last ${more} of these files`
    : visibleJson({ files: calls, maxChars });
  const which = `${all} ${all === 1 ? "file" : "files"}${unnamed}`;
  return `Not read, since the answer is full: ${which}.\nNext: read_files ${next}`;
}

/** One of the files of a call. */
interface Work {
  readonly at: number;
  readonly path: string;
  /** The arguments of the call that reads only this file. */
  readonly next: Json;
  /** The call, unless its arguments are wrong. */
  readonly call?: PageCall;
  /** Why the file cannot be read: kept, so that it is not read again within other bounds. */
  failure?: unknown;
}

/** Takes the arguments for one file. A mistake in them fails only this file. */
async function workOf(
  file: Json,
  at: number,
  schema: JsonSchema,
  batch: CallContext,
): Promise<Work> {
  try {
    const context = { ...batch, notes: [] };
    const call = await takePageCall(schema, file, context);
    const { asked: path, given, maxChars } = call;
    return { at, path, next: { path, ...given, maxChars }, call };
  } catch (failure) {
    const path = typeof file.path === "string" ? file.path : "";
    return { at, path, next: file, failure };
  }
}

/** The part of the answer about one file, within bounds. */
async function answerFor(
  work: Work,
  share: Size,
  { scope, signal }: CallContext,
): Promise<Answer> {
  const { path, call } = work;
  if (call !== undefined && work.failure === undefined) {
    try {
      const bounds = boundsOf(call.maxChars, share);
      const read = () => fitPage({ ...call, bounds });
      const page = await scope.at(path, read);
      return { text: page.text, facts: factsOfPage(page) };
    } catch (error) {
      work.failure = error;
    }
  }
  const { failure } = work;
  // An abort ends the whole call.
  if (signal.aborted || !(failure instanceof ReadFileError)) throw failure;
  const { code, message } = failure;
  const isNamed = path !== "" && failure.path === path;
  const which = isNamed ? "" : `files[${work.at}]: `;
  const most = Math.min(MOST_SENTENCE_CHARS, share.chars);
  const text = shorten(which + failureText(failure), most);
  return { text, facts: { path, error: { code, message } } };
}

/** How much each part may take: all that it needs, or an even share of what smaller parts leave. */
function shareOut(needs: readonly Size[], room: Size) {
  const shares: (Size | "whole")[] = needs.map(() => room);
  const order = needs.map((_, at) => at)
    .toSorted((one, other) => needs[one]!.chars - needs[other]!.chars);
  let left = room;
  for (const [done, at] of order.entries()) {
    const even = divide(left, order.length - done);
    const need = needs[at]!;
    const isWhole = fits(need, even);
    shares[at] = isWhole ? "whole" : even;
    left = minus(left, isWhole ? need : even);
  }
  return shares;
}
