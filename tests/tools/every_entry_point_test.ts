/** Every way to call a tool keeps the same promises: policy, leniency, abort and advice. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import {
  type AgentToolkit,
  callTool,
  createAgentToolkit,
  createOpenFile,
  createToolkitReadFile,
  memoryFs,
  openWorkspace,
  respond,
  type Tool,
  type ToolMaker,
  type ToolPolicy,
  type ToolResult,
  type Workspace,
} from "../../mod.ts";
import { countingFs } from "../support/counting_fs.ts";
import { FOUR_TOOLS } from "../support/four_tools.ts";

/** What a call told, in whatever form. */
interface Told {
  readonly ok: boolean;
  /** The answer, or the message and the advice. */
  readonly text: string;
  readonly notes: readonly string[];
}

interface Call {
  readonly args: Readonly<Record<string, unknown>>;
  readonly policy?: ToolPolicy;
  readonly lenient?: boolean;
  readonly signal?: AbortSignal;
}

type Door = (workspace: Workspace, call: Call) => Promise<Told>;

/** Reads the result of a toolkit's call, which gives its notes to a function. */
async function readResult(
  run: (note: (note: string) => void) => Promise<ToolResult>,
): Promise<Told> {
  const notes: string[] = [];
  const result = await run((note) => notes.push(note));
  if (result.status === "success") {
    return { ok: true, text: JSON.stringify(result.data), notes };
  }
  const { message, details } = result.error;
  return { ok: false, text: `${message}\n${details.hint}`, notes };
}

/** The ways to call a tool that `make` makes. */
function doorsTo(make: ToolMaker<Tool>): Readonly<Record<string, Door>> {
  const kitOf = (workspace: Workspace, policy?: ToolPolicy) =>
    createAgentToolkit<ToolMaker<Tool>>({ workspace, tools: [make], policy });
  const nameIn = ({ definitions, tools }: AgentToolkit<ToolMaker<Tool>>) =>
    definitions()[0]?.name ?? Object.keys(tools)[0]!;
  return {
    async callTool(workspace, { args, ...options }) {
      const { output, error, notes } = await callTool(
        make(workspace),
        args,
        options,
      );
      return error === undefined
        ? { ok: true, text: JSON.stringify(output), notes }
        : { ok: false, text: `${error.message}\n${error.hint}`, notes };
    },
    async respond(workspace, { args, ...options }) {
      const { content, ...reply } = await respond(
        make(workspace),
        args,
        options,
      );
      return { notes: [], ...reply, text: content };
    },
    async "kit.respond"(workspace, { args, policy, ...options }) {
      const kit = await kitOf(workspace, policy);
      const { content, ...reply } = await kit.respond(
        nameIn(kit),
        args,
        options,
      );
      return { notes: [], ...reply, text: content };
    },
    async "kit.invoke"(workspace, { args, policy, ...options }) {
      const kit = await kitOf(workspace, policy);
      return await readResult((note) =>
        kit.invoke(nameIn(kit), args, { ...options, note })
      );
    },
    async "kit.tools"(workspace, { args, policy, ...options }) {
      const kit = await kitOf(workspace, policy);
      return await readResult((note) =>
        kit.tools[nameIn(kit)]!(args, { ...options, note })
      );
    },
  };
}

const readFile: Door = async (workspace, { args, policy, ...options }) => {
  const tools = [createToolkitReadFile];
  const kit = await createAgentToolkit({ workspace, tools, policy });
  const { path, ...range } = args;
  return await readResult((note) =>
    kit.readFile(path as string, range, { ...options, note })
  );
};

const openFile: Door = async (workspace, { args, policy, ...options }) => {
  const tools = [createOpenFile];
  const kit = await createAgentToolkit({ workspace, tools, policy });
  const { file_path, start_line: start } = args;
  const range = start === undefined ? {} : { start: start as number };
  return await readResult((note) =>
    kit.openFile(file_path as string, range, { ...options, note })
  );
};

for (const { name, pathName, make } of FOUR_TOOLS) {
  const doors = {
    ...doorsTo((workspace) => make(workspace as Workspace)),
    ...(name === "ToolkitReadFile" && { "kit.readFile": readFile }),
    ...(name === "OpenFile" && { "kit.openFile": openFile }),
  };
  const line = name === "CodexReadFile" ? "offset" : "start_line";
  const args = { [pathName]: "/ws/a.txt" };
  for (const [door, call] of Object.entries(doors)) {
    describe(`${door} of ${name}`, () => {
      const fs = countingFs(memoryFs({ "/ws/a.txt": "one\ntwo\n" }));
      const open = () => openWorkspace("/ws", { fs });
      it("checks the policy before anything else", async () => {
        const workspace = await open();
        const { calls } = fs.counts;
        const policy = { defaultPolicy: "deny" } as const;
        const wrong = { ...args, [line]: "2" };
        const { ok, text } = await call(workspace, { args: wrong, policy });
        assertEquals([ok, fs.counts.calls], [false, calls]);
        assertStringIncludes(
          text,
          'the rule "defaultPolicy" does not allow it',
        );
        assertStringIncludes(text, "\nuse another file, or ask the user");
      });
      it("converts arguments if it is lenient, as by default for a model", async () => {
        const workspace = await open();
        const sent = { args: { ...args, [line]: "2" } };
        const strict = await call(workspace, { ...sent, lenient: false });
        assertStringIncludes(
          strict.text,
          "\nwrite the number without quotes: 2",
        );
        const { ok, text, notes } = await call(workspace, {
          ...sent,
          lenient: true,
        });
        assertEquals([ok, text.includes("one")], [true, false]);
        assertEquals(notes, [`${line}: "2" was taken as 2`]);
        const usual = await call(workspace, sent);
        assertEquals(usual.ok, door.endsWith("respond"));
      });
      it("ends if it is aborted", async () => {
        const signal = AbortSignal.abort();
        const { ok, text } = await call(await open(), { args, signal });
        assertEquals(ok, false);
        assertStringIncludes(text, "the call was aborted");
      });
      it("gives advice", async () => {
        const fs = memoryFs({ "/ws/a.txt": "one\n" });
        const missing = { args: { [pathName]: "/ws/A.txt" } };
        const { ok, text } = await call(
          await openWorkspace("/ws", { fs }),
          missing,
        );
        assertEquals(ok, false);
        assertStringIncludes(text, "\ndid you mean ");
      });
    });
  }
}
