/** The reader's tools over directories, called as a model calls them. */
import {
  callTool,
  type FsPort,
  gunzipView,
  notebookView,
  openWorkspace,
  type ReaderOptions,
  type ReaderTool,
  readerTools,
  ReadRoots,
  SECRET_FILES,
} from "../../mod.ts";

/** The result of a call. */
export interface Told {
  readonly ok: boolean;
  /** The text for the model. */
  readonly text: string;
  /** The facts for programs, as JSON. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The error code, if the call failed. */
  readonly code: unknown;
}

/** The tools over directories. */
export interface Reader {
  readonly tools: readonly ReaderTool[];
  /** Calls a tool. */
  call(args: Record<string, unknown>, name?: string): Promise<Told>;
}

/** How much Codex shows of an answer. */
export const OF_CODEX: ReaderOptions = {
  maxChars: 10_000,
  maxAnswerBytes: 10_000,
  maxAnswerLines: 250,
};

/** Makes the tools over directories, which are known by the last part of their paths; as in the MCP server, secrets are denied. */
export async function readerOn(
  folders: readonly string[],
  options?: ReaderOptions,
  fs?: FsPort,
): Promise<Reader> {
  const opening = {
    views: [notebookView(), gunzipView()],
    deny: SECRET_FILES,
    ...(fs && { fs }),
  };
  const roots = await Promise.all(folders.map(async (path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return { name, path, workspace: await openWorkspace(path, opening) };
  }));
  const [only, ...others] = roots;
  const source = others.length > 0 ? new ReadRoots(roots) : only!.workspace;
  const tools: readonly ReaderTool[] = readerTools(source, options);
  return {
    tools,
    async call(args, name = "read_file") {
      const tool = tools.find(({ definition }) => definition.name === name)!;
      const { output, error, notes } = await callTool(tool, args);
      return {
        ok: error === undefined,
        text: output?.text ?? tool.failure!(error!, notes),
        data: JSON.parse(JSON.stringify(output?.facts ?? {})),
        code: error?.code,
      };
    },
  };
}
