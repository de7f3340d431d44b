// Runtime-agnostic.
import type { FileBytes } from "../base/port.ts";
import { charsetOf, endOfLine } from "../encodings/charsets.ts";
import type { TextWindow } from "../lines/window.ts";
import { CR_KIND } from "./digest.ts";
import { RECEIPT_GAP, writeReceipt } from "./receipt.ts";
import { given, hasHits, partsOf, selectPage, shownBytes } from "./page.ts";
import type { InexactLine, Page, PageLine, PageOptions } from "./page.ts";
import { failOnGap, writeEtag, type WrittenEtag } from "./version.ts";
import { escapeText } from "../unicode/escape.ts";
import { HiddenReport } from "../unicode/hidden.ts";
import { runAtOnce, STEP_ITEMS, type Steps } from "../base/call.ts";

/** Makes a page from the window that was read with the options, in steps; `now` was sampled before `stat()`. */
export function* makePage(
  window: TextWindow,
  options: PageOptions,
  now: number,
): Steps<Page> {
  if (options.etag !== undefined) failOnGap(options.etag, window);
  const page = new LazyPage(window, options, now);
  const length = shownBytes(page);
  const isAscii = window.text.length === length;
  if (length * (isAscii ? 1 : 8) > MAX_LAZY_BYTES) yield* page.makeText();
  return page;
}

/** The most bytes of ASCII text whose lines and etag are made lazily, in one step, which takes less than a time slice. For other text, an eighth of it. */
const MAX_LAZY_BYTES = 1_048_576;

const copyBytes = ({ bytes }: TextWindow): FileBytes => bytes.slice();

/** The constructor defines the properties. */
export interface LazyPage extends Page {}

/**
 * A page whose lines and etag are made at their first use. Its properties are
 * own properties, so that `{ ...page }` copies them. All pages share the
 * getters: V8 keeps the getters of a literal, and what they refer to, until a
 * major garbage collection.
 */
export class LazyPage {
  readonly #window: TextWindow;
  readonly #options: PageOptions;
  readonly #now: number;
  // Each of these is made once, when it is needed.
  #version: WrittenEtag | undefined;
  #text: TextParts | undefined;
  #receipt: string | undefined;
  #next: PageOptions | null | undefined;

