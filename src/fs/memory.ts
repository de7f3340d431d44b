// Runtime-agnostic.
import type { FileEntry, FileHandle, FileStat, FsPort } from "../core/port.ts";
import { failure } from "./failure.ts";

/** A symbolic link in a {@linkcode memoryFs}. */
export interface MemoryLink {
  /** Where it leads: an absolute path, or one from the directory it is in. */
  readonly link: string;
}

/** A file in a {@linkcode memoryFs} with more to it than its content. */
export interface MemoryFile {
  /** What it holds; a string is stored as UTF-8. */
  readonly content: string | Uint8Array;
  /** When it last changed, in milliseconds since the epoch. */
  readonly mtimeMs?: number;
}

/** Something in a {@linkcode memoryFs} that is no file: an empty directory, or a device. */
export interface MemoryNode {
  /** What it is. */
  readonly kind: "directory" | "other";
}

/** One thing in a {@linkcode memoryFs}. */
export type MemoryEntry =
  | string
  | Uint8Array
  | MemoryFile
  | MemoryLink
  | MemoryNode;

/** What a {@linkcode memoryFs} holds, by absolute path; directories come by themselves. */
export type MemoryFiles = Readonly<Record<string, MemoryEntry>>;

type Node =
  | {
    readonly kind: "file";
    readonly bytes: Uint8Array;
    readonly mtimeMs: number | null;
  }
  | { readonly kind: "symlink"; readonly link: string }
  | { readonly kind: "directory" | "other" };

/**
 * A file system made of strings, for tests, examples and edge runtimes.
 *
 * @example Usage
 * ```ts
 * import { memoryFs } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/dir/a": "hello", "/b": { link: "dir/a" } });
 * assertEquals(await fs.realPath("/b"), "/dir/a");
 * ```
 *
 * @param files What it holds.
 * @returns The port.
 */
export function memoryFs(files: MemoryFiles): FsPort {
  const nodes = plant(files);

  function find(path: string, followLast: boolean): [string, Node] {
    const names = path.split("/").reverse();
    /** The paths of the directories on the way, the root's first. */
    const way = ["/"];
    let links = 0;
    while (names.length > 0) {
      const name = names.pop()!;
      if (name === "" || name === ".") continue;
      const here = way.at(-1)!;
      if (nodes.get(here)!.kind !== "directory") throw failure("ENOTDIR");
      if (name === "..") {
        if (way.length > 1) way.pop();
        continue;
      }
      const reached = here === "/" ? `/${name}` : `${here}/${name}`;
      const node = nodes.get(reached);
      if (node === undefined) throw failure("ENOENT");
      if (
        node.kind !== "symlink" ||
        (!followLast && names.every((rest) => rest === ""))
      ) {
        way.push(reached);
        continue;
      }
      if (++links > MAX_LINKS) throw failure("ELOOP");
      if (node.link.startsWith("/")) way.length = 1;
      names.push(...node.link.split("/").reverse());
    }
    const reached = way.at(-1)!;
    return [reached, nodes.get(reached)!];
  }

  return {
    realPath: (path) => find(path, true)[0],
    lstat: (path) => describe(...find(path, false)),
    readLink(path) {
      const [, node] = find(path, false);
      if (node.kind !== "symlink") throw failure("EINVAL");
      return node.link;
    },
    open(path) {
      const [reached, node] = find(path, false);
      if (node.kind === "symlink") throw failure("ELOOP");
      return handleOf(reached, node);
    },
    list(path, most) {
      const [reached, node] = find(path, false);
      if (node.kind !== "directory") throw failure("ENOTDIR");
      return entriesOf(nodes, reached).slice(0, most);
    },
  };
}

const MAX_LINKS = 40;

/** The nodes by canonical path, with every directory that a path implies. */
function plant(files: MemoryFiles): ReadonlyMap<string, Node> {
  const nodes = new Map<string, Node>([["/", { kind: "directory" }]]);
  for (const [path, entry] of Object.entries(files)) {
    if (!/^(\/[^/]+)+$/.test(path)) {
      throw new TypeError(
        `Cannot make a memory file system: ${
          JSON.stringify(path)
        } is not an absolute path`,
      );
    }
    nodes.set(path, toNode(entry));
  }
  for (const path of [...nodes.keys()]) {
    for (
      let at = path.lastIndexOf("/");
      at > 0;
      at = path.lastIndexOf("/", at - 1)
    ) {
      const parent = path.slice(0, at);
      if ((nodes.get(parent) ?? DIRECTORY).kind !== "directory") {
        throw new TypeError(
          `Cannot make a memory file system: ${
            JSON.stringify(parent)
          } is not a directory`,
        );
      }
      nodes.set(parent, DIRECTORY);
    }
  }
  return nodes;
}

const DIRECTORY: Node = { kind: "directory" };

function toNode(entry: MemoryEntry): Node {
  if (typeof entry === "string" || entry instanceof Uint8Array) {
    return toNode({ content: entry });
  }
  if ("kind" in entry) return { kind: entry.kind };
  if ("link" in entry) return { kind: "symlink", link: entry.link };
  const { content, mtimeMs = null } = entry;
  const bytes = typeof content === "string"
    ? new TextEncoder().encode(content)
    : content;
  return { kind: "file", bytes, mtimeMs };
}

function entriesOf(
  nodes: ReadonlyMap<string, Node>,
  path: string,
): FileEntry[] {
  const above = path === "/" ? path : `${path}/`;
  return Array.from(nodes, ([below, { kind }]) => ({ below, kind }))
    .filter(({ below }) =>
      below.startsWith(above) && below !== above &&
      !below.includes("/", above.length)
    )
    .map(({ below, kind }) => ({ name: below.slice(above.length), kind }));
}

function describe(path: string, node: Node): FileStat {
  const isFile = node.kind === "file";
  const mtimeMs = isFile ? node.mtimeMs : null;
  const size = isFile ? node.bytes.length : 0;
  return { kind: node.kind, size, mtimeMs, ctimeMs: mtimeMs, id: path };
}

function handleOf(path: string, node: Node): FileHandle {
  return {
    stat: () => describe(path, node),
    read(buffer, position) {
      if (node.kind === "directory") throw failure("EISDIR");
      if (node.kind !== "file") return 0;
      const bytes = node.bytes.subarray(position, position + buffer.length);
      buffer.set(bytes);
      return bytes.length;
    },
    path: () => path,
    close() {},
  };
}
