// Runtime-agnostic.
import type { JsonSchema } from "@agent-tools/read-file";
import { FILES_NAMES, takeArguments } from "./arguments.ts";
import { readBatch } from "./batch.ts";
import { badArgument } from "./failure.ts";
import { MOST_FILES } from "./bounds.ts";
import { charsProperty, FILE_PROPERTIES, FILES_OUTPUT } from "./page_schema.ts";
import { boundsOf, takeChars } from "./read_file.ts";
import type { Json, ServedTool } from "./served_tool.ts";

/** The tool `read_files`: pages of several files, which share one limit. */
export function readFilesTool(maxChars: number, paths: string): ServedTool {
  const input: JsonSchema = {
    type: "object",
    properties: {
      files: {
        type: "array",
        description:
          `1 to ${MOST_FILES} files, each with arguments of read_file.`,
        minItems: 1,
        maxItems: MOST_FILES,
        items: {
          type: "object",
          properties: FILE_PROPERTIES,
          required: ["path"],
        },
      },
      maxChars: charsProperty(maxChars),
    },
    required: ["files"],
  };
  // Each file is taken by itself: a mistake in one fails that one alone.
  const { items: _, ...list } = input.properties!.files!;
  const outer: JsonSchema = {
    ...input,
    properties: { ...input.properties, files: list },
  };
  return {
    name: "read_files",
    title: "Read several files",
    description: [
      "Reads several text files in one call, each as read_file does.",
      "Small files are shown whole; larger ones share the rest, and each says how to go on.",
      paths,
    ].join(" "),
    input,
    output: FILES_OUTPUT,
    async call(given, context) {
      const { args, notes } = await takeArguments(outer, given, FILES_NAMES);
      context.note(notes);
      const asked = args.maxChars === undefined
        ? undefined
        : takeChars(args.maxChars, maxChars);
      const bounds = boundsOf({ maxChars: asked }, context.bounds);
      const files = takeFiles(args.files);
      return await readBatch(files, notes, maxChars, { ...context, bounds });
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
  throw badArgument(
    `files[${other}]`,
    'must be a path or an object, such as {"path":"a.txt"}',
  );
}
