/** Runs the suites on mounts and overlays over the disk. */
import { describe, it } from "node:test";
import { assertEquals } from "@std/assert";
import { renameSync, writeFileSync } from "node:fs";
import { type FsPort, memoryFs, openWorkspace } from "../../mod.ts";
import { type Edit, mountFs, overlayFs } from "../../layers/mod.ts";
import { type AttackRow, attackSuite, ROWS } from "../suites/attacks.ts";
import { fsPortSuite } from "../suites/fs_port.ts";
import { attackAll, type Setting } from "../support/attack_all.ts";
import { onDisk, RUNTIME } from "../support/disk.ts";
import { plantAll, type PlantedTrees } from "../support/plant.ts";
import { type Wrapping, WRAPPINGS } from "../support/wrappings.ts";

const WRAPPED: readonly Wrapping[] = [
  "mount",
  "mountInPlace",
  "overlay",
  "overlayOfOthers",
];

for (const wrapping of WRAPPED) {
  fsPortSuite(`the disk in ${wrapping}`, async (layout) => {
    const place = await onDisk(layout);
    return { ...place, ...WRAPPINGS[wrapping](place) };
  });
}

/** Permission for all mounted folders. */
function basesOf(rows: readonly AttackRow[], planted: PlantedTrees): string[] {
  return rows.map((row) => planted.baseOf(row));
}

/** With and without the paths of open files, so that both proofs are used. */
const SETTINGS = WRAPPED.flatMap((wrapping): Setting[] =>
  RUNTIME === "Bun"
    ? [
      { name: `bunFs() in ${wrapping}`, port: "bun", wrapping, leftOut: {} },
      {
        name: `denoFs() in Bun in ${wrapping}: no paths of open files`,
        port: "deno",
        wrapping,
        leftOut: {},
      },
    ]
    : [
      { name: `denoFs() in ${wrapping}`, port: "deno", wrapping, leftOut: {} },
      {
        name:
          `denoFs() in ${wrapping} with permission for the mounted folder only`,
        port: "deno",
        wrapping,
        allowed: basesOf,
        // The root "/" of an overlay is the root of the disk.
        leftOut: wrapping === "mount" || wrapping === "mountInPlace"
          ? {}
          : { "ROOT-07": "no path is outside the permission for the root /" },
      },
    ]
);

{
  // Runs before the tests, since a runner would count it in the time of one test.
  using planted = plantAll(ROWS);
  for (const setting of SETTINGS) {
    const outcomes = attackAll(setting, planted);
    attackSuite(setting.name, ({ id }) => outcomes.get(id)!, setting.leftOut);
  }
}

describe("one workspace", () => {
  it("over a disk, memory, and the unsaved edits of an editor", async () => {
    await using place = await onDisk(["ws/a.txt: saved", "ws/b.txt: b"]);
    const edits = new Map<string, Edit>([[`${place.root}/a.txt`, "typed"]]);
    const fs = mountFs({
      "/repo": { fs: overlayFs(place.fs, edits), root: place.root },
      "/notes": memoryFs({ "/notes/todo.txt": "todo" }),
    });
    const workspace = await openWorkspace("/", { fs });
    const read = async (path: string) => (await workspace.read(path)).text;
    assertEquals(await read("repo/a.txt"), "typed");
    assertEquals(await read("repo/b.txt"), "b");
    assertEquals(await read("notes/todo.txt"), "todo");
    writeFileSync(`${place.root}/a.txt`, "saved again");
    edits.clear();
    assertEquals(await read("repo/a.txt"), "saved again");
  });
  it("shows no file of a directory that replaced a mounted one", async () => {
    await using place = await onDisk([
      "ws/a.txt: public",
      "evil/a.txt: SECRET",
    ]);
    const evil = place.root.replace(/ws$/, "evil");
    const exchange = (one: string, other: string) => {
      renameSync(one, `${one}-old`);
      renameSync(other, one);
      renameSync(`${one}-old`, other);
    };
    // Swapped before open(), and swapped back after path(), as in a race.
    let isRaced = false;
    const raced: FsPort = {
      ...place.fs,
      async open(found, signal) {
        if (isRaced) exchange(place.root, evil);
        const handle = await place.fs.open(found, signal);
        const path = async () => {
          const name = await handle.path();
          if (isRaced) exchange(place.root, evil);
          isRaced = false;
          return name;
        };
        return { ...handle, path };
      },
    };
    const fs = mountFs({ "/repo": { fs: raced, root: place.root } });
    const workspace = await openWorkspace("/", { fs });
    const read = async () => (await workspace.read("repo/a.txt")).text;
    assertEquals(await read(), "public");
    for (let times = 0; times < 2; times++) {
      exchange(place.root, evil);
      assertEquals(await read().catch(({ code }) => code), "CHANGED");
      exchange(place.root, evil);
      isRaced = true;
      assertEquals(await read(), "public");
    }
    assertEquals(await read(), "public");
  });
});
