import { loading } from "../core/base/lazy_part.ts";
import type { FsPort } from "../core/base/port.ts";
import {
  diskFs,
  FD_DIRECTORY,
  numberedFdDirectory,
  thisRuntime,
} from "./disk.ts";
import type { DiskOptions } from "./disk.ts";
import type { DenoHost } from "./runtime.ts";

/**
 * The disk, in Deno.
 *
 * Requires `--allow-read` for the workspace, by its real path:
 * `--allow-read="$(realpath ws)"`. That permission does not stop a link that
 * leads out; the workspace does.
 *
 * @example Usage
 * ```ts no-assert
 * import { denoFs, openWorkspace } from "@agent-tools/read-file";
 *
 * const open = () => openWorkspace(".", { fs: denoFs() });
 * ```
 */
export function denoFs(options: DiskOptions = {}): FsPort {
  const { Deno: deno } = thisRuntime();
  // Deno ends the process if it loads a module while no file can be opened. On
  // Linux, `memoryUsage()` opens a file in `/proc`, and gives 0 if that fails. Without
  // `/proc` it always gives 0, which then shows nothing.
  const canOpen = () => deno?.memoryUsage().rss !== 0;
  if (canOpen()) {
    loading.check = () => {
      if (!canOpen()) throw new Error("No file can be opened");
    };
  }
  return diskFs(options, () => deno && denoFdDirectory(deno), deno);
}

// Deno prompts at a terminal before it refuses, so query the permission instead.
function denoFdDirectory(deno: DenoHost): string | undefined {
  if (deno.build.os !== "linux") return undefined;
  const mayRead = (path: string) =>
    deno.permissions.querySync({ name: "read", path }).state === "granted";
  if (!mayRead(FD_DIRECTORY)) return undefined;
  return mayRead("/proc")
    ? numberedFdDirectory((path) => deno.readLinkSync(path))
    : FD_DIRECTORY;
}

/**
 * The disk, in Bun.
 *
 * @example Usage
 * ```ts no-assert
 * import { bunFs, openWorkspace } from "@agent-tools/read-file";
 *
 * const open = () => openWorkspace(".", { fs: bunFs() });
 * ```
 */
export function bunFs(options: DiskOptions = {}): FsPort {
  return diskFs(options, nodeFdDirectory);
}

/**
 * The disk, in Node.js.
 *
 * @example Usage
 * ```ts no-assert
 * import { nodeFs, openWorkspace } from "@agent-tools/read-file";
 *
 * const open = () => openWorkspace(".", { fs: nodeFs() });
 * ```
 */
export function nodeFs(options: DiskOptions = {}): FsPort {
  return bunFs(options);
}

// Bun and Node.js have no permission for this directory.
function nodeFdDirectory(): string | undefined {
  const { process } = thisRuntime();
  const fs = process?.getBuiltinModule?.("node:fs");
  if (process?.platform !== "linux" || fs === undefined) return undefined;
  return numberedFdDirectory((path) => fs.readlinkSync(path));
}

/**
 * The disk of the current runtime; throws a `TypeError` if it has none.
 *
 * @example Usage
 * ```ts
 * import { hostFs } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(typeof hostFs().open, "function");
 * ```
 */
export function hostFs(options: DiskOptions = {}): FsPort {
  if ("Deno" in globalThis) return denoFs(options);
  if ("Bun" in globalThis) return bunFs(options);
  if (isNode()) return nodeFs(options);
  throw new TypeError(
    "Cannot choose a file system: this runtime is neither Deno, Bun nor Node.js; pass one as { fs }, for example memoryFs()",
  );
}

/** Edge workers may have `process.versions`, but no disk. */
function isNode(): boolean {
  const { navigator, process } = thisRuntime();
  return process?.release?.name === "node" &&
    process.versions?.node !== undefined &&
    navigator?.userAgent !== "Cloudflare-Workers";
}
