/**
 * A played model reads hostile files with our tools, those of others, and a
 * shell. Usage: `main.ts [--write] [--ours] [--show TASK]`: `--write` writes the
 * tables and the picture, `--ours` plays only our tools, `--show` shows the
 * answers of the tasks with this word in their names. Exits with 1 if a target
 * is missed.
 */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { restoreFixtures, writeFixtures } from "./fixtures.ts";
import { ourServer, ourToolsInSdk } from "./ours.ts";
import { PEERS, versionOf } from "./peers.ts";
import { drawPicture } from "./picture.ts";
import { type Arm, play, type Played } from "./player.ts";
import {
  type ArmResult,
  listOfEnds,
  missedTargets,
  tableOfArms,
  tableOfTasks,
  tableOfWants,
  writeTable,
} from "./report.ts";
import { runInShell, SHELL_DEFINITION } from "./shell.ts";
import { TASKS } from "./tasks.ts";

const { values: options } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    ours: { type: "boolean", default: false },
    show: { type: "string" },
  },
});

/** The most characters of an answer that are shown. */
const MOST_SHOWN = 3000;

const HERE = fileURLToPath(new URL(".", import.meta.url));

const root = realpathSync(mkdtempSync(join(tmpdir(), "played-")));
process.on("exit", () => rmSync(root, { recursive: true }));
writeFixtures(root);
const shell: ArmResult = {
  name: "shell, best line in hindsight",
  definitions: SHELL_DEFINITION,
  played: TASKS.map((task) => {
    restoreFixtures(root);
    return runInShell(task, root);
  }),
};
const ours = [
  await playAll(await ourServer(root)),
  await playAll(await ourToolsInSdk(root)),
];
const others = options.ours ? [] : await playPeers();
const all = [shell, ...ours, ...others];
const [table, byTask, wants] = [
  tableOfArms(all),
  tableOfTasks(all),
  tableOfWants(),
];
console.log([table, byTask, wants, listOfEnds(all)].join("\n\n"));
const slowest = Math.max(...ours.flatMap(({ played }) => played.map(waitOf)));
console.log(`\nOurs: the longest wait was ${Math.round(slowest)} ms.`);
if (options.show !== undefined) showAnswers(options.show);
const misses = missedTargets(shell, ours);
for (const miss of misses) console.log(`Missed: ${miss}`);
if (options.write && !options.ours) {
  // Both doors of ours give the same texts.
  const arms = [shell, ours[0]!, ...others];
  writeTable("../../README.md", tableOfArms(arms));
  writeTable("README.md", tableOfTasks(arms));
  writeTable("README.md", wants);
  const picture = drawPicture(shell, ours[0]!, others);
  writeFileSync(join(HERE, "../../docs/played.svg"), picture);
  const written = ["../../README.md", "README.md", "../../docs/played.svg"];
  const args = ["fmt", "--quiet", ...written];
  spawnSync(process.execPath, args, { cwd: HERE });
}
// Exit, since a peer may hang.
process.exit(misses.length > 0 ? 1 : 0);

async function playPeers(): Promise<ArmResult[]> {
  if (!existsSync(join(HERE, "node_modules"))) {
    const args = ["ci", "--ignore-scripts", "--loglevel=error"];
    spawnSync("npm", args, { cwd: HERE, stdio: "inherit" });
  }
  const results: ArmResult[] = [];
  for (const peer of PEERS) {
    const title = `${peer.title} ${versionOf(peer)}`;
    results.push(await playAll(await peer.open(title, root)));
  }
  return results;
}

async function playAll(arm: Arm): Promise<ArmResult> {
  const played: Played[] = [];
  for (const task of TASKS) {
    restoreFixtures(root);
    played.push(await play(arm, task, root));
  }
  await arm.end();
  const { name, definitions } = arm;
  return { name, definitions, played };
}

function waitOf({ ms }: Played): number {
  return ms;
}

function showAnswers(word: string): void {
  for (const { name, played } of all) {
    for (const { task, texts } of played) {
      if (!task.includes(word)) continue;
      const shown = texts.map((text) => text.slice(0, MOST_SHOWN));
      console.log(`\n== ${name}, ${task}\n${shown.join("\n--\n")}`);
    }
  }
}
