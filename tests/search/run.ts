/**
 * Searches in a directory against grep and ripgrep: random trees, then the time
 * that 20,000 files take.
 *
 * Usage: `run.ts [TREES [FILES]]`; the default is 100 trees and 20,000 files.
 */
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { openWorkspace, SECRET_FILES } from "../../mod.ts";
import { Random, SEED } from "../support/random.ts";
import { readerOn } from "../support/reader.ts";
import { followSearch } from "../support/searched.ts";

const [trees = "100", files = "20000"] = process.argv.slice(2);

/** How much longer than opening and closing the same files a search may take. */
const MOST_RATIO = 1.5;

const NAMES = [
  ...["a", "b.ts", "c d.md", "e.log", "f", "\u00e9", "-g", "'h'"],
  ...["tmp", "node_modules", ".hidden", "dist"],
];
const WORDS = ["foo", "bar", "Foo", "fo", "b", " ", "", "x(1)", "\t", "\u00e9"];
const RULES = [
  ...["*.log", "/tmp", "dist/", "!b.ts", "a/*", "**/f", "tmp/**", "!a/b.ts"],
  ...["[a-c]*", "?.ts", "# no", "\\-g", "*", "!*/", "c d.md  "],
];

/** Patterns that mean the same to all: for us and ripgrep, and for grep -E. */
const PATTERNS = [
  "foo",
  "fo+ ?b",
  "^b|\\)$",
  "(foo|bar).*x",
  "[^a-f ]o",
  "\u00e9",
];

let faults = 0;

/** What a program prints; it fails if nothing matches. */
function run(program: string, args: readonly string[], cwd: string): string {
  try {
    const env = { ...process.env, LC_ALL: "C.UTF-8" };
    const options = { cwd, env, maxBuffer: 1 << 30, stdio: "pipe" } as const;
    return String(execFileSync(program, [...args], options));
  } catch (error) {
    return String((error as { readonly stdout?: unknown }).stdout ?? "");
  }
}

/** Draws a tree on the disk. */
function drawTree(root: string, random: Random): void {
  for (let count = random.from(5, 40); count > 0; count--) {
    const depth = random.from(1, 4);
    const path = Array.from({ length: depth }, () => random.pick(NAMES));
    const text = Array.from(
      { length: random.from(0, 12) },
      () =>
        Array.from({ length: random.below(5) }, () => random.pick(WORDS))
          .join(""),
    ).join("\n");
    try {
      const file = join(root, ...path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, random.below(10) === 0 ? `\0${text}` : text);
    } catch {
      // A file is where a directory should be, or the other way round.
    }
  }
  const rules = () =>
    Array.from({ length: random.from(1, 5) }, () => random.pick(RULES))
      .join("\n");
  writeFileSync(join(root, ".gitignore"), rules());
  const below = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory());
  if (below.length > 0 && random.below(2) === 0) {
    writeFileSync(join(root, random.pick(below).name, ".gitignore"), rules());
  }
}

