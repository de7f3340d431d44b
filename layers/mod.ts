/**
 * Several file systems in one workspace of `@agent-tools/read-file`: ports
 * mounted in one tree, and edits that are not saved yet over a port.
 *
 * ```ts
 * import { memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { mountFs, overlayFs } from "@agent-tools/read-file-layers";
 * import { assertEquals } from "@std/assert";
 *
 * const saved = memoryFs({ "/repo/a.txt": "saved" });
 * const fs = mountFs({
 *   "/repo": overlayFs(saved, { "/repo/a.txt": "typed" }),
 *   "/logs": memoryFs({ "/logs/app.log": "started" }),
 * });
 * const workspace = await openWorkspace("/", { fs });
 * assertEquals((await workspace.read("repo/a.txt")).text, "typed");
 * assertEquals((await workspace.read("logs/app.log")).text, "started");
 * ```
 *
 * @module
 */
export { type Mount, mountFs, type Mounts } from "./src/mount.ts";
export { type Edit, type Edits, overlayFs } from "./src/overlay.ts";
