/** Deny rules without globs, and trees without the denied paths. */
import type { MemoryFiles } from "../../mod.ts";
import { RULES } from "./random_tree.ts";

/** Whether the rules deny a path, relative to the root, or a directory above it. */
export function isDenied(path: string, rules: readonly string[]): boolean {
  const names = path.split("/");
  return names.some((_, index) => {
    const above = names.slice(0, index + 1).join("/");
    const last = rules.findLast((rule) => RULES[rule]!.test(above));
    return last !== undefined && !last.startsWith("!");
  });
}

/** The tree without its denied paths; the folders that contained them stay. */
export function pruned(
  files: MemoryFiles,
  rules: readonly string[],
): MemoryFiles {
  const left: Record<string, MemoryFiles[string]> = {};
  for (const [path, entry] of Object.entries(files)) {
    const below = path.startsWith("/ws/") ? path.slice("/ws/".length) : "";
    if (below === "" || !isDenied(below, rules)) left[path] = entry;
    const names = below.split("/");
    for (let depth = 1; depth < names.length; depth++) {
      const folder = names.slice(0, depth).join("/");
      if (isDenied(folder, rules)) break;
      left[`/ws/${folder}`] = { kind: "directory" };
    }
  }
  return left;
}
