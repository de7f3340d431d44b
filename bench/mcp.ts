/**
 * Compares the MCP server with the reference server for files, alternately, with
 * the same client on Node.js. Usage: `mcp.ts [PACKED_PROGRAM]`, after
 * `deno task bench:install`.
 */
import { spawn } from "node:child_process";
import {
  appendFileSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";

const STARTS = 7;
const CALLS = 400;
const TAILS = 25;
const LOG_BYTES = 200 * 1024 * 1024;

/** A server with lines as input and output. */
class Server {
  readonly #child;
  readonly #lines: AsyncIterator<string>;
  #id = 0;

  constructor([command, ...args]: readonly string[]) {
    this.#child = spawn(command!, args, { stdio: ["pipe", "pipe", "ignore"] });
    this.#lines = createInterface({ input: this.#child.stdout! })
      [Symbol.asyncIterator]();
  }

  send(message: object): void {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#child.stdin!.write(`${text}\n`);
  }

  async ask(method: string, params: object): Promise<Record<string, unknown>> {
    const id = ++this.#id;
    this.send({ id, method, params });
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error(`The server ended during ${method}`);
      const message = JSON.parse(value);
      if (message.id !== id || message.method !== undefined) continue;
      if (message.error) throw new Error(JSON.stringify(message.error));
      return message.result;
    }
  }

  async open(): Promise<this> {
    await this.ask("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    });
    this.send({ method: "notifications/initialized" });
    await this.ask("tools/list", {});
    return this;
  }

  async call(name: string, args: object): Promise<string> {
    const result = await this.ask("tools/call", { name, arguments: args });
    if (result.isError) throw new Error(JSON.stringify(result));
    return JSON.stringify(result);
  }

  end(): void {
    this.#child.kill(9);
  }
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcp-bench-")));
const small = join(folder, "small.txt");
const log = join(folder, "log.txt");
const line = "a line of a file that is read over and over again, no more\n";
writeFileSync(small, line.repeat(Math.ceil(8192 / line.length)).slice(0, 8192));
for (let bytes = 0; bytes < LOG_BYTES; bytes += 1 << 20) {
  appendFileSync(log, line.repeat(Math.ceil((1 << 20) / line.length)));
}

const home = new URL("../", import.meta.url).pathname;
const map = `--import-map=${home}tests/npm_std.json`;
const [packed = ""] = process.argv.slice(2);
const reference = new URL(
  "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js",
  import.meta.url,
).pathname;
const deno = ["deno", "run", "--quiet", "--no-check", "--no-prompt", map];
const ours: Record<string, readonly string[]> = {
  Deno: [...deno, `--allow-read=${folder}`, `${home}mcp/mod.ts`, folder],
  Bun: [
    "bun",
    "--preload",
    `${home}tests/support/bun_std.ts`,
    `${home}mcp/mod.ts`,
    folder,
  ],
  ...(packed !== "" && {
    "Bun, packed": ["bun", packed, folder],
    "Deno, packed": [
      "deno",
      "run",
      "--quiet",
      `--allow-read=${folder}`,
      packed,
      folder,
    ],
    "Node, packed": ["node", packed, folder],
  }),
};
const theirs = ["node", reference, folder];

const median = (times: readonly number[]) =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]!;

/** Runs two functions alternately; returns the median of each in milliseconds. */
async function byTurns(
  count: number,
  acts: readonly (() => Promise<unknown>)[],
): Promise<number[]> {
  const times: number[][] = acts.map(() => []);
  for (let turn = 0; turn < count; turn++) {
    for (const [at, act] of acts.entries()) {
      const began = performance.now();
      await act();
      times[at]!.push(performance.now() - began);
    }
  }
  return times.map(median);
}

function show(what: string, name: string, [one, two]: readonly number[]): void {
  console.log(
    `${what.padEnd(22)} ${name.padEnd(14)} ${
      one!.toFixed(2).padStart(8)
    } ms, reference ${two!.toFixed(2).padStart(8)} ms: ${
      (one! / two!).toFixed(2)
    } ×`,
  );
}

for (const [name, command] of Object.entries(ours)) {
  const start = (command: readonly string[]) => async () =>
    (await new Server(command).open()).end();
  show(
    "start to tools/list",
    name,
    await byTurns(STARTS, [start(command), start(theirs)]),
  );
  const mine = await new Server(command).open();
  const other = await new Server(theirs).open();
  const reads = [
    () => mine.call("read_file", { path: small }),
    () => other.call("read_text_file", { path: small }),
  ];
  await byTurns(50, reads);
  show("8 KiB", name, await byTurns(CALLS, reads));
  const grow = () => appendFileSync(log, line.repeat(20));
  const tails = [
    () => (grow(), mine.call("read_file", { path: log, tail: 100 })),
    () => (grow(), other.call("read_text_file", { path: log, tail: 100 })),
  ];
  await byTurns(2, tails);
  show("tail of a growing log", name, await byTurns(TAILS, tails));
  mine.end();
  other.end();
}
rmSync(folder, { recursive: true });
