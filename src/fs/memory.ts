import type { FileKind, FileStat, FsPort } from "../core/base/port.ts";
import { copyOf, refuseMistake } from "../core/base/check.ts";
import { MAX_LINKS } from "../core/base/limits.ts";
import { below, failure, openBytes, openDirectory, parentOf } from "./store.ts";

/** The entries of a {@linkcode memoryFs}, by absolute path; directories above them are implied. */
export type MemoryFiles = Readonly<
  Record<
    string,
    | string
    | Uint8Array
    | {
      /** The content of a file; a string is stored as UTF-8. */
      readonly content: string | Uint8Array;
      /** When it was last modified, in milliseconds since the epoch. */
      readonly mtimeMs?: number;
    }
    | {
      /** The target of a symbolic link: an absolute path, or one from the directory of the link. */
      readonly link: string;
    }
    | {
      /** An empty directory, or a device. */
      readonly kind: "directory" | "other";
    }
  >
>;

interface Node {
  readonly kind: FileKind;
  readonly bytes: Uint8Array;
  readonly mtimeMs: number | null;
  readonly link: string;
}

/**
 * A file system in memory, for tests, examples and edge runtimes.
 *
 * @example Usage
 * ```ts
 * import { memoryFs } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/dir/a": "hello", "/b": { link: "dir/a" } });
 * assertEquals(await fs.realPath("/b"), "/dir/a");
 * ```
 */
export function memoryFs(files: MemoryFiles): FsPort {
  const nodes = plant(files);

  function find(path: string, followLast: boolean): [string, Node] {
    const names = path.split("/").reverse();
    let here = "/";
    let links = 0;
    while (names.length > 0) {
      const name = names.pop()!;
      if (name === "" || name === ".") continue;
      if (nodes.get(here)!.kind !== "directory") throw failure("ENOTDIR");
      if (name === "..") {
        here = parentOf(here);
        continue;
      }
      const reached = below(here, `/${name}`);
      const node = nodes.get(reached);
      if (node === undefined) throw failure("ENOENT");
      const isLast = names.every((rest) => rest === "");
      if (node.kind !== "symlink" || (isLast && !followLast)) {
        here = reached;
        continue;
      }
      if (++links > MAX_LINKS) throw failure("ELOOP");
      if (node.link.startsWith("/")) here = "/";
      names.push(...node.link.split("/").reverse());
    }
    return [here, nodes.get(here)!];
  }

  return {
    realPath: (path) => find(path, true)[0],
    lstat: (path) => statOf(...find(path, false)),
    readLink(path) {
      const [, node] = find(path, false);
      if (node.kind !== "symlink") throw failure("EINVAL");
      return node.link;
    },
    open(path) {
      const [reached, node] = find(path, false);
      if (node.kind === "symlink") throw failure("ELOOP");
      const stat = statOf(reached, node);
      return node.kind === "directory"
        ? openDirectory(reached, stat)
        : openBytes(reached, stat, node.bytes);
    },
    list(path, most) {
      const [reached, node] = find(path, false);
      if (node.kind !== "directory") throw failure("ENOTDIR");
      return [...nodes]
        .filter(([at]) => at !== "/" && parentOf(at) === reached)
        .map(([at, { kind }]) => ({ name: at.replace(/.*\//s, ""), kind }))
        .slice(0, most);
    },
  };
}

/** The nodes by path, with every directory that a path implies. */
function plant(files: MemoryFiles): ReadonlyMap<string, Node> {
  const nodes = new Map([["/", DIRECTORY]]);
  const given = copyOf(files, "files", refuse, FILES);
  for (const [path, entry] of Object.entries(given)) {
    const name = JSON.stringify(path);
    if (!/^(\/[^/]+)+$/.test(path)) {
      throw refuse(name, "is not an absolute path");
    }
    if (/\/\.\.?(?:\/|$)/.test(path)) {
      throw refuse(name, 'has "." or ".." in it');
    }
    nodes.set(path, toNode(entry, name));
  }
  for (const path of [...nodes.keys()]) {
    let parent = parentOf(path);
    while (parent !== "/") {
      if ((nodes.get(parent) ?? DIRECTORY).kind !== "directory") {
        throw refuse(JSON.stringify(parent), "is not a directory");
      }
      nodes.set(parent, DIRECTORY);
      parent = parentOf(parent);
    }
  }
  return nodes;
}

const DIRECTORY: Node = {
  kind: "directory",
  bytes: new Uint8Array(0),
  mtimeMs: null,
  link: "",
};

const FAILED = "Cannot make a memory file system";
const refuse = refuseMistake(FAILED);
const FILES = 'a plain object, such as { "/a.txt": "hello" }';
const ENTRY = "is neither text, bytes, { content }, { link } nor { kind }";

function toNode(entry: MemoryFiles[string], name: string): Node {
  // An entry without these properties may itself be the content.
  const { kind, link, content = entry, mtimeMs = null } = Object(entry);
  if (kind === "directory" || kind === "other") return { ...DIRECTORY, kind };
  if (typeof link === "string") return { ...DIRECTORY, kind: "symlink", link };
  const bytes = typeof content === "string"
    ? new TextEncoder().encode(content)
    : content;
  const isTimed = mtimeMs === null || Number.isFinite(mtimeMs);
  if (!isTimed || !(bytes instanceof Uint8Array)) throw refuse(name, ENTRY);
  return { ...DIRECTORY, kind: "file", bytes, mtimeMs };
}

function statOf(path: string, { kind, bytes, mtimeMs }: Node): FileStat {
  const facts = { size: bytes.length, mtimeMs, ctimeMs: mtimeMs, id: path };
  return { kind, ...facts, ...(kind === "directory" && { fixed: true }) };
}
