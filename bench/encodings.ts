// Writes the table of bench/encodings.md: where each encoding is supported, how fast it is read, and how often it is detected.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chardet from "chardet";
import { legacyDetector } from "../detect/mod.ts";
import { type EncodingDetector, memoryFs, openWorkspace } from "../mod.ts";
import { type Labelled, labelledCorpus } from "../tests/detect/corpus.ts";
import { OTHER_SENTENCES } from "../tests/detect/other_texts.ts";
import { ENCODINGS, SENTENCES } from "../tests/detect/texts.ts";
import type { Command } from "./host.ts";
import { pairDetector } from "./pair_detector.ts";
import { runProcess } from "./processes.ts";
import { readLine, writeLog } from "./rows/encodings.ts";
import { race } from "./stats.ts";

const NAMES = [
  ...["utf-8", "utf-16le", "utf-16be", "shift_jis", "euc-jp", "iso-2022-jp"],
  ...["gbk", "gb18030", "big5", "euc-kr", "windows-1250", "windows-1251"],
  ...["windows-1252", "windows-1253", "windows-1254", "windows-1255"],
  ...["windows-1256", "windows-1257", "windows-1258", "windows-874"],
  ...["iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6"],
  ...["iso-8859-7", "iso-8859-8", "iso-8859-10", "iso-8859-13", "iso-8859-14"],
  ...["iso-8859-15", "iso-8859-16", "koi8-r", "koi8-u", "ibm866"],
  ...["macintosh", "x-mac-cyrillic"],
];

/** Prints the names that a runtime cannot decode. */
const PROBE = `JSON.stringify(${
  JSON.stringify(NAMES)
}.filter((name) => { try { new TextDecoder(name, { ignoreBOM: true }); return false; } catch { return true; } }))`;

const WORKERD = `import { Miniflare } from "miniflare";
const mf = new Miniflare({ modules: true, compatibilityDate: "2026-04-01",
  script: "export default { fetch() { return new Response(" + process.argv[1] + "); } }" });
console.log(await (await mf.dispatchFetch("http://localhost/")).text());
await mf.dispose();`;

function run(command: string, ...args: string[]): string[] {
  const { stdout } = new Deno.Command(command, { args }).outputSync();
  return JSON.parse(new TextDecoder().decode(stdout));
}

const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  Deno: run("deno", "eval", `console.log(${PROBE})`),
  Bun: run("node_modules/.bin/bun", "-e", `console.log(${PROBE})`),
  workerd: run("node", "--input-type=module", "-e", WORKERD, PROBE),
  "Node.js": run("node", "-e", `console.log(${PROBE})`),
};

const MIB = 1024 * 1024;

/** The speed in MiB per second, by encoding, in a runtime that can measure it. */
type Speeds = Readonly<Record<string, number>>;

/** Reads in each encoding, in one runtime. Not in workerd, whose clock stands still while code runs; in Node.js the library is a bundle. */
function speedsIn(...command: Command): Speeds {
  const script = "bench/children/encoding_speeds.ts";
  return JSON.parse(runProcess([...command, script, ...NAMES]));
}

const SPEEDS: Readonly<Record<string, Speeds>> = {
  Deno: speedsIn(
    ...["deno", "run", "--quiet", "--no-check", "--allow-all"],
    "--import-map=tests/npm_std.json",
  ),
  Bun: speedsIn(
    ...["node_modules/.bin/bun", "--preload", "./tests/support/bun_std.ts"],
  ),
};

/** Decodes bytes in the detected encoding. */
type Reading = (bytes: Uint8Array) => Promise<string | undefined>;

/** How many texts are decoded correctly. */
async function rightOf(
  texts: readonly Labelled[],
  read: Reading,
): Promise<number> {
  let right = 0;
  for (const { text, bytes } of texts) {
    if (await read(bytes) === text) right++;
  }
  return right;
}

function readingBy(detect: EncodingDetector): Reading {
  return async (bytes) => {
    const fs = memoryFs({ "/ws/a": bytes });
    const workspace = await openWorkspace("/ws", { fs, detect });
    const { lines } = await workspace.read("a");
    return lines.map(({ text, ending }) => text + ending).join("");
  };
}

