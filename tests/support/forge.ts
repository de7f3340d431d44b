/** The Forge tool over a few files in memory. */
import { assertRejects } from "@std/assert";
import {
  memoryFs,
  openWorkspace,
  ReadFileError,
  type Tool,
} from "../../mod.ts";
import type { ForgeReadConfig } from "../../src/tools/forge_config.ts";
import {
  createForgeRead,
  type ForgeReadOutput,
} from "../../src/tools/forge_read.ts";
import { cutFs } from "./cuts.ts";

/** The options of {@linkcode forgeFor}. */
export interface ForgeSetup {
  /** The largest number of bytes of a read. */
  readonly most?: number;
  readonly config?: ForgeReadConfig;
}

/** The tool over one file, `a.txt`. */
export async function forgeFor(
  content: string | Uint8Array,
  { most = 64 * 1024, config = {} }: ForgeSetup = {},
): Promise<Tool<ForgeReadOutput>> {
  const fs = cutFs(memoryFs({ "/ws/a.txt": content }), most);
  return createForgeRead(await openWorkspace("/ws", { fs }), config);
}

/** The tool with limits of a few bytes, over a short file, one with a long line, and a binary one. */
export async function fewFiles(): Promise<Tool<ForgeReadOutput>> {
  const files = {
    "a.txt": "a\nb\n",
    "long.txt": "a\nbbbbbbbb\n",
    "b.bin": "\0".repeat(99),
  };
  const entries = Object.entries(files).map((
    [name, text],
  ) => [`/ws/${name}`, text]);
  const fs = memoryFs(Object.fromEntries(entries));
  const limits = { max_file_read_bytes: 5, max_scan_bytes: 4 };
  return createForgeRead(await openWorkspace("/ws", { fs }), limits);
}

/** The failure of a call of that tool. */
export async function failureOf(args: unknown): Promise<ReadFileError> {
  const tool = await fewFiles();
  return await assertRejects(() => tool.call(args), ReadFileError);
}

/** A text as UTF-8. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Bytes that repeat every value. */
export function noise(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8)) & 0xff);
}

/** The lines of a text, with their endings. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The outcome of a call, as a short text. */
export async function outcome(
  content: string,
  args: object,
  setup: ForgeSetup,
): Promise<string> {
  const tool = await forgeFor(content, setup);
  try {
    const { text, truncated, next_start_line: next } = await tool.call({
      path: "a.txt",
      show_line_numbers: false,
      ...args,
    });
    return JSON.stringify(text) + (truncated ? " cut" : "") +
      (next === null ? "" : ` next ${next}`);
  } catch (error) {
    return error instanceof ReadFileError ? error.code : `${error}`;
  }
}
