// Runtime-agnostic.
import { badArgument } from "./failure.ts";
import { MOST_MAX_BYTES } from "./limits.ts";
import { answerPage, takePath } from "./page_answer.ts";
import { PAGE_OUTPUT, PAGE_PROPERTIES } from "./page_schema.ts";
import type { ServedTool } from "./served_tool.ts";

/** The tool `read_file`: a page of a file, and how to go on. */
export function readFileTool(maxBytes: number, paths: string): ServedTool {
  return {
    name: "read_file",
    title: "Read a file",
    description: [
      "Reads a page of a text file: lines with their numbers, and a notice that says which part of the file this is and how to go on.",
      "Without options a page begins at line 1.",
      "If more follows, call again with the arguments that the notice names.",
      paths,
    ].join(" "),
    input: {
      type: "object",
      properties: {
        path: { type: "string", description: "Path of the file." },
        ...PAGE_PROPERTIES,
      },
      required: ["path"],
      additionalProperties: false,
    },
    output: PAGE_OUTPUT,
    async call({ path, ...options }, scope, signal) {
      takePath(path);
      const most = boundBytes(options.maxBytes ?? maxBytes);
      const bounded = { ...options, maxBytes: most };
      return await answerPage(scope, path, bounded, signal);
    },
  };
}

/** Takes a number of bytes within the bounds of the server; what is no number is refused where pages are read. */
export function boundBytes(maxBytes: unknown): number {
  if (typeof maxBytes === "number" && maxBytes > MOST_MAX_BYTES) {
    throw badArgument("maxBytes", `must be at most ${MOST_MAX_BYTES}`);
  }
  return maxBytes as number;
}
