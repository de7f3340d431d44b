import type {
  FileEntry,
  FileHandle,
  FileStat,
  FsPort,
} from "@agent-tools/read-file";
import { damaged, quoted, toError } from "./fault.ts";
import { LruCache } from "./lru_cache.ts";
import type { Objects } from "./objects.ts";
import type { OpenFiles, Reading } from "./reading.ts";
import { Tree, type TreeEntry } from "./tree.ts";

/** The most links in a path. */
const MAX_LINKS = 40;
/** The most entries of trees that are kept. */
const MAX_KEPT_ENTRIES = 100_000;
/** The longest target of a link. */
const MAX_TARGET_BYTES = 4096;

/** An entry and its path without links. */
interface Node extends TreeEntry {
  readonly path: string;
}

/** A port of a tree: a plain object, as every port is, which a host may copy and change. */
export function treePort(
  files: OpenFiles,
  objects: Objects,
  root: string,
): FsPort {
  const tree = new TreeFiles(files, objects, root);
  return {
    realPath: (path) => tree.realPath(path),
    lstat: (path, _role, signal) => tree.lstat(path, signal),
    readLink: (path, signal) => tree.readLink(path, signal),
    open: (path, signal) => tree.open(path, signal),
    list: (path, most, signal) => tree.list(path, most, signal),
  };
}

/** A tree, and what is below it. */
class TreeFiles {
  readonly #files: OpenFiles;
  readonly #objects: Objects;
  readonly #root: Node;
  readonly #trees = new LruCache<Tree>(
    MAX_KEPT_ENTRIES,
    ({ size }) => size + 1,
  );

  constructor(files: OpenFiles, objects: Objects, root: string) {
    this.#files = files;
    this.#objects = objects;
    this.#root = { kind: "directory", oid: root, path: "/" };
  }

  realPath(path: string): Promise<string> {
    return this.#call(path, undefined, async (reading) => {
      return (await this.#find(reading, path, true)).path;
    });
  }

  lstat(path: string, signal?: AbortSignal): Promise<FileStat> {
    return this.#call(path, signal, async (reading) => {
      return await this.#describe(reading, await this.#find(reading, path));
    });
  }

  readLink(path: string, signal?: AbortSignal): Promise<string> {
    return this.#call(path, signal, async (reading) => {
      const node = await this.#find(reading, path);
      if (node.kind !== "symlink") throw failure("EINVAL");
      return await this.#targetOf(reading, node);
    });
  }

  open(path: string, signal?: AbortSignal): Promise<FileHandle> {
    return this.#call(path, signal, async (reading) => {
      const node = await this.#find(reading, path);
      if (node.kind === "symlink") throw failure("ELOOP");
      if (node.kind !== "file") {
        const stat = await this.#describe(reading, node);
        const code = node.kind === "directory" ? "EISDIR" : "ENXIO";
        return handleOf(node, stat, () => {
          throw failure(code);
        });
      }
      const object = await this.#objects.readIfSmall(reading, node.oid);
      if (object !== undefined) {
        if (object.type !== "blob") throw notABlob(node.oid);
        const { bytes } = object;
        const stat = statOf(node, bytes.length);
        return handleOf(node, stat, (...at) => copy(bytes, ...at));
      }
      const blob = await this.#objects.openLarge(reading, node.oid);
      const read = async (buffer: Uint8Array, position: number) => {
        try {
          return await blob.read(buffer, position);
        } catch (error) {
          throw errorOf(error, path);
        }
      };
      const stat = statOf(node, blob.size);
      return handleOf(node, stat, read, () => blob.close());
    });
  }

  list(
    path: string,
    most: number,
    signal?: AbortSignal,
  ): Promise<readonly FileEntry[]> {
    return this.#call(path, signal, async (reading) => {
      const node = await this.#find(reading, path);
      if (node.kind !== "directory") throw failure("ENOTDIR");
      const tree = await this.#treeOf(reading, node.oid);
      return tree.list().slice(0, most);
    });
  }

  /** Runs a call; its failures are those of a port, or of the library. */
  async #call<T>(
    path: string,
    signal: AbortSignal | undefined,
    work: (reading: Reading) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.#files.run(signal, work);
    } catch (error) {
      throw errorOf(error, path);
    }
  }

  /** Follows the links in a path, and the last one if `followsLast`. */
  async #find(
    reading: Reading,
    path: string,
    followsLast = false,
  ): Promise<Node> {
    /** The names that are left, the last one first. */
    const todo = path.split("/").reverse();
    /** The directories from the root down. */
    let way: Node[] = [this.#root];
    let links = 0;
    while (todo.length > 0) {
      const name = todo.pop()!;
      if (name === "" || name === ".") continue;
      const here = way.at(-1)!;
      if (here.kind !== "directory") throw failure("ENOTDIR");
      if (name === "..") {
        if (way.length > 1) way.pop();
        continue;
      }
      const entry = (await this.#treeOf(reading, here.oid)).get(name);
      if (entry === undefined) throw failure("ENOENT");
      const node = { ...entry, path: join(here.path, name) };
      const isLast = todo.every((rest) => rest === "");
      if (entry.kind !== "symlink" || (isLast && !followsLast)) {
        way.push(node);
        continue;
      }
      if (++links > MAX_LINKS) throw failure("ELOOP");
      const target = await this.#targetOf(reading, node);
      if (target.startsWith("/")) way = [this.#root];
      todo.push(...target.split("/").reverse());
    }
    return way.at(-1)!;
  }

  async #treeOf(reading: Reading, oid: string): Promise<Tree> {
    const known = this.#trees.get(oid);
    if (known !== undefined) return known;
    const { type, bytes } = await this.#objects.read(reading, oid);
    if (type !== "tree") {
      throw damaged(`the object ${oid} is a ${type}, not a tree`);
    }
    const tree = new Tree(bytes, this.#objects.hash, oid);
    this.#trees.set(oid, tree);
    return tree;
  }

  async #targetOf(reading: Reading, { oid }: TreeEntry): Promise<string> {
    if (await this.#objects.sizeOf(reading, oid) > MAX_TARGET_BYTES) {
      throw failure("ENAMETOOLONG");
    }
    const { type, bytes } = await this.#objects.read(reading, oid);
    if (type !== "blob") throw notABlob(oid);
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }

  async #describe(reading: Reading, node: Node): Promise<FileStat> {
    const { kind, oid } = node;
    const hasContent = kind === "file" || kind === "symlink";
    return statOf(
      node,
      hasContent ? await this.#objects.sizeOf(reading, oid) : 0,
    );
  }
}

