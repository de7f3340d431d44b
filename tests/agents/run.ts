/** Runs an npm agent with a server and a model that follows its instructions. */
import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import type { Agent } from "./agents.ts";
import { setUpOf, standInForDeno } from "./documented.ts";
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
  /** More arguments for the agent. */
  readonly args?: readonly string[];
  /** More text of files in its home directory. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The result of a run. */
export interface Run {
  readonly seen: readonly Seen[];
  /** The images that the model received, as base64. */
  readonly images: ReadonlySet<string>;
  /** The tools that the model was offered. */
  readonly offered: ReadonlySet<string>;
  /** The last output of the agent. */
  readonly said: string;
}

/**
 * Installs an npm package if needed; returns the folder of its programs. npm picks
 * the newest version that runs in the Node.js of `path`.
 */
async function install(
  name: string,
  packed: string,
  { path = process.env.PATH, isBundle = false } = {},
): Promise<string> {
  const at = join(CACHE, name);
  const bin = join(at, "node_modules/.bin");
  await mkdir(bin, { recursive: true });
  if (existsSync(join(at, "done"))) return bin;
  await writeFile(join(at, "package.json"), "{}");
  const env = { ...process.env, PATH: path };
  if (isBundle) {
    const to = join(at, "node_modules", packed);
    await mkdir(to, { recursive: true });
    const unpack = `tar -xzf "$(npm pack --silent ${packed})" -C "${to}"`;
    const args = ["-ec", `${unpack} --strip-components=1`];
    execFileSync("sh", args, { cwd: at, stdio: "inherit", env });
    const manifest = await readFile(join(to, "package.json"), "utf8");
    for (const [word, file] of Object.entries(JSON.parse(manifest).bin)) {
      await symlink(join(to, String(file)), join(bin, word));
    }
  } else {
    const args = ["install", "--no-audit", "--no-fund", "--loglevel=error"];
    execFileSync("npm", [...args, packed], { cwd: at, stdio: "inherit", env });
  }
  await writeFile(join(at, "done"), "");
  return bin;
}

/** The version of an installed agent. */
export async function versionOf(name: string, agent: Agent): Promise<string> {
  const path = join(CACHE, name, "node_modules", agent.package, "package.json");
  return JSON.parse(await readFile(path, "utf8")).version;
}

/** Runs an agent to its end. */
export async function runAgent(
  { name, agent, served, folder, calls, most = MOST_CALLS, args = [], files }:
    RunOptions,
): Promise<Run> {
  // The newest agents need a newer Node.js than the installed one may be.
  const node = await install("node24", "node@24");
  const path = `${node}:${process.env.PATH}`;
  const bin = await install(name, agent.package, { ...agent, path });
  const home = await mkdtemp(join(tmpdir(), "agent-home-"));
  const played = new FollowingModel(calls, most);
  try {
    await using model = await serveModel(played);
    const started = agent.start({ model: model.url, home });
    const { env, command } = started;
    const write = async (path: string, text: string) => {
      await mkdir(dirname(join(home, path)), { recursive: true });
      await appendFile(join(home, path), text);
    };
    for (const some of [started.files, files]) {
      for (const [path, text] of Object.entries(some ?? {})) {
        await write(path, text);
      }
    }
    const deno = execFileSync("sh", ["-c", "command -v deno"], {
      encoding: "utf8",
    });
    await standInForDeno(join(home, "bin"), deno.trim());
    const surroundings = {
      cwd: folder,
      env: {
        PATH: `${home}/bin:${bin}:${path}`,
        HOME: home,
        PWD: folder,
        XDG_CACHE_HOME: join(home, ".cache"),
        XDG_CONFIG_HOME: join(home, ".config"),
        XDG_DATA_HOME: join(home, ".local/share"),
        NO_COLOR: "1",
        ...env,
      },
    };
    const documented = (await setUpOf(agent.title))
      .replaceAll("DIR", served);
    let said = "";
    if (agent.file !== undefined) await write(agent.file, documented);
    else said = await runToEnd(["sh", "-ec", documented], surroundings);
    said += await runToEnd([...command, ...args], surroundings);
    const { seen, images, offered } = played;
    return { seen, images, offered, said };
  } finally {
    await endThoseOf(home);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Ends the processes that an agent left behind, such as Cline's daemon; on Linux. */
async function endThoseOf(home: string): Promise<void> {
  const names = existsSync("/proc") ? await readdir("/proc") : [];
  for (const name of names.filter((name) => /^\d+$/.test(name))) {
    try {
      const env = await readFile(`/proc/${name}/environ`, "utf8");
      if (env.split("\0").includes(`HOME=${home}`)) {
        process.kill(Number(name), "SIGKILL");
      }
    } catch {
      // It has ended, or is the process of another user.
    }
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
