/**
 * Reads a file while a writer replaces it in one of six ways, in two runtimes. No
 * answer may have bytes that the file never held at one moment, or that are older
 * than what stood there before the call; the controls show both.
 *
 * Usage: `run.ts [READS [KIND]]`; the default is 20000 reads of each reader.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { type Kind, KINDS } from "./content.ts";
import type { Tally } from "./reader.ts";

const [reads = "20000", only] = process.argv.slice(2);
const kinds = KINDS.filter((kind) => only === undefined || only === kind);
if (kinds.length === 0) {
  throw new Error(`Unknown kind ${only}; the kinds are ${KINDS.join(", ")}`);
}

/** The refusals that a writer explains. */
const EXPLAINED: readonly string[] = ["CHANGED", "NOT_FOUND", "ENOENT"];

const here = (path: string) => new URL(path, import.meta.url).pathname;
const BUN = ["bun", "--preload", here("../support/bun_std.ts")];

function denoFor(folder: string): string[] {
  return [
    ...["deno", "run", "--quiet", "--no-prompt", "--no-check", "--no-config"],
    ...["--node-modules-dir=manual", `--allow-read=${folder}`],
    `--import-map=${here("../npm_std.json")}`,
  ];
}

function start([command, ...args]: readonly string[]): ChildProcess {
  return spawn(command!, args, { stdio: ["pipe", "pipe", "inherit"] });
}

let faults = 0;
console.log(
  [
    "kind",
    "runtime",
    "reader",
    "reads",
    "held",
    "MIXED",
    "OLD",
    "refused",
    "µs",
  ]
    .join("\t"),
);
for (const kind of kinds) {
  for (const runtime of ["deno", "bun"] as const) {
    await race(kind, runtime);
  }
}
console.log(`\n${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;

async function race(kind: Kind, runtime: "deno" | "bun"): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "writers-")));
  writeFileSync(join(folder, "log"), new Uint8Array(8));
  const writer = start([...BUN, here("./writer.ts"), folder, kind]);
  const words = createInterface({ input: writer.stdout! })
    [Symbol.asyncIterator]();
  try {
    await words.next();
    const command = runtime === "bun" ? BUN : denoFor(folder);
    const reader = start([
      ...command,
      here("./reader.ts"),
      folder,
      kind,
      reads,
    ]);
    let shown = 0;
    let lines = 0;
    for await (const line of createInterface({ input: reader.stdout! })) {
      lines++;
      const tally = JSON.parse(line) as Tally;
      print(kind, runtime, tally);
      const { reader: name, verdicts, refused } = tally;
      const isControl = name.startsWith("control");
      const isCached = name.includes("cached");
      const fault = isCached ? verdicts.old : verdicts.mixed;
      if (isControl) shown += Number(fault > 0);
      const found = isControl ? [] : [
        ...(verdicts.mixed > 0 ? [`${verdicts.mixed} MIXED`] : []),
        ...(verdicts.old > 0 ? [`${verdicts.old} OLD`] : []),
        ...(verdicts.held === 0 ? ["no read succeeded"] : []),
        ...Object.keys(refused).filter((code) => !EXPLAINED.includes(code)),
      ];
      for (const fault of found) console.log(`FAULT: ${name}: ${fault}`);
      faults += found.length;
    }
    if (shown < 2 || lines < 7) {
      faults++;
      console.log("FAULT: a control shows nothing, or the reader ended early");
    }
    writer.stdin!.end();
    console.log(`${kind}: ${(await words.next()).value}`);
  } finally {
    writer.kill(9);
    rmSync(folder, { recursive: true });
  }
}

function print(
  kind: string,
  runtime: string,
  { reader, reads, verdicts, refused, micros }: Tally,
): void {
  const { held, mixed, old } = verdicts;
  const all = JSON.stringify(refused);
  console.log(
    [kind, runtime, reader, reads, held, mixed, old, all, micros].join("\t"),
  );
}
