// A hit of another tool's search: its snippet, or the whole file if that does not suffice.
import {
  createSecureTool,
  createToolkitReadFile,
  openWorkspace,
  type Workspace,
} from "@agent-tools/read-file";

/** What the search of another tool finds: in an index, which may be older than the file. */
interface Hit {
  readonly path: string;
  readonly line: number;
  readonly snippet: string;
}

/** Why a snippet does not suffice; `undefined` if it does. */
async function lackOf(
  workspace: Workspace,
  { path, line, snippet }: Hit,
): Promise<string | undefined> {
  const wanted = snippet.replace(/\n$/, "");
  const { length } = wanted.split("\n");
  const page = await workspace.read(path, { start: line, count: length });
  if (page.text.replace(/\n$/, "") !== wanted) {
    return "the file has changed since it was indexed";
  }
  const block = await workspace.read(path, { around: line, block: true });
  const [first] = block.lines;
  const last = block.lines.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const isWhole = line <= first.number && last.number < line + length;
  if (isWhole) return undefined;
  return `the snippet is a part of lines ${first.number} to ${last.number}`;
}

/** One call: the snippet of a hit if it suffices, else the file, by the toolkit's `read_file`; and why. */
const confirmHit = createSecureTool(
  {
    name: "confirm_hit",
    description:
      "Shows a hit of a search, or its whole file if that is needed.",
    isWriteOp: false,
  },
  async ({ workspace }, path, hit?: Omit<Hit, "path">) => {
    const { line = 1, snippet = "" } = hit ?? {};
    const because = await lackOf(workspace, { path, line, snippet });
    if (because === undefined) return { kind: "snippet", content: snippet };
    const readFile = createToolkitReadFile(workspace);
    const { content, next_start_line } = await readFile.call({ path });
    return { kind: "file", because, content, next_start_line };
  },
);

const root = new URL("files", import.meta.url).pathname;
const workspace = await openWorkspace(root, { deny: ["**/*.pem"] });
const whole = [
  "/** Adds two numbers. */",
  "export function add(one: number, other: number): number {",
  "  return one + other;",
  "}",
].join("\n");
for (
  const [path, hit] of [
    ["add.ts", { line: 1, snippet: whole }],
    ["add.ts", { line: 3, snippet: "  return one + other;" }],
    ["add.ts", { line: 3, snippet: "  return one - other;" }],
    ["key.pem", { line: 1, snippet: "-----BEGIN" }],
  ] as const
) {
  const answer = await confirmHit({ workspace }, path, hit);
  console.log(`${path}:${hit.line}`);
  if (answer.status !== "success") console.log(answer.error.message);
  else {
    const { kind, because, content } = answer.data;
    console.log(because === undefined ? kind : `${kind}: ${because}`);
    console.log(content.trimEnd());
  }
  console.log();
}
