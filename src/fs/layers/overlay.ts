// Runtime-agnostic.
import {
  allEntriesIn,
  type FileEntry,
  type FileHandle,
  type FileStat,
  type FsPort,
  type PathRole,
} from "../../core/base/port.ts";
import { withKernelsOf } from "../../core/lines/scan.ts";
import {
  codeOf,
  directory,
  entriesIn,
  failure,
  openDirectory,
  plainPath,
} from "../directory.ts";
import { type Edits, LiveEdits, type Sight } from "./edits.ts";
import { realPathOf } from "./links.ts";

/**
 * A file system with unsaved edits on top, such as an editor's buffers.
 *
 * An edited file has the content of its edit; one whose edit is `null` is
 * removed, with everything below it; a new file implies the directories above
 * it. Each read sees the edits of that moment: if an edit changes between two
 * pages of a file, the second fails with `CHANGED`.
 *
 * Links in the path of an edit are followed: `/repo/link/a.txt` is
 * `/repo/dir/a.txt` if `link` leads to `dir`. A `null` removes the path itself,
 * as removing a link does not remove its target. Rules that deny paths apply to
 * edits as they do to files.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, overlayFs, readFile } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const buffers = new Map([["/repo/a.txt", "typed"]]);
 * const fs = overlayFs(memoryFs({ "/repo/a.txt": "saved" }), buffers);
 * const workspace = await openWorkspace("/repo", { fs });
 * assertEquals((await readFile(workspace, "a.txt")).text, "typed");
 * buffers.set("/repo/new/b.txt", "new");
 * assertEquals((await readFile(workspace, "new/b.txt")).text, "new");
 * buffers.delete("/repo/a.txt");
 * assertEquals((await readFile(workspace, "a.txt")).text, "saved");
 * ```
 *
 * @param base The port of the saved files.
 * @param edits The unsaved ones, by absolute path.
 * @returns The port.
 */
export function overlayFs(base: FsPort, edits: Edits): FsPort {
  const overlay = new Overlay(base, edits);
  return withKernelsOf({
    realPath: (path) => overlay.realPath(path),
    lstat: (path, role, signal) => overlay.lstat(path, role, signal),
    readLink: (path, signal) => overlay.readLink(path, signal),
    open: (path, signal) => overlay.open(path, signal),
    list: (path, most) => overlay.list(path, most),
    entries: (path) => overlay.entries(path),
  }, [base]);
}

/** One version of an edited file. */
interface Version {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly bytes: Uint8Array;
  readonly stat: FileStat;
}

class Overlay implements FsPort {
  readonly #base: FsPort;
  readonly #edits: LiveEdits;
  /** A cache of one: `open` usually follows `lstat`. */
  #latest: Version | undefined;

  constructor(base: FsPort, edits: Edits) {
    this.#base = base;
    this.#edits = new LiveEdits(base, edits);
  }

  async realPath(path: string): Promise<string> {
    // Only base can resolve ".." and a working directory.
    const isPlain = path.startsWith("/") && !path.split("/").includes("..");
    const asked = isPlain ? plainPath(path) : await this.#base.realPath(path);
    const sight = await this.#edits.see(asked);
    if (sight !== undefined) return seen(sight).path;
    const real = isPlain ? await this.#follow(path) : asked;
    const there = await this.#edits.see(real);
    return there === undefined ? real : seen(there).path;
  }

  async #follow(path: string): Promise<string> {
    try {
      return await this.#base.realPath(path);
    } catch (error) {
      // A link may lead to a file that exists by an edit only.
      const real = await realPathOf(this, path).catch(() => undefined);
      if (real === undefined || !await this.#edits.see(real)) throw error;
      return real;
    }
  }

  async lstat(
    path: string,
    role?: PathRole,
    signal?: AbortSignal,
  ): Promise<FileStat> {
    const sight = await this.#edits.see(plainPath(path));
    if (sight === undefined) {
      return await this.#base.lstat(path, role, signal);
    }
    return await this.#describe(seen(sight), role);
  }

  async readLink(path: string, signal?: AbortSignal): Promise<string> {
    const sight = await this.#edits.see(plainPath(path));
    if (sight === undefined) return await this.#base.readLink(path, signal);
    seen(sight);
    throw failure("EINVAL");
  }

  async open(path: string, signal?: AbortSignal): Promise<FileHandle> {
    const found = await this.#edits.see(plainPath(path));
    if (found === undefined) return await this.#base.open(path, signal);
    const sight = seen(found);
    if (sight.kind !== "file") {
      return openDirectory(sight.path, await this.#describe(sight));
    }
    const { bytes, stat } = await this.#versionOf(sight.path, sight.content);
    return {
      stat: () => stat,
      read(buffer, position) {
        const some = bytes.subarray(position, position + buffer.length);
        buffer.set(some);
        return some.length;
      },
      path: () => sight.path,
      close() {},
    };
  }

  /** Lists removed files too: a listed name is not proof of a file. */
  async list(path: string, most: number): Promise<readonly FileEntry[]> {
    const entries = new Map<string, FileEntry>();
    for (const entry of await this.#edits.entriesOf(plainPath(path))) {
      entries.set(entry.name, entry);
    }
    for (const entry of await entriesIn(this.#base, path, most)) {
      if (!entries.has(entry.name)) entries.set(entry.name, entry);
    }
    return [...entries.values()].slice(0, most);
  }

  async *entries(path: string): AsyncIterable<readonly FileEntry[]> {
    const plain = plainPath(path);
    const sight = await this.#edits.see(plain);
    if (sight !== undefined && seen(sight).kind === "file") {
      throw failure("ENOTDIR");
    }
    const edited = await this.#edits.entriesOf(plain);
    const names = new Set(edited.map(({ name }) => name));
    yield edited;
    try {
      for await (const batch of allEntriesIn(this.#base, path)) {
        yield batch.filter(({ name }) => !names.has(name));
      }
    } catch (error) {
      // A directory that only the edits make is not in the base.
      if (names.size === 0 || codeOf(error) !== "ENOENT") throw error;
    }
  }

  async #describe(sight: Present, role?: PathRole): Promise<FileStat> {
    const { path } = sight;
    if (sight.kind === "file") {
      return (await this.#versionOf(path, sight.content)).stat;
    }
    return await this.#lstatBase(path, role);
  }

  /** A directory of base, or one that an edit implies. */
  async #lstatBase(path: string, role?: PathRole): Promise<FileStat> {
    try {
      const stat = await this.#base.lstat(path, role);
      if (stat.kind === "directory") return stat;
    } catch (error) {
      const code = codeOf(error);
      if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
    }
    return directory(path);
  }

  /** The identity is a hash of the content, so that the same edit is the same version. */
  async #versionOf(
    path: string,
    content: string | Uint8Array,
  ): Promise<Version> {
    const latest = this.#latest;
    // Bytes may be changed in place; a string cannot.
    const isText = typeof content === "string";
    if (isText && latest?.path === path && latest.content === content) {
      return latest;
    }
    const bytes = isText
      ? new TextEncoder().encode(content)
      : new Uint8Array(content);
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    const id = `edit ${hash.join(".")} ${path}`;
    const stat: FileStat = {
      kind: "file",
      size: bytes.length,
      mtimeMs: null,
      ctimeMs: null,
      id,
    };
    return this.#latest = { path, content, bytes, stat };
  }
}

/** A path that exists. */
type Present = Extract<Sight, { readonly kind: "file" | "directory" }>;

function seen(sight: Sight): Present {
  if (sight.kind === "gone") throw failure("ENOENT");
  if (sight.kind === "below a file") throw failure("ENOTDIR");
  return sight;
}
