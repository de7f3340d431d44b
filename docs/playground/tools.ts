/** The tools of the playground: their arguments, answers and next calls. */
import {
  callTool,
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  type JsonSchema,
  ReadFileError,
  renderPage,
  respond,
  type Tool,
  type Workspace,
} from "@agent-tools/read-file";

/** The arguments of a call. */
export type Args = Readonly<Record<string, unknown>>;

/** The result of a call. */
export interface Answer {
  readonly ok: boolean;
  /** The text for the model. */
  readonly text: string;
  readonly notes: readonly string[];
  /** The arguments of the next call; `null` if nothing follows. */
  readonly next: Args | null;
}

/** A tool that the user can select. */
export interface Choice {
  readonly label: string;
  /** The function that makes it, for the shown code; `null` for pages. */
  readonly maker: string | null;
  /** Its name for `--dialect` of the MCP server; `null` for pages. */
  readonly dialect: string | null;
  /** The name that a model calls. */
  readonly toolName: string;
  /** The name of the argument that is the path. */
  readonly pathName: "path" | "file_path";
  readonly schema: JsonSchema;
  /** Writes the path of a file as the tool expects it. */
  pathOf(path: string): string;
  call(workspace: Workspace, args: string): Promise<Answer>;
}

/** The folder of the files. */
export const ROOT = "/files";

const line = { type: "integer", minimum: 1 } as const;

const PAGE_SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    path: { type: "string" },
    start: line,
    end: line,
    count: line,
    tail: line,
    around: line,
    match: { type: "string" },
    before: { type: "integer", minimum: 0 },
    after: { type: "integer", minimum: 0 },
    column: line,
    width: line,
    maxBytes: line,
    escape: { type: "boolean" },
  },
  required: ["path"],
};

const PAGE: Choice = {
  label: "a page: workspace.read",
  maker: null,
  dialect: null,
  toolName: "read_file",
  pathName: "path",
  schema: PAGE_SCHEMA,
  pathOf: (path) => path,
  async call(workspace, args) {
    try {
      const { path, ...options } = JSON.parse(args);
      const page = await workspace.read(path, options);
      const next = page.next === null ? null : { path, ...page.next };
      return { ok: true, text: renderPage(page), notes: [], next };
    } catch (error) {
      const hint = error instanceof ReadFileError ? error.hint : undefined;
      const text = [(error as Error).message, hint ?? []].flat().join("\n");
      return { ok: false, text, notes: [], next: null };
    }
  },
};

type Make = (workspace: Workspace) => Tool;

/** Describes a tool from its maker; only Codex needs absolute paths. */
function choiceOf(
  dialect: string,
  maker: string,
  make: Make,
  { definition: { name, parameters } }: Tool,
): Choice {
  return {
    label: `${name} (${dialect})`,
    maker,
    dialect,
    toolName: name,
    pathName: parameters.required?.[0] === "path" ? "path" : "file_path",
    schema: parameters,
    pathOf: (path) => dialect === "codex" ? `${ROOT}/${path}` : path,
    async call(workspace, args) {
      const tool = make(workspace);
      const { ok, content, notes = [] } = await respond(tool, args);
      const next = ok ? await nextOf(tool, args, content, notes) : null;
      return { ok, text: content, notes, next };
    },
  };
}

/** The next call that the answer names. */
async function nextOf(
  tool: Tool,
  args: string,
  content: string,
  notes: readonly string[],
): Promise<Args | null> {
  const last = content.trimEnd().split("\n").at(-1) ?? "";
  for (const said of [last, ...notes]) {
    const [, found] = /continue with (\{.*\})/.exec(said) ?? [];
    if (found !== undefined) return JSON.parse(found);
  }
  const { output } = await callTool(tool, args);
  const start = Object(output).next_start_line;
  if (typeof start !== "number") return null;
  const { head: _head, tail: _tail, ...rest } = JSON.parse(args);
  return { ...rest, start_line: start };
}

const MAKERS: readonly (readonly [string, string, Make])[] = [
  ["forge", "createForgeRead", (workspace) => createForgeRead(workspace)],
  ["toolkit", "createToolkitReadFile", (at) => createToolkitReadFile(at)],
  ["open", "createOpenFile", (workspace) => createOpenFile(workspace)],
  ["codex", "createCodexReadFile", (at) => createCodexReadFile(at)],
];

/** Makes the list of tools; each tool is made once for its definition. */
export function choicesFor(workspace: Workspace): readonly Choice[] {
  const tools = MAKERS.map(([dialect, maker, make]) =>
    choiceOf(dialect, maker, make, make(workspace))
  );
  return [PAGE, ...tools];
}
