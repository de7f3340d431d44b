/** The types of a toolkit: `deno task check` fails if an expected error below does not occur. */
import { assert, assertEquals } from "@std/assert";
import { it } from "node:test";
import {
  createAgentToolkit,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  definitions,
  memoryFs,
  openWorkspace,
} from "../../mod.ts";

const fs = memoryFs({ "/repo/a.txt": "one\ntwo\n" });
const place = { workspaceRoot: "/repo", fs };

it("a toolkit keeps the names and the answers of its tools", async () => {
  const kit = await createAgentToolkit({
    ...place,
    tools: [createForgeRead, (root) => createOpenFile(root)],
  });
  const read = await kit.tools.Read({ path: "a.txt" });
  assert(read.status === "success");
  const size: number = read.data.size;
  // @ts-expect-error: `Read` answers with an object.
  const text: string = read.data;
  assertEquals([size, typeof text], [8, "object"]);
  const opened = await kit.tools.open_file({ file_path: "a.txt" });
  assert(opened.status === "success");
  assertEquals(opened.data.toUpperCase(), "ONE\nTWO\n");
  // @ts-expect-error: `Read` takes no such argument.
  assertEquals((await kit.tools.Read({ pth: "a.txt" })).status, "failure");
  // @ts-expect-error: no tool has this name.
  assertEquals(kit.tools.Raed, undefined);
  // @ts-expect-error: the toolkit does not offer the tool with this name.
  assertEquals(kit.tools.read_file, undefined);
});

it("a toolkit offers read_file and open_file by default", async () => {
  const { tools } = await createAgentToolkit(place);
  const read = await tools.read_file({ path: "a.txt" });
  assert(read.status === "success");
  assertEquals(read.data.meta.line_count, 2);
  // @ts-expect-error: the default tools do not include `Read`.
  assertEquals(tools.Read, undefined);
});

it("a policy names only existing tools", async () => {
  const tools = [createForgeRead];
  await createAgentToolkit({
    ...place,
    tools,
    policy: { tools: { Read: "deny" } },
  });
  const raed = { tools: { Raed: "deny" } } as const;
  const lines = { start_line: 2 };
  const kit = await createAgentToolkit(place);
  const workspace = await openWorkspace("/repo", { fs });
  const wrong = [
    // @ts-expect-error: the toolkit has no tool `Raed`.
    () => createAgentToolkit({ ...place, tools, policy: raed }),
    // @ts-expect-error: the word is "deny".
    () => createAgentToolkit({ ...place, policy: { defaultPolicy: "denied" } }),
    // @ts-expect-error: the name is `defaultPolicy`.
    () => createAgentToolkit({ ...place, policy: { default_policy: "deny" } }),
    // @ts-expect-error: the range of `openFile` has `start` and `end`.
    () => kit.openFile("a", lines).then(fail),
    // @ts-expect-error: `read_file` takes no options.
    async () => await createToolkitReadFile(workspace, lines),
  ];
  for (const make of wrong) {
    const reason = await make().then(() => "none", ({ name }) => name);
    assertEquals(reason, "TypeError");
  }
});

it("definitions() accepts a toolkit, and gives the vendor's type", async () => {
  const kit = await createAgentToolkit(place);
  const [tool] = definitions("anthropic", kit);
  assertEquals(tool?.input_schema.required, ["path"]);
  // @ts-expect-error: this is OpenAI's name for it.
  assertEquals(tool?.parameters, undefined);
});

/** Throws the error of a failed result, as a maker would. */
function fail(result: { readonly status: string }): never {
  assertEquals(result.status, "failure");
  throw new TypeError("refused");
}
