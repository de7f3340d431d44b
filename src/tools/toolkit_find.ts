// Runtime-agnostic.
import { findMatch } from "../core/read.ts";
import { CallArguments } from "./arguments.ts";
import { frozen, property } from "./call.ts";
import type { ToolkitFind } from "./toolkit_read_file.ts";

const COUNT = { problem: "must be an integer >= 0", least: 0 } as const;

/**
 * Lets a model find lines with the toolkit's `read_file`: `match` is a text,
 * and `before` and `after` are numbers of lines around each hit. The answer has
 * each line after its number and a tab, and at most `max_lines` of them.
 *
 * @example Usage
 * ```ts
 * import { createToolkitReadFile, memoryFs, openWorkspace, toolkitFind } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo TODO\nthree\n" });
 * const workspace = await openWorkspace("/repo", { fs });
 * const tool = createToolkitReadFile(workspace, { find: toolkitFind });
 * const { content } = await tool.call({ path: "a.txt", match: "TODO", after: 1 });
 * assertEquals(content, "2\ttwo TODO\n3\tthree");
 * ```
 */
export const toolkitFind: ToolkitFind = {
  define(definition) {
    const { parameters } = definition;
    const lines = (where: string) =>
      property("number", `Lines to return ${where} each match (default: 0).`, {
        default: 0,
      });
    const properties = {
      ...parameters.properties,
      match: property("string", "Return only lines that contain this text."),
      before: lines("before"),
      after: lines("after"),
    };
    return frozen({ ...definition, parameters: { ...parameters, properties } });
  },
  finderOf(given, { path, start, count }) {
    const names = ["path", "match", "before", "after"];
    const properties = Object.fromEntries(
      names.map((name) => [name, { type: "string" as const }]),
    );
    const args = new CallArguments(given, { type: "object", properties });
    const match = args.get("match");
    if (match === undefined) return undefined;
    if (typeof match !== "string") throw args.bad("match", "must be a string");
    const before = args.integer("before", COUNT) ?? 0;
    const after = args.integer("after", COUNT) ?? 0;
    const each = before + after + 1;
    if (each > count) {
      const problem =
        `and after are ${each} lines with each match, and max_lines is ${count}`;
      throw args.bad("before", problem, "ask for fewer, or for more max_lines");
    }
    const limit = Math.floor(count / each);
    const selection = { match, before, after, limit, start, counts: true };
    return findMatch(selection, path);
  },
};
