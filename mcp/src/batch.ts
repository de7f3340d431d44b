// Runtime-agnostic.
import { ReadFileError } from "@agent-tools/read-file";
import { PAGE_NAMES, takeArguments } from "./arguments.ts";
import {
  fits,
  MOST_SENTENCE_CHARS,
  type Size,
  sizeOf,
  smaller,
} from "./bounds.ts";
import { factsOfFile, pageProperties } from "./page_schema.ts";
import { codeAndMessage, noteOf } from "./failure.ts";
import { type AskedPage, fitPage, type FittedPage } from "./page_answer.ts";
import { asOwn } from "./scope.ts";
import { boundsOf, takePage, takePath } from "./read_file.ts";
import type { Answer, CallContext, Json } from "./served_tool.ts";
import { shorten, visibleJson } from "./visible.ts";

/** One of several files: how to read it, or why it cannot be read. */
interface Work {
  /** Where it stands in the list. */
  readonly at: number;
  /** The path as the caller gave it. */
  readonly path: string;
  /** Reads it within bounds. */
  readonly read: (bounds: Size) => Promise<FittedPage>;
  /** The call that reads it alone. */
  readonly call: Json;
}

/** What became of a file. */
type Told = FittedPage | { readonly error: unknown };

/** What is told of a file. */
interface Part {
  readonly text: string;
  readonly facts: Json;
}

/** What stands between two files. */
const GAP = "\n\n";

/** A smaller page is not worth its frame: the file is left for another call. */
const LEAST: Size = { chars: 600, bytes: 1200, lines: 5 };

/** Reads several files; all of the answer is within the bounds of the call. */
export async function readBatch(
  files: readonly Json[],
  notes: readonly string[],
  maxChars: number,
  context: CallContext,
): Promise<Answer> {
  const { bounds, signal } = context;
  const works = await Promise.all(
    files.map((file, at) => workOf(file, at, maxChars, context)),
  );
  const whole = await Promise.all(
    works.map((work) => tell(work, bounds, signal)),
  );
  const parts = works.map((work, at) => partOf(work, whole[at]!, bounds));
  const needs = parts.map(({ text }) => sizeOf(`${text}${GAP}`));
  const before = notes.map((note) => `${noteOf(note)}\n`).join("");
  const all = minus(bounds, sizeOf(before));
  for (let count = countKept(needs, all, works);; count--) {
    const left = works.slice(count);
    const after = skippedText(left, all);
    const room = minus(all, sizeOf(`${after}${GAP}`));
    const shares = shareOut(needs.slice(0, count), room);
    const kept = await Promise.all(shares.map(async (share, at) => {
      if (share === "whole") return parts[at]!;
      const work = works[at]!;
      const told = whole[at]!;
      const size = minus(share, sizeOf(GAP));
      return "error" in told
        ? partOf(work, told, size)
        : partOf(work, await tell(work, size, signal), size);
    }));
    const texts = kept.map(({ text }) => text);
    if (left.length > 0) texts.push(after);
    const text = before + texts.join(GAP);
    if (count > 1 && !fits(sizeOf(text), bounds)) continue;
    const skipped = left.map(({ path, call }) =>
      factsOfFile(path, { next: call })
    );
    const facts = {
      files: [...kept.map(({ facts }) => facts), ...skipped],
      ...(notes.length > 0 && { notes }),
    };
    return { text, facts };
  }
}

/** How many of the files have room for a page each; one at least. */
function countKept(
  needs: readonly Size[],
  all: Size,
  works: readonly Work[],
): number {
  let count = 0;
  let left = minus(all, sizeOf(skippedText(works, all)));
  for (const need of needs) {
    left = minus(left, smaller(need, LEAST));
    if (left.chars < 0 || left.bytes < 0 || left.lines < 0) break;
    count++;
  }
  return Math.max(1, count);
}

/** The call that reads the files for which there was no room. */
function skippedText(works: readonly Work[], { chars }: Size): string {
  const calls: unknown[] = [];
  let room = Math.floor(chars / 4);
  for (const { call } of works) {
    const { path, ...options } = call;
    const isPlain = typeof path === "string" &&
      Object.keys(options).length === 0;
    const item = isPlain ? path : call;
    room -= visibleJson(item).length + 1;
    if (room < 0) break;
    calls.push(item);
  }
  const more = works.length - calls.length;
  return [
    `Not read, since the answer is full: ${works.length} files${
      more === 0 ? "" : `, of which the last ${more} are not named here`
    }.`,
    `Next: read_files ${visibleJson({ files: calls })}`,
  ].join("\n");
}

/** What is wrong with the arguments is told of the file, when it is read. */
async function workOf(
  asked: Json,
  at: number,
  most: number,
  { scope, versions, signal }: CallContext,
): Promise<Work> {
  const path = typeof asked.path === "string" ? asked.path : "";
  try {
    const schema = {
      type: "object",
      properties: pageProperties(most),
    } as const;
    const { args, notes } = await takeArguments(schema, asked, PAGE_NAMES);
    const path = takePath(args.path);
    const place = scope.find(path);
    const { options, maxChars } = takePage(args, path, most, versions);
    const page: AskedPage = {
      ...place,
      ...{ scope, options, maxChars, versions, signal, notes },
    };
    const called = scope.called(path, place);
    return {
      at,
      path,
      call: { ...args, path },
      read: (bounds) =>
        fitPage(page, boundsOf({ maxChars }, bounds)).catch((error) => {
          throw asOwn(error, called);
        }),
    };
  } catch (error) {
    return { at, path, call: asked, read: () => Promise.reject(error) };
  }
}

async function tell(
  { read }: Work,
  bounds: Size,
  signal: AbortSignal,
): Promise<Told> {
  try {
    return await read(bounds);
  } catch (error) {
    // A call that was given up is over for all of its files.
    if (signal.aborted || !(error instanceof ReadFileError)) throw error;
    return { error };
  }
}

function partOf({ path, at }: Work, told: Told, { chars }: Size): Part {
  if (!("error" in told)) {
    return { text: told.text, facts: factsOfFile(path, { page: told }) };
  }
  const { code, message, words } = codeAndMessage(told.error);
  const isNamed = path !== "" && Object(told.error).path === path;
  const sentence = isNamed ? words : `files[${at}]: ${words}`;
  return {
    text: shorten(sentence, Math.min(MOST_SENTENCE_CHARS, chars)),
    facts: factsOfFile(path, { error: { code, message } }),
  };
}

/** How much each part may take: all of it, or an even share of what the smaller ones leave. */
function shareOut(
  needs: readonly Size[],
  room: Size,
): readonly (Size | "whole")[] {
  const shares: (Size | "whole")[] = needs.map(() => room);
  const order = needs.map((_, at) => at)
    .toSorted((one, other) => needs[one]!.chars - needs[other]!.chars);
  let left = room;
  for (const [done, at] of order.entries()) {
    const even = divide(left, order.length - done);
    const need = needs[at]!;
    const isWhole = need.chars <= even.chars && need.bytes <= even.bytes &&
      need.lines <= even.lines;
    shares[at] = isWhole ? "whole" : even;
    left = minus(left, isWhole ? need : even);
  }
  return shares;
}

function divide({ chars, bytes, lines }: Size, by: number): Size {
  return {
    chars: Math.floor(chars / by),
    bytes: Math.floor(bytes / by),
    lines: Math.floor(lines / by),
  };
}

function minus(one: Size, other: Size): Size {
  return {
    chars: one.chars - other.chars,
    bytes: one.bytes - other.bytes,
    lines: one.lines - other.lines,
  };
}
