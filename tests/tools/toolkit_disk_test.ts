import { assert, assertEquals } from "@std/assert";
import { execFileSync } from "node:child_process";
import { statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createAgentToolkit } from "../../mod.ts";
import { onDisk } from "../support/disk.ts";

/** The number of the last line, as sed counts; 0 for an empty file. */
function sedLines(path: string): number {
  return Number(execFileSync("sed", ["-n", "$=", path], { encoding: "utf8" }));
}

describe("createAgentToolkit() on the disk", () => {
  const texts = [
    "",
    "\n",
    "a",
    "a\n",
    "a\r\nb\r\n",
    "a\r",
    "\n\n\n",
    "a\u2028b\n\n",
  ];
  for (const text of texts) {
    it(`gives meta that agrees with stat and sed for ${JSON.stringify(text)}`, async () => {
      await using place = await onDisk([]);
      const path = join(place.root, "a.txt");
      writeFileSync(path, text);
      utimesSync(path, 1_700_000_000, 1_700_000_000.9876);
      const kit = await createAgentToolkit({ workspaceRoot: place.root });
      const result = await kit.readFile("a.txt");
      assert(result.status === "success");
      const { size, mtimeMs } = statSync(path);
      const lines = sedLines(path);
      assertEquals(result.data.meta, {
        byte_length: size,
        line_count: lines,
        returned_line_count: lines,
        mtime_ms: Math.floor(mtimeMs),
      });
    });
  }

  it("uses the runtime's disk, and cannot read files outside", async () => {
    await using place = await onDisk([
      "ws/a.txt: hello",
      "ws/inside -> a.txt",
      "ws/out -> $/secret.txt",
      "ws/dir -> $/other",
      "other/b.txt: secret",
      "secret.txt: secret",
      "Policy.txt: secret",
    ]);
    const kit = await createAgentToolkit({ workspaceRoot: place.root });
    const inside = await kit.readFile("inside");
    assert(inside.status === "success");
    assertEquals(inside.data.content, "hello");
    assertEquals(inside.data.path, "inside");
    const paths = ["out", "dir/b.txt", "../secret.txt", "../Policy.txt"];
    for (const path of [...paths, join(place.base, "secret.txt")]) {
      const result = await kit.readFile(path);
      assert(result.status === "denied", path);
      assertEquals(result.reason, "sandbox");
      assertEquals(result.error.code, "SANDBOX_VIOLATION");
    }
  });

  it("refuses a directory and a FIFO, without waiting", async () => {
    await using place = await onDisk(["ws/dir/", "ws/pipe|"]);
    const kit = await createAgentToolkit({ workspaceRoot: place.root });
    for (const path of ["dir", "pipe"]) {
      const result = await kit.readFile(path);
      assert(result.status === "failure", path);
      assertEquals(result.error.code, "NOT_FILE");
    }
  });
});
