/** Runs an npm agent with a server and a model that follows its instructions. */
import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import {
  appendFile,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import type { Agent } from "./agents.ts";
import { blockUnder, standInForDeno } from "./documented.ts";
import { FollowingModel, type Seen, type ToolCall } from "./model/play.ts";
import { serveModel } from "./model/server.ts";

/** The folder in which agents are installed. */
const CACHE = process.env.AGENTS_CACHE ?? join(tmpdir(), "agents-cache");

/** The time limit of a run; Copilot CLI takes 12 s for a line of 30,000 characters on a busy machine. */
const LIMIT_SECONDS = Number(process.env.AGENT_SECONDS ?? 900);

/** The largest number of calls in a run. */
const MOST_CALLS = 200;

/** The options of a run. */
export interface RunOptions {
  readonly name: string;
  readonly agent: Agent;
  /** The served directory, which replaces `DIR` in the documents. */
  readonly served: string;
  /** The working directory of the agent. */
  readonly folder: string;
  /** The first calls of the model. */
  readonly calls: readonly ToolCall[];
  /** The largest number of calls. */
  readonly most?: number;
}

/** The result of a run. */
export interface Run {
  readonly seen: readonly Seen[];
  /** The images that the model received, as base64. */
  readonly images: ReadonlySet<string>;
  /** The last output of the agent. */
  readonly said: string;
}

/** Installs an npm package if needed; returns the folder of its programs. */
export async function install(name: string, packed: string): Promise<string> {
  const at = join(CACHE, name);
  await mkdir(at, { recursive: true });
  if (!existsSync(join(at, "done"))) {
    await writeFile(join(at, "package.json"), "{}");
    const args = ["install", "--no-audit", "--no-fund", "--loglevel=error"];
    execFileSync("npm", [...args, packed], { cwd: at, stdio: "inherit" });
    await writeFile(join(at, "done"), "");
  }
  return join(at, "node_modules/.bin");
}

/** The version of an installed agent. */
export async function versionOf(name: string, agent: Agent): Promise<string> {
  const path = join(CACHE, name, "node_modules", agent.package, "package.json");
  return JSON.parse(await readFile(path, "utf8")).version;
}

/** Runs an agent to its end. */
export async function runAgent(
  { name, agent, served, folder, calls, most = MOST_CALLS }: RunOptions,
): Promise<Run> {
  const bin = await install(name, agent.package);
  // Some agents need a newer Node.js than the installed one.
  const node = await install("node24", "node@24");
  const home = await mkdtemp(join(tmpdir(), "agent-home-"));
  const played = new FollowingModel(calls, most);
  try {
    await using model = await serveModel(played);
    const { files = {}, env, command } = agent.start({
      model: model.url,
      home,
    });
    const write = async (path: string, text: string) => {
      await mkdir(dirname(join(home, path)), { recursive: true });
      await appendFile(join(home, path), text);
    };
    for (const [path, text] of Object.entries(files)) await write(path, text);
    const deno = execFileSync("sh", ["-c", "command -v deno"], {
      encoding: "utf8",
    });
    await standInForDeno(join(home, "bin"), deno.trim());
    const surroundings = {
      cwd: folder,
      env: {
        PATH: `${home}/bin:${bin}:${node}:${process.env.PATH}`,
        HOME: home,
        PWD: folder,
        XDG_CACHE_HOME: join(home, ".cache"),
        XDG_CONFIG_HOME: join(home, ".config"),
        XDG_DATA_HOME: join(home, ".local/share"),
        NO_COLOR: "1",
        ...env,
      },
    };
    const documented = (await blockUnder(agent.heading))
      .replaceAll("DIR", served);
    let said = "";
    if (agent.file !== undefined) await write(agent.file, documented);
    else said = await runToEnd(["sh", "-ec", documented], surroundings);
    said += await runToEnd(command, surroundings);
    return { seen: played.seen, images: played.images, said };
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

function runToEnd(
  [program, ...args]: readonly [string, ...string[]],
  { cwd, env }: { readonly cwd: string; readonly env: Record<string, string> },
): Promise<string> {
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    // The agent and its children form a process group, so that all can be killed.
    detached: true,
  });
  let said = "";
  child.stdout.on("data", (chunk) => said = (said + chunk).slice(-4000));
  child.stderr.on("data", (chunk) => said = (said + chunk).slice(-4000));
  const end = () => {
    try {
      process.kill(-child.pid!, "SIGKILL");
    } catch {
      // It has already ended.
    }
  };
  const timer = setTimeout(() => {
    said += `\nended after ${LIMIT_SECONDS} s; AGENT_SECONDS sets the limit\n`;
    end();
  }, 1000 * LIMIT_SECONDS);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => {
      clearTimeout(timer);
      end();
      resolve(said);
    });
  });
}
