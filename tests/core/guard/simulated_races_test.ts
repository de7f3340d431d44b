/** Races on simulated disks of Windows and macOS: links, junctions, streams, case and short names are swapped between any two calls. */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FileStat,
  type FsPort,
  openWorkspace,
  ReadFileError,
  type Workspace,
} from "../../../mod.ts";
import { win32Fs } from "../../../src/fs/win32.ts";
import { withStats } from "../../support/fake_fs.ts";
import { Random, SEED } from "../../support/random.ts";
import { IS_FULL } from "../../support/share.ts";
import { SimulatedApfs } from "../../support/simulated_apfs.ts";
import { RUNTIMES, SimulatedNtfs } from "../../support/simulated_ntfs.ts";

/** How many swaps a stage sees: in Deno and in Bun, the two stages of NTFS see 100,000 together. */
const SWAPS = IS_FULL ? 100_000 : 25_000;

/** A disk that an attacker changes, and the root of the workspace on it. */
interface Stage {
  readonly fs: FsPort;
  readonly root: string;
  readonly separator: string;
  /** Calls `before` before each call of the port. */
  watch(before: () => void): void;
  /** Makes a random change. */
  swap(random: Random): void;
}

function ntfsStage(
  runtime: keyof typeof RUNTIMES,
  wrap: (fs: FsPort) => FsPort = (fs) => fs,
): Stage {
  const disk = new SimulatedNtfs([
    "C:\\world\\ws\\d (DDDDDD~1)\\",
    "C:\\world\\ws\\d\\a.txt = INSIDE",
    "C:\\world\\ws\\d\\sub\\b.txt = INSIDE",
    "C:\\world\\ws\\f.txt = INSIDE",
    "C:\\world\\ws\\g.txt = INSIDE",
    "C:\\world\\ws\\g.txt:hidden = SECRET",
    "C:\\world\\ws\\key\\a.txt = SECRET",
    "C:\\world\\out\\a.txt = SECRET",
    "C:\\world\\out\\only.txt = SECRET",
    "C:\\world\\out\\onlydir\\x = SECRET",
    "C:\\world\\out\\f.txt = SECRET",
  ]);
  const to = (target: string, isJunction: boolean) =>
    disk.node({ kind: "symlink", to: target, isJunction });
  const folder = disk.at("C:\\world\\ws\\d");
  const folders = [
    folder,
    folder,
    to("\\??\\C:\\world\\out", true),
    to("\\\\?\\Volume{c}\\world\\out", true),
    to("\\\\?\\Volume{c}\\world\\ws\\key", true),
    to("..\\out", false),
    to("key", false),
  ];
  const plain = disk.at("C:\\world\\ws\\f.txt");
  const files = [
    plain,
    plain,
    to("..\\out\\f.txt", false),
    to("g.txt:hidden", false),
    to("C:\\world\\out\\f.txt", false),
    to("KEY\\a.txt", false),
  ];
  const ws = disk.at("C:\\world\\ws");
  return {
    fs: wrap(win32Fs(disk.port(RUNTIMES[runtime]!))),
    root: "C:\\world\\ws",
    separator: "\\",
    watch(before) {
      disk.beforeCall = before;
    },
    swap(random) {
      // The names change their case, and the short name moves to another entry.
      const name = random.pick(["d", "D"]);
      const short = random.pick(["DDDDDD~1", "F", undefined]);
      const node = random.pick(folders);
      const file = random.pick(files);
      for (const old of ["d", "D", "f.txt", "F.TXT"]) ws.entries.delete(old);
      ws.entries.set(name, { name, short, node });
      const title = random.pick(["f.txt", "F.TXT"]);
      ws.entries.set(title, { name: title, short: undefined, node: file });
      // The attacker sets every time back.
      for (const { node } of ws.entries.values()) node.ctimeMs = 0;
    },
  };
}

function apfsStage(): Stage {
  const disk = new SimulatedApfs([
    "/world/ws/d/a.txt = INSIDE",
    "/world/ws/d/sub/b.txt = INSIDE",
    "/world/ws/f.txt = INSIDE",
    "/world/ws/key/a.txt = SECRET",
    "/world/out/a.txt = SECRET",
    "/world/out/only.txt = SECRET",
    "/world/out/onlydir/x = SECRET",
    "/world/out/f.txt = SECRET",
  ]);
  const to = (target: string) => disk.node({ kind: "symlink", to: target });
  const folder = disk.replace("/world/ws/d", to(""));
  const folders = [folder, folder, to("../out"), to("/world/out"), to("KEY")];
  const plain = disk.replace("/world/ws/f.txt", to(""));
  const files = [plain, plain, to("../out/f.txt"), to("/WORLD/out/f.txt")];
  disk.replace("/world/ws/d", folder);
  disk.replace("/world/ws/f.txt", plain);
  return {
    fs: disk.port(),
    root: "/world/ws",
    separator: "/",
    watch(before) {
      disk.beforeCall = before;
    },
    swap(random) {
      // A rename sets the ctime of what is renamed.
      const ctimeMs = Date.now();
      const moved = [random.pick(folders), random.pick(files)];
      for (const node of moved) node.ctimeMs = ctimeMs;
      disk.replace("/world/ws/d", moved[0]!);
      disk.replace("/world/ws/f.txt", moved[1]!);
    },
  };
}

