import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { ReadFileError } from "../../mod.ts";
import { gitFs } from "../../git/mod.ts";
import { memoryRepository } from "../support/git_place.ts";
import {
  commitOf,
  emptyRepository,
  looseFiles,
  type MadeObject,
  objectOf,
  packFiles,
  packOf,
  treeOf,
} from "../support/git_repository.ts";

const DIGITS = 4;

/** Objects of which several have the same first digits. */
const COMMITS = Array.from(
  { length: 700 },
  (_, at) => commitOf(treeOf([]).oid, [], `commit ${at}`),
);
const BLOBS = Array.from(
  { length: 700 },
  (_, at) => objectOf("blob", `file ${at}`),
);

const TREES = Array.from(
  { length: 700 },
  (_, at) => treeOf([{ name: `${at}`, mode: "100644", oid: BLOBS[0]!.oid }]),
);

function start({ oid }: MadeObject): string {
  return oid.slice(0, DIGITS);
}

/** The first pair with the same digits. */
function pairOf(ones: readonly MadeObject[], others: readonly MadeObject[]) {
  for (const one of ones) {
    const other = others.find((other) =>
      other.oid !== one.oid && start(other) === start(one)
    );
    if (other !== undefined) return [one, other] as const;
  }
  throw new TypeError("No two objects have the same digits");
}

const TREE = treeOf([]);

/** Opens the repository with a short hash, loose and in a pack. */
async function openedBy(rev: string, objects: readonly MadeObject[]) {
  const [first, ...rest] = objects;
  const fs = memoryRepository({
    ...emptyRepository(COMMITS[0]!.oid),
    ...looseFiles([TREE, first!]),
    ...packFiles(packOf(rest)),
  });
  return await gitFs({ repository: "/repo", rev, fs });
}

describe("a short hash", () => {
  it("names the only object that begins with it, loose or in a pack", async () => {
    const [one, two] = COMMITS;
    for (const { oid } of [one!, two!]) {
      const fs = await openedBy(oid.slice(0, 9), [one!, two!]);
      assertEquals((await fs.lstat("/")).id, `${TREE.oid} /`);
      await openedBy(oid.slice(0, 9).toUpperCase(), [one!, two!]);
      await openedBy(`v1.0-3-g${oid.slice(0, 9)}`, [one!, two!]);
    }
  });
  it("names a commit rather than a tree only before a step to its parent", async () => {
    const [commit, tree] = pairOf(COMMITS, TREES);
    const child = commitOf(TREE.oid, [commit.oid], "child");
    for (const objects of [[commit, tree, child], [tree, commit, child]]) {
      for (const step of ["^0", "~0", "^{commit}"]) {
        const fs = await openedBy(start(commit) + step, objects);
        assertEquals((await fs.lstat("/")).id, `${TREE.oid} /`);
      }
      for (const step of ["", "^{tree}", "^{}"]) {
        const error = await assertRejects(
          () => openedBy(start(commit) + step, objects),
          ReadFileError,
        );
        assertEquals(error.code, "INVALID_ARGUMENT");
      }
    }
  });
  it("names a commit rather than a file", async () => {
    const [commit, blob] = pairOf(COMMITS, BLOBS);
    for (const objects of [[commit, blob], [blob, commit]]) {
      const fs = await openedBy(start(commit), objects);
      assertEquals((await fs.lstat("/")).id, `${TREE.oid} /`);
    }
  });
  it("is refused if several commits begin with it", async () => {
    const [one, two] = pairOf(COMMITS, COMMITS);
    const error = await assertRejects(
      () => openedBy(start(one), [one, two]),
      ReadFileError,
    );
    assert(error.is("INVALID_ARGUMENT"));
    const names = [one, two].map(({ oid }) => oid.slice(0, 12)).sort();
    assertEquals(
      error.message,
      `Cannot open the revision "${start(one)}": rev is short for 2 objects: ${
        names.join(", ")
      }`,
    );
    assertEquals(error.hint, "write more digits");
  });
  it("has at least four digits", async () => {
    const [one, two] = COMMITS;
    const error = await assertRejects(
      () => openedBy(one!.oid.slice(0, 3), [one!, two!]),
      ReadFileError,
    );
    assertEquals(error.code, "NOT_FOUND");
  });
});
