// Runtime-agnostic.
import { callTool, type JsonSchema } from "@agent-tools/read-file";
import { badArgument } from "./failure.ts";
import type { Json } from "./served_tool.ts";
import { shorten } from "./visible.ts";

/** Arguments as they were meant. */
interface TakenArguments {
  readonly args: Json;
  /** A sentence for each argument that was not taken as it came. */
  readonly notes: readonly string[];
}

/** Names that models bring from other tools, and what they mean here. */
type ForeignNames = Readonly<Record<string, string>>;

/** The longest name that is repeated. */
const MOST_NAME_CHARS = 100;

const CHARS_NAMES: ForeignNames = {
  maxBytes: "maxChars",
  max_bytes: "maxChars",
  max_chars: "maxChars",
};

/** Names for `read_file`. */
export const PAGE_NAMES: ForeignNames = {
  ...CHARS_NAMES,
  absolute_path: "path",
  end_line: "end",
  file: "path",
  filePath: "path",
  file_path: "path",
  filename: "path",
  head: "count",
  limit: "count",
  line: "around",
  line_count: "count",
  max_lines: "count",
  offset: "start",
  startLine: "start",
  endLine: "end",
  start_line: "start",
  version: "etag",
};

/** Names for `read_files`. */
export const FILES_NAMES: ForeignNames = {
  ...CHARS_NAMES,
  file_paths: "files",
  paths: "files",
};

/** Names for `list_directory`. */
export const LIST_NAMES: ForeignNames = {
  ...CHARS_NAMES,
  absolute_path: "path",
  dir: "path",
  dir_path: "path",
  directory: "path",
  directory_path: "path",
  folder: "path",
  max_depth: "depth",
  maxDepth: "depth",
  pattern: "glob",
};

/** Takes arguments by their names here, and then as the library does for its own tools. */
export async function takeArguments(
  parameters: JsonSchema,
  given: Json,
  names: ForeignNames,
): Promise<TakenArguments> {
  const renamed: string[] = [];
  const known = Object.keys(parameters.properties ?? {});
  const named: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const meant = Object.hasOwn(names, name) ? names[name]! : name;
    // Two names for one value are not decided here.
    if (meant !== name && given[meant] === undefined && !(meant in named)) {
      named[meant] = name === "offset" && value === 0 ? 1 : bounded(value);
      renamed.push(`${name} was taken as ${meant}`);
    } else if (known.includes(name)) named[name] = bounded(value);
    else {
      const which = known.includes(meant)
        ? `it is another name of ${meant}, so send one of them`
        : `name one of ${known.join(", ")}`;
      const shown = shorten(JSON.stringify(name), MOST_NAME_CHARS);
      const problem = `hold an unknown one, ${shown}; ${which}`;
      throw badArgument("arguments", problem);
    }
  }
  const echo = {
    definition: { name: "", description: "", parameters },
    aliases: [],
    call: (args: unknown) => Promise.resolve(Object(args) as Json),
    render: String,
  };
  const { output = named, notes } = await callTool(echo, named, {
    lenient: true,
  });
  return { args: output, notes: [...renamed, ...notes] };
}

/** A number past those that JavaScript counts with means the end, however far. */
function bounded(value: unknown): unknown {
  const isLarge = Number.isInteger(value) &&
    Number(value) > Number.MAX_SAFE_INTEGER;
  return isLarge ? Number.MAX_SAFE_INTEGER : value;
}