  constructor(window: TextWindow, options: PageOptions, now: number) {
    this.#window = window;
    this.#options = options;
    this.#now = now;
    const { path, span, stat: { size }, encoding, totalLines } = window;
    const { etag, view } = options;
    // On a later page, the options name the encoding because the page before did.
    const isNext = etag !== undefined && encoding.why === "asked";
    Object.assign(this, {
      path,
      shown: span,
      size,
      encoding: isNext
        ? { ...encoding, why: "as on the page before" }
        : encoding,
      totalLines,
      empty: span.start < span.end ? null : emptyOf(window),
      view: view === "raw" ? null : view ?? null,
      // Bound, since V8 would keep a closure, and with it the window, for long.
      bytes: copyBytes.bind(undefined, window),
    });
    if (hasHits(window)) Object.assign(this, { hits: window.hits });
    Object.defineProperties(this, getters ??= LazyPage.#makeGetters());
  }

  static #makeGetters(): PropertyDescriptorMap {
    const textOf = (page: LazyPage) => page.#text ?? runAtOnce(page.makeText());
    return {
      lines: getter((page) => textOf(page).lines),
      next: getter((page) => page.#makeNext()),
      etag: getter((page) => runAtOnce(page.#makeVersion()).etag),
      receipt: getter((page) => runAtOnce(LazyPage.receiptOf(page))),
      exact: getter((page) => textOf(page).inexact.length === 0),
      inexact: getter((page) => textOf(page).inexact),
      warnings: getter((page) => textOf(page).warnings),
    };
  }

  *#makeVersion(): Steps<WrittenEtag> {
    if (this.#version !== undefined) return this.#version;
    const window = this.#window;
    const { etag } = this.#options;
    // The next page continues after the last of several runs.
    const last = partsOf(window).at(-1)!;
    // A page of hits compares all bytes at once, and the last page is not followed by
    // another, so neither leaves a comparison to a later page.
    const mayPostpone = !hasHits(window) &&
      nextOf(window, this.#options) !== null;
    return this.#version = yield* writeEtag(last, this.#now, etag, mayPostpone);
  }

  /** Makes the lines and the etag, in steps. */
  *makeText(): Steps<TextParts> {
    const { byteKinds } = yield* this.#makeVersion();
    const steps = makeLines(this.#window, this.#options, byteKinds);
    return this.#text ??= yield* steps;
  }

  #makeNext(): PageOptions | null {
    if (this.#next !== undefined) return this.#next;
    const next = nextOf(this.#window, this.#options);
    return this.#next = next && { ...next, etag: this.etag };
  }

  /** Makes the receipt, in steps. */
  static *receiptOf(page: Page): Steps<string> {
    if (!(#window in page)) return page.receipt;
    if (page.#receipt !== undefined) return page.#receipt;
    const runs: string[] = [];
    for (const part of partsOf(page.#window)) {
      const { start, lineCount, column, bytes, span, stat } = part;
      const line = start ?? -lineCount;
      const isEnd = span.end === stat.size;
      const { label: encoding } = part.encoding;
      runs.push(yield* writeReceipt(bytes, { line, column, isEnd, encoding }));
    }
    return page.#receipt = runs.join(RECEIPT_GAP);
  }

  /** The same page, whose `next` has these limits instead of its own. */
  static withLimits(page: Page, limits: PageOptions): Page {
    if (page.next === null) return page;
    const { maxBytes: _, maxTokens: __, ...rest } = page.next;
    const next = { ...rest, ...limits };
    if (!(#window in page)) return { ...page, next };
    const copy = new LazyPage(page.#window, page.#options, page.#now);
    copy.#version = page.#version;
    copy.#text = page.#text;
    copy.#next = next;
    return copy;
  }

  /** Whether a page of hits would show more of its first hit, or around it, with a larger limit. */
  static isShrunk(page: Page): boolean {
    if (!(#window in page)) return false;
    return hasHits(page.#window) && page.#window.isShrunk;
  }
}

/** Made by the first page, so that bundles without pages tree-shake them. */
let getters: PropertyDescriptorMap | undefined;

function getter(get: (page: LazyPage) => unknown): PropertyDescriptor {
  return {
    get(this: LazyPage) {
      return get(this);
    },
    enumerable: true,
  };
}

type TextParts = Pick<Page, "lines" | "inexact" | "warnings">;

function emptyOf(window: TextWindow): Page["empty"] {
  const { stat: { size }, start, totalLines } = window;
  if (size === 0) return "empty file";
  if (hasHits(window) && window.from.position < size) return "no hit";
  // The line exists, but ends before the column.
  const isLine = start !== null && totalLines !== null && start <= totalLines;
  return isLine ? "past the last column" : "past the end";
}

const CR = 0x0d;
/** A carriage return that is not part of a line ending. */
const LONE_CR = /\r(?!\n)/;

/** Makes the lines of a page, and finds inexact lines and hidden characters. `byteKinds` are those of its bytes, see `digest.ts`. */
function* makeLines(
  window: TextWindow,
  { escape }: PageOptions,
  byteKinds: number,
): Steps<TextParts> {
  // ASCII without controls is exact and has no hidden characters; `escape` may
  // change its backslashes. In UTF-16 such bytes are halves of other characters.
  // A page of hits has several runs, and `byteKinds` are those of the last.
  const isPlain = !escape && !hasHits(window) &&
    !window.encoding.label.startsWith("utf-16") &&
    (byteKinds === 0 ||
      byteKinds === CR_KIND && !LONE_CR.test(window.text));
  const lines: PageLine[] = [];
  const inexact: InexactLine[] = [];
  const hidden = new HiddenReport();
  for (const part of partsOf(window)) {
    const { text: all, nextColumn } = part;
    const lossOf = isPlain ? undefined : findLosses(part);
    // If the lines before were not counted, lines are numbered from the end.
    let number = part.start ?? -part.lineCount;
    for (let from = 0; from < all.length; number++) {
      const feed = all.indexOf("\n", from);
      const to = feed < 0 ? all.length : feed;
      const isCrLf = feed > from && all.charCodeAt(feed - 1) === CR;
      let line: PageLine = {
        number,
        column: from === 0 ? part.column : 1,
        text: all.slice(from, isCrLf ? to - 1 : to),
        ending: feed < 0 ? "" : isCrLf ? "\r\n" : "\n",
      };
      const reason = lossOf && (yield* lossOf(all.slice(from, to + 1)));
      if (reason) inexact.push({ number, reason });
      from = to + 1;
      if (!isPlain) {
        const isOpen = nextColumn > 1 && feed < 0;
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

/** Returns a function that finds why the text of a line does not give back its bytes; call it with each line and its ending, in order. Returns `undefined` if it is known that all lines give them back. */
function findLosses({ encoding: { label }, text, bytes }: TextWindow) {
  const charset = charsetOf(label);
  // The decoder writes U+FFFD for invalid bytes.
  if (charset === undefined && !text.includes(REPLACEMENT)) return undefined;
  let end = 0;
  return function* (line: string): Steps<InexactLine["reason"] | undefined> {
    const start = end;
    end = endOfLine(bytes, start, label) || bytes.length;
    const isReplaced = line.includes(REPLACEMENT);
    const own = bytes.subarray(start, end);
    if (charset === undefined) {
      return isReplaced && (yield* isLossy(line, own))
        ? "not UTF-8"
        : undefined;
    }
    if (areEqual(charset.encode(line), own)) return undefined;
    return isReplaced ? "undecodable" : "ambiguous";
  };
}

function areEqual(one: Uint8Array | undefined, other: Uint8Array): boolean {
  if (one?.length !== other.length) return false;
  for (let at = 0; at < other.length; at++) {
    if (one[at] !== other[at]) return false;
  }
  return true;
}

/** Whether decoding a line lost bytes: then its text has more U+FFFD than its bytes. */
function* isLossy(text: string, bytes: Uint8Array): Steps<boolean> {
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

const REPLACEMENT = "\uFFFD";

/** The options of the next page, with the limits of this one. */
function nextOf(window: TextWindow, options: PageOptions): PageOptions | null {
  const { next, nextColumn, encoding: { label } } = window;
  if (next === null) return null;
  const isInside = nextColumn > 1;
  const place = { start: next, column: isInside ? nextColumn : undefined };
  // For later bytes, another encoding might be detected.
  const encoding = label === "utf-8" ? options.encoding : label;
  if (hasHits(window)) {
    const { start: _, column: __, etag: ___, ...same } = options;
    // Leave out the lines that were shown, even in part.
    const first = isInside ? next + 1 : next;
    const lines = same.lines?.filter((line) => line >= first);
    return given({ ...place, ...same, encoding, lines });
  }
  const bound = boundOf(window, options);
  if (bound.end !== undefined && next > bound.end) return null;
  const { maxBytes, width, escape, view, pages } = options;
  const same = { maxBytes, width, escape, encoding, view, pages };
  return given({ ...place, ...bound, ...same });
}

/** The limit for `next`: the `count` of the options, or the last line that they name. */
function boundOf(
  { totalLines }: TextWindow,
  options: PageOptions,
): Pick<PageOptions, "count" | "end"> {
  if (options.count !== undefined) return { count: options.count };
  // Lines that are appended later are not part of this tail.
  if (options.tail !== undefined) return { end: totalLines! };
  if ((options.end ?? options.around) === undefined) return {};
  const { start, count } = selectPage(options);
  return { end: start + count - 1 };
}