function statOf({ kind, oid, path }: Node, size: number): FileStat {
  // A revision has no times of its files. With one that never changes, a file is the
  // same in each revision that has its content.
  const times = { mtimeMs: 0, ctimeMs: 0 };
  const id = `${oid} ${path}`;
  return { kind, size, ...times, id, ...kind === "directory" && FIXED };
}

function handleOf(
  { path }: Node,
  stat: FileStat,
  read: FileHandle["read"],
  close: FileHandle["close"] = () => {},
): FileHandle {
  return { stat: () => stat, path: () => path, read, close };
}

/** No link can take the place of a directory: a tree is named by its content. */
const FIXED = { fixed: true };

/** A failure with the code that Node.js gives it. */
function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function errorOf(error: unknown, path: string): unknown {
  // From the root, as the path of a workspace at "/".
  const shown = path.replace(/^\/+/, "");
  return toError(error, shown, `Cannot read ${quoted(shown)}`);
}

function notABlob(oid: string) {
  return damaged(`the object ${oid} is not a file`);
}

function join(path: string, name: string): string {
  return path === "/" ? `/${name}` : `${path}/${name}`;
}

/** Copies the bytes from `position` on; returns their number. */
function copy(bytes: Uint8Array, buffer: Uint8Array, position: number) {
  const part = bytes.subarray(position, position + buffer.length);
  buffer.set(part);
  return part.length;
}
