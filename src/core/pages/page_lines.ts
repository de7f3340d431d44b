import { STEP_ITEMS, type Steps } from "../base/call.ts";
import { endOfLine } from "../encodings/codecs.ts";
import type { FileEncoding } from "../lines/codec.ts";
import { bytesOf, type Run } from "../lines/run.ts";
import { isLossy } from "../lines/text.ts";
import { CR_KIND } from "./checksum.ts";
import { escapeText } from "../unicode/escape.ts";
import { type HiddenCharacter, HiddenReport } from "../unicode/hidden.ts";
import type { InexactLine, PageLine, Reading } from "./page.ts";

/** The lines of a page, and what is to be said of them. */
export interface ShownLines {
  readonly lines: readonly PageLine[];
  readonly inexact: readonly InexactLine[];
  readonly warnings: readonly HiddenCharacter[];
}

const CR = 0x0d;
/** A carriage return that is not part of a line ending. */
const LONE_CR = /\r(?!\n)/;

/** Makes the lines of a page, and finds inexact lines and hidden characters; `byteKinds` are those of the bytes of its last run, see `checksum.ts`. */
export function* makeLines(
  { runs, encoding }: Reading,
  escape: boolean,
  byteKinds: number,
): Steps<ShownLines> {
  const isUsual = byteKinds === 0 ||
    byteKinds === CR_KIND && !LONE_CR.test(runs.at(-1)?.text ?? "");
  // Printable ASCII is exact in UTF-8 and has no hidden characters; `escape` may change
  // its backslashes.
  const isPlain = !escape && encoding.label === "utf-8" && runs.length === 1 &&
    isUsual && runs[0]!.clips.length === 0;
  const lines: PageLine[] = [];
  const inexact: InexactLine[] = [];
  const hidden = new HiddenReport();
  for (const run of runs) {
    const { text: all, endColumn, clips } = run;
    const lossOf = isPlain ? undefined : findLosses(run, encoding);
    const clipOf = clips.length > 0
      ? new Map(clips.map((clip) => [clip.index, clip]))
      : undefined;
    // If the lines before were not counted, lines are numbered from the end.
    const first = run.line ?? -run.lines;
    let number = first;
    for (let from = 0; from < all.length; number++) {
      const feed = all.indexOf("\n", from);
      const to = feed < 0 ? all.length : feed;
      const clip = clipOf?.get(number - first);
      const isCrLf = feed > from && all.charCodeAt(feed - 1) === CR &&
        !clip?.isLfOnly;
      let line: PageLine = {
        number,
        column: from === 0 ? run.column : 1,
        text: all.slice(from, isCrLf ? to - 1 : to),
        ending: feed < 0 ? "" : isCrLf ? "\r\n" : "\n",
      };
      const reason = lossOf &&
        (yield* lossOf(all.slice(from, to + 1), clip !== undefined));
      if (reason) inexact.push({ number, reason });
      if (clip !== undefined) inexact.push({ number, reason: "clipped" });
      from = to + 1;
      if (!isPlain) {
        const isOpen = endColumn > 1 && feed < 0 || clip !== undefined;
        const rest = hidden.add(line, isOpen);
        if (rest !== undefined) yield* rest;
        const text = escape ? escapeText(line.text, isOpen) : line.text;
        if (text !== line.text) {
          inexact.push({ number, reason: "escaped" });
          line = { ...line, text };
        }
      }
      if (lines.push(line) % STEP_ITEMS === 0) yield;
    }
  }
  return { lines, inexact, warnings: hidden.found };
}

/** Returns a function that finds which lines lost bytes; call it with each line and its ending, in order. Returns `undefined` if it is known that all lines give them back. */
function findLosses(run: Run, encoding: FileEncoding) {
  const { label } = encoding;
  const isUtf8 = label === "utf-8";
  // The decoder writes U+FFFD for invalid bytes.
  if (!run.text.includes(REPLACEMENT)) return undefined;
  const bytes = bytesOf(run);
  let end = 0;
  return function* (
    whole: string,
    isClipped: boolean,
  ): Steps<InexactLine["reason"] | undefined> {
    const start = end;
    end = endOfLine(bytes, start, label) || bytes.length;
    // Clipping may divide the last character.
    const line = isClipped ? whole.replace(CUT_CHARACTER, "") : whole;
    if (!line.includes(REPLACEMENT)) return undefined;
    const own = bytes.subarray(start, end);
    if (!isUtf8) {
      return isLossy(line, own, encoding) ? "undecodable" : undefined;
    }
    return (yield* hasLost(line, own)) ? "not UTF-8" : undefined;
  };
}

/** A character that is not whole at the end of a clipped line. */
export const CUT_CHARACTER = /\uFFFD(?=\r?\n?$)/;

/** Whether decoding a line of UTF-8 lost bytes: then its text has more U+FFFD than its bytes. */
function* hasLost(text: string, bytes: Uint8Array): Steps<boolean> {
  /** How many U+FFFD the bytes have that the text did not show yet. */
  let written = 0;
  let steps = 0;
  for (let at = 0; (at = bytes.indexOf(0xef, at)) >= 0; at++) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) written++;
    if (++steps % STEP_ITEMS === 0) yield;
  }
  for (let at = 0; (at = text.indexOf(REPLACEMENT, at)) >= 0; at++) {
    if (--written < 0) return true;
    if (written % STEP_ITEMS === 0) yield;
  }
  return false;
}

export const REPLACEMENT = "\uFFFD";
