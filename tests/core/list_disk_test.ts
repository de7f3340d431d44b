import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  chmodSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { realpath } from "node:fs/promises";
import { describe, it } from "node:test";
import { type FsPort, openWorkspace, ReadFileError } from "../../mod.ts";
import { onDisk } from "../support/disk.ts";
import { listed } from "../support/listings.ts";

/** After this time, the times of a directory are reliable. */
const REST_MS = 3200;

const OUTSIDE = "../outside";
const TREE = ["ws/up/d/PUBLIC: 1", "outside/SECRET: 2", "outside/d/SECRET: 3"];

/**
 * A port that swaps a directory for a link that leads out, `times` times, during
 * its listing and the stats of its entries.
 */
function swapping(fs: FsPort, swapped: string, times: number): FsPort {
  let left = times;
  let isFirstLook = false;
  const swap = () => {
    renameSync(swapped, `${swapped}.kept`);
    symlinkSync(OUTSIDE, swapped);
  };
  const swapBack = () => {
    unlinkSync(swapped);
    renameSync(`${swapped}.kept`, swapped);
  };
  return {
    ...fs,
    async *list(path) {
      if (left-- <= 0) return yield await listed(fs, path);
      swap();
      const entries = await listed(fs, path);
      swapBack();
      isFirstLook = true;
      yield entries;
    },
    async lstat(path, ...rest) {
      if (!isFirstLook || !path.endsWith("/SECRET")) {
        return await fs.lstat(path, ...rest);
      }
      isFirstLook = false;
      swap();
      const stat = await fs.lstat(path, ...rest);
      swapBack();
      return stat;
    },
  };
}

/** A disk with a coarse clock, on which a change may leave the same times. */
function coarse(fs: FsPort): FsPort {
  const floor = (ms: number | null) => Math.floor(ms! / 1000) * 1000;
  return {
    ...fs,
    async lstat(...args) {
      const stat = await fs.lstat(...args);
      const { mtimeMs, ctimeMs } = stat;
      return { ...stat, mtimeMs: floor(mtimeMs), ctimeMs: floor(ctimeMs) };
    },
  };
}

/** Checks the path and then lists it, without a guard: the control, which must leak. */
async function checkThenList(fs: FsPort, root: string, path: string) {
  const real = await realpath(`${root}/${path}`);
  assert(real.startsWith(`${root}/`));
  return (await listed(fs, real)).map(({ name }) => name);
}

describe("Workspace.list() of a directory that is swapped for a link meanwhile", () => {
  for (const when of ["new", "at rest before", "new, of coarse times"]) {
    it(`shows no name from outside: ${when}`, async () => {
      await using place = await onDisk(TREE);
      const { root } = place;
      if (when === "at rest before") {
        await new Promise((done) => setTimeout(done, REST_MS));
      }
      const fs = when === "new" ? place.fs : coarse(place.fs);
      const always = swapping(fs, `${root}/up`, Infinity);
      const attacked = await openWorkspace(root, { fs: always });
      const error = await assertRejects(
        () => attacked.list("up/d"),
        ReadFileError,
      );
      assertEquals(error.code, "CHANGED");
      // The control must leak.
      assertEquals(await checkThenList(always, root, "up/d"), ["SECRET"]);
      const { entries, unlisted } = await attacked.list("up", { depth: 2 })
        .catch(() => ({ entries: [], unlisted: [] }));
      assertEquals([entries, unlisted], [[], []]);
      const once = swapping(place.fs, `${root}/up`, 1);
      const lucky = await openWorkspace(root, { fs: once });
      const listing = await lucky.list("up/d");
      assertEquals(listing.entries.map(({ path }) => path), ["PUBLIC"]);
    });
  }
  it("shows no target of links that lead out", async () => {
    await using place = await onDisk([...TREE, "ws/out -> $/outside"]);
    const workspace = await openWorkspace(place.root, { fs: place.fs });
    for (const path of ["out", "out/d", "../outside"]) {
      const error = await assertRejects(
        () => workspace.list(path),
        ReadFileError,
      );
      assertEquals(error.code, "OUTSIDE_WORKSPACE");
    }
    const { entries } = await workspace.list(".", { depth: 5 });
    assertEquals(
      entries.map(({ path }) => path),
      ["out", "up", "up/d", "up/d/PUBLIC"],
    );
  });
});

describe("Workspace.list() on the disk", () => {
  it("gives kinds and sizes, also of unreadable files", async () => {
    await using place = await onDisk([
      "ws/d/",
      "ws/l -> d",
      "ws/p|",
      "ws/f: abc",
    ]);
    chmodSync(`${place.root}/f`, 0);
    const workspace = await openWorkspace(place.root, { fs: place.fs });
    assertEquals((await workspace.list(".")).entries, [
      { path: "d", kind: "directory", size: null },
      { path: "f", kind: "file", size: 3 },
      { path: "l", kind: "symlink", size: null },
      { path: "p", kind: "other", special: "FIFO", size: null },
    ]);
  });
  it("lists a large directory once for all its pages", async () => {
    await using place = await onDisk([]);
    const folder = `${place.root}/many`;
    mkdirSync(folder);
    const names = Array.from({ length: 3000 }, (_, at) => `n${at}`).sort();
    for (const name of names) writeFileSync(`${folder}/${name}`, "");
    const workspace = await openWorkspace(place.root, { fs: place.fs });
    const found: string[] = [];
    let next: object | null = { limit: 700 };
    while (next !== null) {
      const listing: Awaited<ReturnType<typeof workspace.list>> =
        await workspace.list("many", next);
      found.push(...listing.entries.map(({ path }) => path));
      next = listing.next;
    }
    assertEquals(found, names);
  });
});
