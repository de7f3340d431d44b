/**
 * A simulated disk of macOS: APFS, where names differ neither in case nor in the
 * composition of letters. It has resource forks and `/.vol`, which names files by
 * their number. No open file knows its path.
 */
import type { FileHandle, FileStat, FsPort } from "../../mod.ts";
import { failure } from "./fake_fs.ts";

export interface ApfsNode {
  readonly kind: "file" | "directory" | "symlink";
  readonly ino: number;
  readonly text: string;
  readonly to: string;
  readonly entries: Map<string, { readonly name: string; node: ApfsNode }>;
  ctimeMs: number;
}

const OLD_MS = Date.UTC(2020, 0);
const VOLUME = 16_777_220;

export class SimulatedApfs {
  readonly #tellsCase: boolean;
  #lastIno = 20;
  readonly root: ApfsNode = this.node({});
  readonly calls: string[] = [];
  /** Called before each call of a port. */
  beforeCall: (verb: string, path: string) => void = () => {};

  /** Plants a tree of lines `PATH = TEXT`, `PATH -> TARGET` and `PATH/`. */
  constructor(lines: readonly string[], tellsCase = false) {
    this.#tellsCase = tellsCase;
    for (const line of lines) {
      const [, path = "", how, rest = ""] = /^(.+?)(?: (=|->) (.*))?$/s.exec(
        line,
      )!;
      const names = path.split("/").filter(Boolean);
      const last = how === undefined ? undefined : names.pop()!;
      let here = this.root;
      for (const name of names) {
        const key = this.#keyOf(name);
        const node = here.entries.get(key)?.node ?? this.node({});
        if (!here.entries.has(key)) here.entries.set(key, { name, node });
        here = node;
      }
      if (last === undefined) continue;
      const node = how === "="
        ? this.node({ kind: "file", text: rest })
        : this.node({ kind: "symlink", to: rest });
      here.entries.set(this.#keyOf(last), { name: last, node });
    }
  }

  node(facts: Partial<ApfsNode>): ApfsNode {
    return {
      kind: "directory",
      ino: this.#lastIno++,
      text: "",
      to: "",
      entries: new Map(),
      ctimeMs: OLD_MS,
      ...facts,
    };
  }

  /** Puts another node where one is; returns the one that was there. */
  replace(path: string, node: ApfsNode): ApfsNode {
    const names = path.split("/").filter(Boolean);
    const last = this.#keyOf(names.pop()!);
    let here = this.root;
    for (const name of names) here = here.entries.get(this.#keyOf(name))!.node;
    const entry = here.entries.get(last)!;
    here.entries.set(last, { name: entry.name, node });
    return entry.node;
  }

  port(): FsPort {
    const say = (verb: string, path: string) => {
      this.calls.push(`${verb} ${path}`);
      this.beforeCall(verb, path);
    };
    const statOf = ({ kind, text, ino, ctimeMs }: ApfsNode): FileStat => ({
      kind,
      size: new TextEncoder().encode(text).length,
      mtimeMs: OLD_MS,
      ctimeMs,
      id: `${VOLUME}:${ino}`,
    });
    return {
      // As `denoFs`, `bunFs` and `nodeFs` say on macOS.
      spelling: { foldsNames: true, nameUnits: "utf-16" },
      realPath: (path) => {
        say("realPath", path);
        return this.#find(path, true).at;
      },
      lstat: (path) => {
        say("lstat", path);
        return statOf(this.#find(path, /\/\.?$/.test(path)).node);
      },
      readLink: (path) => {
        say("readLink", path);
        const { node } = this.#find(path, false);
        if (node.kind !== "symlink") throw failure("EINVAL");
        return node.to;
      },
      open: (path): FileHandle => {
        say("open", path);
        const { node } = this.#find(path, false);
        if (node.kind === "symlink") throw failure("ELOOP");
        if (node.kind === "directory") throw failure("EISDIR");
        const bytes = new TextEncoder().encode(node.text);
        return {
          stat: () => {
            say("fstat", path);
            return statOf(node);
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
        const { node } = this.#find(path, true);
        if (node.kind !== "directory") throw failure("ENOTDIR");
        return Array.from(
          node.entries.values(),
          ({ name, node: { kind } }) => ({ name, kind }),
        );
      },
    };
  }

  #keyOf(name: string): string {
    const composed = name.normalize("NFD");
    return this.#tellsCase ? composed : composed.toLowerCase();
  }

  #numbered(ino: number, from = this.root): ApfsNode | undefined {
    if (from.ino === ino) return from;
    for (const { node } of from.entries.values()) {
      const found = this.#numbered(ino, node);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #find(
    path: string,
    followsLast: boolean,
    depth = 0,
  ): { node: ApfsNode; at: string } {
    if (depth > 40) throw failure("ELOOP");
    let parts = path.split("/").filter((name) => name !== "" && name !== ".");
    let node = this.root;
    let at = "";
    const byNumber = new RegExp(`^/\\.vol/${VOLUME}/(\\d+)(/.*)?$`).exec(path);
    if (byNumber !== null) {
      const found = this.#numbered(Number(byNumber[1]));
      if (found === undefined) throw failure("ENOENT");
      node = found;
      parts = (byNumber[2] ?? "").split("/").filter(Boolean);
      at = `/.vol/${VOLUME}/${byNumber[1]}`;
    }
    const above: (readonly [ApfsNode, string])[] = [];
    for (const [index, name] of parts.entries()) {
      if (name === "..") {
        [node, at] = above.pop() ?? [this.root, ""];
        continue;
      }
      if (node.kind === "file" && name === "..namedfork") {
        return {
          node: { ...node, text: "FORK" },
          at: `${at}/..namedfork/rsrc`,
        };
      }
      if (node.kind !== "directory") throw failure("ENOTDIR");
      if (name.length > 255) throw failure("ENAMETOOLONG");
      const entry = node.entries.get(this.#keyOf(name));
      if (entry === undefined) throw failure("ENOENT");
      const next = entry.node;
      const isLast = index === parts.length - 1;
      if (next.kind === "symlink" && (followsLast || !isLast)) {
        const rest = parts.slice(index + 1).map((one) => `/${one}`).join("");
        const start = next.to.startsWith("/") ? "" : `${at}/`;
        return this.#find(`${start}${next.to}${rest}`, followsLast, depth + 1);
      }
      above.push([node, at]);
      node = next;
      at = `${at}/${entry.name}`;
    }
    return { node, at: at || "/" };
  }
}
