import type { FileEntry, FileKind } from "@agent-tools/read-file";
import { damaged } from "./fault.ts";
import { type HashFormat, hexAt } from "./hash.ts";

/** An entry of a tree. */
export interface TreeEntry {
  readonly oid: string;
  /** A submodule is `"other"`: its files are in another repository. */
  readonly kind: FileKind;
}

/** An entry whose name is read only where it is asked for. */
interface RawEntry {
  readonly kind: FileKind;
  /** Where the hash of the object begins. */
  readonly oidAt: number;
}

const SPACE = 0x20;
const ZERO = 0x30;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** For names of authors in any encoding. */
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** A tree: its entries by name. */
export class Tree {
  readonly #bytes: Uint8Array;
  readonly #hash: HashFormat;
  readonly #entries = new Map<string, RawEntry>();
  /** The names that are not Unicode, in the way a disk lists them; they cannot be asked for. */
  readonly #odd: FileEntry[] = [];

  /** Reads a tree. A name that could lead elsewhere cannot be asked for, and is left out. */
  constructor(bytes: Uint8Array, hash: HashFormat, oid: string) {
    this.#bytes = bytes;
    this.#hash = hash;
    for (let at = 0; at < bytes.length;) {
      const space = bytes.indexOf(SPACE, at);
      const end = bytes.indexOf(0, space + 1);
      const oidAt = end + 1;
      const next = oidAt + hash.bytes;
      if (space < 0 || end < 0 || next > bytes.length || space - at > 6) {
        throw damaged(`the tree ${oid} is broken`);
      }
      let mode = 0;
      for (; at < space; at++) mode = mode * 8 + bytes[at]! - ZERO;
      this.#add(bytes.subarray(space + 1, end), kindOf(mode), oidAt);
      at = next;
    }
  }

  #add(bytes: Uint8Array, kind: FileKind, oidAt: number): void {
    let name: string;
    try {
      name = decoder.decode(bytes);
    } catch {
      this.#odd.push({ name: new TextDecoder().decode(bytes), kind });
      return;
    }
    // Git makes no such trees; a name with a slash is not one name.
    if (/^\.{0,2}$|\//.test(name)) return;
    // Of two entries with one name, git reads the first.
    if (!this.#entries.has(name)) this.#entries.set(name, { kind, oidAt });
  }

  /** How many entries it has. */
  get size(): number {
    return this.#entries.size + this.#odd.length;
  }

  get(name: string): TreeEntry | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    const { kind, oidAt } = entry;
    return { kind, oid: hexAt(this.#bytes, oidAt, this.#hash.bytes) };
  }

  /** The names and the kinds of all entries. */
  list(): FileEntry[] {
    const listed = Array.from(
      this.#entries,
      ([name, { kind }]) => ({ name, kind }),
    );
    return [...listed, ...this.#odd];
  }
}

/** The kind by the type in a mode, as git takes it. */
function kindOf(mode: number): FileKind {
  switch (mode & 0o170000) {
    case 0o040000:
      return "directory";
    case 0o100000:
      return "file";
    case 0o120000:
      return "symlink";
    default:
      return "other";
  }
}

/** What a commit or a tag names. */
export interface CommitHead {
  /** The tree of a commit, or the object of a tag. */
  readonly target: string;
  readonly parents: readonly string[];
}

/** Reads the first lines of a commit or a tag. */
export function readCommit(
  bytes: Uint8Array,
  { bytes: length }: HashFormat,
  oid: string,
): CommitHead {
  const blank = endOfHead(bytes);
  const lines = lenient.decode(bytes.subarray(0, blank)).split("\n");
  const hash = new RegExp(`^(tree|object|parent) ([0-9a-f]{${2 * length}})$`);
  const [first, ...rest] = lines;
  const target = hash.exec(first ?? "");
  if (target === null || target[1] === "parent") {
    throw damaged(`the commit or tag ${oid} is broken`);
  }
  const parents: string[] = [];
  for (const line of rest) {
    const parent = hash.exec(line);
    if (parent?.[1] !== "parent") break;
    parents.push(parent[2]!);
  }
  return { target: target[2]!, parents };
}

/** Where the blank line after the first lines is. */
function endOfHead(bytes: Uint8Array): number {
  for (let at = 0; at + 1 < bytes.length; at++) {
    if (bytes[at] === 0x0a && bytes[at + 1] === 0x0a) return at;
  }
  return bytes.length;
}
