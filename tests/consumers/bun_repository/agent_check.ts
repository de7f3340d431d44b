// The repository's tests, on its own files; installed as agent.test.ts.
import { expect, test } from "bun:test";
import {
  createToolkitReadFile,
  openWorkspace,
  ReadFileError,
  respond,
} from "@agent-tools/read-file";
import { makeTools } from "./agent.ts";

const root: string = new URL(".", import.meta.url).pathname.slice(0, -1);
const first = "// The tools of a repository with an agent, made once.";

test("each tool reads the source of the agent", async () => {
  const tools = await makeTools(root);
  expect(tools.map(({ definition }) => definition.name)).toEqual([
    "read_file",
    "Read",
    "open_file",
    "read_file",
  ]);
  const lines = { start_line: 1, end_line: 1 };
  const calls = [
    { file_path: `${root}/agent.ts`, limit: 1 },
    { path: "agent.ts", ...lines },
    { file_path: "agent.ts", ...lines },
    { path: "agent.ts", max_lines: 1 },
  ];
  for (const [at, tool] of tools.entries()) {
    const { ok, content } = await respond(tool, calls[at]);
    expect([ok, content.includes(first)]).toEqual([true, true]);
  }
});

test("an answer has its declared types", async () => {
  const tool = createToolkitReadFile(await openWorkspace(root));
  const { content, next_start_line } = await tool.call({
    path: "agent.ts",
    max_lines: 1,
  });
  const next: number | null = next_start_line;
  expect([content, next]).toEqual([first, 2]);
});

test("a missing file has its code", async () => {
  const workspace = await openWorkspace(root);
  const error: unknown = await workspace.read("nope.ts").catch((error) =>
    error
  );
  expect(error instanceof ReadFileError && error.is("NOT_FOUND")).toEqual(true);
});
