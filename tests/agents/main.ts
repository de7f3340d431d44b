/**
 * Runs real agents with the MCP server and a simulated model that follows its
 * instructions. Prints what the model saw of each file. Usage: `main.ts [--write] [AGENT…]`.
 * `AGENT_CELLS` is a pattern that selects the cells; with `--write`, the version of
 * an agent without failures goes to `docs/agents.md`.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { AGENTS } from "./agents.ts";
import { CELLS, plantCells } from "./cells.ts";
import { writeVersion } from "./documented.ts";
import { runWithoutOwnRead } from "./own_read.ts";
import { runAgent, versionOf } from "./run.ts";

const given = process.argv.slice(2);
const words = given.filter((word) => word !== "--write");
const wanted = new RegExp(process.env.AGENT_CELLS ?? "");
const names = words.length > 0 ? words : Object.keys(AGENTS);

const work = await mkdtemp(join(tmpdir(), "agents-"));
const folder = join(work, "files");
await plantCells(folder);

/** The row of a run without the agent's own tool that reads. */
const OWN_READ_OFF = "own read tool off";

let failures = 0;
const print = (cells: readonly unknown[]) =>
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
print([
  "agent",
  "what",
  "calls",
  "lines, images or kinds missing",
  "characters shown / of the file",
]);
print(["---", "---", "---", "---", "---"]);
for (const name of names) {
  const agent = AGENTS[name];
  if (agent === undefined) {
    process.stderr.write(
      `${JSON.stringify(name)} is not an agent; the agents are ${
        Object.keys(AGENTS)
      }\n`,
    );
    process.exit(2);
  }
  const before = failures;
  const keep = async (seen: unknown, said: string) => {
    failures++;
    // What the model saw is the evidence, so keep it.
    const kept = join(tmpdir(), `agents-${name}-${failures}.json`);
    await writeFile(kept, JSON.stringify(seen, null, 1));
    process.stderr.write(`${kept} contains what the model saw\n${said}\n`);
  };
  for (const [at, cell] of CELLS.entries()) {
    if (!wanted.test(cell.name)) continue;
    const run = await runAgent({
      name,
      agent,
      // Alternate between an absolute path and the working directory of the agent.
      served: at % 2 === 0 ? folder : ".",
      folder,
      calls: cell.calls,
    });
    const { seen, said } = run;
    const { missing, ratio } = cell.judge(run);
    const version = await versionOf(name, agent);
    const shown = ratio?.toFixed(2) ?? "";
    print([`${name} ${version}`, cell.name, seen.length, missing, shown]);
    if (missing === 0 || cell.name === agent.leavesOut) continue;
    await keep(seen, said);
  }
  const { ownRead } = agent;
  if (ownRead !== undefined && wanted.test(OWN_READ_OFF)) {
    const { run, problems } = await runWithoutOwnRead(name, agent, ownRead);
    const version = await versionOf(name, agent);
    const { length } = run.seen;
    print([`${name} ${version}`, OWN_READ_OFF, length, problems.length, ""]);
    if (problems.length > 0) await keep(run.seen, problems.join("\n"));
  }
  if (given.includes("--write") && failures === before) {
    await writeVersion(agent.title, await versionOf(name, agent));
  }
}
await rm(work, { recursive: true, force: true });
process.exit(failures === 0 ? 0 : 1);
