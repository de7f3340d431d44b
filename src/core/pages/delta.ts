// Runtime-agnostic.
import { runAtOnce, STEP_ITEMS, type Steps } from "../base/call.ts";
import { checkText, readSafely, refuseMistake } from "../base/check.ts";
import { ReadFileError } from "../base/errors.ts";
import { quote } from "../base/words.ts";
import { joinBytes } from "../lines/text.ts";
import { align } from "./align.ts";
import { LazyPage } from "./make.ts";
import { hunksOf, rawOf } from "./notice_parts.ts";
import type { Page, PageLine } from "./page.ts";
import { digestOf, readReceipt, type Receipt, takeReceipt } from "./receipt.ts";
import { charsetOf, endOfLine } from "../encodings/charsets.ts";

/** Unchanged lines that the reader has. */
export interface KeptLines {
  /** Their first and last number on the earlier page. */
  readonly kept: readonly [from: number, to: number];
  /** The current number of the first line. */
  readonly start: number;
}

/** Lines that the reader does not have. */
export interface NewLines {
  /** The current number of the first line. */
  readonly start: number;
  /** Their text, with their endings. */
  readonly text: string;
}

/** The difference between the text of an earlier page and a new text: a page that was read with `since`, or these properties of it. */
export interface Delta extends Pick<Page, "path" | "since" | "hunks"> {
  /** The receipt of the page; with `null`, {@linkcode applyDelta} fails. */
  readonly receipt: string | null;
}

/** The page without the lines that are unchanged since `old`, which is the receipt `since`. */
export function* withoutKept(
  read: Page,
  since: string,
  old: Receipt,
): Steps<Page> {
  // The copy below reads every getter; the receipt is made before, in steps.
  yield* LazyPage.receiptOf(read);
  const { bytes: bytesOf, ...page } = read;
  const { lines, next, encoding } = page;
  const bytes = bytesOf();
  const places = yield* keptLines(read, old);
  const kept: { kept: [from: number, to: number]; start: number }[] = [];
  const fresh: PageLine[] = [];
  /** The bytes of runs of new lines. */
  const runs: [start: number, end: number][] = [];
  let end = 0;
  for (const [index, line] of lines.entries()) {
    const start = end;
    end = endOfLine(bytes, start, encoding.label) || bytes.length;
    if (index % STEP_ITEMS === 0) yield;
    if (places[index] === -1) {
      fresh.push(line);
      const run = runs.at(-1);
      if (run?.[1] === start) run[1] = end;
      else runs.push([start, end]);
      continue;
    }
    const number = old.line + places[index]!;
    const last = kept.at(-1);
    const goesOn = last?.kept[1] === number - 1 &&
      last.start - last.kept[0] === line.number - number;
    if (goesOn) last.kept[1] = number;
    else kept.push({ kept: [number, number], start: line.number });
  }
  const first = lines[0]?.number ?? 0;
  const isFresh = (number: number) => places[number - first] === -1;
  const inexact = page.inexact.filter(({ number }) => isFresh(number));
  return {
    ...page,
    lines: fresh,
    exact: inexact.length === 0,
    inexact,
    warnings: page.warnings.filter(({ line }) => isFresh(line)),
    next: next && { ...next, since },
    since,
    hunks: yield* hunksOf(rawOf(fresh, inexact), kept),
    bytes: () => joinBytes(runs.map((run) => bytes.subarray(...run))),
  };
}

/** For each line of a page, the index of the same old line, or -1. */
function* keptLines(page: Page, old: Receipt): Steps<Int32Array> {
  const { length } = page.lines;
  const kept = new Int32Array(length).fill(-1);
  const tags = (yield* readReceipt(page.receipt))?.tags;
  // The receipt has the lines of the bytes; invalid bytes may give other lines of text.
  if (tags?.length !== length) return kept;
  // The tag of a part of a line is -1; -2 does not match an old one.
  const fresh = tags.map((tag) => tag < 0 ? -2 : tag);
  // Compare all lines of the page, independent of the old places.
  const around = { expected: NaN, isStart: true, isEnd: true };
  const { places } = yield* align(old.tags, fresh, around);
  for (let at = 0; at < places.length; at++) {
    if (places[at]! >= 0) kept[places[at]!] = at;
    if (at % STEP_ITEMS === 0) yield;
  }
  return kept;
}

/**
 * Makes the new text of a page from the text that an earlier page showed.
 *
 * @example Usage
 * ```ts
 * import { applyDelta, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const open = (text: string) => openWorkspace("/", { fs: memoryFs({ "/a": text }) });
 * const { receipt: since } = await (await open("one\ntwo\nthree\n")).read("a");
 * const delta = await (await open("one\n2\nthree\n")).read("a", { since });
 * assertEquals(delta.lines.map(({ text }) => text), ["2"]);
 * assertEquals(applyDelta("one\ntwo\nthree\n", delta), "one\n2\nthree\n");
 * ```
 *
 * @param text The texts and endings of the lines of the earlier page, put together.
 * @param delta The page that was read with `since`, or what JSON or {@linkcode renderPage} keeps of it.
 * @returns The texts and endings of the lines of the new page, to the byte.
 * @throws {ReadFileError} With `CHANGED` if the text is another, or the result is not the new text; read the lines again then.
 */
export function applyDelta(text: string, delta: Delta): string {
  const failed = "Cannot apply the delta";
  const refuse = refuseMistake(failed);
  checkText(text, failed);
  const problem = "must be a page that was read with since";
  const take = <Value>(read: () => Value) =>
    readSafely(read, "delta", refuse, problem);
  const { path, since, receipt, hunks } = take(() => ({
    ...delta,
    hunks: [...delta.hunks!],
  }));
  const old = runAtOnce(takeReceipt(path, since, "since", true));
  const wanted = runAtOnce(takeReceipt(path, receipt, "receipt", true));
  if (digestOfText(text, old) !== old.digest) {
    throw cannotApply(path, "the text is not the one that it applies to");
  }
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  // Kept lines must be in order, so that the time is linear in the text and the delta.
  let last = old.line - 1;
  const result = take(() =>
    hunks.map((hunk) => {
      if (!("kept" in hunk)) return hunk.text;
      const [from, to] = hunk.kept;
      if (from <= last || to < from) return undefined;
      last = to;
      return lines.slice(from - old.line, to - old.line + 1).join("");
    })
  );
  const made = result.join("");
  const isWhole = !result.includes(undefined) &&
    digestOfText(made, wanted) === wanted.digest;
  if (isWhole) return made;
  throw cannotApply(path, "its lines do not make the new text");
}

/** The digest of the bytes of a text in the encoding of a receipt; `undefined` if it has no bytes there. */
function digestOfText(text: string, { encoding }: Receipt): string | undefined {
  const bytes = (charsetOf(encoding) ?? new TextEncoder()).encode(text);
  return bytes && digestOf(bytes);
}

function cannotApply(path: string, why: string): ReadFileError<"CHANGED"> {
  return new ReadFileError("CHANGED", path, { how: "rewritten" }, {
    words: {
      // The error checks the path before its words quote it.
      CHANGED: ({ path }) => [
        `Cannot apply the delta of ${quote(path)}: ${why}`,
        "read the lines again",
      ],
    },
  });
}
