// Runtime-agnostic.
import type { FileStat, FsPort } from "../../core/port.ts";
import { refuseUnknown } from "../../core/unknown_option.ts";
import { failure } from "../failure.ts";
import { below, plainPath, restBelow } from "../plain_path.ts";
import { isRecord, nameOf } from "./name_of.ts";

/**
 * A directory of a place, to be mounted.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, type Mount, mountFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const host = memoryFs({ "/var/log/app/today.log": "ready\n" });
 * const logs: Mount = { fs: host, root: "/var/log/app" };
 * const workspace = await openWorkspace("/", { fs: mountFs({ "/logs": logs }) });
 * assertEquals((await workspace.read("logs/today.log")).lines[0]?.text, "ready");
 * ```
 */
export interface Mount {
  /** The place. */
  readonly fs: FsPort;
  /** The directory of it that is seen; the one with the mount point's own path by default. */
  readonly root?: string;
}

/**
 * What a {@linkcode mountFs} is made of, by the absolute paths it is seen at.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, mountFs, type Mounts, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const places: Mounts = {
 *   "/repo": memoryFs({ "/repo/a.ts": "export {};" }),
 *   "/repo/notes": { fs: memoryFs({ "/todo.md": "later" }), root: "/" },
 * };
 * const workspace = await openWorkspace("/repo", { fs: mountFs(places) });
 * const answers = await workspace.readMany([{ path: "a.ts" }, { path: "notes/todo.md" }]);
 * assertEquals(answers.map(({ kind }) => kind), ["page", "page"]);
 * ```
 */
export type Mounts = Readonly<Record<string, FsPort | Mount>>;

/** Reads what is to be mounted; the longest path first. */
export function readMounts(mounts: Mounts): readonly MountPoint[] {
  // A list or a map would pass for no mounts at all.
  if (!isRecord(mounts)) {
    const example = '{ "/repo": memoryFs({}) }';
    throw new TypeError(
      `Cannot mount anything: the mounts are ${
        nameOf(mounts)
      }; pass an object of them, such as ${example}`,
    );
  }
  return Object.entries(mounts).map(([path, mount]) => {
    if (!path.startsWith("/") || plainPath(path) !== path) {
      throw cannotMount(path, 'the path is not plain; write it as "/repo"');
    }
    const isNamed = isMount(mount);
    const { fs, root = path } = isNamed ? mount : { fs: mount };
    if (typeof Object(fs).lstat !== "function") {
      throw cannotMount(path, "it is no port; pass one, such as memoryFs({})");
    }
    if (typeof root !== "string" || root === "") {
      throw cannotMount(
        path,
        `its root is ${
          root === "" ? "empty" : nameOf(root)
        }; name a directory of it, or leave the root out`,
      );
    }
    if (isNamed) refuseUnknown(failureAt(path), mount, ["fs", "root"]);
    return new MountPoint(path, fs, root);
  }).sort((one, other) => other.path.length - one.path.length);
}

/** From JavaScript, it may be anything. */
function isMount(mount: FsPort | Mount): mount is Mount {
  return Object(mount) === mount && "fs" in mount;
}

function cannotMount(path: string, problem: string): TypeError {
  return new TypeError(`${failureAt(path)}: ${problem}`);
}

function failureAt(path: string): string {
  return `Cannot mount ${JSON.stringify(path)}`;
}

/** A directory of one place, and the path at which the tree has it. */
export class MountPoint {
  /** Where it is seen. */
  readonly path: string;
  readonly fs: FsPort;
  readonly #root: string;
  #real: string | undefined;

  constructor(path: string, fs: FsPort, root: string) {
    this.path = path;
    this.fs = fs;
    this.#root = root;
  }

  /** What the place calls a path of the tree, which must lie in this mount. */
  async inside(path: string): Promise<string> {
    return below(await this.#realRoot(), restBelow(this.path, path)!);
  }

  /** The path in the tree of what the place calls `name`; `undefined` if it is not seen. */
  async outside(name: string): Promise<string | undefined> {
    const rest = restBelow(await this.#realRoot(), name);
    return rest === undefined ? undefined : below(this.path, rest);
  }

  /** Says in the tree's words where an absolute link of the place leads. */
  async translate(target: string): Promise<string> {
    const names = target.split("/");
    // Where ".." leads after a link, the string alone cannot tell.
    if (names.includes("..")) throw failure("EXDEV");
    const plain = plainPath(target);
    const rest = restBelow(await this.#realRoot(), plain) ??
      restBelow(this.#root, plain);
    if (rest === undefined) throw failure("EXDEV");
    // What must be a directory must still be one.
    const end = /\/\.?$/.test(target) && rest !== "" ? "/" : "";
    return below(this.path, rest) + end;
  }

  /** The same facts; no other mount has the same identities. */
  name(stat: FileStat): FileStat {
    const { id } = stat;
    return { ...stat, id: id === null ? null : `${this.path} ${id}` };
  }

  /** Found once: whoever swaps it later for a link moves nothing. */
  async #realRoot(): Promise<string> {
    if (this.#real !== undefined) return this.#real;
    const real = await this.fs.realPath(this.#root);
    // Bun shows bytes that are no UTF-8 as U+FFFD, which names another directory.
    if (real.includes("\uFFFD")) throw failure("EINVAL");
    return this.#real = real;
  }
}
