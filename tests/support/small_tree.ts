/** A small tree, and the refusals of reads in it. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "../../mod.ts";
import { countingFs } from "./counting_fs.ts";

/** A workspace `/ws`, and a secret outside it. */
export const TREE: FsPort = memoryFs({
  "/ws/d/f.txt": "INSIDE",
  "/ws/l": { link: "d/f.txt" },
  "/ws/p": { kind: "other" },
  "/ws-evil/f.txt": "SECRET",
});

/** The same tree after `d` was replaced by a link that leads out. */
export const SWAPPED: FsPort = memoryFs({
  "/ws/d": { link: "../ws-evil" },
  "/ws-evil/f.txt": "SECRET",
});

/** How often Workspace.open() tries: once, and three times more. */
export const TRIES = 4;

/** Reads a file of `/ws`. */
export async function read(fs: FsPort, path = "d/f.txt"): Promise<string> {
  const workspace = await openWorkspace("/ws", { fs });
  return (await workspace.read(path)).text;
}

/** The refusal of a read. Fails if a file was left open, or if bytes were read. */
export async function refusal(
  fs: FsPort,
  opened: number,
  path?: string,
): Promise<ReadFileError> {
  const counted = countingFs(fs);
  const error = await assertRejects(() => read(counted, path), ReadFileError);
  assertEquals(counted.counts.open, 0, "a file was left open");
  assertEquals(counted.counts.opened, opened);
  assertEquals(counted.counts.bytes, 0, "something was read");
  assert(!error.message.includes("ws-evil"), error.message);
  return error;
}
