// Runtime-agnostic.
import { Call, LruCache, runInSteps } from "./base/call.ts";
import {
  checkValue,
  readSafely,
  refuseMistake,
  show,
  takeOptions,
} from "./base/check.ts";
import { quote } from "./base/words.ts";
import { renderPage } from "./pages/frame.ts";
import { LazyPage } from "./pages/make.ts";
import { MAX_REMEMBERED_LINES, rangeOf } from "./pages/notice_parts.ts";
import type { Page, PageLine, PageOptions } from "./pages/page.ts";
import { type OpenOptions, WORKSPACE } from "./file_root.ts";
import type { Workspace } from "./workspace.ts";

/** Options for {@linkcode createReadSession}. */
export interface ReadSessionOptions {
  /** Whether shown text stays in the conversation until `forget()` or `compacted()`; by default not, so that each answer has the full text. */
  readonly remember?: boolean;
}

/** The answer of a session. */
export interface SessionAnswer {
  /** Whether the text has all lines, only the new ones, or one line in place of all. */
  readonly kind: "page" | "new" | "unchanged";
  /** The page that was read, with all of its lines. */
  readonly page: Page;
  /** The lines that must be shown. */
  readonly lines: readonly PageLine[];
  /** The lines that are unchanged since they were shown, as the first and last number of each run. */
  readonly kept: readonly (readonly [from: number, to: number])[];
  /** How many times this page was asked for; from 3 on, `text` says so. */
  readonly times: number;
  /** The text for the model. {@linkcode parsePage} takes it, with three exceptions: `kind` is `"unchanged"`; `times` is 3 or more; the page was read with `since`. */
  readonly text: string;
}

/** Remembers which lines of a workspace a conversation was shown. */
export interface ReadSession {
  /** Reads a page, and leaves out the lines that the conversation has. */
  read(
    path: string,
    options?: PageOptions,
    limits?: OpenOptions,
  ): Promise<SessionAnswer>;
  /** The same for a page that was read already; it counts as shown from now on. */
  answer(page: Page): SessionAnswer;
  /** Forgets a file, or all files: their text is no longer in the conversation. */
  forget(path?: string): void;
  /** Forgets all files, since the conversation was compacted. */
  compacted(): void;
}

/** The lines of a file that were shown. */
interface ShownFile {
  /** The text and the ending of each line, by its view, number and column. */
  readonly lines: Map<string, string>;
  /** How many times each page was asked for, by its view and receipt. */
  readonly times: Map<string, number>;
  /** The characters of the lines and receipts, with the overhead of each. */
  chars: number;
}

/** The most characters that are remembered, of all files together. */
const MAX_CHARS = 16 * 1024 * 1024;

/** About how much an entry of a map takes besides its text, in characters. */
const ENTRY_CHARS = 64;

/** After how many equal answers the text says that the caller may be in a loop. */
const LOOP_TIMES = 3;

/**
 * Makes a session. It remembers what a conversation was shown. Where that is
 * unchanged, and the host says that it is still in the conversation, it answers
 * in one line.
 *
 * @example Usage
 * ```ts
 * import { createReadSession, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/a": "one\ntwo\nthree\n" });
 * const session = createReadSession(await openWorkspace("/", { fs }), { remember: true });
 * assertEquals((await session.read("a", { end: 2 })).kind, "page");
 * const { lines } = await session.read("a");
 * assertEquals(lines.map(({ text }) => text), ["three"]);
 * assertEquals((await session.read("a")).kind, "unchanged");
 * session.compacted();
 * assertEquals((await session.read("a")).kind, "page");
 * ```
 */
export function createReadSession(
  workspace: Workspace,
  options: ReadSessionOptions = {},
): ReadSession {
  const refuse = refuseMistake("Cannot create a session");
  checkValue("workspace", workspace, WORKSPACE, refuse);
  const taken = takeOptions(options, { remember: "flag" }, refuse);
  const { remember = false } = taken;
  /** By path. */
  let files = new LruCache<ShownFile>(MAX_CHARS);

  /** Synchronous, so that nothing is forgotten meanwhile. */
  function answerWith(page: Page, shown: UsedFields): SessionAnswer {
    const { path, lines } = shown;
    const file = files.get(path) ??
      { lines: new Map(), times: new Map(), chars: 0 };
    // If the page cannot be rendered, the file stays forgotten.
    files.delete(path);
    const times = addRequest(shown, file);
    const isRemembered = remember && lines.length <= MAX_REMEMBERED_LINES;
    const { fresh, kept } = isRemembered
      ? addLines(shown, file)
      : { fresh: lines, kept: [] };
    const answer = answerOf(page, fresh, kept, times);
    files.set(path, file, file.chars);
    return answer;
  }

  const compacted = () => {
    files = new LruCache(MAX_CHARS);
  };

  return {
    async read(path, options = {}, limits = {}) {
      const page = await workspace.read(path, options, limits);
      // Make the receipt in steps now: `answerWith` cannot yield.
      await runInSteps(LazyPage.receiptOf(page), new Call(path, limits.signal));
      return answerWith(page, page);
    },
    answer: (page) => answerWith(page, usedFields(page)),
    forget(path) {
      if (path === undefined) compacted();
      else files.delete(workspace.normalize(path));
    },
    compacted,
  };
}

