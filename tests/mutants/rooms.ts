// The folders that are mutated, and the tests that should notice.
import { readdirSync } from "node:fs";
import { join } from "node:path/posix";

/** Files that are mutated together, and their tests: all files below `tests` that match. */
export interface Room {
  /** The folders and files, relative to the root of the repository. */
  readonly sources: readonly string[];
  /** The tests that kill most mutants. A run ends at the first failure. */
  readonly near: RegExp;
  /** Tests for mutants that survive the first tests. */
  readonly wide: RegExp;
  /** Slow tests, for mutants that survive the others too. */
  readonly last: RegExp;
  /** Tests that are left out: they are slow and kill few mutants. */
  readonly slow: RegExp;
}

const CORE = /^tests\/core\/\w+_test\.ts$/;
const SLOW_CORE =
  /core\/(faults\w*|list\w*|narrow\w*|gitignore|polluted\w*|read_image|differential|abort\w*|yield|torn_write|read_many_random)_test/;

const SLOW_PAGES = new RegExp(
  `/(pages_runtimes|pages_disk|is_rendered_disk)_test|${SLOW_CORE.source}`,
);

/** All rooms. */
export const ROOMS: Readonly<Record<string, Room>> = {
  guard: {
    sources: ["src/core/guard"],
    near: /^tests\/core\/(guard\/\w+|narrow\w*|workspace\w*)_test\.ts$/,
    wide:
      /^tests\/(core\/(help\/)?\w+|fs\/\w+|layers\/\w+|tools\/reader\/search_files)_test\.ts$/,
    last:
      /^tests\/core\/guard\/(moved|race|random_paths|windows_random|windows_trees|simulated_races)_test\.ts$/,
    slow:
      /\/(hidden_paths|glob_costs|faults\w*|list_disk|differential|load|permissions)_test/,
  },
  // Which names Windows reads as themselves.
  names: {
    sources: ["src/core/base/windows_paths.ts", "src/fs/win32.ts"],
    near:
      /^tests\/(core\/base\/windows_paths|fs\/win32|core\/guard\/windows)_test\.ts$/,
    wide:
      /^tests\/(core\/guard\/apple|mcp\/windows|tools\/windows_tools|fs\/windows)_test\.ts$/,
    last: /^tests\/core\/(guard\/deny|narrow)_test\.ts$/,
    slow: /^$/,
  },
  pages: {
    sources: ["src/core/pages"],
    near: /^tests\/core\/pages\/\w+_test\.ts$/,
    wide: CORE,
    last: /^tests\/core\/pages\/(pages_exhaustive|fit|pages_random)_test\.ts$/,
    slow: SLOW_PAGES,
  },
  lines: {
    sources: ["src/core/lines"],
    near: /^tests\/core\/(lines\/\w+|block\w*|read|places)_test\.ts$/,
    wide: /^tests\/core\/(pages\/|encodings\/)?\w+_test\.ts$/,
    last:
      /^tests\/core\/(lines\/(scan|text|kernels|line_index)|pages\/pages_exhaustive)_test\.ts$/,
    slow: SLOW_PAGES,
  },
  find: {
    sources: ["src/core/find"],
    near: /^tests\/core\/(find\/\w+|pages\/hits\w*)_test\.ts$/,
    wide: CORE,
    last: /^tests\/core\/encodings\/\w+_test\.ts$/,
    slow: SLOW_CORE,
  },
  stores: {
    sources: ["src/fs/http", "src/fs/r2.ts"],
    near: /^tests\/fs\/(http\/\w+|r2\w*)_test\.ts$/,
    wide: /^tests\/core\/pages\/pages_(remote|untimed|versions)_test\.ts$/,
    last: /^tests\/fs\/(path_roles|kinds|http\/exit)_test\.ts$/,
    slow: /^$/,
  },
  roots: {
    sources: ["src/tools/reader/roots.ts", "mcp/src/directories.ts"],
    near:
      /^tests\/(tools\/reader\/(places|list_directory)|mcp\/(roots|names|windows))_test\.ts$/,
    wide:
      /^tests\/(tools\/reader\/\w+|mcp\/(found|failures|pages|dialects|origin|program|session))_test\.ts$/,
    last: /^tests\/mcp\/(client|protocol)_test\.ts$/,
    slow: /_random_test|giant_lines_test/,
  },
};

/** The source files of a room, relative to `home`, the root of the repository. */
export function filesOf({ sources }: Room, home: string): readonly string[] {
  return sources.flatMap((source) =>
    source.endsWith(".ts") ? [source] : readdirSync(join(home, source)).sort()
      .filter((name) => name.endsWith(".ts"))
      .map((name) => `${source}/${name}`)
  );
}
