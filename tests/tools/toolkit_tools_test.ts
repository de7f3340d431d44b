import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import {
  createAgentToolkit,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  memoryFs,
  openWorkspace,
  readerTools,
  ReadFileError,
  type Workspace,
} from "../../mod.ts";
import { errorOf, FILES, summary, toolNamed } from "../support/toolkit.ts";
import { replyOf } from "../support/replies.ts";

/** A definition that cannot be converted to JSON. */

describe("createAgentToolkit()", () => {
  it("calls a tool by an alias, and checks the policy by the tool's name", async () => {
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

  it("takes tools beside functions that make them, also such as give no promise", async () => {
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    const definition = {
      name: "ping",
      description: "Answers.",
      parameters: { type: "object", properties: {} },
    } as const;
    const ping = { definition, call: () => "pong" };
    const kit = await createAgentToolkit({
      workspace,
      tools: [ping, createOpenFile, ...readerTools(workspace)],
      policy: { tools: { list_directory: "deny" } },
    });
    assertEquals((await kit.respond("ping", {})).text, "pong");
    assertEquals(
      await kit.tools.ping({}),
      { status: "success", data: "pong" },
    );
    assertEquals(Object.keys(kit.tools), [
      ...["ping", "open_file", "read_file", "read_files", "list_directory"],
    ]);
    const { ok } = await kit.respond("read_file", { path: "a.txt" });
    assertEquals(ok, true);
    const tools = readerTools(workspace);
    const own = await createAgentToolkit({ workspace, tools });
    assertEquals(own.definitions().length, 3);
  });

  it("does not call another tool named read_file for a window of lines", async () => {
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    const tools = [createForgeRead];
    const kit = await createAgentToolkit({ workspace, tools });
    const result = await kit.readFile("a", { start_line: 2 });
    assertEquals(errorOf(result).code, "TOOL_NOT_FOUND");
  });

  const wrong: readonly (readonly [unknown, string])[] = [
    [
      "read_file",
      'tools must be an array of tools, or of functions that make them, not "read_file"',
    ],
    [
      null,
      "tools must be an array of tools, or of functions that make them, not null",
    ],
    [
      ["read_file"],
      "tools[0] must be a tool, or a function that makes one, such as createOpenFile, not a string",
    ],
    [
      [createOpenFile, null],
      "tools[1] must be a tool, or a function that makes one, such as createOpenFile, not null",
    ],
    [
      [() => ({})],
      "what tools[0] makes must be a tool, such as createOpenFile(workspace) makes, not an object",
    ],
    [
      [() => Promise.resolve(1)],
      "what tools[0] makes must be a tool, such as createOpenFile(workspace) makes, not a promise; await it",
    ],
    [
      [() => ({ definition: { name: "a", parameters: {} } })],
      'what tools[0] makes must be a tool: { definition, call }; it needs definition.description, a string, definition.parameters, a schema with "type": "object", call, a function',
    ],
    [
      [(at: Workspace) => [{ ...toolNamed("a")(at), aliases: "b", render: 1 }]],
      "what tools[0] makes[0] must be a tool: { definition, call }; it needs aliases as a list of strings, render as a function",
    ],
  ];
  for (const [tools, problem] of wrong) {
    it(`refuses tools: ${problem}`, async () => {
      const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
      const error = await assertRejects(
        () => createAgentToolkit({ workspace, tools: tools as never }),
        TypeError,
      );
      assertEquals(error.message, `Cannot make a toolkit: ${problem}`);
    });
  }

  it("responds to a model, with policy, leniency and abort", async () => {
    const kit = await createAgentToolkit({
      workspaceRoot: "/ws",
      fs: memoryFs(FILES),
      tools: [createForgeRead, createOpenFile],
      policy: { tools: { open_file: "deny" } },
    });
    const ask = '{"path": "a.txt", "head": "1"}';
    assertEquals(
      await kit.respond("Read", ask, { lenient: true }),
      replyOf({
        ok: true,
        content: "1| one\n",
        notes: [
          'head: "1" was taken as 1',
          'more lines follow; continue with {"start_line":2,"limit":1,"path":"a.txt"}',
        ],
      }),
    );
    const strict = await kit.respond("read_file", ask, { lenient: false });
    assertEquals([strict.ok, strict.content.split("\n")[0]], [
      false,
      "head must be an integer",
    ]);
    const missing = await kit.respond("Read", { path: "A.txt" });
    assertEquals(
      missing.content,
      'Cannot read "A.txt": nothing is there\ndid you mean "a.txt"?',
    );
    const denied = await kit.respond("open_file", { file_path: "a.txt" });
    assertStringIncludes(
      denied.content,
      'the rule "tools.open_file" does not allow it',
    );
    assertEquals(
      await kit.respond("raed", ask),
      replyOf({
        ok: false,
        content:
          'Cannot call "raed": there is no such tool; the tools are: "Read"',
      }),
    );
    const options = { signal: AbortSignal.abort() };
    const aborted = await kit.respond("Read", { path: "a.txt" }, options);
    assertStringIncludes(aborted.content, "the call was aborted");
    const misspelt = { leniant: true } as never;
    assertEquals(
      await kit.respond("Read", ask, misspelt),
      replyOf({
        ok: false,
        content:
          'Cannot call Read: "leniant" is unknown; the names are signal, lenient, note; did you mean lenient?',
      }),
    );
  });

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

  it("refuses a rule for an alias, which would never apply", async () => {
    const tools = [toolNamed("echo", ["say"])];
    const policy = { tools: { say: "deny" } } as const;
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    await assertRejects(
      () => createAgentToolkit({ workspace, tools, policy }),
      TypeError,
      'the policy names "say", which is an alias of "echo"; name the tool itself',
    );
  });

  it("offers only the given tools", async () => {
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

  it("accepts either a workspace or a root", async () => {
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

  it("opens its workspace with the given rules", async () => {
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

  it("refuses rules for an open workspace", async () => {
    const fs = memoryFs(FILES);
    const workspace = await openWorkspace("/ws", { fs });
    for (const given of [{ deny: ["a.*"] }, { denied: "hide" }, { fs }]) {
      const options = { workspace, ...given };
      await assertRejects(
        // Untyped code may pass what the types exclude.
        () => createAgentToolkit(options as { readonly workspace: Workspace }),
        TypeError,
        `Cannot make a toolkit: ${
          Object.keys(given)[0]
        } goes with workspaceRoot; open the workspace with it, or narrow it`,
      );
    }
  });

  it("rejects a missing root", async () => {
    const fs = memoryFs(FILES);
    const make = () => createAgentToolkit({ workspaceRoot: "/none", fs });
    const error = await assertRejects(make, ReadFileError);
    assertEquals(error.code, "NOT_FOUND");
  });
});
