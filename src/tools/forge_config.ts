import { parse } from "@std/toml";
import {
  copyOf,
  type Refuse,
  refuseMistake,
  type Rules,
  takeOptions,
} from "../core/base/check.ts";
import { nearest, quote, twinOf } from "../core/base/words.ts";

/** The configuration of `Read`, under the names it has in `[tools.read_file]`. */
export interface ForgeReadConfig {
  /** The most bytes of a file that one answer shows; 204,800 by default. */
  readonly max_file_read_bytes?: number;
  /** The most bytes scanned to find and read lines; 2,097,152 by default. */
  readonly max_scan_bytes?: number;
  /** Whether lines are numbered by default; `true` by default. */
  readonly show_line_numbers?: boolean;
}

const RULES: Rules<ForgeReadConfig> = {
  max_file_read_bytes: { least: 1, unlimited: true },
  max_scan_bytes: { least: 1, unlimited: true },
  show_line_numbers: "flag",
};

/** The longest text, in bytes. */
export const MAX_BYTES = 65_536;
/** The most keys and tables: the parser takes a time that grows with the square of their number, 12 s for 10,000. */
const MAX_KEYS = 1_000;
/** An equals sign of a key, or the bracket that begins a table: the parser takes one on any line, and that of an array follows a sign. */
const KEYS = /=|(?:^|[^=,[\s])\s*\[/g;
/** Strings and comments, in which these signs are no key; one that is not closed ends with its line, or with the text. */
const NO_KEYS =
  /"""(?:[^"\\]|\\[^]|"(?!""))*"{0,4}|'''(?:[^']|'(?!''))*'{0,4}|"(?:[^"\\\n]|\\[^\n])*"?|'[^'\n]*'?|#[^\n]*/g;

/** How much of the message of the parser is shown. */
const MOST_MESSAGE = 200;
const FAILED = "Cannot read the configuration";
const refuse = refuseMistake(FAILED);

/**
 * Reads the table `[tools.read_file]` of a TOML text, by `@std/toml`.
 *
 * It takes text instead of a path: a loader that opens files would bypass the
 * workspace. An unknown key, a wrong type and a misspelt table are a `TypeError`,
 * broken TOML is a `SyntaxError`, and more than 64 KiB, or 1,000 keys and tables, are
 * a `RangeError`. The parser accepts some texts that are not TOML: of a key that is
 * there twice the last value counts, `0X10` is 16, and `__proto__` is left out.
 *
 * @example Usage
 * ```ts
 * import { parseForgeConfig } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const config = parseForgeConfig("[tools.read_file]\nmax_scan_bytes = 1_048_576\n");
 * assertEquals(config.max_scan_bytes, 1_048_576);
 * assertEquals(config.max_file_read_bytes, 204_800);
 * ```
 */
export function parseForgeConfig(toml: string): Required<ForgeReadConfig> {
  if (typeof toml !== "string") {
    throw refuse("it", "must be the text of a TOML file");
  }
  const bytes = new TextEncoder().encode(toml).length;
  if (bytes > MAX_BYTES || countKeys(toml) > MAX_KEYS) {
    const most = `${MAX_BYTES} bytes, or ${MAX_KEYS} keys and tables`;
    const advice = "leave out what belongs to other programs";
    throw refuse("it", `has more than ${most}; ${advice}`, "range");
  }
  const root = parseToml(toml);
  const tools = tableIn(root, "tools", "tools");
  const own = tableIn(tools, "read_file", "tools.read_file");
  refuseMisspelt(root, tools);
  return completeForgeConfig(own, (name, problem) => {
    // An unknown key is named in quotes.
    const isKnown = isSetting(name);
    const key = `tools.read_file.${isKnown ? name : JSON.parse(name)}`;
    return refuse(isKnown ? key : quote(key), problem);
  });
}

function countKeys(toml: string): number {
  // A table may follow a string, too.
  const bare = toml.replace(NO_KEYS, (part) => part[0] === "#" ? "" : '"');
  return bare.match(KEYS)?.length ?? 0;
}

function parseToml(toml: string): object {
  try {
    return parse(toml);
  } catch (cause) {
    // It may hold a part of the text, of any length.
    const { message } = cause as Error;
    const shown = message.slice(0, MOST_MESSAGE);
    throw new SyntaxError(`${FAILED}: ${shown}`, { cause });
  }
}

export function completeForgeConfig(
  config: ForgeReadConfig | undefined,
  refuse: Refuse,
): Required<ForgeReadConfig> {
  const {
    max_file_read_bytes = 204_800,
    max_scan_bytes = 2_097_152,
    show_line_numbers = true,
  } = takeOptions(config, RULES, refuse, "config");
  return { max_file_read_bytes, max_scan_bytes, show_line_numbers };
}

/** A table by its name; empty if it is missing. Only its own properties are copied. */
function tableIn(
  table: object,
  key: string,
  name: string,
): Record<string, unknown> {
  const entry = Object.entries(table).find(([own]) => own === key);
  if (entry === undefined) return {};
  const [, value] = entry;
  if (isTable(value)) return copyOf(value, name, refuse);
  throw refuse(name, "must be a table");
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null &&
    !Array.isArray(value) && !(value instanceof Date);
}

/** Refuses a setting, or a table of the tool, that is misspelt or misplaced: it would be ignored. */
function refuseMisspelt(root: object, tools: object): void {
  const misspelt = (name: string) =>
    refuse(quote(name), "is not read; write it below [tools.read_file]");
  for (const [name, value] of Object.entries(root)) {
    if (name === "tools") continue;
    const keys = isTable(value) ? Object.keys(value) : [];
    const isTools = isLike(name, "tools");
    // Such as [tool.read_file].
    const below = isTools ? keys.find(isToolName) : undefined;
    if (below !== undefined) throw misspelt(`${name}.${below}`);
    // Such as ["tools.read_file"]: in quotes, the dot is part of the name.
    const isWholeName = /^tools\.read_file\b/.test(name);
    // Such as [read_file], or [tool] with a setting in it.
    const holdsSetting = (isTools || isToolName(name)) && keys.some(isSetting);
    if (isSetting(name) || isWholeName || holdsSetting) throw misspelt(name);
  }
  for (const name of Object.keys(tools)) {
    // Such as [tools.readfile].
    const isMisspelt = name !== "read_file" && isToolName(name);
    if (isMisspelt || isSetting(name)) throw misspelt(`tools.${name}`);
  }
}

function isSetting(name: string): boolean {
  return Object.hasOwn(RULES, name);
}

/** Whether a name is that of the tool's table, or a misspelling of it. */
function isToolName(name: string): boolean {
  return isLike(name, "read_file") || twinOf("Read")(name);
}

function isLike(name: string, known: string): boolean {
  return name === known || nearest(name, [known]) !== undefined;
}
