/** Mounts for tests, and the outcomes of reads in them. */
import {
  type FsPort,
  type MemoryFiles,
  memoryFs,
  openWorkspace,
  ReadFileError,
  type ReadFileErrorCode,
} from "../../mod.ts";
import type { Mounts } from "../../layers/mod.ts";

/** The outcome of reading `path`: the text, or the error code. */
export async function outcome(
  fs: FsPort,
  path: string,
  root = "/",
): Promise<string> {
  try {
    const workspace = await openWorkspace(root, { fs });
    return (await workspace.read(path)).text;
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error;
    return error.code satisfies ReadFileErrorCode;
  }
}

/** The files in and next to `/repo`. */
export const REPO: MemoryFiles = {
  "/repo/a.txt": "A",
  "/repo/dir/b.txt": "B",
  "/repo/logs/shadowed.txt": "SHADOWED",
  "/repo/notes": "not the mount",
  "/notes/todo.txt": "SECRET of the disk",
  "/secret.txt": "SECRET",
  "/repo/own": { link: "/repo/a.txt" },
  "/repo/own-folder": { link: "/repo/dir/" },
  "/repo/own-root": { link: "/repo/" },
  "/repo/near": { link: "dir/../a.txt" },
  "/repo/dir/up": { link: "../a.txt" },
  "/repo/other": { link: "/notes/todo.txt" },
  "/repo/climbs": { link: "../notes/todo.txt" },
  "/repo/climbs-back": { link: "../repo/a.txt" },
  "/repo/dir/root": { link: ".." },
  "/repo/turns": { link: "dir/root/../notes/todo.txt" },
  "/repo/leaves": { link: "/secret.txt" },
  "/repo/dots": { link: "/repo/../secret.txt" },
  "/repo/begins": { link: "/repository/a.txt" },
  "/repo/into": { link: "logs/app.log" },
};

/** Four mounts, one of them inside another. */
export const MOUNTS: Mounts = {
  "/repo": memoryFs(REPO),
  "/repo/logs": { fs: memoryFs({ "/2024/app.log": "LOG" }), root: "/2024" },
  "/notes": memoryFs({
    "/notes/todo.txt": "buy milk",
    "/notes/link": { link: "/notes/todo.txt" },
  }),
  "/far/away/place": { fs: memoryFs({ "/x.txt": "X" }), root: "/" },
};
