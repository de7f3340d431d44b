// Runtime-agnostic.
import { quote } from "../core/quote.ts";
import type { ReadRequest } from "./request.ts";
import { type Target, writeTarget } from "./target.ts";
import type { Rest } from "./walk.ts";
import { quoteWord, quoteWordVisibly } from "./words.ts";

/** Where a command is written. */
export interface Writing {
  /** The words that start the program. */
  readonly program: readonly string[];
  /** Whether a person reads it, to copy it. */
  readonly isTerminal: boolean;
}

/** Says what was left out, and which command goes on. */
export function continuationOf(
  request: ReadRequest,
  { path }: Target,
  { start, column, end }: Rest,
  { program, isTerminal }: Writing,
): string {
  const { workspace, deny, maxBytes, json, numbers, color, stats, as } =
    request;
  const words = [
    ...(workspace === "." ? [] : ["--workspace", asPath(workspace)]),
    ...deny.map((glob) => `--deny=${glob}`),
    ...(maxBytes === undefined ? [] : ["--max-bytes", String(maxBytes)]),
    ...(column === 1 ? [] : ["--column", String(column)]),
    ...(json ? ["--json"] : []),
    ...(numbers === undefined ? [] : [numbers ? "--numbers" : "--no-numbers"]),
    ...(color ? ["--color"] : []),
    ...(stats ? ["--stats"] : []),
    writeTarget(asPath(path), start, end),
  ];
  const quoted = isTerminal ? quoteWordVisibly : quoteWord;
  const command = [
    as ?? program.map(quoted).join(" "),
    ...words.map(quoted),
  ];
  return `Not all of ${quote(path)} fits into ${maxBytes} bytes; go on with:\n${
    command.join(" ")
  }\n`;
}

/** Bun takes a leading `--` for its own, so that a path must not look like an option. */
function asPath(path: string): string {
  return path.startsWith("-") ? `./${path}` : path;
}
