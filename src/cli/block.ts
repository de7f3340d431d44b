// Runtime-agnostic.
import type { TextWindow } from "../core/lines/window.ts";
import { readFile } from "../core/read_file.ts";
import type { Workspace } from "../core/workspace.ts";
import type { Part } from "./target.ts";

/** A part that is chosen by indentation. */
export type BlockPart = Extract<Part, { readonly kind: "block" }>;

/** Finds the lines that belong to one by their indentation, and what is said above them. */
export function findBlock(
  workspace: Workspace,
  path: string,
  { line, levels }: BlockPart,
): Promise<TextWindow> {
  return readFile(workspace, path, {
    kind: "block",
    anchor: line,
    maxLevels: levels,
    siblings: false,
    header: true,
    count: Number.MAX_SAFE_INTEGER,
  });
}
