/** A tree with secrets, and the refusals of reads in it. */
import { assertRejects } from "@std/assert";
import {
  type DenyOptions,
  type FsPort,
  type MemoryFiles,
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "../../mod.ts";

/** The tree; its root is `/ws`. */
export const DENIED_TREE: MemoryFiles = {
  "/ws/a.txt": "a",
  "/ws/.env": "SECRET",
  "/ws/.git/config": "SECRET",
  "/ws/.git/hooks/pre": "SECRET",
  "/ws/sub/.env": "SECRET",
  "/ws/sub/b.txt": "b",
  "/ws/keys/a.pem": "SECRET",
  "/ws/keys/a.pub": "public",
  "/ws/to-env": { link: ".env" },
  "/ws/to-sub-env": { link: "sub/../sub/.env" },
  "/ws/to-git": { link: ".git" },
  "/ws/to-to-git": { link: "/ws/to-git" },
  "/ws/secret.link": { link: "a.txt" },
  "/ws/sub/up": { link: ".." },
};

/** The refusal of a read of this tree, or of another. */
export async function refusal(
  path: string,
  options: DenyOptions,
  fs: FsPort = memoryFs(DENIED_TREE),
): Promise<ReadFileError> {
  const workspace = await openWorkspace("/ws", { fs, ...options });
  return await assertRejects(() => workspace.read(path), ReadFileError);
}
