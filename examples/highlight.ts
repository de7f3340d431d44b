// Lines for a person: open_file with colors, by a function that the host gives.
import { openFile, openWorkspace } from "@agent-tools/read-file";
import { highlightLines } from "@agent-tools/read-file-highlight";

const root = new URL("files", import.meta.url).pathname;
const workspace = await openWorkspace(root);
const text = await openFile(workspace, "add.ts", { start: 2, end: 3 }, {
  highlight: highlightLines,
  lineNumbers: true,
});
// On a terminal: console.log(text). Here, the colors are shown as escapes.
console.log(JSON.stringify(text));
