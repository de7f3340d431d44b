// Runtime-agnostic.
import type { PageOptions } from "./options.ts";
import type { HiddenCharacter } from "./hidden.ts";

/**
 * A line on a page, or as much of it as the page shows.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, type PageLine } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const asWritten = ({ text, ending }: PageLine) => text + ending;
 * const fs = memoryFs({ "/repo/a.txt": "one\r\ntwo\nthree" });
 * const page = await (await openWorkspace("/repo", { fs })).read("a.txt");
 * assertEquals(page.lines.map(asWritten).join(""), "one\r\ntwo\nthree");
 * ```
 */
export interface PageLine {
  /**
   * Its number, from 1 on; where the lines before were not counted, from the end
   * of the file: -1 is the last.
   */
  readonly number: number;
  /** The column that the text begins at: 1, unless the page before showed some of the line. */
  readonly column: number;
  /** The text, without the line's ending. */
  readonly text: string;
  /** The line's ending; empty where the file, or the page, ends before it. */
  readonly ending: "" | "\n" | "\r\n";
}

/**
 * A line whose text is not the very bytes of the file, and why; one may have two reasons.
 *
 * @example Usage
 * ```ts
 * import { type InexactLine, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const latin1 = new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x0a]);
 * const workspace = await openWorkspace("/repo", {
 *   fs: memoryFs({ "/repo/menu.txt": latin1 }),
 * });
 * const { exact, inexact } = await workspace.read("menu.txt");
 * const expected: InexactLine[] = [{ number: 1, reason: "not UTF-8" }];
 * assertEquals([exact, inexact], [false, expected]);
 * ```
 */
export interface InexactLine {
  /** The number of the line, as the page has it. */
  readonly number: number;
  /** It is not UTF-8, or its hidden characters were asked to be escaped. */
  readonly reason: "not UTF-8" | "escaped";
}

/**
 * Which part of the file a page shows.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, type Shown } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const lengthOf = ({ start, end }: Shown) => end - start;
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\nthree\nfour\n" });
 * const page = await (await openWorkspace("/repo", { fs })).read("a.txt", {
 *   start: 2,
 *   count: 2,
 * });
 * assertEquals(`${lengthOf(page.shown)} of ${page.size} bytes`, "10 of 19 bytes");
 * ```
 */
export interface Shown {
  /** The first byte. */
  readonly start: number;
  /** The byte after the last one. */
  readonly end: number;
}

/**
 * Some lines of a file, to the byte, and how to go on.
 *
 * What is said about the file stands beside what the file says, never in it.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, type Page } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const workspace = await openWorkspace("/repo", {
 *   fs: memoryFs({ "/repo/a.txt": "one\ntwo\n" }),
 * });
 * let page: Page = await workspace.read("a.txt", { count: 1 });
 * while (page.next !== null) page = await workspace.read("a.txt", page.next);
 * assertEquals([page.lines[0]?.number, page.totalLines], [2, 2]);
 * ```
 */
export interface Page {
  /** The path that was asked for, from the root. */
  readonly path: string;
  /** The lines. */
  readonly lines: readonly PageLine[];
  /** The bytes of the file that it shows. */
  readonly shown: Shown;
  /** The size of the file in bytes. */
  readonly size: number;
  /** How many lines the file has, where that came to be known. */
  readonly totalLines: number | null;
  /**
   * Why a page has no lines: the file has none, or not the line that was asked
   * for, or that line is the last and ends before the column; `null` if it has some.
   */
  readonly empty:
    | "empty file"
    | "past the end"
    | "past the last column"
    | null;
  /** The options of the call that goes on, as plain JSON; `null` at the end. */
  readonly next: PageOptions | null;
  /**
   * Names the version of the file, the bytes shown since the walk began, and
   * the place where it goes on.
   */
  readonly etag: string;
  /** Whether the texts and endings, put together, are the very bytes shown. */
  readonly exact: boolean;
  /** The lines that are not, and why. */
  readonly inexact: readonly InexactLine[];
  /**
   * The characters on it that a reader does not see, or sees elsewhere: the
   * first 10,000 of each level.
   */
  readonly warnings: readonly HiddenCharacter[];
  /**
   * Gives the bytes of the file that the page shows.
   *
   * @returns A copy of them.
   */
  bytes(): Uint8Array;
}
