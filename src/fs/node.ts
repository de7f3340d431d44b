// Node.js only.
import type { FsPort } from "../core/base/port.ts";
import { bunFs } from "./bun.ts";
import type { DiskOptions } from "./node_api.ts";

/**
 * The disk, as Node.js reaches it.
 *
 * @example Usage
 * ```ts no-assert
 * import { nodeFs, openWorkspace } from "@agent-tools/read-file";
 *
 * const open = () => openWorkspace(".", { fs: nodeFs() });
 * ```
 *
 * @param options How to wait for the disk.
 * @returns The port.
 */
export function nodeFs(options: DiskOptions = {}): FsPort {
  return bunFs(options);
}
