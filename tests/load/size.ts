/** Makes calls on files of unusual size, each in a separate process. */
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

/** How many MiB the peak memory may grow, without the answer. */
export const MOST_MIB = 64;

const CHILD = new URL("./size_child.ts", import.meta.url).pathname;

/** A call that runs longer than this counts as hung; reading 10 GiB from the disk takes half a minute. */
const LIMIT_MS = 180_000;

/** A folder with the files. */
export interface LargeFiles extends Disposable {
  readonly folder: string;
}

/** Writes the files; disposing of the result removes them. */
export function largeFiles(): LargeFiles {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "read-file-")));
  writeLarge(folder);
  return {
    folder,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

/** How often memory is measured. The least value counts: garbage may be collected late on a busy machine. */
const MOST_TRIES = 3;

/** Makes a call; checks its answer and its memory. */
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

/** Makes a call; the answer must be right. */
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

/** Describes a call in one line. */
export function nameOf({ reader, file, args, options }: Case): string {
  const made = options === undefined
    ? ""
    : ` made with ${JSON.stringify(options)}`;
  return `${reader} ${file} ${JSON.stringify(args)}${made}`;
}
