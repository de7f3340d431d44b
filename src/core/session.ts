import { LruCache } from "./base/lru_cache.ts";
import { ownOf, refuseMistake, type Rules, takeOptions } from "./base/check.ts";
import { compareLines, type Hunk, isEdit } from "./changes.ts";
import { runAtOnce } from "./base/call.ts";
import type { PageFacts, PageLine } from "./pages/page.ts";
import { nameLines, onOneLine, quotePath, withNotes } from "./pages/frame.ts";
import {
  checkPage,
  RENDER_RULES,
  type RenderOptions,
  writePage,
} from "./pages/render.ts";

/** How {@linkcode ReadSession.answer} names things, as in {@linkcode renderPage}. */
export interface SessionOptions extends RenderOptions {
  /** A sentence that says how the model gets the lines that are left out. */
  readonly hint?: string | undefined;
  /** The pages of a document to which the lines belong, if the call named them. */
  readonly pages?: string | undefined;
}

/** The answer of a session. */
export interface SessionAnswer {
  /** Whether the text has all lines of the page, only the new ones, or one line in place of all. */
  readonly kind: "page" | "new" | "unchanged";
  /** The lines that the text has. */
  readonly lines: readonly PageLine[];
  /** The lines that the text leaves out: the numbers with which they were shown, and those that they have now. */
  readonly kept: readonly Extract<Hunk, { readonly count: number }>[];
  /** How many times these lines were asked for while nothing changed; from 3 on, the text says so. */
  readonly times: number;
  /** The text for the model. */
  readonly text: string;
}

/** Remembers what a conversation was shown, in at most 16 Mi characters. */
export interface ReadSession {
  /** Writes a page, or what JSON keeps of one, as {@linkcode renderPage} does, but leaves out the lines that the conversation has. The page counts as shown from now on. */
  answer(page: PageFacts, options?: SessionOptions): SessionAnswer;
  /** Forgets a file by the path of its pages, or all files: their text is no longer in the conversation. */
  forget(path?: string): void;
}

/**
 * Makes a session for a conversation whose text stays in the context of the
 * model. Lines of a page that an earlier answer showed are left out of a later
 * one, and named; also if they have moved to other numbers. Call `forget()` when
 * the conversation is compacted.
 *
 * @example Usage
 * ```ts
 * import { createReadSession, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/a": "a line of the file\n".repeat(30) });
 * const workspace = await openWorkspace("/", { fs });
 * const session = createReadSession();
 * const ask = async (end: number) => session.answer(await workspace.read("a", { end }));
 * assertEquals((await ask(20)).kind, "page");
 * const { lines } = await ask(30);
 * assertEquals([lines[0]?.number, lines.length], [21, 10]);
 * assertEquals((await ask(30)).kind, "unchanged");
 * session.forget();
 * assertEquals((await ask(30)).kind, "page");
 * ```
 */
export function createReadSession(): ReadSession {
  /** By path. */
  let files = new LruCache<ShownFile>(MAX_CHARS);
  return {
    answer(page, options) {
      const taken = takeOptions(options, RULES, refuse);
      checkPage("the page", page, refuse);
      return answerFrom(files, page, taken);
    },
    forget(path) {
      if (path === undefined) files = new LruCache(MAX_CHARS);
      else files.delete(path);
    },
  };
}

const refuse = refuseMistake("Cannot answer with the page");

const RULES: Rules<SessionOptions> = {
  ...RENDER_RULES,
  pages: "text",
  hint: "text",
};

/** The most characters that are remembered, of all files together. */
const MAX_CHARS = 16 * 1024 * 1024;

/** The most lines of a file that are remembered; a larger page has its full text each time. */
const MAX_LINES = 50_000;

/** About how much an entry of a map takes besides its text, in characters. */
const ENTRY_CHARS = 64;

/** The lines of a file that stand in the conversation. */
class ShownFile {
  readonly view: string | null;
  /** The line that was last shown with this number, from this column on. Lines that an answer left out stand in the conversation only with the number that they had. */
  readonly #lines = new Map<number | string, PageLine>();
  /** How many times a part of the file was asked for in which nothing changed, by its bytes. */
  readonly #times = new Map<string, number>();
  #chars = 0;

  constructor(view: string | null) {
    this.view = view;
  }

  /** About how much memory the file takes, in characters. */
  get chars(): number {
    return this.#chars;
  }

  /** Adds lines that are shown. If the file has too many, the others are forgotten; of too many at once, all are. */
  add(lines: readonly PageLine[]): void {
    if (this.#lines.size + lines.length > MAX_LINES) {
      this.#lines.clear();
      this.#times.clear();
      this.#chars = 0;
    }
    if (lines.length > MAX_LINES) return;
    for (const line of lines) {
      const key = keyOf(line);
      const before = this.#lines.get(key);
      this.#lines.set(key, { ...line, text: copied(line.text) });
      this.#chars += line.text.length -
        (before === undefined ? -ENTRY_CHARS : before.text.length);
    }
  }

  /** Counts a request for a page; one with new lines is the first. */
  count({ empty, shown }: PageFacts, isNew: boolean): number {
    // A page without hits does not say what was searched.
    if (empty === "no hit") return 1;
    const request = `${shown.start}-${shown.end}`;
    const before = this.#times.get(request);
    const times = isNew ? 1 : (before ?? 0) + 1;
    this.#times.set(request, times);
    if (before === undefined) this.#chars += request.length + ENTRY_CHARS;
    return times;
  }

