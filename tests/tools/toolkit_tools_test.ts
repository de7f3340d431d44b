import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  createAgentToolkit,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  memoryFs,
  openWorkspace,
  ReadFileError,
  type Workspace,
} from "../../mod.ts";
import { errorOf, FILES, summary, toolNamed } from "../support/toolkit.ts";

describe("createAgentToolkit()", () => {
  it("calls a tool by an alias, and asks the policy by the tool's name", async () => {
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    const tools = [toolNamed("echo", ["say", "echo"])];
    const kit = await createAgentToolkit({ workspace, tools });
    const said = await kit.invoke("say", '{"file": "a"}');
    assertEquals(said, { status: "success", data: { file: "a" } });
    assertEquals(Object.keys(kit.tools), ["echo"]);
    const policy = { tools: { echo: "deny" } } as const;
    const denied = await createAgentToolkit({ workspace, tools, policy });
    const result = await denied.invoke("say", { file: "a" });
    assertEquals(summary(result), "denied policy POLICY_DENIED");
    assertEquals(errorOf(result).details.path, "a");
  });

  it("asks no other tool that answers to read_file for a window of lines", async () => {
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    const tools = [createForgeRead];
    const kit = await createAgentToolkit({ workspace, tools });
    const result = await kit.readFile("a", { start_line: 2 });
    assertEquals(errorOf(result).code, "TOOL_NOT_FOUND");
  });

  it("lets no other spelling of a range win", async () => {
    const fs = memoryFs({ "/ws/a": "1\n2\n3\n" });
    const kit = await createAgentToolkit({ workspaceRoot: "/ws", fs });
    const range = { start: 1, end: 1, start_line: 3, end_line: 3 };
    const result = await kit.openFile("a", range);
    assertEquals(result, { status: "success", data: "1\n" });
  });

  for (const policy of [7, { tools: null }, { tools: "deny" }]) {
    it(`takes the policy ${JSON.stringify(policy)} for a mistake of the caller`, async () => {
      const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
      const options = { workspace, policy } as never;
      await assertRejects(
        () => createAgentToolkit(options),
        TypeError,
        "policy and policy.tools must be objects",
      );
    });
  }

  const clashes = [
    [toolNamed("read_file"), '"read_file" and "read_file"', "read_file"],
    [toolNamed("Read", ["read_file"]), '"read_file" and "Read"', "read_file"],
    [toolNamed("Read", ["open_file"]), '"open_file" and "Read"', "open_file"],
  ] as const;
  for (const [other, both, name] of clashes) {
    it(`refuses ${both}, which both answer to ${name}`, async () => {
      const tools = [createToolkitReadFile, createOpenFile, other];
      const fs = memoryFs(FILES);
      await assertRejects(
        () => createAgentToolkit({ workspaceRoot: "/ws", fs, tools }),
        TypeError,
        `Cannot make a toolkit: the tools ${both} both answer to "${name}"; offer one of them`,
      );
    });
  }

  it("refuses two tools that share an alias", async () => {
    const tools = [toolNamed("a", ["x"]), toolNamed("b", ["x"])];
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    await assertRejects(
      () => createAgentToolkit({ workspace, tools }),
      TypeError,
      'the tools "a" and "b" both answer to "x"',
    );
  });

  it("refuses a rule for an alias, which would never be asked for", async () => {
    const tools = [toolNamed("echo", ["say"])];
    const policy = { tools: { say: "deny" } } as const;
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    await assertRejects(
      () => createAgentToolkit({ workspace, tools, policy }),
      TypeError,
      'the policy names "say", which is an alias of "echo"; name the tool itself',
    );
  });

  it("offers the tools it is given, and no others", async () => {
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    const tools = [createOpenFile];
    const kit = await createAgentToolkit({ workspace, tools });
    assertEquals(Object.keys(kit.tools), ["open_file"]);
    assertEquals(
      summary(await kit.readFile("a.txt")),
      "failure runtime TOOL_NOT_FOUND",
    );
    assertEquals(summary(await kit.openFile("a.txt")), "success");
  });

  it("takes a workspace or the root of one, and not both or neither", async () => {
    const fs = memoryFs(FILES);
    const workspace = await openWorkspace("/ws", { fs });
    const kit = await createAgentToolkit({ workspace });
    assertEquals(summary(await kit.readFile("a.txt")), "success");
    for (const options of [{}, { workspace, workspaceRoot: "/ws", fs }]) {
      await assertRejects(
        () => createAgentToolkit(options as { readonly workspaceRoot: string }),
        TypeError,
        "Cannot make a toolkit: name one of workspace and workspaceRoot",
      );
    }
  });

  it("opens its workspace with the rules it is given", async () => {
    const fs = memoryFs(FILES);
    const place = { workspaceRoot: "/ws", fs, deny: ["a.*"] } as const;
    const kit = await createAgentToolkit(place);
    for (
      const result of [await kit.readFile("a.txt"), await kit.openFile("a.txt")]
    ) {
      assertEquals(summary(result), "denied policy POLICY_DENIED");
    }
    const hiding = await createAgentToolkit({ ...place, denied: "hide" });
    const hidden = await hiding.readFile("a.txt");
    assertEquals(summary(hidden), "failure runtime NOT_FOUND");
  });

  it("takes no rules for a workspace that is open already", async () => {
    const fs = memoryFs(FILES);
    const workspace = await openWorkspace("/ws", { fs });
    for (const given of [{ deny: ["a.*"] }, { denied: "hide" }, { fs }]) {
      const options = { workspace, ...given };
      await assertRejects(
        // What the types rule out comes from JavaScript all the same.
        () => createAgentToolkit(options as { readonly workspace: Workspace }),
        TypeError,
        `Cannot make a toolkit: ${
          Object.keys(given)[0]
        } goes with workspaceRoot; open the workspace with it, or narrow it`,
      );
    }
  });

  it("rejects a root that is not there", async () => {
    const fs = memoryFs(FILES);
    const make = () => createAgentToolkit({ workspaceRoot: "/none", fs });
    const error = await assertRejects(make, ReadFileError);
    assertEquals(error.code, "NOT_FOUND");
  });
});
