/** Runs the server and the command line on Windows over pipes of Windows: in Bun, `driver.mjs OUT EXE... -- SERVER CLI`. */
import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import process from "node:process";

const [, , out = "", ...words] = process.argv;
const [serverFile = "", cliFile = ""] = words.slice(words.indexOf("--") + 1);
const programs = words.slice(0, words.indexOf("--"));

/** What no answer may hold. */
const SECRETS = /SECRET|(?<!_)DENIED/;

interface Ran {
  readonly output: string;
  readonly errors: string;
  readonly code: number | null;
}

/** Runs a program; writes to it, and closes its input once it has written as many lines. */
function run(
  command: readonly string[],
  input: readonly string[] = [],
): Promise<Ran> {
  return new Promise((resolve) => {
    const [program = "", ...args] = command;
    const child = spawn(program, args, { cwd: "C:\\world\\ws" });
    let output = "";
    let errors = "";
    const end = setTimeout(() => child.kill(), 60_000);
    child.stdout.on("data", (part) => {
      output += String(part);
      if (output.split("\n").length > input.length) child.stdin.end();
    });
    child.stderr.on("data", (part) => errors += String(part));
    child.on("close", (code) => {
      clearTimeout(end);
      resolve({ output, errors, code });
    });
    for (const line of input) child.stdin.write(`${line}\n`);
    if (input.length === 0) child.stdin.end();
  });
}

rmSync("C:\\world", { recursive: true, force: true });
const FILES: Readonly<Record<string, string>> = {
  "ws\\file.txt": "INSIDE\r\n",
  "ws\\src\\main.ts": "line1\nline2\nline3\n",
  "ws\\.env": "DENIED",
  "ws\\sub\\.env": "DENIED",
  "outside.txt": "SECRET",
};
for (const [path, text] of Object.entries(FILES)) {
  const whole = `C:\\world\\${path}`;
  mkdirSync(whole.slice(0, whole.lastIndexOf("\\")), { recursive: true });
  writeFileSync(whole, text);
}

/** Paths for `read_file`, and a part of the right answer. */
const READS: readonly (readonly [path: string, part: string])[] = [
  ["file.txt", "INSIDE"],
  ["src\\main.ts", "line2"],
  ["C:\\world\\ws\\src\\main.ts", "line2"],
  ["c:/WORLD/ws/src/main.ts", "line2"],
  ["..\\outside.txt", "leads out"],
  ["C:\\world\\outside.txt", "leads out"],
  ["src\\..\\..\\outside.txt", "leads out"],
  ["sub\\.env", "does not allow"],
  [".\\.env", "does not allow"],
  ["file.txt::$DATA", "stream"],
  ["CON", "device"],
  ["src\\mian.ts", "did you mean"],
];

/** Command lines, their exit codes, and a part of what they write. */
const LINES:
  readonly (readonly [args: readonly string[], code: number, part: string])[] =
    [
      [["src\\main.ts"], 0, "line3"],
      [["src\\main.ts:2-3"], 0, "line2"],
      [["src\\main.ts:/line2/"], 0, "line2"],
      [["C:\\world\\ws\\src\\main.ts:1-2"], 0, "line2"],
      [["C:/world/ws/src/main.ts"], 0, "line3"],
      [["..\\outside.txt"], 1, "leads out"],
      [["--deny=**/.env", "sub\\.env"], 1, "does not allow"],
      [["--deny=**\\.env", "file.txt"], 2, 'write "**/.env"'],
    ];

const told: { asked: string; part: string; said: string; isRight: boolean }[] =
  [];
for (const program of programs) {
  const [name, start] = program.endsWith("deno.exe")
    ? ["Deno", [program, "run", "--quiet", "--no-prompt", "-A"]] as const
    : [program, [program]] as const;
  const hello = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "wine", version: "1" },
  };
  const calls = READS.map(([path], at) => ({
    method: "tools/call",
    id: at + 2,
    params: { name: "read_file", arguments: { path } },
  }));
  const messages = [{ method: "initialize", id: 1, params: hello }, ...calls];
  const lines = messages.map((message) =>
    JSON.stringify({ jsonrpc: "2.0", ...message })
  );
  const server = await run([...start, serverFile, "C:\\world\\ws"], lines);
  const answers = new Map(
    server.output.split("\n").filter(Boolean).map((line) => {
      const { id, result, error } = JSON.parse(line);
      const content = (result?.content ?? []) as readonly {
        readonly text?: string;
      }[];
      return [
        id,
        content.map(({ text }) => text).join("\n") || JSON.stringify(error),
      ] as const;
    }),
  );
  for (const [at, [path, part]] of READS.entries()) {
    const said = answers.get(at + 2) ??
      `no answer; ${server.errors} ${server.code}`;
    const isRight = said.includes(part) && !SECRETS.test(said);
    told.push({ asked: `${name} server ${path}`, part, said, isRight });
  }
  for (const [args, code, part] of LINES) {
    const ran = await run([...start, cliFile, ...args]);
    const said = `${ran.code} ${ran.output} ${ran.errors}`;
    const isRight = ran.code === code && said.includes(part) &&
      !SECRETS.test(said);
    told.push({ asked: `${name} cli ${args.join(" ")}`, part, said, isRight });
  }
}
writeFileSync(out, JSON.stringify(told));
process.exit(0);
