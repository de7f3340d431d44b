// Deno, Bun and Node.js: all import packages by computed names.
import type { EncodingDetector, View } from "@agent-tools/read-file";

export type PdfPackage = { pdfView(): View };
export type DetectPackage = { legacyDetector(): EncodingDetector };

export const loadPdf = () => load<PdfPackage>("@agent-tools/read-file-pdf");
export const loadDetect = () =>
  load<DetectPackage>("@agent-tools/read-file-detect");

/** Loads a package when it is used: with a literal name, it would be downloaded at each start. */
async function load<Package>(name: string): Promise<Package> {
  const causes: unknown[] = [];
  // Deno resolves a `jsr:` specifier without a dependency of this name.
  for (const specifier of [name, `jsr:${name}@^0.2.0`]) {
    try {
      return await import(specifier);
    } catch (cause) {
      causes.push(cause);
    }
  }
  const problem = `${name} could not be loaded; install it beside the server`;
  throw new Error(problem, { cause: causes });
}

/** A detector that is loaded at its first call; if it cannot be loaded, files are read as UTF-8. */
export function lazyDetector(
  load: () => Promise<DetectPackage>,
  log: (message: string) => void,
): EncodingDetector {
  let loading: Promise<EncodingDetector> | undefined;
  const loaded = async () => {
    try {
      return (await load()).legacyDetector();
    } catch (error) {
      log(`legacy encodings are not detected: ${(error as Error).message}`);
      return () => [];
    }
  };
  return async (bytes) => await (await (loading ??= loaded()))(bytes);
}
