import type {
  FileEntry,
  FileKind,
  FileStat,
  FsPort,
} from "@agent-tools/read-file";
import { checkPort, isPlainObject, kindOf, mistake, show } from "./check.ts";
import {
  batchesIn,
  below,
  codeOf,
  directory,
  failure,
  isAtOrBelow,
  merge,
  nameIn,
  openBytes,
  openDirectory,
  parentOf,
  plainPath,
  realPathOf,
  withSymbolsOf,
} from "./paths.ts";

/** The content of an edited file, a string as UTF-8; `null` if the file is removed. */
export type Edit = string | Uint8Array | null;

/** Edits that are not saved yet, by absolute path; they may change at any time. */
export type Edits = ReadonlyMap<string, Edit> | Readonly<Record<string, Edit>>;

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
 * import { memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { overlayFs } from "@agent-tools/read-file-layers";
 * import { assertEquals } from "@std/assert";
 *
 * const buffers = new Map([["/repo/a.txt", "typed"]]);
 * const fs = overlayFs(memoryFs({ "/repo/a.txt": "saved" }), buffers);
 * const workspace = await openWorkspace("/repo", { fs });
 * assertEquals((await workspace.read("a.txt")).text, "typed");
 * buffers.set("/repo/new/b.txt", "new");
 * assertEquals((await workspace.read("new/b.txt")).text, "new");
 * buffers.delete("/repo/a.txt");
 * assertEquals((await workspace.read("a.txt")).text, "saved");
 * ```
 */
export function overlayFs(base: FsPort, edits: Edits): FsPort {
  const failed = "Cannot overlay edits";
  checkPort(base, "what is below them", failed);
  // An array would look like no edits.
  if (!(edits instanceof Map) && !isPlainObject(edits)) {
    const wanted = "a Map or a plain object of edits, by path";
    throw mistake(failed, `edits must be ${wanted}, not ${kindOf(edits)}`);
  }
  const isOfWindows = base.spelling?.form === "windows";
  const folds = base.spelling?.foldsNames === true;
  const spelt = (path: string) => isOfWindows ? canonicalPath(path) : path;
  const check = (path: string, edit: unknown) =>
    checkEdit(path, spelt(path), edit);
  for (const [path, edit] of entriesOf(edits)) check(path, edit);

  /** A cache of one: `open` usually follows `lstat`. */
  let latest: Version | undefined;

  /** The present edits by path, with links resolved: if two paths lead to one file, the later edit counts. */
  async function resolveEdits({ find, realOf }: Finder) {
    const resolving = [...entriesOf(edits)].map(async ([given, edit]) => {
      check(given, edit);
      const path = spelt(given);
      // An edit of `null` removes the link, not its target.
      const real = edit === null ? await realOf(path) : (await find(path)).real;
      return [real, edit] as const;
    });
    return new Map(await Promise.all(resolving));
  }

  /** Whether the disk reads two paths as one. Of a new file, it knows neither. */
  async function areOne(one: string, other: string): Promise<boolean> {
    const idOf = async (path: string) => (await base.lstat(path)).id;
    const ids = [one, other].map((path) => idOf(path).catch(() => null));
    const [first, second] = await Promise.all(ids);
    return first === second;
  }

  /** The edits with the names of `path` in its spelling, where the disk reads both as one. */
  async function likeAsked(edits: Map<string, Edit>, path: string) {
    if (!folds) return edits;
    const spelt = [...edits].map(async ([edited, edit]) => {
      const names = edited.split("/");
      const asked = sharedNames(path.split("/"), names);
      const given = names.splice(0, asked.length, ...asked).join("/");
      const shared = asked.join("/");
      const isOther = given !== shared && await areOne(given, shared);
      return [isOther ? names.join("/") : edited, edit] as const;
    });
    return new Map(await Promise.all(spelt));
  }

  /**
   * The state of a plain path with the edits; `undefined` if they do not affect
   * it. Fails if an edit removes it, or makes a directory above it a file.
   */
  async function stateOf(path: string, signal?: AbortSignal) {
    const finder = finderOn(base, signal);
    const resolved = await likeAsked(await resolveEdits(finder), path);
    const state = stateIn(resolved, path);
    if (state !== undefined) return state;
    // The reader gives paths with links resolved, but another caller may not. To
    // resolve a path takes several calls, so it is done only if an edit may matter.
    for (const [edited, edit] of resolved) {
      // Resolving links changes the directories of `path`, never its last name. So an
      // edit can matter only if its path contains that name, or if it removes or
      // replaces a directory above.
      const mayAffect = folds ||
        `${edited}/`.includes(`${baseName(path)}/`) ||
        edit === null || (await finder.find(edited)).isDirectory;
      if (!mayAffect) continue;
      const real = await finder.realOf(path);
      return stateIn(await likeAsked(resolved, real), real);
    }
    return undefined;
  }

  /** The entries of a directory that edits add or replace. */
  async function editedIn(path: string, signal?: AbortSignal) {
    const kinds = new Map<string, FileKind>();
    const resolved = await resolveEdits(finderOn(base, signal));
    for (const [real, edit] of await likeAsked(resolved, path)) {
      const name = nameIn(path, real);
      if (name === undefined || edit === null) continue;
      const isFile = real === below(path, `/${name}`);
      kinds.set(name, isFile ? "file" : "directory");
    }
    return [...kinds].map(([name, kind]): FileEntry => ({ name, kind }));
  }

  /** A directory of base, or one that an edit implies. */
  async function lstatBase(
    path: string,
    role: Parameters<FsPort["lstat"]>[1],
    signal: AbortSignal | undefined,
  ): Promise<FileStat> {
    try {
      const stat = await base.lstat(path, role, signal);
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
      if (real === undefined || !await stateOf(real)) throw error;
      return real;
    }
  }

  const port: FsPort = {
    ...(base.spelling && { spelling: base.spelling }),
    async realPath(path) {
      // Only base can resolve ".." and a working directory.
      const isPlain = path.startsWith("/") && !path.split("/").includes("..");
      const absolute = isPlain ? plainPath(path) : await base.realPath(path);
      const state = await stateOf(absolute);
      if (state !== undefined) return state.path;
      if (!isPlain) return absolute;
      const real = await follow(path);
      // Fails if an edit removes what a link at the end of the path leads to.
      await stateOf(real);
      return real;
    },
    async lstat(path, role, signal) {
      const plain = plainPath(path);
      const state = await stateOf(plain, signal);
      if (state === undefined) {
        try {
          return await base.lstat(path, role, signal);
        } catch (error) {
          // An edit below a file of base turns that file into a directory.
          const isBelowEdited = codeOf(error) === "ENOTDIR" &&
            await stateOf(parentOf(plain), signal) !== undefined;
          throw isBelowEdited ? failure("ENOENT") : error;
        }
      }
      const { path: real, content } = state;
      if (content === undefined) return await lstatBase(real, role, signal);
      return (await versionOf(real, content)).stat;
    },
    async readLink(path, signal) {
      const state = await stateOf(plainPath(path), signal);
      if (state !== undefined) throw failure("EINVAL");
      return await base.readLink(path, signal);
    },
    async open(path, signal) {
      const state = await stateOf(plainPath(path), signal);
      if (state === undefined) return await base.open(path, signal);
      const { path: real, content } = state;
      if (content === undefined) {
        const stat = await lstatBase(real, "last", signal);
        return openDirectory(real, stat);
      }
      const { bytes, stat } = await versionOf(real, content);
      return openBytes(real, stat, bytes);
    },
    // Lists removed files too: a listed name is not proof of a file.
    async *list(path, most, signal) {
      const plain = plainPath(path);
      const state = await stateOf(plain, signal);
      if (state?.content !== undefined) throw failure("ENOTDIR");
      // Without a state, no edit is below the path.
      const edited = state ? await editedIn(state.path, signal) : [];
      const batches = batchesIn(base, path, most, signal);
      // An edit below a file of base turns that file into a directory.
      const keyOf = folds ? fold : (name: string) => name;
      yield* merge(edited, batches, ["ENOENT", "ENOTDIR"], keyOf);
    },
  };
  return withSymbolsOf(port, [base]);
}

/** One version of an edited file. */
interface Version {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly bytes: Uint8Array;
  readonly stat: FileStat;
}

type Finder = ReturnType<typeof finderOn>;

/** Finds where plain paths lead; looks at each path once. */
function finderOn(base: FsPort, signal: AbortSignal | undefined) {
  const root = { real: "/", exists: true, isDirectory: true };
  /** Paths with links resolved, and what is there. */
  const known = new Map([["/", Promise.resolve(root)]]);

  function find(path: string) {
    const place = known.get(path) ?? resolve(path);
    known.set(path, place);
    return place;
  }

  async function resolve(path: string) {
    const above = await find(parentOf(path));
    const real = below(above.real, baseName(path));
    const missing = { real, exists: false, isDirectory: false };
    if (!above.exists) return missing;
    try {
      const { kind } = await base.lstat(real, "way", signal);
      const isDirectory = kind === "directory";
      const target = kind === "symlink" ? await base.realPath(real) : real;
      return { real: target, exists: true, isDirectory };
    } catch {
      // A missing path, or a dangling link, is a new file.
      return missing;
    }
  }

  /** Resolves the links in a path, but not its last name, which may be a link. */
  const realOf = async (path: string) =>
    below((await find(parentOf(path))).real, baseName(path));

  return { find, realOf };
}

/** The first of the names that another path has too, in any spelling. */
function sharedNames(names: readonly string[], others: readonly string[]) {
  const end = names.findIndex((name, at) =>
    others[at] === undefined || fold(name) !== fold(others[at])
  );
  return end < 0 ? names : names.slice(0, end);
}

/** Folds a name as the widest disk does; the disk itself tells whether it does. */
function fold(name: string): string {
  return name.normalize("NFC").toUpperCase();
}

/** The last name of a path, with its slash. */
function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/"));
}

/** The state of a path by its name alone: an edited file, or a directory above one, which has no content. */
function stateIn(edits: ReadonlyMap<string, Edit>, path: string) {
  const content = edits.get(path) ?? undefined;
  if (content !== undefined) return { path, content };
  let code: "ENOENT" | "ENOTDIR" | undefined;
  for (const [edited, edit] of edits) {
    // The path itself has no content, so an edited file here is below it. The file
    // implies its directories, even if they are removed.
    if (edit !== null && isAtOrBelow(path, edited)) return { path };
    if (!isAtOrBelow(edited, path)) continue;
    // The path is removed, or below a removed directory or an edited file.
    if (edit !== null) code = "ENOTDIR";
    else code ??= "ENOENT";
  }
  if (code !== undefined) throw failure(code);
  return undefined;
}

function entriesOf(edits: Edits): Iterable<[string, Edit]> {
  return edits instanceof Map
    ? edits.entries()
    : Object.entries(edits as Readonly<Record<string, Edit>>);
}

/** The path of an edit as a port of Windows spells it: `/C:/dir` for `C:\dir`, `/server/share` for `\\server\share`. */
function canonicalPath(path: string): string {
  // Code without types may give anything, which is refused.
  const slashed = String(path).replaceAll("\\", "/");
  const drive = /^\/?([a-z]):(?=\/)/i.exec(slashed);
  if (drive !== null) {
    return `/${drive[1]!.toUpperCase()}:${slashed.slice(drive[0].length)}`;
  }
  return /^\/\/[^/]/.test(slashed) ? slashed.slice(1) : path;
}

/** Refuses a wrong edit. Called each time, since the edits may change. */
function checkEdit(given: string, path: string, edit: unknown): void {
  const failed = `Cannot overlay an edit of ${show(given)}`;
  const isAbsolute = typeof path === "string" && path.startsWith("/");
  if (!isAbsolute || plainPath(path) !== path || path === "/") {
    const problem =
      'is not an absolute path of a file; write it as "/repo/a.txt"';
    throw mistake(failed, `it ${problem}`);
  }
  const isEdit = typeof edit === "string" || edit === null ||
    edit instanceof Uint8Array;
  if (isEdit) return;
  const wanted = "a string, a Uint8Array, or null where the file is gone";
  throw mistake(failed, `it must be ${wanted}, not ${kindOf(edit)}`);
}
