/**
 * Colors source code for a terminal, for `@agent-tools/read-file`. The result is
 * for people, never for a model.
 *
 * ```ts
 * import { highlightAnsi } from "@agent-tools/read-file-highlight";
 * import { assertStringIncludes } from "@std/assert";
 *
 * assertStringIncludes(highlightAnsi("const a = 1;\n", "ts"), "\x1b[35mconst\x1b[0m");
 * ```
 *
 * @module
 */
export { highlightAnsi, highlightLines } from "./src/highlight_ansi.ts";
