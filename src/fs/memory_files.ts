// Runtime-agnostic.

/**
 * A symbolic link in a {@linkcode memoryFs}.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, type MemoryLink } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const latest: MemoryLink = { link: "releases/v2" };
 * const fs = memoryFs({ "/releases/v2/notes.md": "# 2", "/latest": latest });
 * assertEquals(await fs.realPath("/latest/notes.md"), "/releases/v2/notes.md");
 * ```
 */
export interface MemoryLink {
  /** Where it leads: an absolute path, or one from the directory it is in. */
  readonly link: string;
}

/**
 * A file in a {@linkcode memoryFs} with more to it than its content.
 *
 * @example Usage
 * ```ts
 * import { type MemoryFile, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const old: MemoryFile = { content: "one", mtimeMs: Date.UTC(2024, 1, 29) };
 * const workspace = await openWorkspace("/", { fs: memoryFs({ "/old.txt": old }) });
 * await using file = await workspace.open("old.txt");
 * assertEquals(new Date(file.stat.mtimeMs ?? 0).getUTCFullYear(), 2024);
 * ```
 */
export interface MemoryFile {
  /** What it holds; a string is stored as UTF-8. */
  readonly content: string | Uint8Array;
  /** When it last changed, in milliseconds since the epoch. */
  readonly mtimeMs?: number;
}

/**
 * Something in a {@linkcode memoryFs} that is no file: an empty directory, or a device.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, type MemoryNode, openWorkspace } from "@agent-tools/read-file";
 * import { assertRejects } from "@std/assert";
 *
 * const device: MemoryNode = { kind: "other" };
 * const workspace = await openWorkspace("/", { fs: memoryFs({ "/dev/tty": device }) });
 * await assertRejects(() => workspace.open("dev/tty"), Error, "neither a file nor a directory");
 * ```
 */
export interface MemoryNode {
  /** What it is. */
  readonly kind: "directory" | "other";
}

/**
 * One thing in a {@linkcode memoryFs}.
 *
 * @example Usage
 * ```ts
 * import { type MemoryEntry, memoryFs } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * async function kindOf(entry: MemoryEntry): Promise<string> {
 *   return (await memoryFs({ "/it": entry }).lstat("/it")).kind;
 * }
 * assertEquals(await kindOf("text"), "file");
 * assertEquals(await kindOf(new Uint8Array([0, 255])), "file");
 * assertEquals(await kindOf({ link: "elsewhere" }), "symlink");
 * ```
 */
export type MemoryEntry =
  | string
  | Uint8Array
  | MemoryFile
  | MemoryLink
  | MemoryNode;

/**
 * What a {@linkcode memoryFs} holds, by absolute path; directories come by themselves.
 *
 * @example Usage
 * ```ts
 * import { type MemoryFiles, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const project: MemoryFiles = { "/repo/package.json": "{}" };
 * const fs = memoryFs({ ...project, "/repo/src/a.ts": "export {};\n" });
 * const workspace = await openWorkspace("/repo", { fs });
 * assertEquals((await workspace.read("package.json")).size, 2);
 * ```
 */
export type MemoryFiles = Readonly<Record<string, MemoryEntry>>;