/** Calls, and every outcome that tells nothing of what lies outside. */
const CALLS:
  readonly (readonly [verb: string, path: string, known: string[]])[] = [
    ["read", "d/a.txt", ["INSIDE"]],
    ["read", "D/A.TXT", ["INSIDE"]],
    ["read", "d/only.txt", ["NOT_FOUND"]],
    ["read", "d/onlydir", ["NOT_FOUND"]],
    ["read", "d/nothing", ["NOT_FOUND"]],
    ["read", "d/sub", ["NOT_A_FILE"]],
    ["read", "d/sub/b.txt", ["INSIDE"]],
    ["read", "f.txt", ["INSIDE"]],
    ["list", "d", ["a.txt sub"]],
    ["narrow", "d", ["INSIDE"]],
  ];
/** What each call may answer besides, since links stand there by turns. */
const ANYWHERE = ["OUTSIDE_WORKSPACE", "POLICY_DENIED", "CHANGED"];

async function outcomeOf(
  workspace: Workspace,
  verb: string,
  path: string,
): Promise<string> {
  try {
    if (verb === "list") {
      const { entries } = await workspace.list(path);
      return entries.map((entry) => entry.path).sort().join(" ");
    }
    const place = verb === "narrow"
      ? await workspace.narrow({ root: path })
      : workspace;
    const page = await place.read(verb === "narrow" ? "a.txt" : path);
    return page.lines.map(({ text }) => text).join("\n");
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error;
    const said = `${error.message} ${JSON.stringify(error.details)}`
      .replaceAll("only.txt", "").replaceAll("onlydir", "");
    assert(
      !/SECRET|only|hidden|key/.test(said.replace(/key\/\*\*/g, "")),
      said,
    );
    return error.code;
  }
}

/** Attacks a stage until so many swaps were made; returns what was told of the outside, and how often each outcome came. */
async function attack(stage: Stage, swaps: number, seed: number) {
  const random = new Random(seed);
  const options = { fs: stage.fs, deny: ["key/**"] };
  const workspace = await openWorkspace(stage.root, options);
  let left = swaps;
  let chance = 2;
  let isSwapping = false;
  stage.watch(() => {
    if (isSwapping || random.below(chance) !== 0) return;
    isSwapping = true;
    left--;
    stage.swap(random);
    isSwapping = false;
  });
  const told: string[] = [];
  const counts = new Map<string, number>();
  while (left > 0) {
    const [verb, path, known] = random.pick(CALLS);
    // Rare swaps get far into a proof; the others end it early.
    chance = random.pick([2, 4, 8, 16, 64, 256, 1024]);
    const spelt = path.replaceAll("/", stage.separator);
    const outcome = await outcomeOf(workspace, verb, spelt);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (![...known, ...ANYWHERE].includes(outcome)) {
      told.push(`${verb} ${path}: ${outcome}`);
    }
  }
  return { told, counts };
}

/** A reader that looks first and then opens, as many do. */
async function naiveRead(fs: FsPort, path: string): Promise<string> {
  try {
    const { kind } = await fs.lstat(path.slice(0, path.lastIndexOf("/")));
    if (kind !== "directory") return "a link";
    const handle = await fs.open(path);
    const bytes = new Uint8Array(16);
    const length = await handle.read(bytes, 0);
    return new TextDecoder().decode(bytes.subarray(0, length));
  } catch {
    return "a failure";
  }
}

const STAGES: Readonly<Record<string, () => Stage>> = {
  "NTFS, as Node.js and Bun see it": () => ntfsStage("Node.js and Bun"),
  "NTFS, as Deno sees it": () => ntfsStage("Deno"),
  "APFS": apfsStage,
};

for (const [name, make] of Object.entries(STAGES)) {
  describe(`races on ${name}`, () => {
    it("show no byte and no fact from outside", async () => {
      const { told, counts } = await attack(make(), SWAPS, SEED);
      assertEquals(told, []);
      const outcomes = ["INSIDE", "NOT_FOUND", "NOT_A_FILE", "a.txt sub"];
      for (const outcome of [...outcomes, "CHANGED", "OUTSIDE_WORKSPACE"]) {
        assertGreater(counts.get(outcome) ?? 0, 0, outcome);
      }
    });
    it("show them to a reader that looks and then opens", async () => {
      // The control: the attacker was running.
      const stage = make();
      const random = new Random(SEED);
      let isSwapping = false;
      stage.watch(() => {
        if (isSwapping) return;
        isSwapping = true;
        stage.swap(random);
        isSwapping = false;
      });
      const start = stage.root.startsWith("C:") ? "/C:/world/ws" : stage.root;
      let leaks = 0;
      for (let count = 0; count < 1000; count++) {
        const text = await naiveRead(stage.fs, `${start}/d/a.txt`);
        if (text === "SECRET") leaks++;
      }
      assertGreater(leaks, 50);
    });
  });
}

describe("races on NTFS", () => {
  it("show facts to a guard that trusts the ChangeTime", async () => {
    // The control: any writer may set it back, so the port must not give it.
    const trusting = (fs: FsPort) =>
      withStats(fs, (): Partial<FileStat> => ({
        ctimeMs: Date.UTC(2020, 0),
      }));
    const stage = ntfsStage("Node.js and Bun", trusting);
    const { told } = await attack(stage, 5_000, SEED);
    assertGreater(told.length, 0);
  });
  it("show bytes to a guard that does not ask for real paths", async () => {
    // The control: lstat describes a junction to a volume as a directory.
    const believing = (fs: FsPort): FsPort => ({
      ...fs,
      realPath: (path) => path.startsWith("/") ? path : fs.realPath(path),
    });
    const stage = ntfsStage("Node.js and Bun", believing);
    const { told } = await attack(stage, 5_000, SEED);
    assertGreater(told.filter((one) => one.endsWith("SECRET")).length, 0);
  });
});
