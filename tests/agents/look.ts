/**
 * Prints the model's context after calls whose results agents may show badly:
 * pages, failures, listings, several files. Usage: `look.ts [AGENT…]`.
 */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { AGENTS } from "./agents.ts";
import type { ToolCall } from "./model/play.ts";
import { runAgent, versionOf } from "./run.ts";

const CODE =
  `const path = "C:\\\\dir" + 'it\\'s' + \`\${x}\\n\`; // <b>&amp;</b>\n`;

const FILES: Readonly<Record<string, string>> = {
  "src/code.ts": CODE.repeat(40),
  "odd.txt": "tab\there\nbell\u0007, \u202Ereversed\r\nno end",
  "one line.json": `{"a":"${"x".repeat(900)}"}`,
  ".env": "KEY=1\n",
  ...Object.fromEntries(
    Array.from({ length: 10 }, (_, at) => [`ten/${at}.txt`, `file ${at}\n`]),
  ),
};

const read = (path: string, rest = {}): ToolCall => ({
  name: "read_file",
  args: { path, ...rest },
});

const CALLS: readonly ToolCall[] = [
  read("src/code.ts", { maxChars: 1000 }),
  read("odd.txt"),
  read("src/code.ts", { match: "dir", count: 2 }),
  read("ten", { match: "file 1" }),
  read("src/cod.ts"),
  read("nowhere/at/all.ts"),
  read("/etc/passwd"),
  read(".env"),
  read("pipe"),
  read("src"),
  read("src/code.ts", { lines: 3 }),
  { name: "read_file", args: { file_path: "odd.txt", offset: 1, limit: "1" } },
  { name: "list_directory", args: {} },
  { name: "list_directory", args: { path: ".", depth: 2, limit: 3 } },
  {
    name: "read_files",
    args: {
      // Some agents refuse paths alone.
      files: [".env", "ten/0.txt", "ten/1.txt"].map((path) => ({ path })),
    },
  },
];

const words = process.argv.slice(2);
const names = words.length > 0 ? words : Object.keys(AGENTS);
const work = await realpath(await mkdtemp(join(tmpdir(), "agents-")));
for (const [path, text] of Object.entries(FILES)) {
  await mkdir(dirname(join(work, path)), { recursive: true });
  await writeFile(join(work, path), text);
}
execFileSync("mkfifo", [join(work, "pipe")]);
for (const name of names) {
  const agent = AGENTS[name];
  if (agent === undefined) throw new TypeError(`${name} is not an agent`);
  const run = await runAgent({
    ...{ name, agent, served: work, folder: work },
    ...{ calls: CALLS, most: CALLS.length },
  });
  process.stdout.write(`# ${name} ${await versionOf(name, agent)}\n`);
  for (const { name, args, result, literal = result } of run.seen) {
    const asked = `${name} ${JSON.stringify(args)}`;
    process.stdout.write(`\n## ${asked}\n\n${literal}\n`);
  }
  if (run.seen.length < CALLS.length) process.stderr.write(run.said);
}
await rm(work, { recursive: true, force: true });
