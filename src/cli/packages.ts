// Deno and Bun: their specifiers of packages differ.
import type { EncodingDetector } from "../core/encodings/charsets.ts";

const DETECT = "@agent-tools/read-file-detect";
/** The package that colors. */
export const HIGHLIGHT = "@agent-tools/read-file-highlight";

export async function loadDetector(): Promise<EncodingDetector> {
  try {
    const { legacyDetector } = await load(DETECT) as {
      legacyDetector(): EncodingDetector;
    };
    return legacyDetector();
  } catch (cause) {
    throw new Error(`${DETECT} could not be loaded`, { cause });
  }
}

/** Loads a package by a computed name, so that it is not a dependency of the library. */
async function load(name: string): Promise<unknown> {
  // Deno can load it from JSR even if it is not a dependency.
  const onJsr = `jsr:${name}@^0.2.0`;
  return await import(name).catch(() => import(onJsr));
}

/** A detector that is loaded at its first call; if it cannot be loaded, warns and reads files as UTF-8. */
export function lazyDetector(
  warn: (message: string) => Promise<void>,
  load: () => Promise<EncodingDetector> = loadDetector,
): EncodingDetector {
  let loading: Promise<EncodingDetector> | undefined;
  return async (bytes) => {
    loading ??= load().catch(async ({ message }) => {
      await warn(
        `Cannot tell the encoding: ${message}; install it beside this package, or name one with --encoding`,
      );
      return () => [];
    });
    return await (await loading)(bytes);
  };
}

/** Colors lines of a file; returns as many. */
export type Highlight = (
  lines: readonly string[],
  path: string,
) => readonly string[];

/** Loads the highlighter. */
export async function loadHighlight(): Promise<Highlight> {
  const loaded = await load(HIGHLIGHT) as { highlightLines: Highlight };
  return loaded.highlightLines;
}
