/** A tree to edit, and the outcome of reading it. */
import {
  type FsPort,
  type MemoryFiles,
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "../../mod.ts";
import { type Edit, overlayFs } from "../../layers/mod.ts";

/** The saved files. */
export const SAVED: MemoryFiles = {
  "/ws/a.txt": "saved a",
  "/ws/dir/b.txt": "saved b",
  "/ws/dir/c.txt": "saved c",
  "/ws/link": { link: "dir" },
  "/ws/current": { link: "dir/b.txt" },
  "/ws/dangling": { link: "nope.txt" },
  "/ws/loop": { link: "loop" },
  "/ws/device": { kind: "other" },
  "/outside/secret.txt": "SECRET",
  "/ws/out": { link: "../outside" },
};

/** The outcome of reading `path`: the text, or the error code. */
export async function outcome(
  fs: FsPort,
  path: string,
  deny: readonly string[] = [],
): Promise<string> {
  try {
    const workspace = await openWorkspace("/ws", { fs, deny });
    return (await workspace.read(path)).text;
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error;
    return error.code;
  }
}

/** The outcome of reading with these edits. */
export function withEdits(
  edits: Readonly<Record<string, Edit>>,
  path: string,
  saved: Readonly<Record<string, MemoryFiles[string]>> = SAVED,
): Promise<string> {
  return outcome(overlayFs(memoryFs(saved), edits), path);
}
