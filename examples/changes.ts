// What changed in some lines since the last commit, for a model and for a program.
import {
  changesSince,
  openWorkspace,
  readerTools,
  respond,
} from "@agent-tools/read-file";
import { gitRevisions } from "@agent-tools/read-file-git";
import { memoryRepository } from "./simulated_git.ts";

// On a disk, without `fs`: openWorkspace(".", { revisions: gitRevisions() }).
const fs = memoryRepository("/repo", {
  "src/add.ts": "export function add(a, b) {\n  return a - b;\n}\n",
});
const workspace = await openWorkspace("/repo", {
  fs,
  revisions: gitRevisions({ fs }),
});
const [readFile] = readerTools(workspace);
for (const changes of ["HEAD", "HAED"]) {
  const args = { path: "src/add.ts:2-3", changes };
  const { content } = await respond(readFile, args);
  console.log(`read_file ${JSON.stringify(args)}\n${content}\n`);
}
const { lines } = await changesSince(workspace, "src/add.ts", "HEAD");
console.log(JSON.stringify(lines[1]));
const before = await workspace.at("HEAD");
console.log((await before.read("src/add.ts", { start: 2, count: 1 })).text);
