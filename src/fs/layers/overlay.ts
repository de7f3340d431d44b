// Runtime-agnostic.
import { batchesIn, codeOf } from "../../core/base/errno.ts";
import type { FileStat, FsPort, PathRole } from "../../core/base/port.ts";
import { withKernelsOf } from "../../core/lines/scan.ts";
import { below, directory, failure, merge } from "../store.ts";
import { openBytes, openDirectory, parentOf, plainPath } from "../store.ts";
import { type Edits, liveEdits } from "./edits.ts";
import { MAX_LINKS } from "../../core/base/limits.ts";

/**
 * A file system with unsaved edits on top, such as the buffers of an editor.
 *
 * An edit is the content of its file; `null` removes it, with everything below
 * it; a new file implies the directories above it. Each read uses the current
 * edits: if an edit changes between two pages of its file, the second page
 * fails with `CHANGED`. Links in the path of an edit are followed; `null`
 * removes the link itself. Rules that deny paths apply to edits like to files.
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
 */
export function overlayFs(base: FsPort, edits: Edits): FsPort {
  const live = liveEdits(base, edits);
  /** A cache of one: `open` usually follows `lstat`. */
  let latest: Version | undefined;

  /** A directory of base, or one that an edit implies. */
  async function lstatBase(path: string, role?: PathRole): Promise<FileStat> {
    try {
      const stat = await base.lstat(path, role);
      if (stat.kind === "directory") return stat;
    } catch (error) {
      const code = codeOf(error);
      if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
    }
    return directory(path);
  }

  /** The identity is a hash of the content, so that the same edit is the same version. */
  async function versionOf(path: string, content: string | Uint8Array) {
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
    const times = { mtimeMs: null, ctimeMs: null };
    const stat = { kind: "file", size: bytes.length, ...times, id } as const;
    return latest = { path, content, bytes, stat };
  }

  async function follow(path: string): Promise<string> {
    try {
      return await base.realPath(path);
    } catch (error) {
      // A link may lead to a file that exists only by an edit.
      const real = await realPathOf(port, path).catch(() => undefined);
      if (real === undefined || !await live.stateOf(real)) throw error;
      return real;
    }
  }

  const port: FsPort = {
    async realPath(path) {
      // Only base can resolve ".." and a working directory.
      const isPlain = path.startsWith("/") && !path.split("/").includes("..");
      const absolute = isPlain ? plainPath(path) : await base.realPath(path);
      const state = await live.stateOf(absolute);
      if (state !== undefined) return state.path;
      const real = isPlain ? await follow(path) : absolute;
      return (await live.stateOf(real))?.path ?? real;
    },
    async lstat(path, role, signal) {
      const state = await live.stateOf(plainPath(path));
      if (state === undefined) return await base.lstat(path, role, signal);
      const { path: real, content } = state;
      if (content === undefined) return await lstatBase(real, role);
      return (await versionOf(real, content)).stat;
    },
    async readLink(path, signal) {
      const state = await live.stateOf(plainPath(path));
      if (state !== undefined) throw failure("EINVAL");
      return await base.readLink(path, signal);
    },
    async open(path, signal) {
      const state = await live.stateOf(plainPath(path));
      if (state === undefined) return await base.open(path, signal);
      const { path: real, content } = state;
      if (content === undefined) {
        return openDirectory(real, await lstatBase(real));
      }
      const { bytes, stat } = await versionOf(real, content);
      return openBytes(real, stat, bytes);
    },
    // Lists removed files too: a listed name is not proof of a file.
    async *list(path, most, signal) {
      const plain = plainPath(path);
      const state = await live.stateOf(plain);
      if (state?.content !== undefined) throw failure("ENOTDIR");
      const edited = await live.entriesOf(plain);
      yield* merge(edited, batchesIn(base, path, most, signal));
    },
  };
  return withKernelsOf(port, [base]);
}

/** One version of an edited file. */
interface Version {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly bytes: Uint8Array;
  readonly stat: FileStat;
}

/** Follows the links in `path` one by one; a link may not leave its mount. */
export async function realPathOf(fs: FsPort, path: string): Promise<string> {
  const todo = stepsOf(path, false);
  /** The directories of the path that are mount points. */
  const tops = new Set<string>();
  let here = "/";
  let links = 0;
  while (todo.length > 0) {
    const { name, ofLink } = todo.pop()!;
    if (name === "..") {
      if (ofLink && tops.has(here)) throw failure("EXDEV");
      here = parentOf(here);
      continue;
    }
    const next = below(here, `/${name}`);
    const { kind, top = false } = await fs.lstat(next, "way");
    if (kind !== "symlink") {
      if (top) tops.add(next);
      here = next;
      continue;
    }
    if (++links > MAX_LINKS) throw failure("ELOOP");
    const target = await fs.readLink(next);
    if (target.startsWith("/")) here = "/";
    todo.push(...stepsOf(target, true));
  }
  return here;
}

/** The names in a path, the last one first, and whether they come from a link. */
function stepsOf(path: string, ofLink: boolean) {
  return path.split("/").filter((name) => name !== "" && name !== ".")
    .map((name) => ({ name, ofLink })).reverse();
}
