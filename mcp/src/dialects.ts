// Runtime-agnostic.
import {
  callTool,
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  memoryFs,
  openWorkspace,
  parseForgeConfig,
} from "@agent-tools/read-file";
import type { ForgeReadConfig, Tool, Workspace } from "@agent-tools/read-file";
import { DEFAULT_MAX_SCAN } from "./bounds.ts";
import { joined } from "./scope.ts";
import type { CallContext, ServedTool } from "./served_tool.ts";
import { withNotes } from "./visible.ts";

type MakerOptions = Pick<CallContext, "maxScan" | "encoding">;

const DIALECTS = {
  codex: (workspace) => createCodexReadFile(workspace),
  toolkit: (workspace, { encoding }) =>
    createToolkitReadFile(workspace, { encoding }),
  forge: (workspace, { encoding, maxScan }) =>
    createForgeRead(workspace, limitsFor(maxScan), { encoding }),
  open: (workspace, { encoding }) => createOpenFile(workspace, { encoding }),
} satisfies Record<
  string,
  (workspace: Workspace, options: MakerOptions) => Tool
>;

/** The limits of Forge's `Read`, which suggests only calls within them. It first scans for lines, then reads what it shows: together at most `maxScan` bytes. */
function limitsFor(maxScan: number): ForgeReadConfig {
  const usual = parseForgeConfig("");
  const { max_scan_bytes, max_file_read_bytes } = usual;
  const most = maxScan - max_file_read_bytes;
  return { ...usual, max_scan_bytes: Math.min(max_scan_bytes, most) };
}

/** The tools that can be served instead of the server's own. */
export type Dialect = keyof typeof DIALECTS;

export const DIALECT_NAMES = Object.keys(DIALECTS) as readonly Dialect[];

export async function dialectTool(
  dialect: Dialect,
  paths: string,
): Promise<ServedTool> {
  const make = DIALECTS[dialect];
  const nowhere = await openWorkspace("/", { fs: memoryFs({}) });
  const { name, description, parameters } =
    make(nowhere, { maxScan: DEFAULT_MAX_SCAN }).definition;
  const [field = "path"] = parameters.required ?? [];
  return {
    name,
    title: dialect === "open" ? "Open a file" : "Read a file",
    description: `${description} ${paths}`,
    parameters,
    async call(args, { scope, signal, notes, ...options }) {
      const given = args[field];
      // The tool of Codex takes only absolute paths, and refuses others itself.
      const isRefused = dialect === "codex" && !String(given).startsWith("/");
      const asked = isRefused ? undefined : given;
      return await scope.at(asked, async ({ root, path }) => {
        const tool: Tool = make(root.workspace, options);
        // The tool repeats its path in the next call, so it gets the absolute path.
        const sent = given === path || isRefused
          ? args
          : { ...args, [field]: joined(root.path, path) };
        const outcome = await callTool(tool, sent, { signal, lenient: true });
        notes.push(...outcome.notes);
        const { output, error } = outcome;
        if (error !== undefined) throw error;
        // Only `open_file` answers with a string.
        const isText = typeof output === "string";
        // Changed in place, since `render` finds the next call by this object.
        const facts = isText ? { content: output } : Object(output);
        const { path: found } = facts;
        if (typeof found === "string") facts.path = scope.show(root, found);
        return { text: withNotes(tool.render(output), notes), facts };
      }, { hasListTool: false });
    },
  };
}
