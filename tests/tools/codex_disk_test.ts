import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createCodexReadFile, openWorkspace, respond } from "../../mod.ts";
import { onDisk } from "../support/disk.ts";

const LAYOUT = [
  "a.txt: outside",
  "ws/a.txt: one\ntwo\n",
  "ws/dir/",
  "ws/pipe|",
  "ws/link -> dir/../a.txt",
  "ws/out -> ../a.txt",
  "ws/gone -> ../none.txt",
  "ws/loop -> loop",
];

const OUTSIDE = "file_path must be inside the workspace";

/** The answers of the tool on the disk, in the original profile, by path relative to the root. */
const ANSWERS: readonly (readonly [string, string])[] = [
  ["a.txt", "L1: one\nL2: two"],
  ["link", "L1: one\nL2: two"],
  ["none.txt", "failed to read file: No such file or directory (os error 2)"],
  ["a.txt/b", "failed to read file: Not a directory (os error 20)"],
  ["a.txt/", "failed to read file: Not a directory (os error 20)"],
  ["dir", "failed to read file: Is a directory (os error 21)"],
  [
    "loop",
    "failed to read file: Too many levels of symbolic links (os error 40)",
  ],
  [
    "pipe",
    "failed to read file: it is a FIFO, and only files can be read",
  ],
  ["out", OUTSIDE],
  ["gone", OUTSIDE],
  ["../a.txt", OUTSIDE],
  ["../none.txt", OUTSIDE],
];

describe("codex read_file on the disk", () => {
  for (const mode of ["slice", "indentation"]) {
    for (const [path, content] of ANSWERS) {
      it(`answers for ${path} (${mode})`, async () => {
        await using place = await onDisk(LAYOUT);
        const workspace = await openWorkspace(place.root, { fs: place.fs });
        const tool = createCodexReadFile(workspace, { original: true });
        const args: object = { file_path: `${place.root}/${path}`, mode };
        const reply = await respond(tool, args);
        const isRead = content.startsWith("L1");
        assertEquals([reply.ok, reply.content], [isRead, content]);
      });
    }
  }
});
