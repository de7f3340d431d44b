// Runtime-agnostic.
import { type JsonSchema, respond } from "@agent-tools/read-file";
import { badArgument } from "./failure.ts";
import type { Json } from "./served_tool.ts";
import { shorten } from "./visible.ts";

/** Arguments as they were meant. */
export interface TakenArguments {
  readonly args: Json;
  /** A sentence for each argument that was not taken as it came. */
  readonly notes: readonly string[];
}

/** The longest name that is repeated. */
const MOST_NAME_CHARS = 100;

/** Names that models bring from other tools, and what they mean here. */
const PAGE_NAMES: Readonly<Record<string, string>> = {
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
  maxBytes: "maxChars",
  max_bytes: "maxChars",
  max_chars: "maxChars",
  max_lines: "count",
  offset: "start",
  startLine: "start",
  endLine: "end",
  start_line: "start",
  version: "etag",
};

/** The same for `read_files`. */
const FILES_NAMES: Readonly<Record<string, string>> = {
  file_paths: "files",
  maxBytes: "maxChars",
  max_bytes: "maxChars",
  max_chars: "maxChars",
  paths: "files",
};

/** The same for `list_directory`. */
const LIST_NAMES: Readonly<Record<string, string>> = {
  absolute_path: "path",
  dir: "path",
  dir_path: "path",
  directory: "path",
  directory_path: "path",
  folder: "path",
  max_chars: "maxChars",
  max_depth: "depth",
  maxDepth: "depth",
  pattern: "glob",
};

/** Takes the arguments of `list_directory`. */
export async function takeListArguments(
  schema: JsonSchema,
  given: Json,
): Promise<TakenArguments> {
  return await take(schema, given, LIST_NAMES);
}

/** Takes the arguments of a page. */
export async function takePageArguments(
  schema: JsonSchema,
  given: Json,
): Promise<TakenArguments> {
  return await take(schema, given, PAGE_NAMES);
}

/** Takes the arguments of `read_files`; what stands in the list is taken one by one. */
export async function takeFilesArguments(
  schema: JsonSchema,
  given: Json,
): Promise<TakenArguments> {
  return await take(schema, given, FILES_NAMES);
}

async function take(
  schema: JsonSchema,
  given: Json,
  names: Readonly<Record<string, string>>,
): Promise<TakenArguments> {
  const notes: string[] = [];
  const known = Object.keys(schema.properties ?? {});
  const named: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const meant = Object.hasOwn(names, name) ? names[name]! : name;
    // Two names for one value are not decided here.
    if (meant !== name && given[meant] === undefined && !(meant in named)) {
      named[meant] = name === "offset" && value === 0 ? 1 : bounded(value);
      notes.push(`${name} was taken as ${meant}`);
    } else if (known.includes(name)) named[name] = bounded(value);
    else {
      const which = known.includes(meant)
        ? `it is another name of ${meant}, so send one of them`
        : `name one of ${known.join(", ")}`;
      throw badArgument(
        "arguments",
        `hold an unknown one, ${
          shorten(JSON.stringify(name), MOST_NAME_CHARS)
        }; ${which}`,
      );
    }
  }
  const meant = await takeLeniently(schema, named);
  return { args: meant.args, notes: [...notes, ...meant.notes] };
}

/** A number past those that JavaScript counts with means the end, however far. */
function bounded(value: unknown): unknown {
  const isLarge = Number.isInteger(value) &&
    Number(value) > Number.MAX_SAFE_INTEGER;
  return isLarge ? Number.MAX_SAFE_INTEGER : value;
}

/** Takes digits in quotes, `null`s and lists as JSON text as the library does for its own tools. */
async function takeLeniently(
  schema: JsonSchema,
  given: Json,
): Promise<TakenArguments> {
  let args = given;
  const { notes = [] } = await respond(
    {
      definition: { name: "", description: "", parameters: schema },
      aliases: [],
      call(taken) {
        args = taken as Json;
        return Promise.resolve();
      },
      render: () => "",
    },
    given,
    { lenient: true },
  );
  return { args, notes };
}