/** Adds one request for a page; returns how many there were. */
function addRequest(
  { view, empty, receipt }: UsedFields,
  file: ShownFile,
): number {
  // The receipt of a page without hits does not say what was searched.
  if (empty === "no hit") return 1;
  const request = `${view}:${receipt}`;
  const times = (file.times.get(request) ?? 0) + 1;
  file.times.set(request, times);
  if (times === 1) file.chars += request.length + ENTRY_CHARS;
  return times;
}

/** Adds lines to those that were shown. Returns the kept ones, which are unchanged since they were shown, and the fresh ones. */
function addLines({ view, lines }: UsedFields, file: ShownFile) {
  const fresh: PageLine[] = [];
  const kept: [number, number][] = [];
  for (const line of lines) {
    const { number, column, text, ending } = line;
    const key = `${view}:${number}:${column}`;
    const whole = text + ending;
    const before = file.lines.get(key);
    if (before === whole) {
      const last = kept.at(-1);
      if (last?.[1] === number - 1) last[1] = number;
      else kept.push([number, number]);
      continue;
    }
    fresh.push(line);
    file.lines.set(key, whole);
    file.chars += before === undefined
      ? whole.length + ENTRY_CHARS
      : whole.length - before.length;
  }
  return { fresh, kept };
}

/** The used fields of a page. */
type UsedFields = Pick<Page, "path" | "view" | "lines" | "empty" | "receipt">;

/** Copies the used fields of a page; refuses a value that is not a page. */
function usedFields(page: Page): UsedFields {
  const refuse = refuseMistake("Cannot answer with the page");
  const take = () => {
    const { path, view, empty, receipt } = page;
    const lines = Array.from(page.lines, (line) => ({ ...line }));
    if (typeof path !== "string") throw new TypeError();
    return { path, view, lines, empty, receipt };
  };
  const problem = `must be one that was read, not ${show(page)}`;
  return readSafely(take, "it", refuse, problem);
}

function answerOf(
  page: Page,
  lines: readonly PageLine[],
  kept: SessionAnswer["kept"],
  times: number,
): SessionAnswer {
  const facts = { page, lines, kept, times };
  // A possible loop is reported; the call is still answered.
  const loop = times < LOOP_TIMES
    ? ""
    : ` These lines were asked for ${times} times, with the same answer: reading them again shows nothing new.`;
  if (kept.length === 0) {
    return { ...facts, kind: "page", text: renderPage(page) + loop };
  }
  if (lines.length === 0) {
    return { ...facts, kind: "unchanged", text: unchanged(page, kept) + loop };
  }
  // A page with `since` leaves out lines of its own.
  const own = page.hunks?.filter((hunk) => "kept" in hunk) ?? [];
  const hunks = [...own, ...kept.map((kept) => ({ kept, start: kept[0] }))];
  // The facts of the lines that are left out were shown with them.
  const fresh = new Set(lines.map(({ number }) => number));
  const inexact = page.inexact.filter(({ number }) => fresh.has(number));
  const warnings = page.warnings.filter(({ line }) => fresh.has(line));
  const text = renderPage({ ...page, lines, hunks, inexact, warnings }) + loop;
  return { ...facts, kind: "new", text };
}

/** The line in place of all lines. */
function unchanged(
  { path, totalLines, next }: Page,
  kept: SessionAnswer["kept"],
): string {
  const runs = kept.map(([from, to]) => rangeOf(from, to)).join(", ");
  const total = totalLines === null ? "" : ` of ${totalLines}`;
  const { etag: _, ...rest } = next ?? {};
  const more = next === null
    ? ""
    : ` More follows: read this path again with ${JSON.stringify(rest)}.`;
  return `¦ ${
    quote(path)
  }: lines ${runs}${total}, unchanged since they were shown; their text is above.${more}`;
}
