/**
 * A view of PDF documents for `@agent-tools/read-file`: their text, page by page
 * and line by line.
 *
 * ```ts ignore
 * import { openWorkspace } from "@agent-tools/read-file";
 * import { pdfView } from "@agent-tools/read-file-pdf";
 *
 * const workspace = await openWorkspace("docs", { views: [pdfView()] });
 * const page = await workspace.read("manual.pdf", { pages: "3-5" });
 * ```
 *
 * @module
 */
export { pdfView, type PdfViewOptions } from "./src/pdf_view.ts";
