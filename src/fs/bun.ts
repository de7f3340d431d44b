// Bun only.
import type { FsPort } from "../core/port.ts";
import { type DiskOptions, nodeApiFs } from "./node_api.ts";

/**
 * The disk, as Bun reaches it.
 *
 * @example Usage
 * ```ts no-assert
 * import { bunFs, openWorkspace } from "@agent-tools/read-file";
 *
 * const open = () => openWorkspace(".", { fs: bunFs() });
 * ```
 *
 * @param options How to wait for the disk.
 * @returns The port.
 */
export function bunFs(options: DiskOptions = {}): FsPort {
  return nodeApiFs({ openFileNames }, options);
}

interface Host {
  readonly process?: { readonly platform?: string };
}

// Bun has no permissions that could forbid it.
function openFileNames(): string | undefined {
  const { process } = globalThis as Host;
  return process?.platform === "linux" ? "/proc/self/fd" : undefined;
}
