// Tests mutants of some rooms: each must fail a test, or have an explanation in explained.json.
//
// Usage: `run.ts [COUNT [ROOM,... [LANES]]]`; the default is 160 mutants of the guard.
import { cp } from "node:fs/promises";
import { basename, dirname } from "node:path";
import explained from "./explained.json" with { type: "json" };
import { type Mutant, mutantsOf } from "./mutants.ts";
import { filesOf, type Room, ROOMS } from "./rooms.ts";

/** The reason why a surviving mutant is harmless. */
interface Explanation {
  readonly file: string;
  readonly was: string;
  readonly is: string;
  readonly why: string;
}

const explanations: readonly Explanation[] = explained;

/** How many mutants are tested, spread evenly over all. */
const COUNT = Number(Deno.args[0] ?? 160);

/** The rooms whose files are mutated, or the beginning of the name of a file in any of them. */
const CHOSEN = (Deno.args[1] ?? "guard").split(",");

/** How many mutants are tested at a time. */
const LANES = Number(Deno.args[2] ?? 2);

/** A mutant counts as hung if its tests take this many times as long as without a mutant. */
const PATIENCE = 3;

/** The time limit of the tests without a mutant. */
let limitMs = 600_000;

const home = Deno.cwd();
const base = await Deno.realPath(await Deno.makeTempDir());
try {
  const mutants = await chooseMutants();
  const lived: RoomMutant[] = [];
  const queue = mutants.values();
  const copies = Array.from(
    { length: LANES },
    (_, number) => `${base}/${number}`,
  );
  await Promise.all(copies.map(copyHome));
  // The tests must pass without a mutant.
  let longest = 0;
  const rooms = new Set(mutants.map(({ room }) => room));
  const suites = new Map<Room, readonly (readonly string[])[]>();
  for (const room of rooms) suites.set(room, await suitesOf(room));
  for (const files of Array.from(suites.values()).flat()) {
    const began = performance.now();
    if (!await passes(copies[0]!, files)) {
      throw new Error(`A test fails without a mutant: ${files.join(" ")}`);
    }
    longest = Math.max(longest, performance.now() - began);
  }
  limitMs = PATIENCE * longest;
  const lane = async (copy: string) => {
    for (const mutant of queue) {
      const path = `${copy}/${mutant.path}`;
      const whole = await Deno.readTextFile(path);
      await Deno.writeTextFile(path, mutant.text);
      let isKilled = false;
      for (const files of suites.get(mutant.room)!) {
        isKilled ||= !await passes(copy, files);
      }
      await Deno.writeTextFile(path, whole);
      if (!isKilled) lived.push(mutant);
      const { path: file, line, was, is } = mutant;
      console.log(
        `${isKilled ? "killed" : "LIVED "} ${file}:${line}: ${was}  =>  ${is}`,
      );
    }
  };
  await Promise.all(copies.map(lane));
  const open = lived.filter((mutant) => explanationOf(mutant) === undefined);
  console.log(
    `\n${mutants.length} mutants: ${mutants.length - lived.length} killed, ${
      lived.length - open.length
    } explained, ${open.length} neither`,
  );
  for (const { path, line, was, is } of open) {
    console.log(
      JSON.stringify({ file: basename(path), was, is, why: "" }),
      line,
    );
  }
  Deno.exitCode = open.length === 0 ? 0 : 1;
} finally {
  await Deno.remove(base, { recursive: true });
}

/** A mutant, and the room whose tests should kill it. */
interface RoomMutant extends Mutant {
  readonly room: Room;
}

async function chooseMutants(): Promise<readonly RoomMutant[]> {
  const all: RoomMutant[] = [];
  for (const [name, room] of Object.entries(ROOMS)) {
    for (const path of filesOf(room, home)) {
      const isChosen = CHOSEN.some((chosen) =>
        name === chosen || !(chosen in ROOMS) &&
          basename(path).startsWith(chosen)
      );
      if (!isChosen) continue;
      const mutants = mutantsOf(path, await Deno.readTextFile(path));
      all.push(...mutants.map((mutant) => ({ ...mutant, room })));
    }
  }
  const step = Math.max(1, all.length / COUNT);
  console.log(`${all.length} mutants, of which ${COUNT} at most are tried`);
  return all.filter((_, at) =>
    Math.floor(at / step) !== Math.floor((at - 1) / step)
  );
}

function explanationOf({ path, was, is }: Mutant): string | undefined {
  return explanations.find((one) =>
    one.file === basename(path) && one.was === was && one.is === is
  )?.why;
}

/** The tests of a room, in the order in which they are run; each file is in one suite. */
async function suitesOf(room: Room): Promise<readonly (readonly string[])[]> {
  const files: string[] = [];
  for await (const path of filesBelow("tests")) files.push(path);
  const { near, wide, last, slow } = room;
  const taken = new Set<string>();
  const suiteOf = (wanted: (file: string) => boolean) => {
    const suite = files.filter((file) => wanted(file) && !taken.has(file));
    for (const file of suite) taken.add(file);
    return suite.sort();
  };
  const slowest = suiteOf((file) => last.test(file));
  const quick = [near, wide].map((pattern) =>
    suiteOf((file) => pattern.test(file) && !slow.test(file))
  );
  return [...quick, slowest].filter(({ length }) => length > 0);
}

async function* filesBelow(folder: string): AsyncIterable<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* filesBelow(path);
    else if (name.endsWith("_test.ts")) yield path;
  }
}

async function copyHome(folder: string): Promise<void> {
  const left = [".git", ".gate", "node_modules", "bench"];
  await cp(".", folder, {
    recursive: true,
    filter: (source) => dirname(source) !== "." || !left.includes(source),
  });
  // Bun finds nothing by a link to a link, as the folder of a worktree is.
  const modules = await Deno.realPath(`${home}/node_modules`);
  await Deno.symlink(modules, `${folder}/node_modules`);
}

async function passes(cwd: string, files: readonly string[]): Promise<boolean> {
  const signal = AbortSignal.timeout(Math.ceil(limitMs));
  // Bun loads tests in a fraction of Deno's time.
  const { success } = await new Deno.Command("node_modules/.bin/bun", {
    args: [
      "test",
      "--bail",
      "--timeout=120000",
      ...files.map((file) => `./${file}`),
    ],
    ...{ cwd, signal, stdin: "null", stdout: "null", stderr: "null" },
  }).output();
  return success;
}
