/** The tools of the playground: their arguments, answers and next calls. */
import {
  callTool,
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  type JsonSchema,
  ReaderMemory,
  readerTools,
  type ReplyImage,
  respond,
  type Tool,
  type Workspace,
} from "@agent-tools/read-file";

/** The arguments of a call. */
export type Args = Readonly<Record<string, unknown>>;

/** The result of a call. */
export interface Answer {
  readonly ok: boolean;
  /** The text for the model, notes included. */
  readonly text: string;
  readonly images: readonly ReplyImage[];
  /** The arguments of the next call; `null` if nothing follows. */
  readonly next: Args | null;
}

/** A tool that the user can select. */
export interface Choice {
  readonly label: string;
  /** The code that makes it. */
  readonly code: string;
  /** The function that the code imports. */
  readonly maker: string;
  /** Its name for `--dialect` of the MCP server; `null` for those that it serves without. */
  readonly dialect: string | null;
  /** The name that a model calls. */
  readonly toolName: string;
  /** The name of the argument that is the path. */
  readonly pathName: string;
  readonly schema: JsonSchema;
  /** Writes the path of a file as the tool expects it. */
  pathOf(path: string): unknown;
  call(workspace: Workspace, args: string): Promise<Answer>;
}

/** The folder of the files. */
export const ROOT = "/files";

type Make = (workspace: Workspace) => Tool;

/** How the path of a file stands in the arguments of a tool, by its name or dialect; by default as it is. */
const PATHS: Readonly<Record<string, (path: string) => unknown>> = {
  codex: (path) => `${ROOT}/${path}`,
  read_files: (path) => [path],
  list_directory: () => ".",
};

/** Describes a tool from its maker. */
function choiceOf(
  [dialect, maker, make]: typeof MAKERS[number],
  { definition: { name, parameters } }: Tool,
): Choice {
  const { required: [pathName = "path"] = [] } = parameters;
  const variable = name.replace(/_(\w)/g, (_, one) => one.toUpperCase());
  const own = OWN.map((made) => made === name ? variable : "").join(", ");
  return {
    label: dialect === null ? name : `${name} (${dialect})`,
    code: dialect === null
      ? `const [${own.replace(/[, ]+$/, "")}] = ${maker}(workspace);`
      : `const ${variable} = ${maker}(workspace);`,
    maker,
    dialect,
    toolName: name,
    pathName,
    schema: parameters,
    pathOf: PATHS[dialect ?? name] ?? ((path) => path),
    async call(workspace, args) {
      const tool = make(workspace);
      const reply = await respond(tool, args);
      const { ok, text, content, notes = [], images = [] } = reply;
      const next = ok ? await nextOf(tool, args, content, notes) : null;
      return { ok, text, images, next };
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
  const own = /^Next: (\w+) (?:with the same path and )?(\{.*\})$/.exec(last);
  if (own?.[1] === tool.definition.name) {
    const { path } = JSON.parse(args);
    return { ...(path && { path }), ...JSON.parse(own[2]!) };
  }
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

/** The reader's own tools, in the order in which they are made. */
const OWN = ["read_file", "read_files", "list_directory"] as const;

/** The etags of earlier answers: each call makes its tool anew. */
const memory = new ReaderMemory();

/** Makes one of the reader's tools. */
function ownTool(at: 0 | 1 | 2): Make {
  return (workspace) => readerTools(workspace, { memory })[at];
}

const MAKERS: readonly (readonly [string | null, string, Make])[] = [
  [null, "readerTools", ownTool(0)],
  [null, "readerTools", ownTool(1)],
  [null, "readerTools", ownTool(2)],
  ["forge", "createForgeRead", (workspace) => createForgeRead(workspace)],
  ["toolkit", "createToolkitReadFile", (at) => createToolkitReadFile(at)],
  ["open", "createOpenFile", (workspace) => createOpenFile(workspace)],
  ["codex", "createCodexReadFile", (at) => createCodexReadFile(at)],
];

/** Makes the list of tools; each tool is made once for its definition. */
export function choicesFor(workspace: Workspace): readonly Choice[] {
  return MAKERS.map((made) => choiceOf(made, made[2](workspace)));
}
