// Runtime-agnostic.
import type { FsPort } from "../core/base/port.ts";
import { bunFs } from "./bun.ts";
import { denoFs } from "./deno.ts";
import { nodeFs } from "./node.ts";

/**
 * The disk of the runtime that this runs on.
 *
 * @example Usage
 * ```ts
 * import { hostFs } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(typeof hostFs().open, "function");
 * ```
 *
 * @returns The port; a `TypeError` says what to do where there is no disk.
 */
export function hostFs(): FsPort {
  if ("Deno" in globalThis) return denoFs();
  if ("Bun" in globalThis) return bunFs();
  if (isNode()) return nodeFs();
  throw new TypeError(
    "Cannot choose a file system: this runtime is neither Deno, Bun nor Node.js; pass one as { fs }, for example memoryFs()",
  );
}

/** Workers at the edge imitate `process.versions`, but have no disk. */
function isNode(): boolean {
  const { navigator, process } = globalThis as {
    readonly navigator?: { readonly userAgent?: string };
    readonly process?: {
      readonly release?: { readonly name?: string };
      readonly versions?: { readonly node?: string };
    };
  };
  return process?.release?.name === "node" &&
    process.versions?.node !== undefined &&
    navigator?.userAgent !== "Cloudflare-Workers";
}
