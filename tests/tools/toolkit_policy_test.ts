import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  callTool,
  createAgentToolkit,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  memoryFs,
  openWorkspace,
  respond,
  TOOL_DEFINITIONS,
  ToolCatalog,
  type ToolPolicy,
} from "../../mod.ts";
import { countingFs } from "../support/counting_fs.ts";
import {
  errorOf,
  FILES,
  summary,
  toolkit,
  toolNamed,
} from "../support/toolkit.ts";
import { replyOf } from "../support/replies.ts";

describe("createAgentToolkit()", () => {
  for (
    const [policy, rule] of [
      [{ tools: { read_file: "deny" } }, "tools.read_file"],
      [{ defaultPolicy: "deny" }, "defaultPolicy"],
      [
        { tools: { read_file: "deny" }, defaultPolicy: "allow" },
        "tools.read_file",
      ],
    ] as const
  ) {
    it(`case 8: ${JSON.stringify(policy)} denies before any call`, async () => {
      const fs = countingFs(memoryFs(FILES));
      const kit = await createAgentToolkit({
        workspaceRoot: "/ws",
        fs,
        policy,
      });
      const { calls } = fs.counts;
      const result = await kit.readFile("a.txt");
      assertEquals(result, {
        status: "denied",
        reason: "policy",
        error: {
          code: "POLICY_DENIED",
          message:
            `POLICY_DENIED: Cannot read "a.txt": the rule "${rule}" does not allow it`,
          retriable: false,
          details: {
            path: "a.txt",
            hint: "use another file, or ask the user to change the rule",
            rule,
          },
        },
      });
      assertEquals(await kit.tools.read_file({ path: "a.txt" }), result);
      assertEquals(await kit.invoke("read_file", { path: "a.txt" }), result);
      // The policy is checked before the arguments and the sandbox.
      const reply = await kit.readFile("../x", { max_lines: 0 });
      assertEquals(summary(reply), "denied policy POLICY_DENIED");
      const odd = await kit.readFile("a.txt", 5 as unknown as null);
      assertEquals(odd, result);
      const none = await kit.invoke("read_file", "no JSON");
      assertEquals(summary(none), "denied policy POLICY_DENIED");
      assertEquals(fs.counts.calls, calls);
    });
  }

  const NAMES = "the names are read_file, open_file";
  const misspelt: readonly (readonly [unknown, string])[] = [
    [
      { default_policy: "deny" },
      '"default_policy" is unknown; the names are tools, defaultPolicy; did you mean defaultPolicy?',
    ],
    [
      { tool: { read_file: "deny" } },
      '"tool" is unknown; the names are tools, defaultPolicy; did you mean tools?',
    ],
    [
      { deny: ["read_file"] },
      '"deny" is unknown; the names are tools, defaultPolicy',
    ],
    [
      { tools: ["read_file"] },
      "policy.tools must be a plain object, not an array",
    ],
    [
      new Map([["read_file", "deny"]]),
      "policy must be a plain object, not an object",
    ],
    [[], "policy must be a plain object, not an array"],
    ["deny", "policy must be a plain object, not a string"],
    [7, "policy must be a plain object, not 7"],
    [null, "policy must be a plain object, not null"],
    [{ tools: null }, "policy.tools must be a plain object, not null"],
    [
      { defaultPolicy: undefined },
      'defaultPolicy must be one of "allow", "deny", not undefined',
    ],
    [
      { tools: { readfile: "deny" } },
      `policy.tools: "readfile" is unknown; ${NAMES}; did you mean read_file?`,
    ],
    [
      { tools: { Raed: "deny" } },
      `policy.tools: "Raed" is unknown; ${NAMES}`,
    ],
    [
      { tools: { toString: "deny" } },
      `policy.tools: "toString" is unknown; ${NAMES}`,
    ],
    [
      { tools: { read_file: "denied" } },
      'policy.tools["read_file"] must be one of "allow", "deny", not "denied"',
    ],
    [
      { tools: { read_file: undefined } },
      'policy.tools["read_file"] must be one of "allow", "deny", not undefined',
    ],
    [
      { tools: { read_file: false } },
      'policy.tools["read_file"] must be one of "allow", "deny", not false',
    ],
    [
      { defaultPolicy: "Deny" },
      'defaultPolicy must be one of "allow", "deny", not "Deny"; did you mean deny?',
    ],
  ];
  for (const [policy, problem] of misspelt) {
    it(`refuses a policy that would allow everything by mistake: ${problem}`, async () => {
      const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
      const error = await assertRejects(
        () => createAgentToolkit({ workspace, policy: policy as never }),
        TypeError,
      );
      assertEquals(error.message, `Cannot make a toolkit: ${problem}`);
    });
  }

  it("also refuses such a policy for a single call", async () => {
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    const tool = createToolkitReadFile(workspace);
    for (const [policy, problem] of misspelt) {
      // A single call does not know the names of other tools.
      if (/"(Raed|toString)" is/.test(problem)) continue;
      const own = problem.replace(NAMES, "the names are read_file");
      const message = `Cannot call read_file: ${own}`;
      const context = { workspace, policy: policy as never };
      const result = await ToolCatalog.read_file.handler(context, "a.txt");
      assertEquals(errorOf(result).message, `INVALID_ARGUMENT: ${message}`);
      const options = { policy: policy as never };
      const reply = await respond(tool, { path: "a.txt" }, options);
      assertEquals(reply, replyOf({ ok: false, content: message }));
      const { error } = await callTool(tool, { path: "a.txt" }, options);
      assertEquals(error?.code, "INVALID_ARGUMENT");
    }
  });

  it("refuses a rule for an alias or a wildcard for a single call", async () => {
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    const tool = createForgeRead(workspace);
    const own = "is unknown; the names are Read";
    const all = "names no tool; defaultPolicy is for all the others";
    for (
      const [name, problem] of [
        ["read", `${own}; did you mean Read?`],
        ["read_file", own],
        ["readfile", own],
        ["ReadFiles", own],
        ["OpenFile", own],
        ["", all],
        ["*", all],
        ["read*", all],
        ["all", all],
        ["default", all],
        ["defaultPolicy", all],
        ["__proto__", all],
      ]
    ) {
      const tools = JSON.parse(`{"${name}": "deny"}`);
      const options = { policy: { tools } };
      const { error } = await callTool(tool, { path: "a.txt" }, options);
      const message = `Cannot call Read: policy.tools: "${name}" ${problem}`;
      assertEquals(error?.message, message);
    }
    const policy: ToolPolicy = { tools: { open_file: "deny", count: "deny" } };
    const { output } = await callTool(tool, { path: "a.txt" }, { policy });
    assert(output);
  });

  it("accepts a policy with other tools for a single call, even with similar names", async () => {
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    const policy = {
      tools: { read_file: "allow", read_files: "deny" },
    } as const;
    const { handler } = ToolCatalog.read_file;
    assertEquals(
      summary(await handler({ workspace, policy }, "a.txt")),
      "success",
    );
    const tools = [toolNamed("read_file"), toolNamed("read_files")];
    const kit = await createAgentToolkit({ workspace, tools, policy });
    assertEquals(summary(await kit.invoke("read_file", {})), "success");
    const denied = await kit.invoke("read_files", {});
    assertEquals(summary(denied), "denied policy POLICY_DENIED");
  });

  it("keeps the given policy, even if the object changes", async () => {
    const policy = { tools: { read_file: "deny" as "deny" | "allow" } };
    const kit = await toolkit(policy);
    policy.tools.read_file = "allow";
    const result = await kit.readFile("a.txt");
    assertEquals(summary(result), "denied policy POLICY_DENIED");
  });

  it("keeps the registered name of a tool", async () => {
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    const own = createToolkitReadFile(workspace);
    for (
      const make of [createToolkitReadFile, createOpenFile, createForgeRead]
    ) {
      const { definition } = make(workspace);
      for (const frozen of [definition, definition.parameters]) {
        assertThrows(() => Object.assign(frozen, { name: "x" }), TypeError);
      }
      const properties = Object(definition.parameters.properties);
      assertThrows(() => Object.assign(properties, { x: {} }), TypeError);
    }
    const { read_file } = ToolCatalog;
    for (
      const shared of [
        TOOL_DEFINITIONS,
        TOOL_DEFINITIONS.read_file,
        ToolCatalog,
        read_file,
        read_file.metadata,
      ]
    ) {
      const changes = { name: "x", read_file, metadata: {} };
      assertThrows(() => Object.assign(shared, changes), TypeError);
    }
    // The definition of a custom tool may change.
    const definition = { ...own.definition };
    const tool = { ...own, definition };
    const policy = { tools: { read_file: "deny" } } as const;
    const tools = [() => tool];
    const kit = await createAgentToolkit({ workspace, policy, tools });
    Object.assign(definition, { name: "open_file" });
    const result = await kit.invoke("read_file", { path: "a.txt" });
    assertEquals(summary(result), "denied policy POLICY_DENIED");
    assertEquals(kit.definitions(), []);
    const none = await kit.invoke("open_file", { path: "a.txt" });
    assertEquals(summary(none), "failure runtime TOOL_NOT_FOUND");
  });

  it("case 8: a file named Policy.txt outside is denied by the sandbox", async () => {
    const { readFile } = await toolkit();
    const result = await readFile("../out/Policy.txt");
    assertEquals(summary(result), "denied sandbox SANDBOX_VIOLATION");
  });

  it("prefers the rule of a tool to the default", async () => {
    const policy = {
      tools: { read_file: "allow" },
      defaultPolicy: "deny",
    } as const;
    const { readFile, openFile } = await toolkit(policy);
    assertEquals(summary(await readFile("a.txt")), "success");
    const denied = summary(await openFile("a.txt"));
    assertEquals(denied, "denied policy POLICY_DENIED");
  });

  it("lists the tools that the policy allows, in a fixed order", async () => {
    const names = async (policy: ToolPolicy<"read_file" | "open_file">) =>
      (await toolkit(policy)).definitions().map(({ name }) => name);
    assertEquals(await names({}), ["read_file", "open_file"]);
    assertEquals(await names({ tools: { read_file: "deny" } }), ["open_file"]);
    assertEquals(await names({ defaultPolicy: "deny" }), []);
    const order = { open_file: "allow", read_file: "allow" } as const;
    assertEquals(await names({ tools: order }), ["read_file", "open_file"]);
    const [definition] = (await toolkit()).definitions();
    assertEquals(definition, TOOL_DEFINITIONS.read_file);
  });

  it("ignores rules on the prototype of a policy", async () => {
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    const tools = [toolNamed("toString")];
    const policy = { tools: {} };
    const kit = await createAgentToolkit({ workspace, tools, policy });
    const result = await kit.invoke("toString", { file: "a.txt" });
    assertEquals(summary(result), "success");
  });
});
