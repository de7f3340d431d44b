import { assert, assertEquals } from "@std/assert";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  type DiskOptions,
  type FsPort,
  hostFs,
  openWorkspace,
} from "../../mod.ts";
import { onDisk } from "../support/disk.ts";

function diskFs(options?: DiskOptions): FsPort {
  return hostFs(options);
}

/** Calls every method of a port; records which returned a value and which a promise. */
async function answersOf(fs: FsPort, root: string): Promise<boolean[]> {
  // As the core asks: on Windows, a port takes no other form.
  const real = await fs.realPath(root);
  const path = `${real}/a.txt`;
  const isThere: boolean[] = [];
  const ask = async <T>(answer: T | Promise<T>): Promise<T> => {
    isThere.push(!(answer instanceof Promise));
    return await answer;
  };
  await ask(fs.realPath(root));
  await ask(fs.lstat(path));
  await ask(fs.readLink(`${real}/l`));
  const file = await ask(fs.open(path));
  await ask(file.stat());
  await ask(file.path());
  assertEquals(await ask(file.read(new Uint8Array(9), 0)), "hello".length);
  await ask(file.stat());
  await ask(file.close());
  return isThere;
}

describe("the disk", () => {
  it("returns values, never promises", async () => {
    await using place = await onDisk(["ws/a.txt: hello", "ws/l -> a.txt"]);
    const answers = await answersOf(diskFs(), place.root);
    assertEquals(new Set(answers), new Set([true]));
  });
  it("returns only promises if it is nonBlocking", async () => {
    await using place = await onDisk(["ws/a.txt: hello", "ws/l -> a.txt"]);
    const fs = diskFs({ nonBlocking: true });
    const answers = await answersOf(fs, place.root);
    assertEquals(new Set(answers), new Set([false]));
  });
  it("asks the thread pool for the name of an open file, if it is nonBlocking", async () => {
    // Answered at once, all names in a proof would come before all its stats, and
    // an attacker who swaps between them would not have to guess their order.
    await using place = await onDisk(["ws/a.txt: hello"]);
    const [path, other] = [
      join(place.root, "a.txt"),
      join(place.root, "b.txt"),
    ];
    const fs = diskFs({ nonBlocking: true });
    const file = await fs.open(`${await fs.realPath(place.root)}/a.txt`);
    const isKnown = await file.path() !== undefined;
    let isLater = false;
    for (let tries = 0; isKnown && !isLater && tries < 1000; tries++) {
      const name = file.path();
      renameSync(path, other);
      isLater = await name === other;
      renameSync(other, path);
    }
    await file.close();
    assertEquals(isLater, isKnown);
  });
  it("gives the same lines in both modes", async () => {
    await using place = await onDisk(["ws/b/a.txt: one"]);
    const texts: string[] = [];
    for (const nonBlocking of [false, true]) {
      const fs = diskFs({ nonBlocking });
      const workspace = await openWorkspace(place.root, { fs });
      texts.push((await workspace.read("b/a.txt")).text);
    }
    assert(texts[0]!.length > 0);
    assertEquals(texts[0], texts[1]);
  });
});
