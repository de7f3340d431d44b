// The four tools, each prepared to read the same lines.
import {
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  type Tool,
  type Workspace,
} from "../mod.ts";
import { join } from "node:path";

/** Lines of a file, whose path is relative to `root`. */
export interface Page {
  readonly root: string;
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** A tool that is prepared to read a page. */
export interface ToolCall {
  readonly name: string;
  readonly call: () => Promise<unknown>;
}

interface Dialect {
  readonly name: string;
  readonly make: (workspace: Workspace) => Tool;
  args(page: Page): unknown;
}

const DIALECTS: readonly Dialect[] = [
  {
    name: "open_file",
    make: createOpenFile,
    args: ({ path, start, end }) => ({
      file_path: path,
      start_line: start,
      end_line: end,
    }),
  },
  {
    name: "toolkit_read_file",
    make: createToolkitReadFile,
    args: ({ path, start, end }) => ({
      path,
      start_line: start,
      max_lines: end - start + 1,
    }),
  },
  {
    name: "forge_read",
    make: createForgeRead,
    args: ({ path, start, end }) => ({
      path,
      start_line: start,
      end_line: end,
    }),
  },
  {
    name: "codex_read_file",
    make: createCodexReadFile,
    args: ({ root, path, start, end }) => ({
      file_path: join(root, path),
      offset: start,
      limit: end - start + 1,
    }),
  },
];

/** The four tools, prepared to read a page. */
export function pageCalls(workspace: Workspace, page: Page): ToolCall[] {
  return DIALECTS.map(({ name, make, args }) => {
    const tool = make(workspace);
    const request = args(page);
    return { name, call: () => tool.call(request) };
  });
}

/** Throws unless an answer contains these texts: a wrong answer must not be timed. */
export function mustHold(answer: unknown, ...texts: readonly string[]): void {
  const shown = typeof answer === "string" ? answer : JSON.stringify(answer);
  const missing = texts.find((text) => !shown.includes(text));
  if (missing === undefined) return;
  throw new Error(
    `Wrong answer: ${JSON.stringify(missing)} is not in ${shown.slice(0, 200)}`,
  );
}
