import { assertEquals, assertGreater } from "@std/assert";
import { describe, it } from "node:test";
import {
  bunFs,
  denoFs,
  type FsPort,
  type MemoryFiles,
  memoryFs,
  openWorkspace,
  ReadFileError,
  type Workspace,
} from "../../../mod.ts";
import { quote } from "../../../src/core/base/words.ts";
import { RUNTIME } from "../../support/disk.ts";
import { draw, type Drawing } from "../../support/drawn_paths.ts";
import { failure } from "../../support/fake_fs.ts";
import { judge } from "../../support/path_oracle.ts";
import { SEED } from "../../support/random.ts";
import { shareOf, some } from "../../support/share.ts";
import { makeWorlds, type World } from "../../support/worlds.ts";

const TREES = some(220, 160);
const PATHS = 100;

/** The outcome of a read, with all its messages. */
interface Ending {
  readonly verdict: string;
  readonly words: string;
}

async function ending(workspace: Workspace, path: string): Promise<Ending> {
  try {
    const { text } = await workspace.read(path);
    return { verdict: `ok ${text}`, words: "" };
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error;
    assertEquals(error.path, path);
    const { code, message, details, cause } = error;
    const facts = error.is("NOT_FOUND")
      ? ` ${error.details.reason}`
      : error.is("NOT_A_FILE")
      ? ` ${error.details.kind}`
      : "";
    const words = `${message} ${JSON.stringify(details)} ${cause}`;
    return { verdict: `${code}${facts}`, words: withoutPath(words, path) };
  }
}

/** Removes the given path, which messages may show; a long path is cut. */
function withoutPath(words: string, path: string): string {
  return words.replaceAll(quote(path), "PATH");
}

/** The tree in memory, with the names of the full world. */
function inMemory({ tree }: Drawing): FsPort {
  const spell = (text: string) =>
    text.replaceAll("$ROOT", "/base/ws").replaceAll("$BASE", "/base")
      .replaceAll("$WS", "ws");
  const files: Record<string, MemoryFiles[string]> = {
    "/base/ws": { kind: "directory" },
  };
  for (const entry of tree) {
    files[`/base/ws/${entry.path}`] = entry.kind === "file"
      ? entry.text
      : entry.kind === "link"
      ? { link: spell(entry.to) }
      : { kind: entry.kind === "folder" ? "directory" : "other" };
  }
  const fs = memoryFs(files);
  return {
    ...fs,
    // Names on a disk have a largest length; names in memory do not.
    lstat(path) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      if (new TextEncoder().encode(name).length <= 255) return fs.lstat(path);
      throw failure("ENAMETOOLONG");
    },
  };
}

const drawings = shareOf(Array(TREES).keys())
  .map((index) => draw(SEED + index, PATHS));

/** Reads every path of every tree in a world. */
async function readAll(world: World): Promise<Ending[][]> {
  const fs = RUNTIME === "Bun" ? bunFs() : denoFs();
  const all: Ending[][] = [];
  for (const [tree, { paths }] of drawings.entries()) {
    const workspace = await openWorkspace(world.root(tree), { fs });
    const endings: Ending[] = [];
    for (const path of paths) {
      const { verdict, words } = await ending(
        workspace,
        world.spell(path, tree),
      );
      // No message may contain the base.
      endings.push({
        verdict,
        words: words.replaceAll(world.base, BASE),
      });
    }
    all.push(endings);
  }
  return all;
}

/** A path that a failure must not show unless the caller gave it. */
const BASE = "/BASE";

/** Fails at the first difference of two lists, and says how to draw the path again. */
function assertSame<T>(
  actual: readonly (readonly T[])[],
  expected: readonly (readonly T[])[],
): void {
  for (const [tree, { seed, paths, tree: planted }] of drawings.entries()) {
    for (const [index, path] of paths.entries()) {
      assertEquals(
        actual[tree]![index],
        expected[tree]![index],
        `seed ${seed}, ${JSON.stringify(path)}: ${JSON.stringify(planted)}`,
      );
    }
  }
}

function map<T, U>(
  lists: readonly (readonly T[])[],
  change: (t: T) => U,
): U[][] {
  return lists.map((list) => list.map(change));
}

/** Reads on the disk before the tests, since this takes longer than the timeout of a test. */
async function findOut() {
  using worlds = makeWorlds(drawings);
  const expected = judge(drawings, worlds);
  const full = await readAll(worlds.full);
  const empty = await readAll(worlds.empty);
  return { expected, full, empty };
}

const { expected, full, empty } = await findOut();

describe(`random paths in ${RUNTIME}`, () => {
  it("are numerous, with every outcome", () => {
    const counts = new Map<string, number>();
    for (const verdict of expected.flat()) {
      const kind = verdict.startsWith("ok ") ? "ok" : verdict;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    assertEquals(expected.flat().length, PATHS * drawings.length);
    assertEquals([...counts.keys()].sort(), [
      "INVALID_ARGUMENT",
      "NOT_A_FILE directory",
      "NOT_A_FILE other",
      "NOT_FOUND missing",
      "NOT_FOUND not_a_directory",
      "OUTSIDE_WORKSPACE",
      "SYMLINK_LOOP",
      "ok",
    ]);
    for (const [kind, count] of counts) assertGreater(count, 100, kind);
  });
  it("get the verdict of the system's realpath", () => {
    assertSame(map(full, ({ verdict }) => verdict), expected);
  });
  it("get the same result in memory as on the disk", async () => {
    const all: string[][] = [];
    for (const drawing of drawings) {
      const fs = inMemory(drawing);
      const workspace = await openWorkspace("/base/ws", { fs });
      const verdicts: string[] = [];
      for (const path of drawing.paths) {
        const spelt = path.replaceAll("$ROOT", "/base/ws")
          .replaceAll("$NAME", "ws").replaceAll("$BASE", "/base")
          .replaceAll("$WS", "ws");
        verdicts.push((await ending(workspace, spelt)).verdict);
      }
      all.push(verdicts);
    }
    assertSame(all, expected);
  });
  it("get the same messages for any tree outside", () => {
    assertSame(empty, full);
  });
  it("fail without revealing another path", () => {
    assertSame(
      map(full, ({ words }) => words.includes(BASE)),
      map(full, () => false),
    );
  });
});
