import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { type MemoryEntry, memoryFs } from "../mod.ts";
import {
  attack,
  type AttackRow,
  attackSuite,
  BASE,
  readWord,
  rootOf,
  ROWS,
} from "./suites/attacks.ts";
import { fsPortSuite } from "./suites/fs_port.ts";
import { inMemory } from "./support/layout.ts";

const NO_MODES = "nothing in memory has a mode";

/** The rows that cannot be laid out in memory. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "HRD-01": "there are no hard links in memory",
  "UNI-13": "every name in memory is Unicode",
  "ERR-01": NO_MODES,
  "ERR-03": NO_MODES,
  "ERR-07": NO_MODES,
  "ERR-09": NO_MODES,
};

function plant(
  setup: readonly string[],
  base: string,
): Map<string, MemoryEntry> {
  const files = new Map<string, MemoryEntry>();
  for (const word of [...BASE, ...setup]) {
    const { verb, path, value } = readWord(word, base);
    if (verb === "root") continue;
    const entry: MemoryEntry | undefined = {
      f: value,
      s: value,
      l: { link: value },
      d: { kind: "directory" } as const,
      p: { kind: "other" } as const,
      u: { kind: "other" } as const,
    }[verb];
    if (entry === undefined) throw new TypeError(`No ${word} in memory`);
    files.set(`${base}/${path}`, entry);
  }
  return files;
}

function attackMemory(row: AttackRow) {
  const base = "/base/of it";
  const fs = memoryFs(Object.fromEntries(plant(row.setup, base)));
  return attack({ fs, base, root: rootOf(row, base) }, row.input);
}

fsPortSuite("memoryFs()", inMemory);

describe("memoryFs()", () => {
  it("opens what is neither file nor directory, which is empty", async () => {
    await using place = await inMemory(["ws/p|"]);
    const handle = await place.fs.open(`${place.root}/p`);
    assertEquals((await handle.stat()).kind, "other");
    assertEquals(await handle.read(new Uint8Array(1), 0), 0);
  });
  it("names every open file", async () => {
    await using place = await inMemory(["ws/d/a: x", "ws/l -> d"]);
    const handle = await place.fs.open(`${place.root}/l/a`);
    assertEquals(await handle.path(), `${place.root}/d/a`);
  });
  it("does not follow a last link", async () => {
    await using place = await inMemory(["ws/a: x", "ws/l -> a"]);
    let code: unknown;
    try {
      await place.fs.open(`${place.root}/l`);
    } catch (error) {
      code = (error as { readonly code?: unknown }).code;
    }
    assertEquals(code, "ELOOP");
  });
});

attackSuite("memoryFs()", attackMemory, LEFT_OUT);

describe("memoryFs(): attacks", () => {
  it("leaves out only what cannot be laid out", () => {
    assertEquals(Object.keys(LEFT_OUT).length, 6);
    assertEquals(ROWS.length, 96 + 24);
  });
});
