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
import { ASK_FOR_MORE } from "./words.ts";
import type {
  ForgeReadConfig,
  ReaderTool,
  ReadRoots,
  Revisions,
  Tool,
  Workspace,
} from "@agent-tools/read-file";

interface MakerOptions {
  readonly encoding?: string | undefined;
  /** The most bytes to read of one file. */
  readonly maxScan: number;
  /** Where the versions of the files are: with them, `open` compares. */
  readonly revisions?: Revisions | undefined;
}

const DIALECTS = {
  codex: (workspace, { maxScan }) =>
    createCodexReadFile(workspace, { maxScanBytes: maxScan }),
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

/** What is served: a tool with a title, and perhaps the schema of its facts. */
export type ServedTool =
  & Omit<ReaderTool, "factsSchema">
  & Partial<Pick<ReaderTool, "factsSchema">>;

/** Makes a function that makes the tool of a dialect over the directories of a call. */
export async function dialectTool(
  dialect: Dialect,
  options: MakerOptions,
): Promise<(find: () => Promise<ReadRoots>, paths: string) => ServedTool> {
  const make = DIALECTS[dialect];
  const { maxScan, revisions } = options;
  const nowhere = await openWorkspace("/", {
    fs: memoryFs({}),
    ...(revisions && { revisions }),
  });
  const { definition } = make(nowhere, { maxScan });
  const [field = "path"] = definition.parameters.required ?? [];
  return (find, paths) => ({
    title: dialect === "open" ? "Open a file" : "Read a file",
    definition: {
      ...definition,
      description: `${definition.description} ${paths}`,
    },
    aliases: [],
    async call(args, { signal, note } = {}) {
      const roots = await find();
      const given = args[field];
      // The tool of Codex takes only absolute paths, and refuses others itself.
      const isRefused = dialect === "codex" &&
        !roots.isAbsolute(String(given));
      const asked = isRefused ? undefined : given;
      return await roots.at(asked, async ({ root, path }) => {
        const tool: Tool = make(root.workspace, options);
        // The tool repeats its path in the next call, so it gets the absolute path.
        const sent = given === path || isRefused
          ? args
          : { ...args, [field]: `${root.path.replace(/\/+$/, "")}/${path}` };
        const outcome = await callTool(tool, sent, { signal, lenient: true });
        const { output, error, notes } = outcome;
        for (const one of notes) note?.(one);
        if (error !== undefined) {
          // Forge names a call of its own.
          const isLimit = error.is("SCAN_LIMIT") && dialect === "codex";
          throw isLimit ? error.with({ hint: ASK_FOR_MORE }) : error;
        }
        // Only `open_file` answers with a string.
        const isText = typeof output === "string";
        // Changed in place, since a copy would lack what `render` needs beside the fields.
        const facts = isText ? { content: output } : Object(output);
        const { path: found } = facts;
        if (typeof found === "string") facts.path = roots.show(root, found);
        return {
          text: withNotes(tool.render(output), notes),
          facts: { ...facts, ...(notes.length > 0 && { notes }) },
          images: [],
        };
      }, { hasListTool: false });
    },
    render: ({ text }) => text,
    failure({ message, hint }, notes) {
      const text = hint === undefined ? message : `${message}\n${hint}`;
      return withNotes(text, notes);
    },
  });
}

/** The text that `respond` gives for an answer and its notes. It is not called, since the path of an output is changed before it is rendered. */
function withNotes(content: string, notes: readonly string[]): string {
  const below = notes.map((note) => `Note: ${note}`);
  return (content === "" ? below : [content, ...below]).join("\n");
}
