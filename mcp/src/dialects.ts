// Runtime-agnostic.
import {
  callTool,
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  memoryFs,
  openWorkspace,
  type Tool,
  type Workspace,
} from "@agent-tools/read-file";
import { flag, objectOf, orNull, text, whole } from "./served_tool.ts";
import type { Json, ServedTool } from "./served_tool.ts";
import { noteOf } from "./visible.ts";

/** Gives each of the names the same schema. */
function each(schema: Json, ...names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, schema]));
}

/** The titles of the tools, the properties of their answers, and their makers. */
const DIALECTS = {
  codex: {
    title: "Read a file",
    output: {
      content: text(),
      content_items: { type: "null" },
      success: flag(),
    },
    make: createCodexReadFile,
  },
  toolkit: {
    title: "Read a file",
    output: {
      ...each(text(), "path", "content"),
      truncated: flag(),
      next_start_line: orNull(whole()),
      meta: objectOf(each(
        whole(),
        ...["byte_length", "line_count", "returned_line_count", "mtime_ms"],
      )),
    },
    make: createToolkitReadFile,
  },
  forge: {
    title: "Read a file",
    output: {
      ...each(text(), "path", "text", "encoding"),
      data: orNull(text()),
      ...each(flag(), "binary", "truncated"),
      ...each(orNull(whole()), "start_line", "end_line", "total_lines"),
      next_start_line: orNull(whole()),
      size: whole(),
    },
    make: (workspace) => createForgeRead(workspace),
  },
  open: {
    title: "Open a file",
    output: { content: text() },
    make: (workspace) => createOpenFile(workspace),
  },
} satisfies Record<
  string,
  { title: string; output: Json; make(workspace: Workspace): Tool }
>;

/** The tools that can be served instead of the server's own. */
export type Dialect = keyof typeof DIALECTS;

export const DIALECT_NAMES = Object.keys(DIALECTS) as readonly Dialect[];

export async function dialectTool(
  dialect: Dialect,
  paths: string,
): Promise<ServedTool> {
  const { title, output, make } = DIALECTS[dialect];
  const nowhere = await openWorkspace("/", { fs: memoryFs({}) });
  const { name, description, parameters } = make(nowhere).definition;
  const [field = "path"] = parameters.required ?? [];
  return {
    name,
    title,
    description: `${description} ${paths}`,
    input: parameters,
    output: objectOf(output),
    async call(args, { scope, signal, notes }) {
      return await scope.at(args[field], async ({ root, path }) => {
        const tool: Tool = make(root.workspace);
        const inner = args[field] === path ? args : { ...args, [field]: path };
        const options = { signal, lenient: true };
        const outcome = await callTool(tool, inner, options);
        notes.push(...outcome.notes);
        if (outcome.error !== undefined) throw outcome.error;
        const { output } = outcome;
        // Only `open_file` answers with a string.
        const isText = typeof output === "string";
        const facts = isText ? { content: output } : { ...Object(output) };
        const { path: found } = facts;
        if (typeof found === "string") facts.path = scope.show(root, found);
        const body = tool.render(isText ? output : facts);
        return { text: [body, ...notes.map(noteOf)].join("\n"), facts };
      }, "dialect");
    },
  };
}
