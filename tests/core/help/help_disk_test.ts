import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { said } from "../../support/said.ts";
import { bunFs, denoFs, openWorkspace, ReadFileError } from "../../../mod.ts";
import { onDisk, RUNTIME } from "../../support/disk.ts";
import { listed } from "../../support/listings.ts";

for (const nonBlocking of [false, true]) {
  const diskFs = () =>
    RUNTIME === "Bun" ? bunFs({ nonBlocking }) : denoFs({ nonBlocking });
  describe(`a missing file on a disk (nonBlocking: ${nonBlocking})`, () => {
    it("suggests files, and names the entries of a directory", async () => {
      await using place = await onDisk([
        "ws/src/main.ts: x",
        "ws/src/lib/",
        "ws/src/out -> $/outside",
        "outside: SECRET",
      ]);
      const workspace = await openWorkspace(place.root, { fs: diskFs() });
      const missing = await assertRejects(
        () => workspace.read("src/mian.ts"),
        ReadFileError,
      );
      assertStringIncludes(said(missing), 'did you mean "src/main.ts"?');
      const directory = await assertRejects(
        () => workspace.read("src"),
        ReadFileError,
      );
      assertStringIncludes(
        said(directory),
        'it holds "lib/" and "main.ts"',
      );
    });
    it("names nothing outside if the directory is swapped during its listing", async () => {
      await using place = await onDisk([
        "ws/d/a.txt: x",
        "out/b.txt: SECRET",
        "out/b/",
      ]);
      const fs = diskFs();
      const inside = join(place.root, "d");
      let swaps = 0;
      const swapped = {
        ...fs,
        async list(path: string, most: number) {
          if (path !== inside) return await listed(fs, path, most);
          swaps++;
          rmSync(inside, { recursive: true });
          symlinkSync(join(place.base, "out"), inside);
          const entries = await listed(fs, path, most);
          rmSync(inside);
          mkdirSync(inside);
          writeFileSync(join(inside, "a.txt"), "x");
          assertEquals(entries.map(({ name }) => name).sort(), ["b", "b.txt"]);
          return entries;
        },
      };
      const workspace = await openWorkspace(place.root, { fs: swapped });
      for (const path of ["d/c.txt", "d"]) {
        const { message } = await assertRejects(
          () => workspace.read(path),
          ReadFileError,
        );
        assert(!/"b(\/|\.txt)?"/.test(message), message);
      }
      assert(swaps > 1);
    });
  });
}
