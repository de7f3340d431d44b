// A stranger's worker: the four tools at the edge.
import {
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  FileRoot,
  memoryFs,
  respond,
} from "@agent-tools/read-file";

const files = {
  "/repo/notes.txt": "one\ntwo\nthree\n",
  "/repo/large.txt": "line\n".repeat(200_000),
  "/secret.txt": "no",
};

export default {
  async fetch(): Promise<Response> {
    const workspace = await FileRoot.at(memoryFs(files), "/repo");
    const tools = {
      codex: createCodexReadFile(workspace),
      forge: createForgeRead(workspace),
      open: createOpenFile(workspace),
      toolkit: createToolkitReadFile(workspace),
    };
    return Response.json({
      codex: await respond(tools.codex, { file_path: "/repo/notes.txt" }),
      forge: await respond(tools.forge, { path: "notes.txt", tail: 1 }),
      open: await respond(tools.open, {
        file_path: "notes.txt",
        start_line: 1,
        end_line: 2,
      }),
      toolkit: await respond(tools.toolkit, { path: "notes.txt" }),
      large: await respond(tools.open, {
        file_path: "large.txt",
        start_line: 200_000,
        end_line: 200_000,
      }),
      outside: await respond(tools.toolkit, { path: "../secret.txt" }),
    });
  },
};
