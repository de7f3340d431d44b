// Deno and Bun: their specifiers of packages differ.
import type { EncodingDetector } from "../core/encodings/charsets.ts";
import type { Highlighter } from "../core/color.ts";

export async function loadDetector(): Promise<EncodingDetector> {
  const name = "@agent-tools/read-file-detect";
  try {
    const { legacyDetector } = await load(name) as {
      legacyDetector(): EncodingDetector;
    };
    return legacyDetector();
  } catch (cause) {
    throw new Error(`${name} could not be loaded`, { cause });
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

const HIGHLIGHT = "highlight.js";
const VERSION = "11.12.0";
const ENTRY = "lib/common";

/** Loads the highlighter. The specifier is computed, so that it is not a dependency of the library. */
export async function loadHighlighter(): Promise<Highlighter> {
  const address = "Deno" in globalThis
    ? `npm:${HIGHLIGHT}@${VERSION}/${ENTRY}`
    : `${HIGHLIGHT}/${ENTRY}`;
  const loaded = await import(address) as { readonly default: Highlighter };
  return loaded.default;
}
