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

/** A mutant counts as hung if its tests take this many times the processor's time that they take without a mutant. */
const PATIENCE = 3;

/** A mutant whose tests wait for this long counts as hung too. */
const LIMIT_MS = 900_000;

/** Tests that are run together. */
interface Suite {
  /** The quickest first: a mutant is killed the sooner. */
  readonly files: readonly string[];
  /** The processor's time that they take without a mutant, in seconds. */
  readonly seconds: number;
}

const home = Deno.cwd();
const base = await Deno.realPath(await Deno.makeTempDir());
try {
  const chosen = await chooseMutants();
  // An explained mutant passes all tests, which takes the longest.
  const mutants = chosen.filter((one) => explanationOf(one) === undefined);
  const lived: RoomMutant[] = [];
  const queue = mutants.values();
  const copies = Array.from(
    { length: LANES },
    (_, number) => `${base}/${number}`,
  );
  /** Without a mutant. */
  const plain = `${base}/plain`;
  await Promise.all([plain, ...copies].map(copyHome));
  const suites = new Map<Room, readonly (readonly string[])[]>();
  for (const room of new Set(mutants.map(({ room }) => room))) {
    suites.set(room, await suitesOf(room));
  }
  /** The tests that were timed: some are asked only about mutants that survive others. */
  const timed = new Map<readonly string[], Promise<Suite>>();
  const lane = async (copy: string) => {
    for (const mutant of queue) {
      const path = `${copy}/${mutant.path}`;
      const whole = await Deno.readTextFile(path);
      await Deno.writeTextFile(path, mutant.text);
      let isKilled = false;
      for (const names of suites.get(mutant.room)!) {
        if (isKilled) break;
        if (!timed.has(names)) timed.set(names, timeSuite(plain, names));
        const { files, seconds } = await timed.get(names)!;
        const ordered = namesakesFirst(mutant.path, files);
        isKilled = !(await test(copy, ordered, PATIENCE * seconds)).isGreen;
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
  console.log(
    `\n${chosen.length} mutants: ${mutants.length - lived.length} killed, ${
      chosen.length - mutants.length
    } explained, ${lived.length} neither`,
  );
  for (const { path, line, was, is } of lived) {
    console.log(
      JSON.stringify({ file: basename(path), was, is, why: "" }),
      line,
    );
  }
  Deno.exitCode = lived.length === 0 ? 0 : 1;
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

/** Times tests, which must pass without a mutant. */
async function timeSuite(
  copy: string,
  files: readonly string[],
): Promise<Suite> {
  const report = `${base}/report.xml`;
  const { isGreen, seconds } = await test(copy, files, 3600, [
    "--reporter=junit",
    `--reporter-outfile=${report}`,
  ]);
  if (!isGreen) {
    const said = await Deno.readTextFile(`${copy}.log`);
    const fails = said.split("\n").filter((line) => line.includes("(fail)"));
    throw new Error(`A test fails without a mutant:\n${fails.join("\n")}`);
  }
  const times = new Map<string, number>();
  const whole = await Deno.readTextFile(report);
  for (const [element] of whole.matchAll(/<testsuite .*?>/g)) {
    const [, file = ""] = / file="(.*?)"/.exec(element) ?? [];
    const [, time = "0"] = / time="(.*?)"/.exec(element) ?? [];
    times.set(file, Math.max(times.get(file) ?? 0, Number(time)));
  }
  const timeOf = (file: string) => times.get(file) ?? 0;
  return {
    files: files.toSorted((one, other) => timeOf(one) - timeOf(other)),
    seconds,
  };
}

/** The tests named after the changed file, then the others. */
function namesakesFirst(
  path: string,
  files: readonly string[],
): readonly string[] {
  const name = basename(path, ".ts");
  const isNamesake = (file: string) => basename(file).startsWith(name);
  return [
    ...files.filter(isNamesake),
    ...files.filter((file) => !isNamesake(file)),
  ];
}

/** Runs tests up to the first failure, with a limit of the processor's time: the clock also counts what others do. */
async function test(
  cwd: string,
  files: readonly string[],
  limitSeconds: number,
  options: readonly string[] = [],
): Promise<{ isGreen: boolean; seconds: number }> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  const limit = `ulimit -t ${Math.ceil(limitSeconds)}`;
  // Bun loads tests in a fraction of Deno's time.
  const { success, stdout } = await new Deno.Command("sh", {
    args: [
      "-c",
      `${limit}; trap 'kill $!' TERM; "$@" >"$0" 2>&1 & wait $!; code=$?; times; exit $code`,
      ...[
        `${cwd}.log`,
        "node_modules/.bin/bun",
        "test",
        "--bail",
        "--timeout=120000",
      ],
      ...options,
      ...files.map((file) => `./${file}`),
    ],
    ...{ cwd, signal, stdin: "null", stderr: "null" },
  }).output();
  // The second line has the times of the children: 0m1.25s 0m0.5s.
  const [, children = ""] = new TextDecoder().decode(stdout).split("\n");
  let seconds = 0;
  for (const [, minutes, rest] of children.matchAll(/(\d+)m([\d.]+)s/g)) {
    seconds += Number(minutes) * 60 + Number(rest);
  }
  return { isGreen: success, seconds };
}
