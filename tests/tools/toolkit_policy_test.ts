import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  createAgentToolkit,
  memoryFs,
  openWorkspace,
  TOOL_DEFINITIONS,
  type ToolPolicy,
} from "../../mod.ts";
import { countingFs } from "../support/counting_fs.ts";
import { FILES, summary, toolkit, toolNamed } from "../support/toolkit.ts";

describe("createAgentToolkit()", () => {
  for (
    const [policy, rule] of [
      [{ tools: { read_file: "deny" } }, "tools.read_file"],
      [{ defaultPolicy: "deny" }, "defaultPolicy"],
      [{ defaultPolicy: "denied" as "deny" }, "defaultPolicy"],
      [
        { tools: { read_file: "deny" }, defaultPolicy: "allow" },
        "tools.read_file",
      ],
    ] as const
  ) {
    it(`case 8: ${JSON.stringify(policy)} denies, and no file is touched`, async () => {
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
            hint: "do without it, or ask whoever made the rule",
            rule,
          },
        },
      });
      assertEquals(await kit.tools.read_file({ path: "a.txt" }), result);
      assertEquals(await kit.invoke("read_file", { path: "a.txt" }), result);
      // The policy is asked before the arguments and the sandbox are.
      const reply = await kit.readFile("../x", { max_lines: 0 });
      assertEquals(summary(reply), "denied policy POLICY_DENIED");
      const odd = await kit.readFile("a.txt", 5 as unknown as null);
      assertEquals(odd, result);
      const none = await kit.invoke("read_file", "no JSON");
      assertEquals(summary(none), "denied policy POLICY_DENIED");
      assertEquals(fs.counts.calls, calls);
    });
  }

  it("case 8: a file named Policy.txt outside is denied by the sandbox", async () => {
    const { readFile } = await toolkit();
    const result = await readFile("../out/Policy.txt");
    assertEquals(summary(result), "denied sandbox SANDBOX_VIOLATION");
  });

  it("lets a tool's own rule win over the default", async () => {
    const policy = {
      tools: { read_file: "allow" },
      defaultPolicy: "deny",
    } as const;
    const { readFile, openFile } = await toolkit(policy);
    assertEquals(summary(await readFile("a.txt")), "success");
    const denied = summary(await openFile("a.txt"));
    assertEquals(denied, "denied policy POLICY_DENIED");
  });

  it("lists what the policy allows, in a fixed order", async () => {
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

  it("takes no rule from what a policy inherits", async () => {
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    const tools = [toolNamed("toString")];
    const policy = { tools: {} };
    const kit = await createAgentToolkit({ workspace, tools, policy });
    const result = await kit.invoke("toString", { file: "a.txt" });
    assertEquals(summary(result), "success");
  });
});
