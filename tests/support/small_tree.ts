/** A small tree, and how reading it is refused. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type FsPort,
  memoryFs,
  openWorkspace,
  readFile,
  ReadFileError,
} from "../../mod.ts";
import { countingFs } from "./counting_fs.ts";

/** A workspace, `/ws`, with a secret beside it. */
export const TREE: FsPort = memoryFs({
  "/ws/d/f.txt": "INSIDE",
  "/ws/l": { link: "d/f.txt" },
  "/ws/p": { kind: "other" },
  "/ws-evil/f.txt": "SECRET",
});

/** The same, after `d` was swapped for a link that leads out. */
export const SWAPPED: FsPort = memoryFs({
  "/ws/d": { link: "../ws-evil" },
  "/ws-evil/f.txt": "SECRET",
});

/** Workspace.open() makes one attempt, and then three more. */
export const TRIES = 4;

/** Reads a file of `/ws`. */
export async function read(fs: FsPort, path = "d/f.txt"): Promise<string> {
  return (await readFile(await openWorkspace("/ws", { fs }), path)).text;
}

/** The refusal of a read; every opened file must be closed. */
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
