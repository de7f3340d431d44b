// Makes one call on a file of unusual size; prints its answer and the memory it used.
import { readFileSync } from "node:fs";
import process from "node:process";
import { openWorkspace, ReadFileError } from "../../mod.ts";
import { callAsModel, FOUR_TOOLS } from "../support/four_tools.ts";
import { digestOf } from "./digest.ts";
import { SMALL } from "./large_files.ts";
import type { Ask } from "./sizes.ts";

/** The output of the child. */
export interface Told {
  /** The digest of the answer, or the error code. */
  readonly digest: string;
  /** The beginning of the answer. */
  readonly head: string;
  /** How many MiB the peak memory grew, without the answer. */
  readonly grownMib: number;
}

const MIB = 1 << 20;

const [root = "", order = ""] = process.argv.slice(2);
const ask: Ask = JSON.parse(order);
const workspace = await openWorkspace(root);

// Discard the first call, which loads and compiles code.
await answerTo({ ...ask, file: SMALL });
const before = peakMib();
const answer = await answerTo(ask);
// Flatten the string, so that its memory is counted.
answer.charCodeAt(answer.length - 1);
const grown = peakMib() - before;
const told: Told = {
  digest: await digestOf(answer),
  head: answer.slice(0, 200),
  grownMib: Math.round(grown - answer.length / MIB),
};
console.log(JSON.stringify(told));

/** The peak memory of this process: `maxRSS` would include the parent's. */
function peakMib(): number {
  const status = readFileSync("/proc/self/status", "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) / 1024;
}

async function answerTo(
  { reader, file, args, options }: Ask,
): Promise<string> {
  const tool = FOUR_TOOLS.find(({ name }) => name === reader);
  if (tool !== undefined) {
    const path = { [tool.pathName]: `${root}/${file}` };
    const made = tool.make(workspace, options);
    const { code, content } = await callAsModel(made, { ...path, ...args });
    return code ?? content;
  }
  try {
    if (reader === "pages") {
      let text = "";
      for await (const page of workspace.pages(file, args)) text += page.text;
      return text;
    }
    const page = await workspace.read(file, args);
    const first = page.lines[0]?.number ?? null;
    const next = page.next?.start ?? null;
    return `${first} ${page.lineCount} ${next}\n${page.text}`;
  } catch (error) {
    if (error instanceof ReadFileError) return error.code;
    throw error;
  }
}
