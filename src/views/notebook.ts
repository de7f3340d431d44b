// Runtime-agnostic.
import { loadPart } from "../core/base/errno.ts";
import type { View } from "../core/media/view.ts";

/** The beginning of a notebook: an object with a property of notebooks. */
const BEGINNING =
  /^(?:\xef\xbb\xbf)?\s*\{\s*"(?:cells|metadata|nbformat|nbformat_minor|worksheets)"\s*:/;

/** A property that is unlikely in other JSON. */
const SIGN = /"(?:nbformat|cell_type)"\s*:/;

/**
 * A view of Jupyter notebooks: their cells with numbers, the outputs as text,
 * and images by type and size. The view is named `"cells"`.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, notebookView, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const cell = { cell_type: "code", source: ["1 + 1"], outputs: [], execution_count: 1 };
 * const book = JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4 });
 * const fs = memoryFs({ "/repo/a.ipynb": book });
 * const workspace = await openWorkspace("/repo", { fs, views: [notebookView()] });
 * const { lines, view } = await workspace.read("a.ipynb");
 * assertEquals(view, "cells");
 * assertEquals(lines.map(({ text }) => text), [
 *   "notebook of 1 cell",
 *   "--- cell 1: code, run 1",
 *   "1 + 1",
 * ]);
 * ```
 */
export function notebookView(): View {
  return {
    name: "cells",
    matches({ media, head }) {
      if (media !== null) return false;
      const text = new TextDecoder("latin1").decode(head);
      return BEGINNING.test(text) && SIGN.test(text);
    },
    async open(file, request) {
      const { openNotebook } = await loadPart(
        file.path,
        import("./notebook_text.ts"),
      );
      return await openNotebook(file, request);
    },
  };
}
