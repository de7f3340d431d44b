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
import { noteOf } from "./failure.ts";
import { NOTES, orNull } from "./page_schema.ts";
import { asCalled, type Place } from "./scope.ts";
import type { Json, ServedTool } from "./served_tool.ts";

/** The tools that can be served instead, by the name of whose they are. */
export type Dialect = "codex" | "toolkit" | "forge" | "open";

/** What serving one of them takes. */
interface DialectParts {
  readonly title: string;
  readonly output: Json;
  make(workspace: Workspace): Tool;
  /** An answer as the output schema has it. */
  structure(output: unknown): Json;
}

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const whole = { type: "integer" } as const;
const wholeOrNull = orNull(whole);

/** An object that has these properties, all of them and no others. */
function objectOf(properties: Json): Json {
  const required = Object.keys(properties);
  return { type: "object", properties, required, additionalProperties: false };
}

/** Tools whose answers are objects give them as they are. */
const asIs = (output: unknown): Json => ({ ...Object(output) });

const DIALECTS: Readonly<Record<Dialect, DialectParts>> = {
  codex: {
    title: "Read a file",
    output: objectOf({
      content: text,
      content_items: { type: "null" },
      success: flag,
    }),
    make: createCodexReadFile,
    structure: asIs,
  },
  toolkit: {
    title: "Read a file",
    output: objectOf({
      path: text,
      content: text,
      truncated: flag,
      next_start_line: wholeOrNull,
      meta: objectOf({
        byte_length: whole,
        line_count: whole,
        returned_line_count: whole,
        mtime_ms: whole,
      }),
    }),
    make: createToolkitReadFile,
    structure: asIs,
  },
  forge: {
    title: "Read a file",
    output: objectOf({
      path: text,
      text,
      data: orNull(text),
      binary: flag,
      encoding: text,
      truncated: flag,
      start_line: wholeOrNull,
      end_line: wholeOrNull,
      total_lines: wholeOrNull,
      next_start_line: wholeOrNull,
      size: whole,
    }),
    make: (workspace) => createForgeRead(workspace),
    structure: asIs,
  },
  open: {
    title: "Open a file",
    output: objectOf({ content: text }),
    make: (workspace) => createOpenFile(workspace),
    structure: (content) => ({ content }),
  },
};

/** The names of the dialects. */
export const DIALECT_NAMES = Object.keys(DIALECTS) as readonly Dialect[];

/** The one tool of a dialect, under its own name. */
export async function dialectTool(
  dialect: Dialect,
  paths: string,
): Promise<ServedTool> {
  const { title, output, make, structure } = DIALECTS[dialect];
  const nowhere = await openWorkspace("/", { fs: memoryFs({}) });
  const { definition } = make(nowhere);
  const { name, description, parameters } = definition;
  const [field = "path"] = parameters.required ?? [];
  return {
    name,
    title,
    description: `${description} ${paths}`,
    input: parameters,
    output: withNotes(output),
    async call(args, { scope, signal, note }) {
      const act = async ({ root, path }: Place) => {
        const tool = make(root.workspace);
        const inner = args[field] === path ? args : { ...args, [field]: path };
        const options = { signal, lenient: true };
        const { output, error, notes } = await callTool(tool, inner, options);
        note(notes);
        if (error !== undefined) throw error;
        const found = withShownPath(output, (path) => scope.show(root, path));
        const text = [tool.render(found), ...notes.map(noteOf)];
        const facts = {
          ...structure(found),
          ...(notes.length > 0 && { notes }),
        };
        return { text: text.join("\n"), facts };
      };
      return await scope.at(args[field], act, asCalled);
    },
  };
}

/** A schema whose objects may have notes as well. */
function withNotes(schema: Json): Json {
  return {
    ...schema,
    properties: { ...Object(schema.properties), notes: NOTES },
  };
}

/** An answer whose path, if it tells one, is as a caller may give it. */
function withShownPath(
  output: unknown,
  show: (path: string) => string,
): unknown {
  const { path } = Object(output) as { readonly path?: unknown };
  return typeof path === "string"
    ? Object.assign(Object(output), { path: show(path) })
    : output;
}
