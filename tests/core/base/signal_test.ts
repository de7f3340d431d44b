/** A port gets a signal, which is aborted when no call waits for it. */
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { type FsPort, memoryFs, openWorkspace } from "../../../mod.ts";

/** A port that records which of its calls get `signal`. */
function noting(signal: AbortSignal) {
  const fs = memoryFs({ "/ws/a.txt": "a", "/ws/link": { link: "a.txt" } });
  const told = new Set<string>();
  const note = (verb: string, given: AbortSignal | undefined) =>
    told.add(`${verb} ${given === signal}`);
  const port: FsPort = {
    ...fs,
    lstat(path, role, given) {
      note(`lstat ${path}`, given);
      return fs.lstat(path, role);
    },
    readLink(path, given) {
      note("readLink", given);
      return fs.readLink(path);
    },
    async open(path, given) {
      note("open", given);
      // Without a path, the read proves the file by walking again.
      return { ...await fs.open(path), path: () => undefined };
    },
  };
  return { fs: port, told };
}

describe("the signal of a call", () => {
  it("is passed to each method that may take long", async () => {
    const { signal } = new AbortController();
    const { fs, told } = noting(signal);
    const workspace = await openWorkspace("/ws", { fs });
    told.clear();
    await openWorkspace("/ws", { fs, signal });
    assertEquals([...told], ["lstat /ws true"]);
    told.clear();
    await using file = await workspace.open("link", { signal });
    assertEquals(file.path, "link");
    assertEquals([...told].sort(), [
      "lstat /ws true",
      "lstat /ws/a.txt true",
      "lstat /ws/link true",
      "open true",
      "readLink true",
    ]);
  });
});