function readByChardet(bytes: Uint8Array): Promise<string | undefined> {
  try {
    const decoder = new TextDecoder(chardet.detect(bytes) ?? "utf-8");
    return Promise.resolve(decoder.decode(bytes));
  } catch {
    return Promise.resolve(undefined);
  }
}

/** Tests a detector on the texts of the corpus, and on texts with other sentences. */
interface Detector {
  readonly name: string;
  readonly corpus: Reading;
  readonly other: Reading;
}

const shipped = legacyDetector();
const DETECTORS: readonly Detector[] = [
  {
    name: "told right",
    corpus: readingBy(shipped),
    other: readingBy(shipped),
  },
  {
    name: "by pairs",
    // Trained on sentences other than those it is tested on.
    corpus: readingBy(pairDetector(OTHER_SENTENCES, ENCODINGS)),
    other: readingBy(pairDetector(SENTENCES, ENCODINGS)),
  },
  { name: "by chardet", corpus: readByChardet, other: readByChardet },
];

const corpus = labelledCorpus();
const others = labelledCorpus(OTHER_SENTENCES);

/** The duration of the first call of each detector; each is new. */
const firsts: string[] = [];
for (
  const [name, detect] of [
    ["jschardet", legacyDetector()],
    ["pairs", pairDetector(OTHER_SENTENCES, ENCODINGS)],
  ] as const
) {
  const start = performance.now();
  await detect(corpus[0]!.bytes);
  firsts.push(`${name} ${(performance.now() - start).toFixed(0)} ms`);
}

const rows: string[] = [];
for (const name of NAMES) {
  const texts = corpus.filter(({ encoding }) => encoding === name);
  const runs = Object.entries(RUNTIMES).map(([runtime, lacking]) =>
    lacking.includes(name) ? "no" : SPEEDS[runtime]?.[name]?.toFixed(0) ?? "yes"
  );
  const told: string[] = [];
  for (const detector of DETECTORS) {
    const right = await rightOf(texts, detector.corpus);
    told.push(texts.length === 0 ? "–" : `${right} of ${texts.length}`);
  }
  rows.push(`| ${[name, ...runs, ...told].join(" | ")} |`);
}
const percent = (count: number) =>
  `${(100 * count / corpus.length).toFixed(1)} %`;
const totals: string[] = [];
for (const { name, corpus: readCorpus, other } of DETECTORS) {
  const right = percent(await rightOf(corpus, readCorpus));
  const rightOther = percent(await rightOf(others, other));
  totals.push(`${name} ${right} (${rightOther} of the other texts)`);
}
const head = [
  "encoding",
  ...Object.keys(RUNTIMES),
  ...DETECTORS.map(({ name }) => name),
];

const root = mkdtempSync(join(tmpdir(), "read-file-"));
const deep: string[] = [];
for (const encoding of ["shift_jis", "utf-16le"]) {
  const lines = writeLog(join(root, "a"), encoding, 500 * MIB);
  const start = Math.min(3_000_000, lines);
  const times = await race([
    { name: "ours", run: () => readLine(root, "a", start, encoding) },
    { name: "UTF-8", run: () => readLine(root, "a", start, "utf-8") },
  ], { rounds: 7, calls: 1 });
  const ratio = times.ratio("ours", "UTF-8").toFixed(2);
  deep.push(
    `- ${encoding}: line ${start} of 500 MiB in ${ratio} times the time of the same bytes as UTF-8.`,
  );
}
rmSync(root, { recursive: true });

const written = [
  `Of ${corpus.length} texts in ${
    new Set(corpus.map(({ encoding }) => encoding)).size
  } encodings: ${totals.join("; ")}. First calls: ${firsts.join(", ")}.`,
  "",
  `| ${head.join(" | ")} |`,
  `| ${head.map(() => "---").join(" | ")} |`,
  ...rows,
  "",
  ...deep,
].join("\n");
const file = "bench/encodings.md";
const [before, , after] = readFileSync(file, "utf8").split("<!-- table -->\n");
writeFileSync(
  file,
  `${before}<!-- table -->\n\n${written}\n\n<!-- table -->\n${after}`,
);
