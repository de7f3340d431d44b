// Runtime-agnostic.
import { Call, takeTurns } from "./base/call.ts";
import {
  checkValue,
  type Kind,
  reading,
  refuseMistake,
  type Rules,
  shown,
  takeOptions,
} from "./base/check.ts";
import { quote } from "./base/words.ts";
import type { KeptLines, NewLines } from "./pages/delta.ts";
import { renderPage } from "./pages/frame.ts";
import { rangeOf } from "./pages/kept_words.ts";
import { receiptOf } from "./pages/make.ts";
import type { Page, PageLine, PageOptions } from "./pages/page.ts";
import { type OpenOptions, WORKSPACE, type Workspace } from "./workspace.ts";

/** Options for {@linkcode createReadSession}. */
export interface ReadSessionOptions {
  /**
   * Whether the host says that what was shown is still in the conversation, until
   * it calls `forget()` or `compacted()`; or a function that tells it of a path,
   * and is asked each time. Without that word, each answer has the full text.
   */
  readonly remember?: boolean | ((path: string) => boolean);
}

/** What a session answers. */
export interface SessionAnswer {
  /** Whether all lines must be shown, or the new ones alone, or one line stands for all of them. */
  readonly kind: "page" | "new" | "unchanged";
  /** The page that was read, with all of its lines. */
  readonly page: Page;
  /** The lines that must be shown. */
  readonly lines: readonly PageLine[];
  /** The numbers of the lines that are unchanged since they were shown: the first and the last of each run. */
  readonly kept: readonly (readonly [from: number, to: number])[];
  /** How often this same page was asked for; from 3 on, `text` says so. */
  readonly times: number;
  /** What a model reads. */
  readonly text: string;
}

/** What a conversation was shown of the files of a workspace. */
export interface ReadSession {
  /** Reads a page, and leaves out what the conversation has. */
  read(
    path: string,
    options?: PageOptions,
    limits?: OpenOptions,
  ): Promise<SessionAnswer>;
  /** The same for a page that was read: it counts as shown from now on. */
  answer(page: Page): SessionAnswer;
  /** Says that the text of a file, or of all files, is not in the conversation any more. */
  forget(path?: string): void;
  /** Says that the conversation was compacted: no text is there any more. */
  compacted(): void;
}

const REMEMBER: Kind = {
  wanted: "true, false or a function",
  fits: (value) => typeof value === "boolean" || typeof value === "function",
};

const RULES: Rules<ReadSessionOptions> = { remember: REMEMBER };

/**
 * Makes a session: it knows what a conversation was shown, and answers in one
 * line where that is unchanged, as long as the host says that it is still there.
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
 *
 * @param options Whether the host says what is still there; without it, each answer has the full text.
 */
export function createReadSession(
  workspace: Workspace,
  options: ReadSessionOptions = {},
): ReadSession {
  const refuse = refuseMistake("Cannot create a session");
  checkValue("workspace", workspace, WORKSPACE, refuse);
  const { remember = false } = takeOptions(options, RULES, refuse);
  return new ShownText(workspace, remember);
}

/** What was shown of a file. */
interface Shown {
  /** The text and the ending of each line, by its number and column. */
  readonly lines: Map<string, string>;
  /** How often each page was asked for, by its receipt. */
  readonly times: Map<string, number>;
  /** The characters of the lines. */
  chars: number;
}

/** The most characters that are remembered of all files. */
const MAX_CHARS = 16 * 1024 * 1024;

/** A page of more lines is answered in full, and not remembered: no conversation holds it. */
const MAX_LINES = 50_000;

/** From how many same answers on a loop is named. */
const LOOP_TIMES = 3;

class ShownText implements ReadSession {
  readonly #workspace: Workspace;
  readonly #remember: boolean | ((path: string) => boolean);
  /** By path and view; the most recently shown last. */
  readonly #files = new Map<string, Shown>();
  #chars = 0;

  constructor(
    workspace: Workspace,
    remember: boolean | ((path: string) => boolean),
  ) {
    this.#workspace = workspace;
    this.#remember = remember;
  }

  async read(
    path: string,
    options: PageOptions = {},
    limits: OpenOptions = {},
  ): Promise<SessionAnswer> {
    const page = await this.#workspace.read(path, options, limits);
    await takeTurns(receiptOf(page), new Call(path, limits.signal));
    return this.#answer(page, page);
  }

