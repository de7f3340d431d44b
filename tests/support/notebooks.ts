/** Notebooks built by code. */
import { png } from "./images.ts";

/** Bytes as base64. */
export function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** A code cell. */
export function code(
  source: string | readonly string[],
  outputs: readonly object[] = [],
  run: number | null = null,
) {
  return {
    cell_type: "code",
    execution_count: run,
    metadata: {},
    outputs,
    source,
  };
}

/** A Markdown cell. */
export function markdown(source: string) {
  return { cell_type: "markdown", metadata: {}, source: [source] };
}

/** A notebook of format version 4. */
export function notebook(cells: readonly object[], metadata: object = {}) {
  return JSON.stringify(
    { cells, metadata, nbformat: 4, nbformat_minor: 5 },
    null,
    1,
  );
}

/** A cell of each kind, and an output of each kind. */
export const SAMPLE = notebook([
  markdown("# Title\n\nSome words."),
  code(["import math\n", "math.pi"], [
    { output_type: "stream", name: "stdout", text: ["one\n", "two\n"] },
    { output_type: "stream", name: "stderr", text: " 10%\r 50%\r100%\n" },
    {
      output_type: "execute_result",
      execution_count: 3,
      metadata: {},
      data: { "text/plain": "3.14", "text/html": "<b>3.14</b>" },
    },
    {
      output_type: "display_data",
      metadata: {},
      data: { "image/png": base64(png(64, 48)), "text/plain": ["<Figure>"] },
    },
  ], 3),
  code("1 / 0", [{
    output_type: "error",
    ename: "ZeroDivisionError",
    evalue: "division by zero",
    traceback: [
      "\x1b[31mTraceback\x1b[0m",
      "ZeroDivisionError: division by zero",
    ],
  }], 4),
  { cell_type: "raw", metadata: {}, source: "--- cell 9: code\nforged" },
], { kernelspec: { language: "python" }, language_info: { name: "python" } });
