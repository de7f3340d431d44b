// Runtime-agnostic.
import type { FileBytes } from "../base/port.ts";
import type { TextWindow } from "../lines/window.ts";
import { CR_SIGN } from "./digest.ts";
import { RECEIPT_GAP, writeReceipt } from "./receipt.ts";
import { given, isFound, nextHits, partsOf } from "./page.ts";
import { selectPage, shownBytes } from "./page.ts";
import type { Hits, InexactLine, Page, PageLine } from "./page.ts";
import type { PageOptions } from "./page.ts";
import { Losses } from "./losses.ts";
import { refuseGap, writeEtag, type WrittenEtag } from "./version.ts";
import { escapeText } from "../unicode/escape.ts";
import { HiddenReport } from "../unicode/hidden.ts";
import { doAtOnce, STEP, type Steps } from "../base/call.ts";

/** Makes a page from the window of `selectPage(options)`, in steps; `now` was sampled before `stat()`. */
export function* makePage(
  window: TextWindow,
  options: PageOptions,
  now: number,
): Steps<Page> {
  const { span: { start: position }, start: line, column, text } = window;
  if (options.etag !== undefined) {
    const here = { position, line, column };
    refuseGap(options.etag, window, isFound(window) ? window.from : here);
  }
  const page = new LazyPage(window, options, now);
  const length = shownBytes(page);
  const isAscii = text.length === length;
  if (length * (isAscii ? 1 : 8) > MAX_LAZY_BYTES) yield* page.make();
  return page;
}

/** The most bytes of ASCII (an eighth of other text) whose lines and etag are made lazily: that takes less than a time slice. */
const MAX_LAZY_BYTES = 1_048_576;

const copyBytes = ({ bytes }: TextWindow): FileBytes => bytes.slice();

/**
 * A page whose lines and etag are made at their first use. Its properties are
 * own properties, so that `{ ...page }` copies them. All pages share the
 * getters: V8 keeps the getters of a literal, and what they refer to, until a
 * major garbage collection.
 */
class LazyPage implements Page {
  readonly path: string;
  declare readonly lines: Page["lines"];
  readonly shown: Page["shown"];
  readonly size: number;
  readonly encoding: Page["encoding"];
  readonly totalLines: number | null;
  readonly empty: Page["empty"];
  declare readonly hits?: Hits;
  declare readonly next: Page["next"];
  readonly view: Page["view"];
  declare readonly etag: string;
  declare readonly receipt: string;
  declare readonly exact: boolean;
  declare readonly inexact: Page["inexact"];
  declare readonly warnings: Page["warnings"];
  readonly bytes: () => FileBytes;
  readonly #window: TextWindow;
  readonly #options: PageOptions;
  readonly #now: number;
  #version: WrittenEtag | undefined;
  #made: TextParts | undefined;
  #receipt: string | undefined;
  #next: PageOptions | null | undefined;