  answer(page: Page): SessionAnswer {
    return this.#answer(page, takePage(page));
  }

  /** All at once, so that nothing is forgotten meanwhile. */
  #answer(
    page: Page,
    { path, view, lines, receipt }: Taken,
  ): SessionAnswer {
    const file = this.#shownOf(`${path}\n${view ?? ""}`);
    const times = (file.times.get(receipt) ?? 0) + 1;
    file.times.set(receipt, times);
    const remember = this.#remember;
    const isThere = typeof remember === "function" ? remember(path) : remember;
    const fresh: PageLine[] = [];
    const kept: [number, number][] = [];
    if (lines.length > MAX_LINES) return new Answer(page, lines, [], times);
    for (const line of lines) {
      const { number, column, text, ending } = line;
      const key = `${number}:${column}`;
      const told = text + ending;
      const before = file.lines.get(key);
      if (isThere && before === told) {
        const last = kept.at(-1);
        if (last?.[1] === number - 1) last[1] = number;
        else kept.push([number, number]);
        continue;
      }
      fresh.push(line);
      file.lines.set(key, told);
      const more = told.length - (before?.length ?? 0);
      file.chars += more;
      this.#chars += more;
    }
    this.#dropOldest();
    return new Answer(page, fresh, kept, times);
  }

  forget(path?: string): void {
    if (path === undefined) return this.compacted();
    const name = this.#workspace.normalize(path);
    for (const key of [...this.#files.keys()]) {
      if (key.startsWith(`${name}\n`)) this.#drop(key);
    }
  }

  compacted(): void {
    this.#files.clear();
    this.#chars = 0;
  }

  #shownOf(key: string): Shown {
    const found = this.#files.get(key) ??
      { lines: new Map(), times: new Map(), chars: 0 };
    this.#files.delete(key);
    this.#files.set(key, found);
    return found;
  }

  #drop(key: string): void {
    this.#chars -= this.#files.get(key)?.chars ?? 0;
    this.#files.delete(key);
  }

  #dropOldest(): void {
    for (const oldest of this.#files.keys()) {
      if (this.#chars <= MAX_CHARS) return;
      this.#drop(oldest);
    }
  }
}

/** What is used of a page. */
type Taken = Pick<Page, "path" | "view" | "lines" | "receipt">;

/** Copies what is used of a page; refuses what is none. */
function takePage(page: Page): Taken {
  const refuse = refuseMistake("Cannot answer with the page");
  const problem = `must be one that was read, not ${shown(page)}`;
  return reading(
    () => {
      const { path, view, receipt } = page;
      const lines = Array.from(page.lines, (line) => ({ ...line }));
      if (typeof path !== "string") throw new TypeError();
      return { path, view, lines, receipt };
    },
    "it",
    refuse,
    problem,
  );
}

class Answer implements SessionAnswer {
  readonly kind: SessionAnswer["kind"];
  readonly page: Page;
  readonly lines: readonly PageLine[];
  readonly kept: SessionAnswer["kept"];
  readonly times: number;

  constructor(
    page: Page,
    lines: readonly PageLine[],
    kept: SessionAnswer["kept"],
    times: number,
  ) {
    this.page = page;
    this.lines = lines;
    this.kept = kept;
    this.times = times;
    const isKept = kept.length > 0;
    this.kind = !isKept ? "page" : lines.length > 0 ? "new" : "unchanged";
  }

  get text(): string {
    const loop = loopOf(this.times);
    if (this.kind === "unchanged") return this.#unchanged + loop;
    if (this.kind === "page") return renderPage(this.page) + loop;
    const hunks: (KeptLines | NewLines)[] = this.kept.map(([from, to]) => ({
      kept: [from, to],
      start: from,
    }));
    return renderPage({ ...this.page, lines: this.lines, hunks }) + loop;
  }

  get #unchanged(): string {
    const { page: { path, totalLines, next }, kept } = this;
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
}

/** Names a loop; nothing is refused for it. */
function loopOf(times: number): string {
  return times < LOOP_TIMES
    ? ""
    : ` These lines were asked for ${times} times, with the same answer: reading them again shows nothing new.`;
}
