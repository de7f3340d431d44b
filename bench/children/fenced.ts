// Run with --allow-read=<workspace>: what a call costs there, and its challenges.
import { join } from "node:path";
import process from "node:process";
import { createOpenFile, hostFs, openWorkspace } from "../../mod.ts";
import { questionsOf } from "../../src/core/guard/proof.ts";
import { readRaw } from "../raw.ts";
import { race } from "../stats.ts";

const [root = "", path = ""] = process.argv.slice(2);
const tool = createOpenFile(await openWorkspace(root));
const request = { file_path: path, start_line: 101, end_line: 150 };
const fs = hostFs();
// The trail of the walk: the root, and each name below it.
const trail = [root];
for (const name of path.split("/")) trail.push(join(trail.at(-1)!, name));
const questions = questionsOf(trail.length);
const buffer = new Uint8Array(8 * 1024);

const times = await race([
  { name: "call", run: () => tool.call(request) },
  { name: "raw", run: () => readRaw(join(root, path), buffer) },
  {
    name: "challenge",
    run() {
      for (let asked = 0; asked < questions; asked++) {
        fs.lstat(trail[asked % trail.length]!);
      }
    },
  },
], { rounds: 20, calls: 50, warm: 40 });

const call = times.median("call");
const challenge = times.median("challenge");
process.stdout.write(JSON.stringify({
  call,
  raw: times.median("raw"),
  challenge,
  question: challenge / questions,
  rest: call - challenge,
}));