  constructor(window: TextWindow, options: PageOptions, now: number) {
    const { span, encoding } = window;
    // After an earlier page, the reason is that page, not the caller.
    const isNext = options.etag !== undefined && encoding.why === "asked";
    this.encoding = isNext
      ? { ...encoding, why: "as on the page before" }
      : encoding;
    this.path = window.path;
    this.shown = span;
    this.size = window.stat.size;
    this.totalLines = window.totalLines;
    this.empty = span.start < span.end ? null : emptyOf(window);
    this.view = options.view === "raw" ? null : options.view ?? null;
    // Bound, since V8 would keep a closure, and with it the window, for long.
    this.bytes = copyBytes.bind(undefined, window);
    this.#window = window;
    this.#options = options;
    this.#now = now;
    if (isFound(window)) this.hits = window.hits;
    Object.defineProperties(this, getters ??= LazyPage.#makeGetters());
  }

  static #makeGetters(): PropertyDescriptorMap {
    return {
      lines: getter((page) => page.#text.lines),
      next: getter((page) => page.#nextOptions),
      etag: getter((page) => page.#versionNow.etag),
      receipt: getter((page) => page.#receiptNow),
      exact: getter((page) => page.#text.inexact.length === 0),
      inexact: getter((page) => page.#text.inexact),
      warnings: getter((page) => page.#text.warnings),
    };
  }

  /** Makes the lines and the etag now, in steps. */
  *make(): Steps<void> {
    this.#version = yield* this.#makeVersion();
    this.#made = yield* this.#makeText();
  }

  #makeVersion(): Steps<WrittenEtag> {
    const window = this.#window;
    const { etag } = this.#options;
    // The next page continues after the last of several runs.
    const last = partsOf(window).at(-1)!;
    const isLast = isFound(window) || nextOf(window, this.#options) === null;
    return writeEtag(last, this.#now, etag, isLast);
  }

  #makeText(): Steps<TextParts> {
    const { signs } = this.#versionNow;
    const window = this.#window;
    // ASCII without controls is exact and has no hidden characters; `escape`
    // may change its backslashes. In UTF-16 such bytes are halves of other
    // characters.
    const isPlain = !this.#options.escape && !isFound(window) &&
      !window.encoding.label.startsWith("utf-16") &&
      (signs === 0 || signs === CR_SIGN && !LONE_CR.test(window.text));
    return makeLines(window, this.#options.escape, isPlain);
  }

  get #versionNow(): WrittenEtag {
    return this.#version ??= doAtOnce(this.#makeVersion());
  }

  get #text(): TextParts {
    return this.#made ??= doAtOnce(this.#makeText());
  }

  get #receiptNow(): string {
    return this.#receipt ??= doAtOnce(LazyPage.receiptOf(this));
  }

  /** Makes the receipt now, in steps. */
  static *receiptOf(page: Page): Steps<string> {
    if (!(#window in page)) return page.receipt;
    const runs: string[] = [];
    for (const part of partsOf(page.#window)) {
      const { start, lineCount, column, bytes, span, stat } = part;
      const line = start ?? -lineCount;
      const isEnd = span.end === stat.size;
      const { label: encoding } = part.encoding;
      runs.push(yield* writeReceipt(bytes, { line, column, isEnd, encoding }));
    }
    return page.#receipt ??= runs.join(RECEIPT_GAP);
  }

  get #nextOptions(): PageOptions | null {
    if (this.#next !== undefined) return this.#next;
    const next = nextOf(this.#window, this.#options);
    return this.#next = next && { ...next, etag: this.#versionNow.etag };
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

export function receiptOf(page: Page): Steps<string> {
  return LazyPage.receiptOf(page);
}

type TextParts = Pick<Page, "lines" | "inexact" | "warnings">;

function emptyOf(window: TextWindow): Page["empty"] {
  const { stat: { size }, start, totalLines } = window;
  if (size === 0) return "empty file";
  if (isFound(window) && window.from.position < size) return "no hit";
  // The line exists, but ends before the column.
  const isLine = start !== null && totalLines !== null && start <= totalLines;
  return isLine ? "past the last column" : "past the end";
}

const CR = 0x0d;

/** A carriage return that is not part of a line ending. */
const LONE_CR = /\r(?!\n)/;

/** Makes the lines of a page; unless the page `isPlain`, also finds inexact lines and hidden characters. */
function* makeLines(
  window: TextWindow,
  escape: boolean | undefined,
  isPlain: boolean,
): Steps<TextParts> {
  const lines: PageLine[] = [];
  const inexact: InexactLine[] = [];
  const hidden = new HiddenReport();
  for (const part of partsOf(window)) {
    const { text: all, nextColumn } = part;
    const losses = new Losses(part, isPlain);
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
      const reason = losses.isPossible &&
        (yield* losses.next(all.slice(from, to + 1)));
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
      if (lines.push(line) % STEP === 0) yield;
    }
  }
  return { lines, inexact, warnings: hidden.found };
}

/** The options of the next page, with the limits of this one. */
function nextOf(window: TextWindow, options: PageOptions): PageOptions | null {
  const { next, nextColumn, encoding: { label } } = window;
  if (next === null) return null;
  // For later bytes, another encoding might be detected.
  const encoding = label === "utf-8" ? options.encoding : label;
  if (isFound(window)) return nextHits(window, given({ ...options, encoding }));
  const bound = boundOf(window, options);
  if (bound.end !== undefined && next > bound.end) return null;
  const { maxBytes, width, escape, view, pages } = options;
  return given({
    start: next,
    column: nextColumn > 1 ? nextColumn : undefined,
    ...bound,
    ...{ maxBytes, width, escape, encoding, view, pages },
  });
}

/** The limit for `next`: the `count` of the options, or the last line that they name. */
function boundOf(
  { totalLines }: TextWindow,
  options: PageOptions,
): Pick<PageOptions, "count" | "end"> {
  const { count, end, after = 0, tail, around } = options;
  if (count !== undefined) return { count };
  if (end !== undefined) {
    return { end: Math.min(Number.MAX_SAFE_INTEGER, end + after) };
  }
  // Lines that are appended later are not part of this tail.
  if (tail !== undefined) return { end: totalLines! };
  if (around === undefined) return {};
  const selected = selectPage(options);
  return { end: selected.start + selected.count - 1 };
}
