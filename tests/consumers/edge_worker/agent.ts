// A consumer's worker: the four tools at the edge.
import {
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  memoryFs,
  openWorkspace,
  respond,
  type Tool,
} from "@agent-tools/read-file";

const files = {
  "/repo/notes.txt": "one\ntwo\nthree\n",
  "/repo/large.txt": "line\n".repeat(200_000),
  "/repo/page.txt": "a line of text\n".repeat(500),
  "/secret.txt": "no",
};

export default {
  async fetch(): Promise<Response> {
    const workspace = await openWorkspace("/repo", { fs: memoryFs(files) });
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
      large: await Promise.all([
        respond(tools.codex, {
          file_path: "/repo/large.txt",
          offset: 200_000,
          limit: 1,
        }),
        respond(tools.forge, { path: "large.txt", tail: 1 }),
        respond(tools.open, {
          file_path: "large.txt",
          start_line: 200_000,
          end_line: 200_000,
        }),
        respond(tools.toolkit, {
          path: "large.txt",
          start_line: 200_000,
          max_lines: 1,
        }),
      ]),
      // Many small files: together they might get a faster, compiled kernel.
      many: await readMany(tools.open, "page.txt", 500),
      outside: await respond(tools.toolkit, { path: "../secret.txt" }),
    });
  },
};

/** How often a file could be read. */
async function readMany(
  tool: Tool,
  path: string,
  times: number,
): Promise<number> {
  let well = 0;
  for (let time = 0; time < times; time++) {
    const args = { file_path: path, start_line: 1, end_line: 500 };
    const { ok } = await respond(tool, args);
    if (ok) well++;
  }
  return well;
}
