// Runtime-agnostic.

/**
 * The answer of `Read`.
 *
 * @example Usage
 * ```ts
 * import type { ForgeReadOutput } from "@agent-tools/read-file";
 * import { createForgeRead, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const workspace = await openWorkspace("/", { fs: memoryFs({ "/dot.gif": "GIF89a\0" }) });
 * const output: ForgeReadOutput = await createForgeRead(workspace).call({ path: "dot.gif" });
 * assertEquals([output.encoding, output.size], ["base64", 7]);
 * assertEquals(atob(output.data ?? ""), "GIF89a\0");
 * ```
 */
export interface ForgeReadOutput {
  /** The path of the file, from the root. */
  readonly path: string;
  /** The view: the lines, numbered or as they are, or a header and the base64. */
  readonly text: string;
  /** The bytes of a binary file as base64; `null` for text. */
  readonly data: string | null;
  /** Whether the file is binary. */
  readonly binary: boolean;
  /** How the content is written. */
  readonly encoding: "utf-8" | "base64";
  /** Whether `max_file_read_bytes` left out some of what was asked for. */
  readonly truncated: boolean;
  /** The first line shown; `null` if none is, or lines have no numbers. */
  readonly start_line: number | null;
  /** The last line shown; `null` if none is, or lines have no numbers. */
  readonly end_line: number | null;
  /** How many lines the file has; `null` where they were not counted. */
  readonly total_lines: number | null;
  /** The line to go on from; `null` at the end of the file. */
  readonly next_start_line: number | null;
  /** The size of the file in bytes. */
  readonly size: number;
}
