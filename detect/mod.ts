/**
 * Detects legacy encodings by statistics, for `@agent-tools/read-file`: Shift_JIS,
 * GBK, Big5, EUC-KR, windows-125x, KOI8 and others.
 *
 * ```ts
 * import { memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { legacyDetector } from "@agent-tools/read-file-detect";
 *
 * const fs = memoryFs({ "/repo/a.txt": "plain text\n" });
 * const workspace = await openWorkspace("/repo", { fs, detect: legacyDetector() });
 * const page = await workspace.read("a.txt");
 * console.assert(page.encoding.label === "utf-8");
 * ```
 *
 * The detector is loaded when a file first needs it.
 *
 * @module
 */
export { legacyDetector } from "./src/legacy_detector.ts";
