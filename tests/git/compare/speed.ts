/** Measures gitFs() beside `git show`. */
import { spawnSync } from "node:child_process";
import { openWorkspace } from "../../../mod.ts";
import { gitFs } from "../../../git/mod.ts";
import { Random } from "../../support/random.ts";
import { runtimeCommand } from "../../support/runtime.ts";
import type { ColdTold } from "./cold_child.ts";

/** Medians in milliseconds. */
export interface Speed {
  /** Opening a revision, and reading the first file of it, once the process is warm. */
  readonly firstMs: number;
  /** A later read of the same revision: files at random, one after the other. */
  readonly laterMs: number;
  /** Reading a file of the folder beside. */
  readonly nearMs: number;
  /** Reading a file of another folder, when none of the folders on the way was read before. */
  readonly farMs: number;
  /** Reading the same file again. */
  readonly againMs: number;
  /** `git show`, and waiting for its output. */
  readonly showMs: number;
}

const ROUNDS = 41;
/** How many files of a revision are read one after the other. */
const LATER = 200;

/** Measures in turns, so that the load of the machine is the same for all. */
export async function measureSpeed(
  repository: string,
  rev: string,
  path: string,
  near: string,
  far: readonly string[],
  all: readonly string[],
): Promise<Speed> {
  const random = new Random(20_308);
  const times: Record<keyof Speed, number[]> = {
    firstMs: [],
    laterMs: [],
    nearMs: [],
    farMs: [],
    againMs: [],
    showMs: [],
  };
  for (let round = 0; round < ROUNDS; round++) {
    let began = performance.now();
    const note = (name: keyof Speed) => {
      // The first rounds compile the code.
      if (round >= 10) times[name].push(performance.now() - began);
      began = performance.now();
    };
    const fs = await gitFs({ repository, rev });
    const workspace = await openWorkspace("/", { fs });
    await readStart(workspace, path);
    note("firstMs");
    await readStart(workspace, near);
    note("nearMs");
    await readStart(workspace, far[round % far.length]!);
    note("farMs");
    await readStart(workspace, path);
    note("againMs");
    for (let left = LATER; left > 0; left--) {
      await readStart(workspace, random.pick(all));
      note("laterMs");
    }
    spawnSync("git", ["-C", repository, "show", `${rev}:${path}`], {
      maxBuffer: 1 << 30,
    });
    note("showMs");
  }
  return {
    firstMs: median(times.firstMs),
    laterMs: median(times.laterMs),
    nearMs: median(times.nearMs),
    farMs: median(times.farMs),
    againMs: median(times.againMs),
    showMs: median(times.showMs),
  };
}

async function readStart(
  workspace: Awaited<ReturnType<typeof openWorkspace>>,
  path: string,
): Promise<void> {
  const file = await workspace.open(path);
  await file.read(new Uint8Array(64 * 1024), 0);
  await file.close();
}

/** The first read of fresh processes, without the start of the runtime: the medians. On a busy machine, the time of the processor says more. */
export function measureCold(
  repository: string,
  rev: string,
  path: string,
): ColdTold {
  const child = new URL("./cold_child.ts", import.meta.url).pathname;
  const [command, ...words] = runtimeCommand(["-A"], child);
  const told: ColdTold[] = [];
  for (let round = 0; round < 9; round++) {
    const { stdout } = spawnSync(command!, [...words, repository, rev, path], {
      encoding: "utf8",
    });
    told.push(JSON.parse(stdout));
  }
  return {
    ms: median(told.map(({ ms }) => ms)),
    cpuMs: median(told.map(({ cpuMs }) => cpuMs)),
  };
}

function median(values: number[]): number {
  return values.sort((one, two) => one - two)[values.length >> 1]!;
}
