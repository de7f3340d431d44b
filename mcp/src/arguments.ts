// Runtime-agnostic.
import { callTool, type JsonSchema } from "@agent-tools/read-file";
import { isWhole, LEAST_MAX_CHARS } from "./bounds.ts";
import type { Json } from "./messages.ts";
import { visibleJson, wrongArgument } from "./visible.ts";

/** For each argument, its names in other tools, which models use too. */
type ForeignNames = Readonly<Record<string, readonly string[]>>;

const CHARS_NAMES = {
  maxChars: ["maxBytes", "max_bytes", "max_chars"],
};

export const PAGE_NAMES: ForeignNames = {
  ...CHARS_NAMES,
  path: ["absolute_path", "file", "filePath", "file_path", "filename"],
  start: ["offset", "startLine", "start_line"],
  end: ["endLine", "end_line"],
  count: ["head", "limit", "line_count", "max_lines"],
  around: ["line"],
  match: ["query", "search"],
  etag: ["version"],
};

export const FILES_NAMES: ForeignNames = {
  ...CHARS_NAMES,
  files: ["file_paths", "paths"],
};

export const LIST_NAMES: ForeignNames = {
  ...CHARS_NAMES,
  path: [
    "absolute_path",
    "dir",
    "dir_path",
    "directory",
    "directory_path",
    "folder",
  ],
  depth: ["max_depth", "maxDepth"],
  glob: ["pattern"],
};

/**
 * Renames foreign names, then takes values leniently as the library does for
 * its own tools. Adds a note for each argument that was changed. The library
 * checks the `options` later. A path that is optional and missing becomes `"."`.
 */
export async function takeArguments(
  parameters: JsonSchema,
  given: Json,
  names: ForeignNames,
  notes: string[],
) {
  const { properties = {}, required = [] } = parameters;
  const named = await rename(given, parameters, names, notes);
  const taken = await convertLeniently(parameters, named);
  notes.push(...taken.notes);
  const fallback = required.includes("path") ? undefined : ".";
  const { path = fallback, maxChars, ...options } = taken.output ?? named;
  if (typeof path !== "string") {
    throw wrongArgument("path", 'must be a string, such as "a.txt"');
  }
  const most = Number(properties.maxChars?.maximum);
  if (maxChars === undefined || isWhole(maxChars, LEAST_MAX_CHARS, most)) {
    return { path, maxChars, options: options as Json };
  }
  const problem = `must be a whole number from ${LEAST_MAX_CHARS} to ${most}`;
  throw wrongArgument("maxChars", problem);
}

async function rename(
  given: Json,
  parameters: JsonSchema,
  names: ForeignNames,
  notes: string[],
): Promise<Json> {
  const known = Object.keys(parameters.properties ?? {});
  const named: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const meant = known.find((own) =>
      own === name || names[own]?.includes(name)
    );
    if (meant === undefined) {
      // The library's note names the argument, and the most similar one.
      const { notes } = await convertLeniently(parameters, { [name]: 0 });
      const problem = `hold an unknown one; name one of ${known.join(", ")}`;
      throw wrongArgument("arguments", [problem, ...notes].join("; "));
    }
    if (meant !== name) {
      if (given[meant] !== undefined || meant in named) {
        const shown = visibleJson(name);
        const problem = `hold ${shown}, which is another name of ${meant}`;
        throw wrongArgument("arguments", `${problem}; send one of them`);
      }
      notes.push(`${name} was taken as ${meant}`);
    }
    // In other tools, the offset 0 is the first line.
    const isFirst = name === "offset" && value === 0;
    named[meant] = isFirst ? 1 : clamp(value);
  }
  return named;
}

/** Calls a tool that returns its arguments, since the library takes them leniently in a call. */
function convertLeniently(parameters: JsonSchema, args: Json) {
  const echo = {
    definition: { name: "", description: "", parameters },
    aliases: [],
    call: (args: unknown) => Promise.resolve(Object(args) as Json),
    render: String,
  };
  return callTool(echo, args, { lenient: true });
}

/** Clamps integers that are too large for JavaScript: they mean the end of the file. */
function clamp(value: unknown): unknown {
  return Number.isInteger(value)
    ? Math.min(value as number, Number.MAX_SAFE_INTEGER)
    : value;
}
