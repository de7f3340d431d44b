import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import process from "node:process";
import { realpathSync } from "node:fs";
import { bunFs, denoFs, openWorkspace } from "../../mod.ts";
import { diskFs } from "../../src/fs/disk.ts";
import { attackAll, type Setting } from "../support/attack_all.ts";
import {
  type AttackRow,
  attackSuite,
  ELSEWHERE,
  rootOf,
  ROWS,
} from "../suites/attacks.ts";
import corpus from "../suites/attacks.json" with { type: "json" };
import { fsPortSuite } from "../suites/fs_port.ts";
import { runChild } from "../support/child.ts";
import { onDisk, RUNTIME } from "../support/disk.ts";
import type { LayOut } from "../support/layout.ts";
import { plantAll, type PlantedTrees } from "../support/plant.ts";

/** The roots of the rows: as given to the workspace, and as real paths. */
function rootsOf(rows: readonly AttackRow[], planted: PlantedTrees): string[] {
  const roots = rows.map((row) => rootOf(row, planted.baseOf(row)));
  return roots.flatMap((root) => {
    // The root of ROOT-09 is missing, so it has no real path.
    return root.endsWith("/nope") ? [root] : [root, realpathSync(root)];
  });
}

const ALL_IS_ROOT = {
  "ROOT-07": "no path is outside the permission for the root /",
};

/** Every way in which a runtime proves that an open file is inside. */
const SETTINGS: readonly Setting[] = RUNTIME === "Bun"
  ? [
    { name: "bunFs()", port: "bun", leftOut: {} },
    { name: "bunFs(), nonBlocking", port: "bunNonBlocking", leftOut: {} },
    {
      name: "denoFs() in Bun: no paths of open files",
      port: "deno",
      leftOut: {},
    },
  ]
  : [
    { name: "denoFs() with all permissions", port: "deno", leftOut: {} },
    {
      name: "denoFs() with permission for the root only",
      port: "deno",
      allowed: rootsOf,
      leftOut: ALL_IS_ROOT,
    },
    {
      name: "denoFs() with permission for the root only, nonBlocking",
      port: "denoNonBlocking",
      allowed: rootsOf,
      leftOut: ALL_IS_ROOT,
    },
  ];

const waiting: LayOut = async (layout) => {
  const place = await onDisk(layout);
  const fsOf = RUNTIME === "Bun" ? bunFs : denoFs;
  return { ...place, fs: fsOf({ nonBlocking: true }) };
};

const FS = RUNTIME === "Bun" ? "bunFs" : "denoFs";
fsPortSuite(`${FS}()`, onDisk);
fsPortSuite(`${FS}({ nonBlocking: true })`, waiting);

{
  // Runs before the tests, since a runner would count it in the time of one test.
  using planted = plantAll(ROWS);
  for (const setting of SETTINGS) {
    const outcomes = attackAll(setting, planted);
    attackSuite(setting.name, ({ id }) => outcomes.get(id)!, setting.leftOut);
  }
}

describe("attacks on the disk", () => {
  it("skip only rows for other systems", () => {
    const others = corpus.rows.map(({ plat }) => plat)
      .filter((plat) => plat !== "posix");
    const counts = Object.groupBy(others, (plat) => plat);
    for (const [plat, count] of Object.entries(ELSEWHERE)) {
      assertEquals(counts[plat]?.length, count, plat);
    }
    assertEquals(others.length, 14);
    assertEquals(corpus.rows.length, 110);
  });
});

/** Runs a question of `tests/children/port.ts`; returns its output. */
function ask(
  question: "open" | "openMany",
  options: "blocking" | "nonBlocking",
  path: string,
  before = "",
): string {
  const { stdout, stderr } = runChild(
    "tests/children/port.ts",
    [question, options, path],
    { permissions: ["--allow-all"], before },
  );
  return stdout.trim() || stderr;
}

for (const options of ["blocking", "nonBlocking"] as const) {
  describe(`the disk, ${options}`, () => {
    it("path() stops asking once the system refused to name a file", async () => {
      await using place = await onDisk(["ws/a: x"]);
      let asked = 0;
      const findFdDirectory = () => {
        asked++;
        return `${place.root}/nope`;
      };
      const nonBlocking = options === "nonBlocking";
      const fs = diskFs({ nonBlocking }, findFdDirectory);
      const handle = await fs.open(`${place.root}/a`);
      assertEquals(await handle.path(), undefined);
      assertEquals(await handle.path(), undefined);
      assertEquals(asked, 1);
      await handle.close();
    });
  });
  describe(`${FS}(), ${options}`, () => {
    it("open() does not follow a link at the end of the path", async () => {
      await using place = await onDisk(["ws/a: x", "ws/l -> a"]);
      assertEquals(ask("open", options, `${place.root}/a`), "file");
      assertEquals(ask("open", options, `${place.root}/l`), "ELOOP");
    });
    it("open() of a FIFO returns at once", async () => {
      await using place = await onDisk(["ws/p|"]);
      assertEquals(ask("open", options, `${place.root}/p`), "other");
    });
    it("close() releases the file descriptor", async () => {
      await using place = await onDisk(["ws/a: x"]);
      const before = "ulimit -n 128;";
      const answer = ask("openMany", options, `${place.root}/a`, before);
      assertEquals(answer, "1000 opened");
    });
  });
}

describe("openWorkspace() on the disk", () => {
  it("accepts a root relative to the working directory", async () => {
    await using place = await onDisk(["ws/a: x"]);
    const { stdout, stderr } = runChild(
      "tests/children/root.ts",
      ["ws", "a"],
      { permissions: [`--allow-read=${place.root}`], folder: place.base },
    );
    assertEquals([stdout, stderr], ["x\n", ""]);
  });
  it("resolves a root that is a link only once", async () => {
    await using place = await onDisk(["ws/a: x", "link -> ws"]);
    const root = `${place.base}/link`;
    const workspace = await openWorkspace(root);
    for (const path of ["a", `${root}/a`, `${place.root}/a`]) {
      assertEquals((await workspace.read(path)).text, "x");
    }
  });
  it("uses the runtime's own disk by default", async () => {
    await using place = await onDisk(["ws/a: x"]);
    const workspace = await openWorkspace(place.root);
    assertEquals((await workspace.read("a")).text, "x");
  });
  it("names a missing root by its given path", async () => {
    let message = "";
    await openWorkspace("nope/nope").catch((error) => message = error.message);
    assertStringIncludes(message, '"nope/nope"');
    assertEquals(message.includes(process.cwd()), false);
  });
});