  /** For each line, the number with which it stands in the conversation, if it does. */
  numbersOf(lines: readonly PageLine[]): (number | undefined)[] {
    const before = lines.map((line) => this.#lines.get(keyOf(line)));
    const isSame = lines.map((line, at) => isEqual(line, before[at]));
    const numbers = lines.map((line, at) =>
      isSame[at] ? line.number : undefined
    );
    // Without a sign of an edit, equal lines at other places are not the same lines.
    const isEdited = before.some((line, at) => line && !isSame[at]);
    if (!isEdited) return numbers;
    let at = 0;
    // Both were checked as pages.
    const { hunks } = runAtOnce(compareLines(this.#inOrder(), lines));
    for (const hunk of hunks) {
      if (isEdit(hunk)) {
        at += hunk.lines.length;
        continue;
      }
      const end = at + hunk.count;
      const isWorth = hunk.kind === "same" ||
        countChars(lines.slice(at, end)) >= LEAST_MOVED_CHARS;
      for (let number = hunk.before; at < end; at++, number++) {
        if (isWorth) numbers[at] = number;
      }
    }
    return numbers;
  }

  #inOrder(): PageLine[] {
    return [...this.#lines.values()].sort((one, other) =>
      one.number - other.number || one.column - other.column
    );
  }
}

/** The place of a line. Most begin at column 1: their number is the key, and no string is made for each. */
const keyOf = ({ number, column }: PageLine) =>
  column === 1 ? number : `${number}:${column}`;

/** The same text in memory of its own: engines keep the whole text of which it is a part. */
const copied = (text: string) => ` ${text}`.slice(1);

function isEqual(line: PageLine, other: PageLine | undefined): boolean {
  return line.text === other?.text && line.ending === other.ending;
}

/** The fewest characters of lines that moved, to name them instead of showing them again. */
const LEAST_MOVED_CHARS = 100;

function countChars(lines: readonly PageLine[]): number {
  return lines.reduce(
    (sum, { text, ending }) => sum + text.length + ending.length,
    0,
  );
}

/** Answers with a page, and keeps what is shown. */
function answerFrom(
  files: LruCache<ShownFile>,
  page: PageFacts,
  { hint, ...others }: SessionOptions,
): SessionAnswer {
  const options = ownOf(others);
  const before = files.get(page.path);
  // A line of another view may have the same number.
  const isSame = before !== undefined && before.view === page.view;
  const file = isSame ? before : new ShownFile(page.view);
  const isLarge = page.lines.length > MAX_LINES;
  const numbers = isLarge ? [] : file.numbersOf(page.lines);
  const lines = page.lines.filter((_, at) => numbers[at] === undefined);
  const kept = runsOf(page.lines, numbers);
  const times = file.count(page, lines.length > 0);
  // A possible loop is reported; the call is still answered.
  const loop = times < LOOP_TIMES
    ? []
    : [`these lines were asked for ${times} times, and are the same each time`];
  const notes = [...options.notes ?? [], ...loop];
  const whole = writePage(page, { ...options, notes }).text;
  const short = kept.length === 0
    ? whole
    : withoutKept(page, lines, kept, whole, { ...options, notes, hint });
  // Few short lines may take less text than their names.
  const isShort = short.length < whole.length;
  const shown = isShort ? lines : page.lines;
  file.add(shown);
  files.set(page.path, file, file.chars);
  if (!isShort) {
    return { kind: "page", lines: shown, kept: [], times, text: whole };
  }
  const kind = lines.length > 0 ? "new" : "unchanged";
  return { kind, lines: shown, kept, times, text: short };
}

/** Writes a page without the lines that the conversation has; `whole` is its whole text. */
function withoutKept(
  page: PageFacts,
  lines: readonly PageLine[],
  kept: SessionAnswer["kept"],
  whole: string,
  { hint = "", ...options }: SessionOptions,
): string {
  const { path = page.path, next = page.next, notes = [] } = options;
  const runs = namesOf(kept);
  const after = hint === "" ? "" : ` ${onOneLine(hint)}`;
  if (lines.length > 0) {
    const left =
      `unchanged since an earlier answer, and left out: ${runs}.${after}`;
    return writePage(page, { ...options, lines, notes: [left, ...notes] }).text;
  }
  const head = `${
    quotePath(path)
  }: ${runs}, unchanged since an earlier answer showed them; this line stands for their text.${after}`;
  const call = next === null ? "" : whole.slice(whole.lastIndexOf("\n"));
  return withNotes(head, notes) + call;
}

/** After how many equal answers the text says that the caller may be in a loop. */
const LOOP_TIMES = 3;

/** The runs of the lines that have numbers of before. */
function runsOf(
  lines: readonly PageLine[],
  numbers: readonly (number | undefined)[],
): SessionAnswer["kept"] {
  const runs: { before: number; after: number; count: number }[] = [];
  for (const [at, { number: after }] of lines.entries()) {
    const before = numbers[at];
    if (before === undefined) continue;
    const last = runs.at(-1);
    const isBeside = last !== undefined &&
      before - after === last.before - last.after &&
      after <= last.after + last.count;
    if (!isBeside) runs.push({ before, after, count: 1 });
    // A page may have several parts of a line.
    else last.count = after - last.after + 1;
  }
  return runs.map((run) => ({
    kind: run.before === run.after ? "same" : "moved",
    ...run,
  }));
}

/** Names the lines of runs, and the numbers with which they were shown. */
function namesOf(runs: SessionAnswer["kept"]): string {
  const named = (first: number, count: number) =>
    [first, first + count - 1] as const;
  const same = runs.filter(({ kind }) => kind === "same")
    .map(({ after, count }) => named(after, count));
  const moved = runs.filter(({ kind }) => kind === "moved")
    .map(({ before, after, count }) =>
      `${nameLines([named(after, count)])} (shown as ${
        nameLines([named(before, count)])
      })`
    );
  return [...same.length > 0 ? [nameLines(same)] : [], ...moved].join(", ");
}
