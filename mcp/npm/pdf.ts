// The package for PDF, and in the same file the library that its worker loads.
export { pdfView } from "../../pdf/mod.ts";
export { getResolvedPDFJS } from "unpdf";
