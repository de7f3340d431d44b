/**
 * A simulated disk of Windows: NTFS as Win32 shows it to a runtime. It has streams,
 * short names, devices, links, junctions, servers, directories that tell case, and
 * times that anyone may set. Its port takes and gives the paths of Windows.
 */
import type { FileHandle, FileKind, FileStat, FsPort } from "../../mod.ts";
import { failure } from "./fake_fs.ts";

export interface SimulatedNode {
  readonly kind: "file" | "directory" | "symlink";
  readonly ino: bigint;
  readonly text: string;
  /** The target of a link, as it was written. */
  readonly to: string;
  readonly isJunction: boolean;
  readonly entries: Map<string, SimulatedEntry>;
  readonly streams: Map<string, string>;
  tellsCase: boolean;
  mtimeMs: number;
  ctimeMs: number;
}

/** A name in a directory; the short name is another one for it. */
interface SimulatedEntry {
  readonly name: string;
  readonly short: string | undefined;
  readonly node: SimulatedNode;
}

/** A runtime, by how it asks Win32. */
export interface Runtime {
  /** Whether Win32 reads paths: it drops dots and blanks, and knows devices. Otherwise they begin with `\\?\` by then. */
  readonly isRaw: boolean;
  /** Whether `lstat` follows a junction whose target has no drive letter, as libuv does. */
  readonly followsVolumes: boolean;
  /** Whether identities above 2^53 are lost, as in Deno. */
  readonly roundsIds: boolean;
}

export const RUNTIMES: Readonly<Record<string, Runtime>> = {
  "Node.js and Bun": { isRaw: false, followsVolumes: true, roundsIds: false },
  Deno: { isRaw: true, followsVolumes: false, roundsIds: true },
};

const RESERVED =
  /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$|clock\$)$/i;
const OLD_MS = Date.UTC(2020, 0);
const VOLUME = /^\\\\\?\\Volume\{([a-z])\}\\?/i;

export class SimulatedNtfs {
  readonly volumes = new Map<string, SimulatedNode>();
  /** Every call of a port, with its path. */
  readonly calls: string[] = [];
  /** The servers that were asked for anything. */
  readonly contacted = new Set<string>();
  /** The devices that were asked for anything. */
  readonly devices = new Set<string>();
  /** Called before each call of a port. */
  beforeCall: (verb: string, path: string) => void = () => {};
  #lastIno = 0x0001_0000_0000_0040n;

  /**
   * Plants a tree. A line is `PATH = TEXT`, `PATH -> TARGET` for a link, `PATH =>
   * TARGET` for a junction, `PATH\` for a directory, and `PATH:NAME = TEXT` for a
   * stream; `(SHORT~1)` after a path is its short name.
   */
  constructor(lines: readonly string[]) {
    for (const line of lines) this.plant(line);
  }

