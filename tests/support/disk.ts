/** Creates the files of a layout on the real disk. */
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { hostFs } from "../../mod.ts";
import { type Place, readLayout } from "./layout.ts";

/** The runtime under test. */
export const RUNTIME = "Bun" in globalThis
  ? "Bun"
  : "Deno" in globalThis
  ? "Deno"
  : "Node.js";

/** Creates a layout in a new folder on the disk. */
// deno-lint-ignore require-await
export async function onDisk(layout: readonly string[]): Promise<Place> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "read-file-")));
  for (const entry of readLayout(["ws/", ...layout])) {
    const path = join(base, entry.path);
    const folder = entry.kind === "folder" ? path : dirname(path);
    mkdirSync(folder, { recursive: true });
    if (entry.kind === "file") writeFileSync(path, entry.text);
    if (entry.kind === "fifo") execFileSync("mkfifo", [path]);
    if (entry.kind === "link") {
      symlinkSync(entry.to.replace("$", base), path);
    }
  }
  return {
    fs: hostFs(),
    base,
    root: join(base, "ws"),
    // deno-lint-ignore require-await
    async [Symbol.asyncDispose]() {
      rmSync(base, { recursive: true });
    },
  };
}
