// Runtime-agnostic.
import type { JsonSchema } from "@agent-tools/read-file";
import { FILES_NAMES, takeArguments } from "./arguments.ts";
import { readBatch } from "./batch.ts";
import { boundsOf, MOST_FILES } from "./bounds.ts";
import { badArgument } from "./failure.ts";
import { charsProperty, FILE_PROPERTIES, FILES_OUTPUT } from "./page_schema.ts";
import type { Json, ServedTool } from "./served_tool.ts";

/** The tool `read_files`: pages of several files, which share one limit. */
export function readFilesTool(maxChars: number, paths: string): ServedTool {
  const list: JsonSchema = {
    type: "array",
    description: `1 to ${MOST_FILES} files, each with arguments of read_file.`,
    minItems: 1,
    maxItems: MOST_FILES,
  };
  const items: JsonSchema = {
    type: "object",
    properties: FILE_PROPERTIES,
    required: ["path"],
  };
  const schemaWith = (files: JsonSchema): JsonSchema => ({
    type: "object",
    properties: { files, maxChars: charsProperty(maxChars) },
    required: ["files"],
  });
  // Each file is checked alone: a mistake in one fails only that one.
  const outer = schemaWith(list);
  return {
    name: "read_files",
    title: "Read several files",
    description: [
      "Reads several text files in one call, each as read_file does.",
      "Small files are shown whole; larger ones share the rest, and each says how to go on.",
      paths,
    ].join(" "),
    input: schemaWith({ ...list, items }),
    output: FILES_OUTPUT,
    async call(given, context) {
      const { notes } = context;
      const taken = await takeArguments(outer, given, FILES_NAMES, notes);
      const files = takeFiles(taken.options.files);
      const bounds = boundsOf(taken.maxChars, context.bounds);
      return await readBatch(files, maxChars, { ...context, bounds });
    },
  };
}

function takeFiles(given: unknown): readonly Json[] {
  const files = Array.isArray(given)
    ? given.map((file) => typeof file === "string" ? { path: file } : file)
    : [];
  if (files.length === 0 || files.length > MOST_FILES) {
    const example = '[{"path":"a.txt"},{"path":"b.txt","start":10}]';
    throw badArgument(
      "files",
      `must be a list of 1 to ${MOST_FILES} files, such as ${example}`,
    );
  }
  const other = files.findIndex((file) =>
    Object(file) !== file || Array.isArray(file)
  );
  if (other < 0) return files;
  const problem = 'must be a path or an object, such as {"path":"a.txt"}';
  throw badArgument(`files[${other}]`, problem);
}
