import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { type FsPort, openWorkspace, type Workspace } from "../../mod.ts";
import { gitFs } from "../../git/mod.ts";
import { memoryRepository } from "../support/git_place.ts";
import {
  commitOf,
  copyStep,
  deltaOf,
  emptyRepository,
  type GitFiles,
  insertStep,
  joined,
  looseFiles,
  type MadeObject,
  objectOf,
  packFiles,
  packOf,
  treeOf,
} from "../support/git_repository.ts";
import { Random, SEED } from "../support/random.ts";

/** More than is held whole, and than is held of a stream. */
const SIZE = 20 * 1024 * 1024;

/** Text whose every part tells where it is. */
function numbered(): Uint8Array {
  const bytes = new Uint8Array(SIZE);
  const encoder = new TextEncoder();
  for (let at = 0; at < SIZE; at += 64) {
    bytes.set(encoder.encode(`${at}`.padStart(63, ".") + "\n"), at);
  }
  return bytes;
}

const LARGE = objectOf("blob", numbered());
/** The large file with its halves exchanged, and a word between them. */
const HALF = SIZE / 2;
const TURNED = objectOf(
  "blob",
  joined(LARGE.bytes.subarray(HALF), "between", LARGE.bytes.subarray(0, HALF)),
);
/** The turned file without its first million bytes. */
const CUT = objectOf("blob", TURNED.bytes.subarray(1_000_000));
/** A small file of a large one. */
const SMALL = objectOf("blob", LARGE.bytes.subarray(SIZE - 1000));

function copies(from: number, length: number): Uint8Array[] {
  const steps: Uint8Array[] = [];
  for (let at = from; at < from + length; at += 0xffffff) {
    steps.push(copyStep(at, Math.min(0xffffff, from + length - at)));
  }
  return steps;
}

const TURN = deltaOf(
  SIZE,
  SIZE + 7,
  ...copies(HALF, HALF),
  insertStep("between"),
  ...copies(0, HALF),
);
const CUTTING = deltaOf(
  SIZE + 7,
  SIZE + 7 - 1_000_000,
  ...copies(1_000_000, SIZE + 7 - 1_000_000),
);
const LAST = deltaOf(SIZE, 1000, copyStep(SIZE - 1000, 1000));

const BLOBS: Readonly<Record<string, MadeObject>> = {
  "large": LARGE,
  "turned": TURNED,
  "cut": CUT,
  "small": SMALL,
};

/** A repository with a file for each blob, which other files hold. */
function withBlobs(names: readonly string[], files: GitFiles): GitFiles {
  const tree = treeOf(names.map((name) => ({
    name,
    mode: "100644",
    oid: BLOBS[name]!.oid,
  })));
  const commit = commitOf(tree.oid);
  return {
    ...emptyRepository(commit.oid),
    ...looseFiles([tree, commit]),
    ...files,
  };
}

const LOOSE = withBlobs(["large"], looseFiles([LARGE]));
const PACKED = withBlobs(
  Object.keys(BLOBS),
  packFiles(packOf([
    LARGE,
    { oid: TURNED.oid, delta: TURN, base: 1 },
    { oid: CUT.oid, delta: CUTTING, base: 1 },
    { oid: SMALL.oid, delta: LAST, base: LARGE.oid },
  ])),
);

async function opened(files: GitFiles, port = memoryRepository(files)) {
  const fs = await gitFs({ repository: "/repo", rev: "main", fs: port });
  return await openWorkspace("/", { fs });
}

/** The bytes of a file in a place. */
async function part(
  workspace: Workspace,
  path: string,
  places: readonly (readonly [from: number, length: number])[],
): Promise<Uint8Array[]> {
  const file = await workspace.open(path);
  const parts: Uint8Array[] = [];
  for (const [from, length] of places) {
    const bytes = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const at = from + filled;
      const count = await file.read(bytes.subarray(filled), at);
      if (count === 0) break;
      filled += count;
    }
    parts.push(bytes.subarray(0, filled));
  }
  await file.close();
  return parts;
}

/** Waits until it holds: files are closed when the event loop turns. */
async function settled(holds: () => boolean): Promise<void> {
  for (let turns = 0; turns < 1000 && !holds(); turns++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  assert(holds());
}

function assertSame(got: Uint8Array, wanted: Uint8Array, what: string): void {
  const hashes = [got, wanted].map((bytes) =>
    createHash("sha1").update(bytes).digest("hex")
  );
  assertEquals(hashes[0], hashes[1], what);
}

describe("a large file of a revision", () => {
  for (
    const [how, name, files] of [
      ["loose", "large", LOOSE],
      ["in a pack", "large", PACKED],
      ["that is a delta", "turned", PACKED],
      ["that is a delta of a delta", "cut", PACKED],
    ] as const
  ) {
    it(`${how}, is read forwards, backwards and anywhere`, async () => {
      const { bytes } = BLOBS[name]!;
      const workspace = await opened(files);
      const random = new Random(SEED);
      const places: [number, number][] = [[0, bytes.length]];
      // Backwards, beyond what is held.
      for (let at = bytes.length; at > 0; at -= 1_500_000) {
        places.push([Math.max(0, at - 1_500_000), Math.min(at, 1_500_000)]);
      }
      for (let i = 0; i < 8; i++) {
        places.push([random.below(bytes.length), random.below(100_000)]);
      }
      places.push([bytes.length - 1, 100], [bytes.length, 9], [2 ** 40, 9]);
      const parts = await part(workspace, name, places);
      for (const [at, [from, length]] of places.entries()) {
        const wanted = bytes.subarray(from, from + length);
        assertSame(parts[at]!, wanted, `${length} bytes at ${from}`);
      }
    });
  }
  it("may be the base of a small file", async () => {
    const [got] = await part(await opened(PACKED), "small", [[0, 2000]]);
    assertSame(got!, SMALL.bytes, "small");
  });
  it("is read by several at once", async () => {
    const workspace = await opened(PACKED);
    const file = await workspace.open("turned");
    const places = [15_000_000, 0, 8_000_000, 15_000_100, 9, 19_000_000];
    const parts = await Promise.all(places.map(async (from) => {
      const buffer = new Uint8Array(1000);
      const count = await file.read(buffer, from);
      assert(count > 0);
      return [from, buffer.subarray(0, count)] as const;
    }));
    await file.close();
    for (const [from, got] of parts) {
      const wanted = TURNED.bytes.subarray(from, from + got.length);
      assertSame(got, wanted, `at ${from}`);
    }
  });
  it("leaves no file of the repository open", async () => {
    let open = 0;
    const memory = memoryRepository(PACKED);
    const counting: FsPort = {
      ...memory,
      async open(path) {
        const handle = await memory.open(path);
        open++;
        return { ...handle, close: () => void open-- };
      },
    };
    const workspace = await opened(PACKED, counting);
    await settled(() => open === 0);
    const file = await workspace.open("turned");
    await settled(() => open === 1);
    await file.read(new Uint8Array(10), 5);
    await file.close();
    await settled(() => open === 0);
    await Promise.all(
      Array.from({ length: 9 }, () => part(workspace, "small", [[0, 10]])),
    );
    await settled(() => open === 0);
  });
});
