// Runtime-agnostic.
import { parse } from "@std/toml";
import { quote } from "../core/base/words.ts";

/**
 * The configuration of `Read`, under the names it has in `[tools.read_file]`.
 */
export interface ForgeReadConfig {
  /** The most bytes of a file that one answer shows; 204,800 by default. */
  readonly max_file_read_bytes?: number;
  /** The most bytes looked through to find and read lines; 2,097,152 by default. */
  readonly max_scan_bytes?: number;
  /** Whether lines are numbered where the request does not say; `true` by default. */
  readonly show_line_numbers?: boolean;
}

const DEFAULTS: Required<ForgeReadConfig> = {
  max_file_read_bytes: 204_800,
  max_scan_bytes: 2_097_152,
  show_line_numbers: true,
};

/**
 * Reads the table `[tools.read_file]` of a TOML text.
 *
 * It takes text and no path: a loader that opened files would be a second way
 * past the workspace. A key that is unknown or holds the wrong type is a
 * `TypeError` that names it; broken TOML is a `SyntaxError` with the line.
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
 *
 * @param toml The text; other tables in it are left alone.
 * @returns The configuration, with the default for every key that is absent.
 */
export function parseForgeConfig(toml: string): Required<ForgeReadConfig> {
  const failed = "Cannot read the configuration";
  if (typeof toml !== "string") {
    throw new TypeError(`${failed}: it must be the text of a TOML file`);
  }
  refuseUnsafe(toml, failed);
  const tools = tableIn(parse(toml), "tools", "tools", failed);
  const table = tableIn(tools, "read_file", "tools.read_file", failed);
  return complete(table, {
    failed,
    prefix: "tools.read_file.",
    // In a file, a number that is out of range is as wrong as a string.
    OutOfRange: TypeError,
  });
}

/** Checks a configuration made by hand, and adds the defaults. */
export function completeForgeConfig(
  config: ForgeReadConfig,
): Required<ForgeReadConfig> {
  const failed = "Cannot make Read";
  if (!isTable(config)) {
    throw new TypeError(`${failed}: config must be an object`);
  }
  return complete(config, { failed, prefix: "", OutOfRange: RangeError });
}

interface Manner {
  /** The first half of each message. */
  readonly failed: string;
  /** What stands before a key. */
  readonly prefix: string;
  readonly OutOfRange: ErrorConstructor;
}

type Table = Readonly<Record<string, unknown>>;

function complete(
  table: Table,
  { failed, prefix, OutOfRange }: Manner,
): Required<ForgeReadConfig> {
  for (const key of Object.keys(table)) {
    if (Object.hasOwn(DEFAULTS, key)) continue;
    const known = Object.keys(DEFAULTS).join(", ");
    throw new TypeError(
      `${failed}: ${quote(prefix + key)} is unknown; the keys are ${known}`,
    );
  }
  const given = (key: keyof ForgeReadConfig): unknown =>
    (Object.hasOwn(table, key) ? table[key] : undefined) ?? DEFAULTS[key];

  function bytes(key: keyof ForgeReadConfig): number {
    const value = given(key);
    if (Number.isSafeInteger(value) && (value as number) >= 1) {
      return value as number;
    }
    const Failure = typeof value === "number" ? OutOfRange : TypeError;
    throw new Failure(`${failed}: ${prefix}${key} must be a positive integer`);
  }

  function flag(key: keyof ForgeReadConfig): boolean {
    const value = given(key);
    if (typeof value === "boolean") return value;
    throw new TypeError(`${failed}: ${prefix}${key} must be true or false`);
  }

  return {
    max_file_read_bytes: bytes("max_file_read_bytes"),
    max_scan_bytes: bytes("max_scan_bytes"),
    show_line_numbers: flag("show_line_numbers"),
  };
}

function tableIn(
  table: Table,
  key: string,
  name: string,
  failed: string,
): Table {
  const value = Object.hasOwn(table, key) ? table[key] : {};
  if (isTable(value)) return value;
  throw new TypeError(`${failed}: ${name} must be a table`);
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null &&
    !Array.isArray(value) && !(value instanceof Date);
}

/** A table's name that reaches a prototype, or whose escapes may spell one that does. */
const UNSAFE = /^[ \t]*\[[^\n]*(?:__proto__|\\[uU])/m;

/**
 * The parser follows `__proto__` in a table's name and writes to the prototype
 * of every object, unless the runtime has no such accessor, as Deno.
 */
function refuseUnsafe(toml: string, failed: string): void {
  const at = toml.search(UNSAFE);
  if (at < 0) return;
  const line = toml.slice(0, at).split("\n").length;
  throw new TypeError(
    `${failed}: line ${line} has "__proto__" or a \\u escape after a bracket; write the name plainly`,
  );
}