/** Compares the hits in random trees with those of both programs. */
async function compare(root: string, random: Random): Promise<void> {
  const pattern = random.pick(PATTERNS);
  const ignoreCase = random.below(2) === 0;
  const server = await readerOn([root], { maxChars: 5000 });
  const hits = async (more: object) => {
    const args = {
      path: ".",
      match: pattern,
      regex: true,
      ignoreCase,
      ...more,
    };
    return (await followSearch(server, args)).lines.sort();
  };
  const linesOf = (printed: string) =>
    printed.split("\n").filter((line) => line !== "")
      .map((line) => line.replace(/^\.\//, "")).sort();
  const cases = ignoreCase ? ["-i"] : [];
  const grep = ["-rnIE", "--exclude-dir=.git", ...cases, "-e", pattern, "."];
  const rg = [
    ...["-n", "--no-heading", "--color=never", "--hidden", "--no-messages"],
    ...["--no-require-git", "--no-ignore-dot", "--no-ignore-global"],
    ...["--no-ignore-parent", "-g", "!node_modules/", ...cases],
  ];
  const wanted = [
    ["grep", linesOf(run("grep", grep, root)), await hits({ ignored: true })],
    [
      "rg",
      linesOf(run("rg", [...rg, "-e", pattern, "."], root)),
      await hits({}),
    ],
  ] as const;
  for (const [program, theirs, ours] of wanted) {
    if (JSON.stringify(theirs) === JSON.stringify(ours)) continue;
    faults++;
    const missing = theirs.filter((line) => !ours.includes(line));
    const added = ours.filter((line) => !theirs.includes(line));
    console.log(`FAULT: ${JSON.stringify({ program, pattern, ignoreCase })}`);
    console.log({ missing: missing.slice(0, 5), added: added.slice(0, 5) });
  }
}

/** The time that the processor works for this process, and the time that passes. */
async function measure(work: () => unknown) {
  const before = process.cpuUsage();
  const began = performance.now();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1000, wall: performance.now() - began };
}

/** Measures a search in many files, by turns with opening and closing them. */
async function race(root: string, count: number): Promise<void> {
  const paths = Array.from({ length: count }, (_, at) => {
    const folder = Math.floor(at / 50);
    const path = `d${folder % 20}/e${folder}/f${at}.ts`;
    const lines = `export const value${at} = compute(${at}, "text");\n`;
    mkdirSync(join(root, dirname(path)), { recursive: true });
    const rare = at % 1000 === 0 ? "// a needle\n" : "";
    writeFileSync(join(root, path), lines.repeat(30) + rare);
    return path;
  });
  // A tree that has just been written is not at rest.
  await new Promise((done) => setTimeout(done, 2500));
  // With the rules that the tools have.
  const workspace = await openWorkspace(root, { deny: SECRET_FILES });
  const server = await readerOn([root]);
  const best = new Map<string, { cpu: number; wall: number }>();
  const time = async (name: string, work: () => unknown) => {
    const took = await measure(work);
    const { cpu = Infinity, wall = Infinity } = best.get(name) ?? {};
    best.set(name, {
      cpu: Math.min(cpu, took.cpu),
      wall: Math.min(wall, took.wall),
    });
  };
  const open = async () => {
    for (const path of paths) await (await workspace.open(path)).close();
  };
  const search = async (match: string) => {
    const args = { path: ".", match, regex: match !== "needle" };
    const { lines } = await followSearch(server, args);
    if (lines.length !== Math.ceil(count / 1000)) faults++;
  };
  const change = () => {
    writeFileSync(join(root, "new"), "");
    rmSync(join(root, "new"));
  };
  const changed = [
    ["open, changed root", open],
    ["read_file, changed root", () => search("needle")],
  ] as const;
  for (let turn = 0; turn < 3; turn++) {
    await time("open and close", open);
    for (const match of ["needle", "needl[ex]"]) {
      await time(`read_file, ${match}`, () => search(match));
    }
    await time("grep -rn", () => run("grep", ["-rn", "needle", "."], root));
    await time("rg -n", () => run("rg", ["-n", "needle", "."], root));
    // The guard asks more where the root changed within the last two seconds.
    for (const [name, work] of changed) {
      change();
      const timer = setInterval(change, 500);
      await time(name, work);
      clearInterval(timer);
    }
    await new Promise((done) => setTimeout(done, 2500));
  }
  for (const [name, { cpu, wall }] of best) {
    const isChanged = name.endsWith("changed root");
    const { cpu: opening } = best.get(
      isChanged ? "open, changed root" : "open and close",
    )!;
    // The processor's time of other programs is not known.
    const isOurs = /^(open|read)/.test(name);
    const ratio = isOurs ? `${(cpu / opening).toFixed(2)} x` : "";
    const work = isOurs ? `${cpu.toFixed(0)} ms of the processor` : "";
    console.log(
      name.padEnd(25),
      `${wall.toFixed(0)} ms`.padEnd(9),
      work,
      ratio,
    );
    if (name.startsWith("read") && cpu > MOST_RATIO * opening) {
      faults++;
      console.log(`FAULT: ${name} takes more than ${MOST_RATIO} times as long`);
    }
  }
}

const base = realpathSync(mkdtempSync(join(tmpdir(), "search-")));
try {
  for (let tree = 0; tree < Number(trees); tree++) {
    const root = join(base, `tree${tree}`);
    mkdirSync(root);
    const random = new Random(SEED + tree);
    drawTree(root, random);
    await compare(root, random);
    rmSync(root, { recursive: true });
  }
  console.log(`${trees} trees: ${faults} faults`);
  if (Number(files) > 0) {
    const root = join(base, "many");
    mkdirSync(root);
    await race(root, Number(files));
  }
} finally {
  if (statSync(base).isDirectory()) rmSync(base, { recursive: true });
}
process.exitCode = faults === 0 ? 0 : 1;
