// Makes one call on a file of unusual size; tells what came, and how much memory it took.
import process from "node:process";
import { openWorkspace, readFile } from "../../mod.ts";
import { callAsModel, FOUR_TOOLS } from "../support/four_tools.ts";

/** What the child is asked to do. */
export interface Order {
  readonly root: string;
  /** A tool, or `readFile`. */
  readonly reader: string;
  /** The file to read. */
  readonly file: string;
  /** Of a tool: its other arguments. Of `readFile`: the selection and the policy. */
  readonly rest: readonly Record<string, unknown>[];
}

/** What the child tells. */
export interface Told {
  /** The answer, or its beginning and end. */
  readonly answer: string;
  /** How many characters the answer has. */
  readonly length: number;
  /** MiB that the peak of memory lies above where it was before. */
  readonly grownMib: number;
}

const { root, reader, file, rest }: Order = JSON.parse(process.argv[2]!);
const workspace = await openWorkspace(root);

// What a first call loads and compiles is no matter of size.
await call("small.txt");
const before = peakMib();
const answer = await call(file);
const told: Told = {
  answer: answer.length > 200
    ? `${answer.slice(0, 100)} … ${answer.slice(-100)}`
    : answer,
  length: answer.length,
  grownMib: Math.round(peakMib() - before),
};
console.log(JSON.stringify(told));

async function call(file: string): Promise<string> {
  const tool = FOUR_TOOLS.find(({ name }) => name === reader);
  if (tool !== undefined) {
    const path = `${root}/${file}`;
    const args = { [tool.pathName]: path, ...rest[0] };
    const { code, content } = await callAsModel(tool.make(workspace), args);
    return code ?? content;
  }
  const [selection, policy] = rest as unknown as Parameters<
    typeof readFile
  > extends [unknown, unknown, ...infer Rest] ? Rest : never;
  try {
    const window = await readFile(workspace, file, selection, policy);
    return window.kind === "text" ? `${window.start}-${window.next}/${window.totalLines} ${window.lineCount}\n${window.text}` : "binary";
  } catch (error) {
    return `${(error as { code?: string }).code ?? error}`;
  }
}

function peakMib(): number {
  return process.resourceUsage().maxRSS / 1024;
}
