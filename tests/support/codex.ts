/** Helpers for tests of the codex tool. */
import {
  type CodexReadFileOptions,
  type CodexReadFileOutput,
  createCodexReadFile,
  type MemoryFiles,
  memoryFs,
  openWorkspace,
  ReadFileError,
  type Tool,
} from "../../mod.ts";
import { assertRejects } from "@std/assert";
import { cutFs } from "./cuts.ts";

/** The options of the tool, and the size limit of its reads. */
export interface CodexSetting extends CodexReadFileOptions {
  readonly most?: number;
}

/** The tool on a workspace `/ws` in memory. */
export async function codexOn(
  files: Readonly<Record<string, MemoryFiles[string]>>,
  { most = 64 * 1024, ...options }: CodexSetting = {},
): Promise<Tool<CodexReadFileOutput>> {
  const fs = cutFs(memoryFs({ "/ws": { kind: "directory" }, ...files }), most);
  return createCodexReadFile(await openWorkspace("/ws", { fs }), options);
}

/** What the tool shows for a file with this content. */
export async function show(
  content: string | Uint8Array,
  args: object = {},
  setting: CodexSetting = {},
): Promise<string> {
  const tool = await codexOn({ "/ws/a": content }, setting);
  return (await tool.call({ file_path: "/ws/a", ...args })).content;
}

/** What the tool shows around a line, selected by indentation. */
export function showBlock(
  content: string | Uint8Array,
  { offset = 1, limit = 200, ...indentation }: BlockArguments,
  setting: CodexSetting = {},
): Promise<string> {
  const args = { offset, limit, mode: "indentation", indentation };
  return show(content, args, setting);
}

/** The arguments of indentation mode that tests use. */
export interface BlockArguments {
  readonly offset?: number;
  readonly limit?: number;
  readonly anchor_line?: number;
  readonly max_levels?: number;
  readonly include_siblings?: boolean;
  readonly include_header?: boolean;
  readonly max_lines?: number;
}

/** The error of a call. */
export function failureOf(tool: Tool, args: unknown): Promise<ReadFileError> {
  return assertRejects(() => tool.call(args), ReadFileError);
}

/** The message of the error of a call. */
export async function sentenceOf(tool: Tool, args: unknown): Promise<string> {
  return (await failureOf(tool, args)).message;
}

/**
 * Makes a file from its indentation: `4` is a line at column 4, `b` a blank line,
 * `c4` a comment, `h0` a line that begins with `#`.
 */
export function sketch(lines: string): string {
  return lines.split(" ").map((line) => {
    if (line === "b") return "\n";
    const [, kind, columns] = /^([ch]?)(\d+)$/.exec(line)!;
    const text = { c: "// note", h: "# note" }[kind!] ?? "code";
    return `${" ".repeat(Number(columns))}${text}\n`;
  }).join("");
}

/** The range of the shown lines, such as `2-6`. */
export function rangeOf(content: string): string {
  const numbers = [...content.matchAll(/^L(\d+): /gm)].map(([, n]) =>
    Number(n)
  );
  return `${numbers[0]}-${numbers.at(-1)}`;
}

/** A file of `count` lines; each line contains its number. */
export function lineFile(count: number): string {
  return Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");
}

/** Readable and unreadable files. */
export const CODEX_FILES = {
  "/ws/a.txt": lineFile(3),
  "/ws/empty.txt": "",
  "/ws/dir/b.txt": "b\n",
  "/ws/dir/link": { link: "../a.txt" },
  "/ws/out": { link: "/etc/passwd" },
  "/ws/nowhere": { link: "/etc/no-such-file" },
  "/ws/folder-out": { link: "/etc" },
  "/ws/loop": { link: "loop" },
  "/ws/pipe": { kind: "other" },
  "/ws/...": "dots\n",
  "/ws/..a": "dots\n",
  "/etc/passwd": "root\n",
  "/wsx/a.txt": "next door\n",
} as const;

/** Both profiles, with their names in tests. */
export const PROFILES: readonly (readonly [string, CodexReadFileOptions])[] = [
  ["", {}],
  [", in the original profile", { original: true }],
];
