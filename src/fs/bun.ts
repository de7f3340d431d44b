// Bun only.
import type { FsPort } from "../core/base/port.ts";
import { type DiskOptions, nodeApiFs } from "./node_api.ts";
import { numberedNames } from "./open_file_names.ts";

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
  readonly process?: {
    readonly platform?: string;
    getBuiltinModule?(name: "node:fs"): {
      readlinkSync(path: string): string;
    } | undefined;
  };
}

// Bun has no permissions that could forbid it.
function openFileNames(): string | undefined {
  const { process } = globalThis as Host;
  const fs = process?.getBuiltinModule?.("node:fs");
  if (process?.platform !== "linux" || fs === undefined) return undefined;
  return numberedNames((path) => fs.readlinkSync(path));
}