  plant(line: string): void {
    const found =
      /^(?<path>.+?)(?: \((?<short>[^)]+)\))?(?: (?<how>=|->|=>) (?<rest>.*))?$/s
        .exec(line)!.groups!;
    const { path = "", short, how, rest = "" } = found;
    const { volume, names } = this.#split(path);
    if (!this.volumes.has(volume)) this.volumes.set(volume, this.node({}));
    let here = this.volumes.get(volume)!;
    const last = how === undefined ? undefined : names.pop()!;
    for (const name of names) {
      const next = this.#childOf(here, name)?.node ?? this.node({});
      if (this.#childOf(here, name) === undefined) {
        const own = how === undefined && name === names.at(-1)
          ? short
          : undefined;
        here.entries.set(name, { name, short: own, node: next });
      }
      here = next;
    }
    if (last === undefined) return;
    const colon = last.indexOf(":");
    if (colon >= 0) {
      const { node } = this.#childOf(here, last.slice(0, colon))!;
      node.streams.set(last.slice(colon + 1).toUpperCase(), rest);
      return;
    }
    const node = how === "="
      ? this.node({ kind: "file", text: rest })
      : this.node({ kind: "symlink", to: rest, isJunction: how === "=>" });
    here.entries.set(last, { name: last, short, node });
  }

  node(facts: Partial<SimulatedNode>): SimulatedNode {
    this.#lastIno += 1n;
    return {
      kind: "directory",
      ino: this.#lastIno,
      text: "",
      to: "",
      isJunction: false,
      entries: new Map(),
      streams: new Map(),
      tellsCase: false,
      mtimeMs: OLD_MS,
      ctimeMs: OLD_MS,
      ...facts,
    };
  }

  /** The node at a path, whose last name is not followed. */
  at(path: string): SimulatedNode {
    return this.#find(path, false, false).node;
  }

  /** Puts another node where one is; returns the one that was there. */
  replace(path: string, node: SimulatedNode): SimulatedNode {
    const { volume, names } = this.#split(path);
    const name = names.pop()!;
    let above = this.volumes.get(volume)!;
    for (const step of names) above = this.#childOf(above, step)!.node;
    const entry = this.#childOf(above, name)!;
    above.entries.set(entry.name, { ...entry, node });
    return entry.node;
  }

  /** The port of a runtime on this disk; it answers at once, or by promises. */
  port({ isRaw, followsVolumes, roundsIds }: Runtime, later = false): FsPort {
    const statOf = (node: SimulatedNode, text = node.text): FileStat => ({
      kind: node.kind as FileKind,
      size: new TextEncoder().encode(text).length,
      mtimeMs: node.mtimeMs,
      ctimeMs: node.ctimeMs,
      id: roundsIds && node.ino > 2n ** 53n ? null : `7:${node.ino}`,
    });
    const say = (verb: string, path: string) => {
      this.calls.push(`${verb} ${path}`);
      this.beforeCall(verb, path);
    };
    const lstat = (path: string): FileStat => {
      say("lstat", path);
      const { node, text } = this.#find(path, false, isRaw);
      const isHidden = followsVolumes && node.isJunction &&
        !/^(?:\\\?\?\\|\\\\\?\\)?[a-z]:/i.test(node.to);
      if (!isHidden) return statOf(node, text);
      return statOf(this.#find(path, true, isRaw).node);
    };
    const fs: FsPort = {
      realPath: (path) => {
        say("realPath", path);
        return this.#find(path, true, isRaw).at;
      },
      lstat,
      readLink: (path) => {
        say("readLink", path);
        const { node } = this.#find(path, false, isRaw);
        if (node.kind !== "symlink") throw failure("UNKNOWN");
        return node.to;
      },
      open: (path): FileHandle => {
        say("open", path);
        const { node, text } = this.#find(path, true, isRaw);
        if (node.kind === "directory") throw failure("EPERM");
        const bytes = new TextEncoder().encode(text);
        return {
          stat: () => {
            say("fstat", path);
            return statOf(node, text);
          },
          read: (buffer, position) => {
            const part = bytes.subarray(position, position + buffer.length);
            buffer.set(part);
            return part.length;
          },
          path: () => undefined,
          close: () => {},
        };
      },
      list: (path) => {
        say("list", path);
        const { node } = this.#find(path, true, isRaw);
        if (node.kind !== "directory") throw failure("ENOTDIR");
        return Array.from(
          node.entries.values(),
          ({ name, node: { kind } }) => ({ name, kind }),
        );
      },
    };
    return later ? answeringLater(fs) : fs;
  }

  #childOf(above: SimulatedNode, name: string): SimulatedEntry | undefined {
    const exact = above.entries.get(name);
    if (exact !== undefined || above.tellsCase) return exact;
    const upper = upcase(name);
    for (const entry of above.entries.values()) {
      const names = [entry.name, entry.short ?? entry.name];
      if (names.some((one) => upcase(one) === upper)) return entry;
    }
    return undefined;
  }

  /** The volume of an absolute path, and its names as they are. */
  #split(path: string): { volume: string; names: string[] } {
    const start = /^(?:[a-z]:|\\\\[^\\]+\\[^\\]+)/i.exec(path)?.[0];
    if (start === undefined) throw failure("ENOENT");
    const names = path.slice(start.length).split("\\").filter(Boolean);
    return { volume: start.toUpperCase(), names };
  }

  /** What Win32 makes of a path before it looks at the disk. */
  #normal(path: string, isRaw: boolean): { volume: string; names: string[] } {
    const volumeId = VOLUME.exec(path);
    let plain = path;
    if (volumeId !== null) {
      plain = `${volumeId[1]}:\\${path.slice(volumeId[0].length)}`;
    } else if (/^\\\\[?.]\\|^\\\?\?\\/.test(path)) {
      plain = path.replace(
        /^\\\\[?.]\\(?:UNC\\)?|^\\\?\?\\/i,
        (start) => /UNC/i.test(start) ? "\\\\" : "",
      );
    }
    plain = plain.replaceAll("/", "\\");
    if (/^\\(?!\\)/.test(plain)) plain = `C:${plain}`;
    else if (/^[a-z]:(?!\\)/i.test(plain)) {
      plain = `${plain.slice(0, 2)}\\current\\${plain.slice(2)}`;
    } else if (!/^[a-z]:|^\\\\/i.test(plain)) plain = `C:\\current\\${plain}`;
    const { volume, names: given } = this.#split(plain);
    const names: string[] = [];
    for (const [at, name] of given.entries()) {
      if (name === ".") continue;
      if (name === "..") names.pop();
      else if (!isRaw) names.push(name);
      else if (at === given.length - 1) names.push(name.replace(/[. ]+$/, ""));
      else names.push(name.replace(/(?<=[^.])\.$/, ""));
    }
    return { volume, names: names.filter(Boolean) };
  }

  #find(
    path: string,
    followsLast: boolean,
    isRaw: boolean,
    depth = 0,
  ): { node: SimulatedNode; at: string; text: string } {
    if (depth > 40) throw failure("ELOOP");
    const { volume, names } = this.#normal(path, isRaw);
    if (volume.startsWith("\\\\")) this.contacted.add(volume);
    const device = names.at(-1)?.replace(/[.:].*$/s, "").trimEnd() ?? "";
    if (isRaw && RESERVED.test(device)) {
      this.devices.add(device);
      throw failure("EBADF");
    }
    let node = this.volumes.get(volume);
    if (node === undefined) throw failure("ENOENT");
    let at = volume;
    let text = node.text;
    for (const [depthOfName, name] of names.entries()) {
      const isLast = depthOfName === names.length - 1;
      const [base = "", ...stream] = name.split(":");
      const entry = this.#childOf(node, base);
      if (entry === undefined) throw failure("ENOENT");
      const next = entry.node;
      if (next.kind === "symlink" && (followsLast || !isLast)) {
        const rest = names.slice(depthOfName + 1).map((one) => `\\${one}`)
          .join("");
        // Windows itself follows no junction to a server.
        const isRemote = /^(?:\\\\|\\\?\?\\UNC)(?![?])/i.test(next.to);
        if (next.isJunction && isRemote) throw failure("UNKNOWN");
        const isAbsolute = /^[a-z]:|^\\/i.test(next.to);
        const target = isAbsolute ? next.to : `${at}\\${next.to}`;
        const whole = `${target.replace(/\\+$/, "")}${rest}`;
        return this.#find(whole, followsLast, isRaw, depth + 1);
      }
      text = next.text;
      if (stream.length > 0) {
        const key = stream.join(":").replace(/:\$DATA$/i, "").toUpperCase();
        const isPlain = key === "" || key === "$DATA";
        const found = isPlain ? next.text : next.streams.get(key);
        if (found === undefined || !isLast) throw failure("ENOENT");
        text = found;
      }
      node = next;
      at = `${at}\\${entry.name}`;
    }
    return { node, at: names.length === 0 ? `${at}\\` : at, text };
  }
}

/** Folds the code units of a name: as in the table of NTFS, only those with an uppercase form that has no other lowercase form; and final sigma, as in some tables. */
function upcase(name: string): string {
  return Array.from({ length: name.length }, (_, at) => {
    const unit = name[at]!;
    const upper = unit.toUpperCase();
    const isFolded = upper.toLowerCase() === unit || unit === "\u03c2";
    return isFolded ? upper : unit;
  }).join("");
}

/** The same port, which answers by promises. */
function answeringLater(fs: FsPort): FsPort {
  return {
    // deno-lint-ignore require-await
    realPath: async (path) => fs.realPath(path),
    // deno-lint-ignore require-await
    lstat: async (path) => fs.lstat(path),
    // deno-lint-ignore require-await
    readLink: async (path) => fs.readLink(path),
    // deno-lint-ignore require-await
    open: async (path) => fs.open(path),
    // deno-lint-ignore require-await
    list: async (path, most) => fs.list!(path, most),
  };
}
