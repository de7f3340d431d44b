/** Makes the calls on files of unusual size, each in a process of its own. */
import { assertEquals, assertLessOrEqual } from "@std/assert";
import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runtimeCommand } from "../support/runtime.ts";
import { digestOf } from "./digest.ts";
import type { Told } from "./size_child.ts";
import { writeLarge } from "./large_files.ts";
import type { Case } from "./sizes.ts";

/** How far the peak of memory may lie above the start, beside the answer itself. */
export const MOST_MIB = 64;

const CHILD = new URL("./size_child.ts", import.meta.url).pathname;

/** Past this a call hangs; 10 GiB take half a minute where they are not in memory. */
const LIMIT_MS = 180_000;

/** A folder with the files. */
export interface LargeFiles extends Disposable {
  readonly folder: string;
}

/** Writes the files; disposing of them clears them away. */
export function largeFiles(): LargeFiles {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "read-file-")));
  writeLarge(folder);
  return {
    folder,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

/** A collector that gets no turn on a busy machine lets garbage lie: the least counts. */
const MOST_TRIES = 3;

/** Makes the call; the answer must be right, and memory stay in bounds. */
export async function holdTo(one: Case, folder: string): Promise<Told> {
  let told = await tellOf(one, folder);
  for (
    let left = MOST_TRIES - 1;
    told.grownMib > MOST_MIB && left > 0;
    left--
  ) {
    told = await tellOf(one, folder);
  }
  assertLessOrEqual(told.grownMib, MOST_MIB, "it took too much memory");
  return told;
}

/** Makes the call; the answer must be right. */
async function tellOf({ answer, ...ask }: Case, folder: string): Promise<Told> {
  const [command, ...words] = runtimeCommand(["-A"], CHILD);
  const { stdout, stderr } = spawnSync(
    command!,
    [...words, folder, JSON.stringify(ask)],
    { encoding: "utf8", timeout: LIMIT_MS, killSignal: "SIGKILL" },
  );
  assertEquals(stderr, "");
  const told: Told = JSON.parse(stdout);
  assertEquals(told.digest, await digestOf(answer()), told.head);
  return told;
}

/** What a call is, in a line. */
export function nameOf({ reader, file, args, options }: Case): string {
  const made = options === undefined
    ? ""
    : ` made with ${JSON.stringify(options)}`;
  return `${reader} ${file} ${JSON.stringify(args)}${made}`;
}
