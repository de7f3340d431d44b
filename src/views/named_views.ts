import { refuseMistake, type Rules, takeOptions } from "../core/base/check.ts";
import { lazyPart } from "../core/base/lazy_part.ts";
import type { View } from "../core/media/view.ts";

const gunzipPart = lazyPart(() => import("./gunzip_text.ts"));
const notebookPart = lazyPart(() => import("./notebook_text.ts"));

/** Options for {@linkcode gunzipView}. */
export interface GunzipOptions {
  /** The most bytes of decompressed text; 256 MiB by default. */
  readonly maxBytes?: number;
  /** The largest ratio of the text to the file, past the first 16 MiB; 200 by default. */
  readonly maxRatio?: number;
}

const FROM_ONE = { least: 1 };
const RULES: Rules<GunzipOptions> = { maxBytes: FROM_ONE, maxRatio: FROM_ONE };

/**
 * A view of gzip files, as the text in them. The text is decompressed while it
 * is read, so memory does not grow with it. The view is named `"gunzip"`.
 *
 * @example Usage
 * ```ts
 * import { gunzipView, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const packed = new Blob(["one\ntwo\n"]).stream()
 *   .pipeThrough(new CompressionStream("gzip"));
 * const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
 * const fs = memoryFs({ "/repo/app.log.1.gz": bytes });
 * const workspace = await openWorkspace("/repo", { fs, views: [gunzipView()] });
 * const page = await workspace.read("app.log.1.gz", { tail: 1 });
 * assertEquals([page.view, page.lines[0]?.text], ["gunzip", "two"]);
 * ```
 */
export function gunzipView(options: GunzipOptions = {}): View {
  const refuse = refuseMistake("Cannot make a view of gzip");
  const { maxBytes = 256 * 1024 * 1024, maxRatio = 200 } = takeOptions(
    options,
    RULES,
    refuse,
  );
  return {
    name: "gunzip",
    matches: ({ media }) => media?.type === "application/gzip",
    async open(file, request) {
      const gunzip = await gunzipPart(file.path);
      return await gunzip.openGunzip(file, request, { maxBytes, maxRatio });
    },
  };
}

/** The beginning of a notebook: an object with a property of notebooks. */
const BEGINNING =
  /^(?:\xef\xbb\xbf)?\s*\{\s*"(?:cells|metadata|nbformat|nbformat_minor)"\s*:/;

/** A property that is unlikely in other JSON. */
const NOTEBOOK_PROPERTY = /"(?:nbformat|cell_type)"\s*:/;

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
 * assertEquals([view, lines[1]?.text], ["cells", "--- cell 1: code, run 1"]);
 * ```
 */
export function notebookView(): View {
  return {
    name: "cells",
    matches({ media, head }) {
      if (media !== null) return false;
      const text = new TextDecoder("latin1").decode(head);
      return BEGINNING.test(text) && NOTEBOOK_PROPERTY.test(text);
    },
    async open(file, request) {
      const book = await notebookPart(file.path);
      return await book.openNotebook(file, request);
    },
  };
}
