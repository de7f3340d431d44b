// Reads a line deep in a file that is not UTF-8, compared with the same bytes read as UTF-8.
import {
  closeSync,
  openSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { openWorkspace } from "../../mod.ts";
import { encode } from "../../tests/support/encoded.ts";
import type { Check, Row } from "../check.ts";
import { NO_CACHE } from "../no_cache.ts";
import { race } from "../stats.ts";

const MIB = 1024 * 1024;

/** The largest ratio to UTF-8. */
const LIMITS: Readonly<Record<string, number>> = {
  shift_jis: 1.5,
  "utf-16le": 2,
};

const LINE =
  "2024-03-11 08:00:17,351 [main] WARN 表示する行だけを読みます。予約ソフト能力: ";

/** Writes a file of about `size` bytes; returns its number of lines. */
export function writeLog(path: string, encoding: string, size: number): number {
  const file = openSync(path, "w");
  let lines = 0;
  try {
    for (let written = 0; written < size;) {
      let block = "";
      for (let at = 0; at < 10_000; at++) block += `${LINE}${++lines}\n`;
      written += writeSync(file, encode(block, encoding)!);
    }
  } finally {
    closeSync(file);
  }
  // An old time makes the file count as at rest.
  utimesSync(path, 1, 1);
  return lines;
}

/** Reads a line in a new workspace. */
export async function readLine(
  root: string,
  path: string,
  start: number,
  encoding: string,
): Promise<string> {
  const workspace = await openWorkspace(root, NO_CACHE);
  const page = await workspace.read(path, { start, count: 1, encoding });
  return page.lines[0]?.text ?? "";
}

export const ENCODINGS: Row = {
  name: "encodings",
  title: "a line deep in a file in another encoding (500 MB)",
  about:
    "`workspace.read` with `encoding`, compared with the same bytes read as UTF-8.",
  async measure({ data: { root }, quick }) {
    const checks: Check[] = [];
    for (const [encoding, limit] of Object.entries(LIMITS)) {
      const path = `${encoding}.log`;
      const whole = join(root, path);
      try {
        const lines = writeLog(whole, encoding, (quick ? 32 : 500) * MIB);
        const wanted = Math.floor(lines * 0.9);
        const text = await readLine(root, path, wanted, encoding);
        if (text !== LINE + wanted) throw new Error(`Wrong answer: ${text}`);
        const bytes = statSync(whole).size;
        const times = await race([
          {
            name: "ours",
            run: () => readLine(root, path, wanted, encoding),
          },
          {
            name: "UTF-8",
            // As UTF-8 the file has more lines, since some characters contain the byte of a line feed.
            run: () => readLine(root, path, wanted, "utf-8"),
          },
        ], { rounds: quick ? 3 : 7, calls: 1 });
        checks.push({
          subject: `${encoding}, line ${wanted} of ${
            Math.round(bytes / MIB)
          } MiB`,
          against: "the same bytes as UTF-8",
          value: times.ratio("ours", "UTF-8"),
          unit: "×",
          limit,
          medians: [times.median("ours"), times.median("UTF-8")],
        });
      } finally {
        rmSync(whole, { force: true });
      }
    }
    return checks;
  },
};
