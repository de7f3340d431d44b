// Deno and Bun: both import packages by computed names.
import type { View } from "@agent-tools/read-file";

/** The specifiers of the package: the name of a dependency, or a `jsr:` specifier, which Deno resolves without a dependency. */
const NAMES = [
  "@agent-tools/read-file-pdf",
  "jsr:@agent-tools/read-file-pdf@^0.2.0",
] as const;

/** Loads the package of the view. Its name is computed, so that servers without `--pdf` do not download it. */
export async function loadPdf(): Promise<{ pdfView(): View }> {
  const causes: unknown[] = [];
  for (const name of NAMES) {
    try {
      return await import(name);
    } catch (cause) {
      causes.push(cause);
    }
  }
  throw new Error(
    `Cannot serve PDF documents: ${
      NAMES[0]
    } could not be loaded; install it beside the server`,
    { cause: causes },
  );
}
