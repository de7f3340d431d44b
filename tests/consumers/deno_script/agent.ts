// A consumer's script: the four tools on the folder in its argument.
import {
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  openWorkspace,
  respond,
  type ToolReply,
} from "jsr:@agent-tools/read-file@^0.2";

const [root = "."] = Deno.args;
const workspace = await openWorkspace(root);

const replies: Record<string, ToolReply> = {
  codex: await respond(
    createCodexReadFile(workspace),
    { file_path: `${root}/notes.txt`, offset: 2, limit: 1 },
  ),
  toolkit: await respond(
    createToolkitReadFile(workspace),
    '{"path": "notes.txt", "max_lines": 1}',
  ),
  forge: await respond(
    createForgeRead(workspace),
    { path: "notes.txt", tail: 1 },
  ),
  open: await respond(
    createOpenFile(workspace),
    { file_path: "notes.txt", start_line: 1, end_line: 2 },
  ),
  outside: await respond(
    createOpenFile(workspace),
    { file_path: "../secret.txt", start_line: 1, end_line: 1 },
  ),
};

console.log(JSON.stringify(replies));
