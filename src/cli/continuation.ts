// Runtime-agnostic.
import { quote } from "../core/quote.ts";
import type { ReadRequest } from "./request.ts";
import { type Target, writeTarget } from "./target.ts";
import type { Rest } from "./walk.ts";

/** Says what was left out, and which command goes on. */
export function continuationOf(
  request: ReadRequest,
  { path }: Target,
  { start, column, end }: Rest,
  program: readonly string[],
): string {
  const { workspace, deny, maxBytes, json, numbers, color, stats, as } =
    request;
  // Bun takes a leading `--` for its own, so that a path must not look like an option.
  const placed = path.startsWith("-") ? `./${path}` : path;
  const words = [
    ...(workspace === "." ? [] : ["--workspace", workspace]),
    ...deny.map((glob) => `--deny=${glob}`),
    ...(maxBytes === undefined ? [] : ["--max-bytes", String(maxBytes)]),
    ...(column === 1 ? [] : ["--column", String(column)]),
    ...(json ? ["--json"] : []),
    ...(numbers === undefined ? [] : [numbers ? "--numbers" : "--no-numbers"]),
    ...(color ? ["--color"] : []),
    ...(stats ? ["--stats"] : []),
    writeTarget(placed, start, end),
  ];
  const command = [
    as ?? program.map(quoteWord).join(" "),
    ...words.map(quoteWord),
  ];
  return `Not all of ${quote(path)} fits into ${maxBytes} bytes; go on with:\n${
    command.join(" ")
  }\n`;
}

/** Writes a word so that a shell takes it as it is. */
export function quoteWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
