/** Parses what `read_file` answers to a search in a directory, without its code. */
import { assert, assertEquals } from "@std/assert";
import { isRendered } from "../../mod.ts";
import type { Reader, Told } from "./reader.ts";
import { parseRow, type Row } from "./rendered.ts";

/** The answer to a search. */
export interface Searched {
  readonly head: string;
  readonly notes: readonly string[];
  readonly files: readonly {
    readonly path: string;
    readonly rows: readonly Row[];
  }[];
  /** The arguments of the call that goes on. */
  readonly next: Readonly<Record<string, unknown>> | null;
}

/** Parses an answer; fails for any line that belongs to no part of one. */
export function parseSearched(text: string): Searched {
  const lines = text.split("\n");
  const head = lines.shift() ?? "";
  const last = lines.pop() ?? "";
  const notes: string[] = [];
  const files: { path: string; rows: Row[] }[] = [];
  for (const line of lines) {
    const row = parseRow(line);
    const [, path] = /^("(?:[^"\\]|\\.)*"):(?: |$)/.exec(line) ?? [];
    if (row !== undefined) files.at(-1)!.rows.push(row);
    else if (path !== undefined) {
      files.push({ path: JSON.parse(path), rows: [] });
    } else if (line.startsWith("Note: ")) notes.push(line.slice(6));
    else assert(/^… lines? [-\d]+ not shown$/.test(line), line);
  }
  const [, call] = /^Next: read_file (\{.*\})$/.exec(last) ?? [];
  if (call === undefined) assertEquals(last, "End of the lines that match.");
  if (files.length > 0) assert(isRendered(text), text);
  return { head, notes, files, next: call ? JSON.parse(call) : null };
}

/** All lines that a search shows over its calls, as `path:number:text`; in the bounds of `maxChars`, if that is given. */
export async function followSearch(
  server: Reader,
  args: Record<string, unknown>,
): Promise<{ lines: string[]; calls: number; notes: readonly string[] }> {
  const lines: string[] = [];
  const notes = new Set<string>();
  let calls = 0;
  let next: Record<string, unknown> | null = args;
  for (; next !== null; calls++) {
    assert(calls < 2000, "the calls do not end");
    const told: Told = await server.call(next);
    assert(told.ok, told.text);
    const { maxChars = Infinity } = next;
    assert(told.text.length <= Math.max(400, Number(maxChars)), told.text);
    const searched = parseSearched(told.text);
    for (const note of searched.notes) notes.add(note);
    for (const { path, rows } of searched.files) {
      for (const { number, text } of rows) {
        lines.push(`${path}:${number}:${text}`);
      }
    }
    next = searched.next;
  }
  return { lines, calls, notes: [...notes] };
}
