// Runtime-agnostic.

/**
 * One line, and how it ends.
 *
 * @example Usage
 * ```ts
 * import { type Line, memoryFs, openWorkspace, readFile } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const show = ({ number, text }: Line) => `${number}: ${text}`;
 * const fs = memoryFs({ "/repo/a.txt": "one\r\ntwo\n" });
 * const { lines } = await readFile(await openWorkspace("/repo", { fs }), "a.txt");
 * assertEquals(lines.map(show), ["1: one", "2: two"]);
 * ```
 */
export interface Line {
  /** Its number, from 1 on; `null` where the lines before were not counted. */
  readonly number: number | null;
  /** Its text, without its ending. */
  readonly text: string;
  /** Its ending; only the last line of a file can have none. */
  readonly ending: "" | "\n" | "\r\n";
}

const CR = 0x0d;

/** Splits a text into its lines, one at a time; those in `bare` only seem to end at CR LF. */
export function* splitLines(
  text: string,
  start: number | null,
  bare: ReadonlySet<number>,
): Generator<Line, void> {
  let index = 0;
  for (let from = 0; from < text.length; index++) {
    const feed = text.indexOf("\n", from);
    const to = feed < 0 ? text.length : feed;
    const crlf = feed > from && text.charCodeAt(feed - 1) === CR &&
      !bare.has(index);
    yield {
      number: start === null ? null : start + index,
      text: text.slice(from, crlf ? to - 1 : to),
      ending: feed < 0 ? "" : crlf ? "\r\n" : "\n",
    };
    from = to + 1;
  }
}
