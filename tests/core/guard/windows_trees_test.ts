/** Random trees of links and junctions on a simulated disk of Windows, and random paths into them. */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { describe, it } from "node:test";
import { type FsPort, openWorkspace, ReadFileError } from "../../../mod.ts";
import { win32Fs } from "../../../src/fs/win32.ts";
import { Random, SEED } from "../../support/random.ts";
import { shareOf, some } from "../../support/share.ts";
import {
  type Runtime,
  RUNTIMES,
  SimulatedNtfs,
} from "../../support/simulated_ntfs.ts";

const TREES = some(2000, 600);
const PATHS = 30;

const FILES: readonly string[] = [
  "C:\\w\\ws\\f = INSIDE",
  "C:\\w\\ws\\a\\f = INSIDE",
  "C:\\w\\ws\\a\\b\\f = INSIDE",
  "C:\\w\\ws\\b\\f = INSIDE",
  "C:\\w\\ws\\a\\x\\ (P~1)",
  "C:\\w\\ws\\p\\f = DENIED",
  "C:\\w\\ws\\b\\p\\f = DENIED",
  "C:\\w\\ws\\f:p = STREAM",
  "C:\\w\\out\\f = SECRET",
  "C:\\w\\out\\a\\f = SECRET",
  "C:\\w\\f = SECRET",
  "C:\\f = SECRET",
  "\\\\h\\s\\f = SECRET",
];

/** Targets of links: the system takes any text for one. */
const TARGETS: readonly string[] = [
  ...["..", ".", "a", "b", "..\\a", "..\\ws", "..\\ws\\a", "..\\out"],
  ...["..\\..\\out", "p", "P", "..\\p", ".\\p", "p.", "p \\f", "f.", "f:p"],
  ...["f::$DATA", "\\f", "\\w\\out\\f", "C:f", "C:\\w\\out", "C:\\W\\WS\\p"],
  ...["c:\\w\\ws\\a", "\\??\\C:\\w\\out", "\\\\?\\C:\\w\\ws\\p", "\\\\h\\s"],
  ...["\\\\h\\s\\f", "\\??\\UNC\\h\\s", "\\\\?\\Volume{c}\\", "a\\..\\..\\out"],
  ...["\\\\?\\Volume{c}\\w\\out", "\\\\?\\Volume{c}\\w\\out\\f"],
  ...["\\\\?\\Volume{c}\\w\\ws\\p", "\\\\?\\Volume{c}\\w\\ws\\p\\f"],
  ...["\\\\?\\Volume{c}\\w\\ws\\a", "l0", "l1", "l2\\..\\p", "l3\\.."],
];

const NAMES: readonly string[] = [
  ...["a", "b", "p", "P", "f", "F", "x", "l0", "l1", "l2", "L3", "..", "."],
  ...["P~1", "L~1", "p.", "f:p"],
];

function drawTree(random: Random): string[] {
  const links = Array.from({ length: 6 }, () => {
    const above = random.pick(["", "a\\", "b\\", "a\\b\\"]);
    const short = random.pick(["", "", "", " (P~1)", " (L~1)", " (F)"]);
    const how = random.pick(["->", "=>"]);
    const target = random.pick(TARGETS);
    return `C:\\w\\ws\\${above}l${random.below(4)}${short} ${how} ${target}`;
  });
  return [...FILES, ...links];
}

function drawPath(random: Random): string {
  const names = Array.from(
    { length: random.from(1, 4) },
    () => random.pick(NAMES),
  );
  return names.join(random.pick(["\\", "/"])) + random.pick(["", "\\f", "/f"]);
}

/** Reads random paths in random trees; returns what was read, how often. */
async function readAll(
  runtime: Runtime,
  wrap: (fs: FsPort) => FsPort = (fs) => fs,
) {
  const counts = new Map<string, number>();
  for (const tree of shareOf(Array(TREES).keys())) {
    const random = new Random(SEED + tree);
    const disk = new SimulatedNtfs(drawTree(random));
    // Without lists, no failure is searched for what was meant.
    const { list: _, ...fs } = wrap(win32Fs(disk.port(runtime)));
    const options = { fs, deny: ["**/p/**"] };
    const workspace = await openWorkspace("C:\\w\\ws", options);
    for (let count = 0; count < PATHS; count++) {
      const path = drawPath(random);
      let told: string;
      try {
        told = (await workspace.read(path)).lines[0]!.text;
      } catch (error) {
        if (!(error instanceof ReadFileError)) throw error;
        told = error.code;
        const said = `${error.message} ${error.hint}`;
        assert(!/SECRET|STREAM|(?<!_)DENIED/.test(said), said);
      }
      counts.set(told, (counts.get(told) ?? 0) + 1);
    }
    const touched = [...disk.contacted, ...disk.devices];
    assertEquals(touched, [], `tree ${tree}`);
  }
  return counts;
}

for (const [name, runtime] of Object.entries(RUNTIMES)) {
  describe(`random trees on Windows, as in ${name}`, () => {
    it("show nothing from outside, nothing denied and no stream", async () => {
      const counts = await readAll(runtime);
      const texts = ["INSIDE", "SECRET", "DENIED", "STREAM"]
        .filter((text) => counts.has(text));
      assertEquals(texts, ["INSIDE"]);
      assertGreater(counts.get("INSIDE")!, 100);
      assertGreater(counts.get("OUTSIDE_WORKSPACE")!, 100);
      assertGreater(counts.get("POLICY_DENIED")!, 100);
    });
  });
}

describe("random trees on Windows", () => {
  it("show all of it to a guard that does not ask for real paths", async () => {
    // The control: junctions whose target libuv follows are among the links.
    const believing = (fs: FsPort): FsPort => ({
      ...fs,
      realPath: (path) => path.startsWith("/") ? path : fs.realPath(path),
    });
    const counts = await readAll(RUNTIMES["Node.js and Bun"]!, believing);
    assertGreater(counts.get("SECRET") ?? 0, 0);
    assertGreater(counts.get("DENIED") ?? 0, 0);
  });
});
