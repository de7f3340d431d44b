// Runtime-agnostic.
import type { FsPort } from "../core/base/port.ts";
import { bunFs } from "./bun.ts";
import { denoFs } from "./deno.ts";

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
  throw new TypeError(
    "Cannot choose a file system: this runtime is neither Deno nor Bun; pass one as { fs }, for example memoryFs()",
  );
}
