// Deno and Bun: both import packages by computed names.
import type { EncodingDetector } from "@agent-tools/read-file";

export type DetectPackage = { legacyDetector(): EncodingDetector };

/** The specifiers of the package: the name of a dependency, or a `jsr:` specifier, which Deno resolves without a dependency. */
const NAMES = [
  "@agent-tools/read-file-detect",
  "jsr:@agent-tools/read-file-detect@^0.2.0",
] as const;

/** Loads the package. Its name is computed, so that it is downloaded when a file needs it. */
export async function loadDetect(): Promise<DetectPackage> {
  const causes: unknown[] = [];
  for (const name of NAMES) {
    try {
      return await import(name);
    } catch (cause) {
      causes.push(cause);
    }
  }
  throw new Error(`${NAMES[0]} could not be loaded`, { cause: causes });
}

/** A detector that is loaded at its first call; if it cannot be loaded, files are read as UTF-8. */
export function lazyDetector(
  load: () => Promise<DetectPackage>,
  log: (message: string) => void,
): EncodingDetector {
  let loading: Promise<EncodingDetector> | undefined;
  return async (bytes) => {
    loading ??= load().then(
      ({ legacyDetector }) => legacyDetector(),
      (error) => {
        log(`legacy encodings cannot be told: ${error.message}`);
        return () => [];
      },
    );
    return await (await loading)(bytes);
  };
}
