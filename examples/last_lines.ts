// The last lines of a log, with no permission but to read it.
import { openWorkspace } from "@agent-tools/read-file";

const workspace = await openWorkspace(
  new URL("files", import.meta.url).pathname,
);
const { lines, totalLines } = await workspace.read("app.log", { tail: 50 });
// Shows two of the fifty.
for (const { number, text } of lines.slice(-2)) console.log(number, text);
console.log(`${lines.length} of ${totalLines} lines`);
