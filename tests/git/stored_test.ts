import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { openWorkspace } from "../../mod.ts";
import { gitFs } from "../../git/mod.ts";
import { memoryRepository } from "../support/git_place.ts";
import stored from "./stored.json" with { type: "json" };

/** A repository that git made, and what git answers. */
export interface Stored {
  /** The files of `.git`, as base64. */
  readonly files: Readonly<Record<string, string>>;
  readonly answers: readonly {
    readonly rev: string;
    readonly tree: string;
    /** The SHA-256 of some files. */
    readonly files: Readonly<Record<string, string>>;
  }[];
}

const REPOSITORIES: Readonly<Record<string, Stored>> = stored;

for (const [format, { files, answers }] of Object.entries(REPOSITORIES)) {
  const bytes = Object.fromEntries(
    Object.entries(files).map(([path, base64]) => [
      path,
      Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0)),
    ]),
  );
  const memory = memoryRepository(bytes);

  describe(`a repository of git, with ${format}`, () => {
    it("has packs with deltas by offset and by hash, and loose objects", () => {
      const paths = Object.keys(files);
      assertEquals(paths.filter((path) => path.endsWith(".pack")).length, 2);
      assert(paths.some((path) => /^objects\/[0-9a-f]{2}\//.test(path)));
      assert(paths.includes("packed-refs"));
    });
    for (const { rev, tree, files } of answers) {
      it(`is read at ${rev} as git reads it`, async () => {
        const fs = await gitFs({ repository: "/repo", rev, fs: memory });
        assertEquals((await fs.lstat("/")).id, `${tree} /`);
        const workspace = await openWorkspace("/", { fs });
        for (const [path, hash] of Object.entries(files)) {
          const file = await workspace.open(path);
          const content = new Uint8Array(file.stat.size);
          assertEquals(await file.read(content, 0), content.length);
          await file.close();
          const digest = createHash("sha256").update(content).digest("hex");
          assertEquals(digest, hash, path);
        }
      });
    }
  });
}
