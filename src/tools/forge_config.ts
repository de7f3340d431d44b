// Runtime-agnostic.
import { type Refuse, type Rules, takeOptions } from "../core/base/check.ts";
import { nearest, quote, twinOf } from "../core/base/words.ts";
import { isTable, lineAt, readToml } from "./toml.ts";
import type { TomlTable } from "./toml.ts";

/**
 * The configuration of `Read`, under the names it has in `[tools.read_file]`.
 */
export interface ForgeReadConfig {
  /** The most bytes of a file that one answer shows; 204,800 by default. */
  readonly max_file_read_bytes?: number;
  /** The most bytes scanned to find and read lines; 2,097,152 by default. */
  readonly max_scan_bytes?: number;
  /** Whether lines are numbered by default; `true` by default. */
  readonly show_line_numbers?: boolean;
}

const DEFAULTS: Required<ForgeReadConfig> = {
  max_file_read_bytes: 204_800,
  max_scan_bytes: 2_097_152,
  show_line_numbers: true,
};

const RULES: Rules<ForgeReadConfig> = {
  max_file_read_bytes: { least: 1, unlimited: true },
  max_scan_bytes: { least: 1, unlimited: true },
  show_line_numbers: "flag",
};

const FAILED = "Cannot read the configuration";

/**
 * Reads the table `[tools.read_file]` of a TOML text.
 *
 * It takes text instead of a path: a loader that opens files would bypass the
 * workspace. A key that is unknown or holds the wrong type, and a table whose
 * name is a misspelling of this one, is a `TypeError` with the line; broken
 * TOML is a `SyntaxError` with the line. More than 64 KiB or 1,000 keys are a
 * `RangeError`.
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
    throw new TypeError(`${FAILED}: it must be the text of a TOML file`);
  }
  const root = readToml(toml, FAILED);
  const fail: Fail = (at, problem) =>
    new TypeError(`${FAILED}: line ${lineAt(toml, at)}: ${problem}`);
  const tools = tableIn(root, "tools", "tools", fail);
  const own = tableIn(tools, "read_file", "tools.read_file", fail);
  refuseMisspelt(root, tools, fail);
  const entries = [...own.entries];
  const values = entries.map(([key, { value }]) => [key, value]);
  return completeForgeConfig(Object.fromEntries(values), (name, problem) => {
    const isIt = ([key]: readonly [string, unknown]) =>
      key === name || quote(key) === name;
    const [key, { at }] = entries.find(isIt)!;
    const whole = `tools.read_file.${key}`;
    return fail(at, `${key === name ? whole : quote(whole)} ${problem}`);
  });
}

/** Checks a configuration, and adds the defaults. */
export function completeForgeConfig(
  config: ForgeReadConfig | undefined,
  refuse: Refuse,
): Required<ForgeReadConfig> {
  const given = Object.entries(takeOptions(config, RULES, refuse, "config"))
    .filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...Object.fromEntries(given) };
}

/** Makes the error for a position. */
type Fail = (at: number, problem: string) => TypeError;

function tableIn(
  table: TomlTable,
  key: string,
  name: string,
  fail: Fail,
): TomlTable {
  const entry = table.entries.get(key);
  if (entry === undefined) return { made: "inline", entries: new Map() };
  if (isTable(entry.value)) return entry.value;
  throw fail(entry.at, `${name} must be a table`);
}

/** Refuses misspelt tables and keys, which would be ignored. */
function refuseMisspelt(root: TomlTable, tools: TomlTable, fail: Fail): void {
  const misspelt = (at: number, name: string) =>
    fail(at, `${quote(name)} is not read; write it below [tools.read_file]`);
  for (const [name, { value, at }] of root.entries) {
    if (name === "tools") continue;
    const keys = isTable(value) ? [...value.entries.keys()] : [];
    const isTools = isLike(name, "tools");
    const below = isTools ? keys.find(isOurs) : undefined;
    if (below !== undefined) throw misspelt(at, `${name}.${below}`);
    // In quotes, dots are part of a name.
    const isOwn = isLimit(name) || /^tools\.read_file\b/.test(name) ||
      (isOurs(name) || isTools) && keys.some(isLimit);
    if (isOwn) throw misspelt(at, name);
  }
  for (const [name, { at }] of tools.entries) {
    const isOwn = name !== "read_file" && isOurs(name) || isLimit(name);
    if (isOwn) throw misspelt(at, `tools.${name}`);
  }
}

function isLimit(name: string): boolean {
  return Object.hasOwn(RULES, name);
}

/** Whether a name is a key of the tool, or a misspelling of one. */
function isOurs(name: string): boolean {
  return isLike(name, "read_file") || twinOf("Read")(name);
}

function isLike(name: string, known: string): boolean {
  return name === known || nearest(name, [known], 1).length > 0;
}
