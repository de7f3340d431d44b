/** Reads the settings of an agent in `docs/agents.md`. */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";

const DELAY_SECONDS = Number(process.env.AGENT_DELAY ?? 0);

const HOME = new URL("../../", import.meta.url).pathname;

const PAGE = join(HOME, "docs/agents.md");

/** How an agent is set up, from its row in the first table: a command, or the settings to which the row links. */
export async function setUpOf(agent: string): Promise<string> {
  const text = await readFile(PAGE, "utf8");
  const row = new RegExp(`^\\| ${agent} +\\| \\S+ +\\| (.+) \\|$`, "m");
  const [, cell = ""] = row.exec(text) ?? [];
  const [, command] = /^`(.+)`$/.exec(cell.trim()) ?? [];
  if (command !== undefined) {
    const [, rest] = /deno run (.*\\\n.*)\n/.exec(text) ?? [];
    return command.replace("…", rest ?? "");
  }
  const [, anchor] = /\(#(.+?)\)/.exec(cell) ?? [];
  const [, section] = text.split(
    new RegExp(`^##+ ${anchor?.replaceAll("-", " ")}\n`, "mi"),
  );
  const [, block] = /^```\w+\n([^]*?)^```$/m.exec(section ?? "") ?? [];
  if (block !== undefined) return block;
  throw new Error(`docs/agents.md does not say how to set up ${agent}`);
}

/** Whether the documents contain some settings. */
export async function isDocumented(settings: string): Promise<boolean> {
  const text = await readFile(PAGE, "utf8");
  return settings.trim().split("\n").every((line) => text.includes(line));
}

/** Writes the version of an agent that was tried. */
export async function writeVersion(
  agent: string,
  version: string,
): Promise<void> {
  const text = await readFile(PAGE, "utf8");
  const cell = new RegExp(`^(\\| ${agent} +\\| )[\\d.]+( *)(?= \\|)`, "m");
  const write = (all: string, before: string) =>
    `${before}${version}`.padEnd(all.length);
  await writeFile(PAGE, text.replace(cell, write));
}

/**
 * Makes a `deno` command start the server from this repository, which may be
 * unreleased, with `--pdf` and `--git`. Other arguments stay as they are. `AGENT_DELAY` is how
 * many seconds later it starts, as the first time, when it is downloaded.
 */
export async function standInForDeno(
  folder: string,
  deno: string,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const program = join(folder, "deno");
  await writeFile(
    program,
    `#!/bin/sh
for word do
  shift
  case "$word" in
    run) set -- "$@" run --quiet --no-check "--import-map=${HOME}tests/npm_std.json" ;;
    --node-modules-dir=none) set -- "$@" --node-modules-dir=manual ;;
    --allow-read=*) set -- "$@" "$word,${HOME}pdf,${HOME}git,${HOME}node_modules/unpdf" ;;
    jsr:@agent-tools/read-file-mcp@*) set -- "$@" "${HOME}mcp/mod.ts" --pdf --git ;;
    *) set -- "$@" "$word" ;;
  esac
done
sleep ${DELAY_SECONDS}
exec "${deno}" "$@"
`,
  );
  await chmod(program, 0o755);
}
