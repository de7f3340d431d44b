// Runtime-agnostic.
import type { JsonSchema } from "@agent-tools/read-file";
import { readBatch } from "./batch.ts";
import { badArgument } from "./failure.ts";
import { DEFAULT_MAX_BYTES, MOST_FILES, MOST_MAX_BYTES } from "./limits.ts";
import { FILES_OUTPUT, PAGE_PROPERTIES } from "./page_schema.ts";
import { boundBytes } from "./read_file.ts";
import type { Json, ServedTool } from "./served_tool.ts";

/** The tool `read_files`: pages of several files, which share one limit. */
export function readFilesTool(usual: number, paths: string): ServedTool {
  const files: JsonSchema = {
    type: "array",
    description: `The files, at most ${MOST_FILES}.`,
    minItems: 1,
    maxItems: MOST_FILES,
    items: {
      type: "object",
      properties: {
        path: { type: "string", description: "Path of the file." },
        ...PAGE_PROPERTIES,
      },
      required: ["path"],
      additionalProperties: false,
    },
  };
  return {
    name: "read_files",
    title: "Read several files",
    description: [
      "Reads a page of each of several text files, as read_file does.",
      "Small files are shown whole first, and larger ones share what is left of maxBytes.",
      "A file that cannot be read, or is cut, says so for itself, and how to go on with read_file.",
      paths,
    ].join(" "),
    input: {
      type: "object",
      properties: {
        files,
        maxBytes: {
          type: "integer",
          minimum: 1,
          maximum: MOST_MAX_BYTES,
          description:
            `The most bytes to show of all files together, at most ${MOST_MAX_BYTES} (default: ${DEFAULT_MAX_BYTES}).`,
        },
      },
      required: ["files"],
      additionalProperties: false,
    },
    output: FILES_OUTPUT,
    async call({ files, maxBytes, ...others }, scope, signal) {
      const [other] = Object.keys(others);
      if (other !== undefined) {
        throw badArgument(
          other,
          "is not an argument; read_files takes files and maxBytes",
        );
      }
      const limit = boundBytes(maxBytes ?? usual);
      if (!Number.isSafeInteger(limit) || limit < 1) {
        throw badArgument("maxBytes", "must be a whole number from 1 on");
      }
      return await readBatch(takeFiles(files), limit, scope, signal);
    },
  };
}

function takeFiles(files: unknown): readonly Json[] {
  if (
    !Array.isArray(files) || files.length === 0 || files.length > MOST_FILES
  ) {
    const example = '[{"path":"a.txt"},{"path":"b.txt","start":10}]';
    throw badArgument(
      "files",
      `must be a list of 1 to ${MOST_FILES} objects, such as ${example}`,
    );
  }
  const other = files.findIndex((file) => Object(file) !== file);
  if (other < 0) return files;
  const named: unknown = files[other];
  // A model that sends a path by itself learns where to put it.
  const isShort = typeof named === "string" && named.length <= MOST_REPEATED;
  const example = JSON.stringify({ path: isShort ? named : "a.txt" });
  throw badArgument(`files[${other}]`, `must be an object, such as ${example}`);
}

/** The longest path that is worth repeating. */
const MOST_REPEATED = 256;
