import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { describe, it } from "node:test";
import {
  createAgentToolkit,
  type DenyOptions,
  type FsPort,
  type MemoryFiles,
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "../../../mod.ts";
import { said } from "../../support/said.ts";
import { countingFs } from "../../support/counting_fs.ts";
import { DENIED_TREE as TREE, refusal } from "../../support/denied_tree.ts";
import { withHandles } from "../../support/fake_fs.ts";
import { callAsModel, FOUR_TOOLS } from "../../support/four_tools.ts";
import { recordingFs } from "../../support/recording_fs.ts";
import { observe } from "../../support/observe.ts";

describe("a denied path", () => {
  for (const denied of ["refuse", "hide"] as const) {
    it(`is not passed to lstat(): ${denied}`, async () => {
      const recorded = recordingFs(memoryFs(TREE));
      const deny = ["**/.env", ".git/**"];
      const paths = [".env", "sub/.env", "to-env", ".git", ".git/config"];
      for (
        const path of [...paths, "to-git/hooks/pre", "keys/.env/x", ".env/"]
      ) {
        await refusal(path, { deny, denied }, recorded);
      }
      const asked = recorded.asked.filter((path) => /\.env|\.git/.test(path));
      assertEquals(asked, []);
      assert(recorded.asked.includes("/ws/to-git"), "lstat() was not called");
    });
    it(`is not opened: ${denied}`, async () => {
      const port = countingFs(memoryFs(TREE));
      await refusal("to-sub-env", { deny: ["**/.env"], denied }, port);
      assertEquals(port.counts.opened, 0);
    });
    it(`is closed if it is the path of the open file: ${denied}`, async () => {
      const port = countingFs(
        withHandles(
          memoryFs(TREE),
          () => ({ path: () => "/ws/.git/x/config" }),
        ),
      );
      const error = await refusal("a.txt", { deny: [".git/**"], denied }, port);
      const code = denied === "hide" ? "NOT_FOUND" : "POLICY_DENIED";
      assertEquals(error.code, code);
      assertEquals(port.counts.bytes, 0);
      assertEquals(port.counts.open, 0);
    });
    it(`does not affect the reads of other paths: ${denied}`, async () => {
      const options = { deny: ["**/.env"], denied } as const;
      const workspace = await openWorkspace("/ws", {
        fs: memoryFs(TREE),
        ...options,
      });
      assertEquals((await workspace.read("sub/b.txt")).text, "b");
      assertEquals((await workspace.read("secret.link")).text, "a");
    });
  }
});

describe('denied: "refuse"', () => {
  it("is the default", async () => {
    assertEquals(
      (await refusal(".env", { deny: [".env"] })).code,
      "POLICY_DENIED",
    );
  });
  it("names the rule in the message and in the details", async () => {
    const error = await refusal("to-env", {
      deny: ["**/.env"],
      denied: "refuse",
    });
    assert(error.is("POLICY_DENIED"));
    assertEquals(error.details, { rule: "**/.env" });
    assertEquals(error.path, "to-env");
    assertEquals(
      said(error),
      'Cannot read "to-env": the rule "**/.env" does not allow it; use another file, or ask the user to change the rule',
    );
    assertEquals(error.cause, undefined);
  });
  it("fails in the same way for an existing and a missing denied path", async () => {
    const deny = ["**/.env"];
    const there = await refusal("sub/.env", { deny });
    const absent = await refusal("keys/.env", { deny });
    const words = (error: ReadFileError, path: string) =>
      JSON.stringify([error.message, error.details]).replaceAll(path, "PATH");
    assertEquals(words(there, "sub/.env"), words(absent, "keys/.env"));
  });
  for (const { name, pathName, make } of FOUR_TOOLS) {
    it(`reaches the caller of ${name}, with the rule`, async () => {
      const deny = ["**/.env"];
      const fs = memoryFs(TREE);
      const tool = make(await openWorkspace("/ws", { fs, deny }));
      const args = { [pathName]: "/ws/sub/.env" };
      assertEquals((await callAsModel(tool, args)).code, "POLICY_DENIED");
      const error: ReadFileError = await assertRejects(
        () => tool.call(args),
        ReadFileError,
      );
      assert(error.is("POLICY_DENIED"));
      assertEquals(error.details.rule, "**/.env");
      // open_file has a fixed message.
      if (name === "OpenFile") return;
      assertStringIncludes(error.message, '"**/.env"');
    });
  }
  it("is a denial by policy in a toolkit", async () => {
    const fs = memoryFs(TREE);
    const workspace = await openWorkspace("/ws", { fs, deny: ["**/.env"] });
    const toolkit = await createAgentToolkit({ workspace });
    const result = await toolkit.readFile(".env");
    assert(result.status === "denied");
    assertEquals(result.reason, "policy");
    assertEquals(result.error.details, {
      path: ".env",
      hint: "use another file, or ask the user to change the rule",
      rule: "**/.env",
    });
  });
});

describe('denied: "hide"', () => {
  it("looks like a missing path", async () => {
    const hide = { deny: ["**/.env"], denied: "hide" } as const;
    const error = await refusal(".env", hide);
    const absent = await refusal(".emv", hide);
    assert(error.is("NOT_FOUND"));
    assertEquals(error.details, { reason: "missing" });
    assertEquals(error.message, absent.message.replace(".emv", ".env"));
    assertEquals(String(error.cause), String(absent.cause));
  });
  it("fails like the port for an absent name", async () => {
    const port = memoryFs(TREE);
    const locked: FsPort = {
      ...port,
      lstat(path) {
        if (path === "/ws") return port.lstat(path);
        throw Object.assign(new Error("locked"), { code: "EACCES" });
      },
    };
    const hide = { deny: ["**/.env"], denied: "hide" } as const;
    const { code } = await refusal(".env", hide, locked);
    assertEquals(code, (await refusal(".emv", hide, locked)).code);
    assertEquals(code, "PERMISSION_DENIED");
  });
  it("calls lstat() for a substitute name of the same length", async () => {
    for (
      const name of ["secret", "s\u00e9cret", "\ud83d\ude00", "s".repeat(255)]
    ) {
      const recorded = recordingFs(memoryFs(TREE));
      await refusal(
        `sub/${name}`,
        { deny: ["sub/*"], denied: "hide" },
        recorded,
      );
      const { length } = new TextEncoder().encode(name);
      assertEquals(recorded.asked.at(-1), `/ws/sub/${"~".repeat(length)}`);
    }
  });
  it("hides the path even if the substitute name exists", async () => {
    const files = { "/ws/.env": "SECRET", "/ws/~~~~": "here" };
    const rules = { deny: [".env"], denied: "hide" } as const;
    const open = (files: MemoryFiles, options: DenyOptions) =>
      openWorkspace("/ws", { fs: memoryFs(files), ...options });
    const hiding = await open(files, rules);
    const lacking = await open({ "/ws/~~~~": "here" }, {});
    assertEquals(
      await observe(() => hiding.read(".env")),
      await observe(() => lacking.read(".env")),
    );
  });
});
