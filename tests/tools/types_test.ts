/**
 * What must not compile. The compiler checks this file, in `deno task check`: each
 * mistake has a comment that is an error itself if the mistake compiles.
 */
import { assert } from "@std/assert";
import { describe, it } from "node:test";
import {
  type AgentToolkit,
  callTool,
  createAgentToolkit,
  createCodexReadFile,
  createOpenFile,
  createSecureTool,
  type JsonValue,
  type Page,
  readerTools,
  type ReadOptions,
  respond,
  type ToolPolicy,
  type Workspace,
} from "../../mod.ts";

/** Is never called: the compiler reads it. */
export async function mistakes(workspace: Workspace, page: Page) {
  const codex = createCodexReadFile(workspace);
  // @ts-expect-error -- there is no such mode
  await codex.call({ file_path: "/a", mode: "indent" });
  await codex.call({ file_path: "/a", mode: "indentation" });

  // @ts-expect-error -- the last lines have no first one
  await workspace.read("a", { start: 1, tail: 2 });
  // @ts-expect-error -- the last lines are counted by tail
  await workspace.read("a", { tail: 2, count: 1 });
  // @ts-expect-error -- there is nothing to match
  await workspace.read("a", { regex: true });
  // @ts-expect-error -- there is nothing to match
  await workspace.read("a", { ignoreCase: true, start: 2 });
  // @ts-expect-error -- the same for pages
  for await (const _ of workspace.pages("a", { start: 1, tail: 2 }));
  // @ts-expect-error -- and for several files
  await workspace.readMany([{ path: "a", start: 1, tail: 2 }]);
  // @ts-expect-error -- and where the options have a name
  const mistaken: ReadOptions = { start: 1, tail: 2 };
  await workspace.read("a", mistaken);
  // @ts-expect-error -- misspelt
  await workspace.read("a", { strat: 2 });
  await workspace.read("a", { tail: 2, numbered: false });
  await workspace.read("a", { match: "a", regex: true, start: 2 });
  if (page.next !== null) {
    await workspace.read("a", page.next);
    await workspace.read("a", { ...page.next, start: 1, count: 9 });
  }
  // What is put together at run time is checked then.
  const some = { ...(page.exact ? { tail: 2 } : { start: 2 }) };
  await workspace.read("a", some);

  const open = createOpenFile(workspace);
  // @ts-expect-error -- the policy names another tool
  await respond(open, {}, { policy: { tools: { read_file: "deny" } } });
  // @ts-expect-error -- the policy names another tool
  await callTool(open, {}, { policy: { tools: { read_file: "deny" } } });
  await respond(open, {}, { policy: { tools: { open_file: "deny" } } });
  const shared = { tools: { open_file: "deny", read_file: "allow" } } as const;
  await respond(open, {}, { policy: shared });
  const any: ToolPolicy = shared;
  await respond(open, {}, { policy: any });

  // Arguments that are written out are checked; what a model sent is not.
  const [readFile, readFiles, list] = readerTools(workspace);
  // @ts-expect-error -- misspelt
  await readFile.call({ path: "a", strat: 1 });
  // @ts-expect-error -- misspelt
  await callTool(readFile, { path: "a", strat: 1 });
  // @ts-expect-error -- misspelt
  await respond(readFile, { path: "a", strat: 1 });
  // @ts-expect-error -- a line is a number
  await callTool(readFile, { path: "a", start: [1] });
  // @ts-expect-error -- there is no such mode
  await callTool(codex, { file_path: "/a", mode: "indent" });
  // @ts-expect-error -- there is no such mode
  await respond(codex, { file_path: "/a", mode: "indent" });
  // @ts-expect-error -- the name in other tools
  await respond(open, { path: "a" });
  // @ts-expect-error -- misspelt, of one file
  await readFiles.call({ files: ["a", { path: "b", strat: 1 }] });
  // @ts-expect-error -- a list of files
  await callTool(readFiles, { files: "a" });
  // @ts-expect-error -- misspelt
  await callTool(list, { dpeth: 2 });
  // @ts-expect-error -- the policy names another tool
  await callTool(list, {}, { policy: { tools: { read_file: "deny" } } });
  await readFile.call({ path: "a", start: 1, maxChars: 9 });
  await readFiles.call({ files: ["a", { path: "b", start: 1 }] });
  await callTool(readFiles, { files: ["a", { path: "b", start: 1 }] });
  await callTool(codex, { file_path: "/a", mode: "indentation" });
  await respond(open, { file_path: "a", start_line: "2" });
  const sent: unknown = JSON.parse(page.text);
  const record = sent as Record<string, unknown>;
  for (const tool of [readFile, readFiles, list, open, codex]) {
    await respond(tool, sent);
    await respond(tool, page.text);
    await callTool(tool, record);
    await callTool(tool, { ...record, path: "a" });
  }
  // So are lists whose length the compiler does not know, which each tool refuses.
  const values = sent as unknown[];
  const value = sent as JsonValue;
  const either = sent as string | JsonValue;
  await callTool(readFile, values);
  await respond(readFile, values);
  await callTool(readFile, value);
  await respond(readFile, value);
  await callTool(readFile, either);
  await respond(readFile, either);
  // @ts-expect-error -- no tool takes a list
  await respond(readFile, ["a"]);
  const { output } = await callTool(readFile, sent);
  const text: string | undefined = output?.text;
  await callTool(list, text);

  const count = createSecureTool(
    { name: "count", isWriteOp: false, description: "Counts." },
    () => 1,
  );
  // @ts-expect-error -- the policy names another tool
  await count({ workspace, policy: { tools: { open_file: "deny" } } }, "a");
  await count({ workspace, policy: { tools: { count: "deny" } } }, "a");

  const tools = [createOpenFile, count];
  await createAgentToolkit({
    workspace,
    tools,
    // @ts-expect-error -- the toolkit does not have this tool
    policy: { tools: { read_file: "deny" } },
  });
  const readers = readerTools(workspace);
  await createAgentToolkit({
    workspace,
    tools: readers,
    // @ts-expect-error -- the toolkit does not have this tool
    policy: { tools: { open_file: "deny" } },
  });
  const policy = { tools: { read_files: "deny" } } as const;
  await createAgentToolkit({ workspace, tools: readers, policy });
  const kit: AgentToolkit = await createAgentToolkit({ workspace });
  // A model may send any name.
  const name: string = page.path;
  await kit.respond(name, {});
}

describe("the types", () => {
  it("are checked by the compiler", () => assert(mistakes.length === 2));
});
