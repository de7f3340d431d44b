// Runtime-agnostic.
import { frozen, parametersOf, property, type ToolDefinition } from "./call.ts";
import type { OpenFileOptions } from "./open_file.ts";

/** Defines `open_file` for a model. */
export function defineOpenFile(
  { context, lineNumbers }: OpenFileOptions,
): ToolDefinition<"open_file"> {
  const line = (text: string) => property("integer", text, { minimum: 1 });
  return frozen({
    name: "open_file",
    description:
      "Opens a text file of the workspace, or an inclusive range of its lines, with their original endings.",
    parameters: parametersOf({
      file_path: property(
        "string",
        "Path of the file, relative to the workspace.",
      ),
      start_line: line("First line to return, 1-indexed (default: 1)."),
      end_line: line(
        "Last line to return, inclusive (default: the last line).",
      ),
      ...(context !== undefined && {
        context: property(
          "integer",
          `Lines before and after the range (default: ${context}).`,
          { minimum: 0 },
        ),
      }),
      ...(lineNumbers !== undefined && {
        show_line_numbers: property(
          "boolean",
          `Whether each line follows its number and a tab (default: ${lineNumbers}).`,
        ),
      }),
    }),
  });
}
