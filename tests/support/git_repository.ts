/** Makes git repositories in memory or on a disk, without git. */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

export type GitType = "commit" | "tree" | "blob" | "tag";

/** The algorithms of hashes. */
export type GitHash = "sha1" | "sha256";

const NUMBERS = { commit: 1, tree: 2, blob: 3, tag: 4 } as const;

/** Bytes of a text, or of one character for each byte. */
export function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string"
    ? new TextEncoder().encode(content)
    : content;
}

export function joined(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts.map(bytesOf)));
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

export function ofHex(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, "hex"));
}

export function deflated(content: string | Uint8Array): Uint8Array {
  return new Uint8Array(deflateSync(bytesOf(content)));
}

/** An object of a repository. */
export interface MadeObject {
  readonly oid: string;
  readonly type: GitType;
  readonly bytes: Uint8Array;
}

export function objectOf(
  type: GitType,
  content: string | Uint8Array,
  hash: GitHash = "sha1",
): MadeObject {
  const bytes = bytesOf(content);
  const oid = createHash(hash).update(`${type} ${bytes.length}\0`)
    .update(bytes).digest("hex");
  return { oid, type, bytes };
}

/** An entry of a tree: a name, which may be bytes, and what it is. */
export interface MadeEntry {
  readonly name: string | Uint8Array;
  readonly mode: string;
  readonly oid: string;
}

export function treeOf(
  entries: readonly MadeEntry[],
  hash: GitHash = "sha1",
): MadeObject {
  const parts = entries.map(({ name, mode, oid }) =>
    joined(`${mode} `, name, "\0", ofHex(oid))
  );
  return objectOf("tree", joined(...parts), hash);
}

export function commitOf(
  tree: string,
  parents: readonly string[] = [],
  message = "a commit",
  hash: GitHash = "sha1",
): MadeObject {
  const who = "A <a@example.org> 1700000000 +0000";
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${who}`,
    `committer ${who}`,
    "",
    message,
    "",
  ];
  return objectOf("commit", lines.join("\n"), hash);
}

/** A file, a link, or a submodule of a tree. */
export type MadeFile =
  | string
  | Uint8Array
  | { readonly link: string }
  | { readonly submodule: string };

/** The objects of a tree of files, by path. */
export function objectsOf(
  files: Readonly<Record<string, MadeFile>>,
  hash: GitHash = "sha1",
): { readonly root: MadeObject; readonly objects: readonly MadeObject[] } {
  const objects: MadeObject[] = [];
  const make = (folder: ReadonlyMap<string, MadeFile>): MadeObject => {
    const below = new Map<string, Map<string, MadeFile>>();
    const entries: MadeEntry[] = [];
    for (const [path, file] of folder) {
      const [name = "", ...rest] = path.split("/");
      if (rest.length > 0) {
        const inner = below.get(name) ?? new Map<string, MadeFile>();
        below.set(name, inner.set(rest.join("/"), file));
        continue;
      }
      // A folder without entries.
      if (name === "") continue;
      if (typeof file === "object" && "submodule" in file) {
        entries.push({ name, mode: "160000", oid: file.submodule });
        continue;
      }
      const isLink = typeof file === "object" && "link" in file;
      const blob = objectOf("blob", isLink ? file.link : file, hash);
      objects.push(blob);
      entries.push({ name, mode: isLink ? "120000" : "100644", oid: blob.oid });
    }
    for (const [name, inner] of below) {
      entries.push({ name, mode: "40000", oid: make(inner).oid });
    }
    const tree = treeOf(entries, hash);
    objects.push(tree);
    return tree;
  };
  return { root: make(new Map(Object.entries(files))), objects };
}

/** The files of a repository, by path from its `.git`. */
export type GitFiles = Record<string, string | Uint8Array>;

/** The path of a loose object. */
export function loosePath(oid: string): string {
  return `objects/${oid.slice(0, 2)}/${oid.slice(2)}`;
}

/** The files of loose objects. */
export function looseFiles(objects: readonly MadeObject[]): GitFiles {
  return Object.fromEntries(objects.map(({ oid, type, bytes }) => [
    loosePath(oid),
    deflated(joined(`${type} ${bytes.length}\0`, bytes)),
  ]));
}

/** The files of a repository whose `main` is a commit, and that has nothing else. */
export function emptyRepository(commit: string): GitFiles {
  return {
    "HEAD": "ref: refs/heads/main\n",
    "config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
    "refs/heads/main": `${commit}\n`,
    "objects/info/packs": "\n",
  };
}

/** The files of a repository with one commit, of which all objects are loose. */
export function repositoryOf(
  files: Readonly<Record<string, MadeFile>>,
): GitFiles {
  const { root, objects } = objectsOf(files);
  const commit = commitOf(root.oid);
  return {
    ...emptyRepository(commit.oid),
    ...looseFiles([...objects, commit]),
  };
}

/** An entry of a pack before it is written. */
export type PackEntry =
  | MadeObject
  | {
    /** The hash that the index has for it. */
    readonly oid: string;
    readonly delta: Uint8Array;
    /** How many entries before it the base is, or the hash of the base. */
    readonly base: number | string;
  };

/** What a test may do wrong when a pack is written. */
export interface PackFaults {
  /** The size in the head of an entry, instead of the right one. */
  readonly sizes?: Readonly<Record<number, number>>;
  /** The compressed data of an entry. */
  readonly data?: Readonly<Record<number, Uint8Array>>;
  /** The type in the head of an entry. */
  readonly types?: Readonly<Record<number, number>>;
  /** How far back the base of an entry is, in bytes. */
  readonly backs?: Readonly<Record<number, number>>;
  /** The offset in the index, instead of the right one. */
  readonly offsets?: Readonly<Record<number, number>>;
  /** Whether all offsets stand in the table of long ones. */
  readonly long?: boolean;
}

/** A pack and its index. */
export interface MadePack {
  readonly pack: Uint8Array;
  readonly index: Uint8Array;
  /** Where each entry begins. */
  readonly offsets: readonly number[];
}

/** Writes a pack of version 2, and its index. */
export function packOf(
  entries: readonly PackEntry[],
  hash: GitHash = "sha1",
  faults: PackFaults = {},
): MadePack {
  const parts: Uint8Array[] = [joined("PACK", uint(2), uint(entries.length))];
  const offsets: number[] = [];
  let at = 12;
  for (const [i, entry] of entries.entries()) {
    offsets.push(at);
    const isDelta = "delta" in entry;
    const content = isDelta ? entry.delta : entry.bytes;
    const type = faults.types?.[i] ??
      (isDelta ? typeof entry.base === "number" ? 6 : 7 : NUMBERS[entry.type]);
    const head = [entryHead(type, faults.sizes?.[i] ?? content.length)];
    if (isDelta) {
      const back = faults.backs?.[i] ??
        (typeof entry.base === "number" ? at - offsets[i - entry.base]! : 0);
      head.push(
        typeof entry.base === "number" ? distance(back) : ofHex(entry.base),
      );
    }
    const part = joined(...head, faults.data?.[i] ?? deflated(content));
    parts.push(part);
    at += part.length;
  }
  const body = joined(...parts);
  const pack = joined(body, createHash(hash).update(body).digest());
  const named = entries.map(({ oid }, i) => ({
    oid,
    offset: faults.offsets?.[i] ?? offsets[i]!,
  }));
  const index = indexOf(named, pack, hash, faults.long ?? false);
  return { pack, index, offsets };
}

/** Writes an index of version 2. */
export function indexOf(
  named: readonly { readonly oid: string; readonly offset: number }[],
  pack: Uint8Array,
  hash: GitHash,
  isLong = false,
): Uint8Array {
  const sorted = [...named].sort((one, two) => one.oid < two.oid ? -1 : 1);
  const firsts = sorted.map(({ oid }) => parseInt(oid.slice(0, 2), 16));
  const fanout = Array.from(
    { length: 256 },
    (_, byte) => uint(firsts.filter((first) => first <= byte).length),
  );
  const body = joined(
    Uint8Array.of(0xff, 0x74, 0x4f, 0x63),
    uint(2),
    ...fanout,
    ...sorted.map(({ oid }) => ofHex(oid)),
    ...sorted.map(() => uint(0)),
    ...sorted.map(({ offset }, at) => uint(isLong ? 2 ** 31 + at : offset)),
    ...isLong
      ? sorted.map(({ offset }) =>
        joined(uint(Math.floor(offset / 2 ** 32)), uint(offset % 2 ** 32))
      )
      : [],
    pack.subarray(-(hash === "sha1" ? 20 : 32)),
  );
  return joined(body, createHash(hash).update(body).digest());
}

/** The files of a pack. */
export function packFiles(
  { pack, index }: MadePack,
  name = "pack-1",
): GitFiles {
  return {
    [`objects/pack/${name}.pack`]: pack,
    [`objects/pack/${name}.idx`]: index,
  };
}

export function uint(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function entryHead(type: number, size: number): Uint8Array {
  const bytes = [(type << 4) | (size % 16)];
  for (let rest = Math.floor(size / 16); rest > 0;) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest % 128);
    rest = Math.floor(rest / 128);
  }
  return Uint8Array.from(bytes);
}

/** How far back a base is, as a pack writes it. */
function distance(back: number): Uint8Array {
  const bytes = [back % 128];
  for (let rest = Math.floor(back / 128); rest > 0;) {
    rest--;
    bytes.unshift(0x80 | (rest % 128));
    rest = Math.floor(rest / 128);
  }
  return Uint8Array.from(bytes);
}

/** A size as a delta writes it. */
export function deltaSize(size: number): Uint8Array {
  const bytes: number[] = [];
  let rest = size;
  do {
    const more = rest >= 128 ? 0x80 : 0;
    bytes.push(more | (rest % 128));
    rest = Math.floor(rest / 128);
  } while (rest > 0);
  return Uint8Array.from(bytes);
}

/** An instruction to copy from the base. */
export function copyStep(from: number, length: number): Uint8Array {
  const bytes = [0x80];
  const add = (bit: number, value: number) => {
    if (value === 0) return;
    bytes[0]! |= bit;
    bytes.push(value);
  };
  for (let i = 0; i < 4; i++) add(1 << i, Math.floor(from / 256 ** i) % 256);
  // 64 KiB is written as nothing.
  const written = length === 0x10000 ? 0 : length;
  for (let i = 0; i < 3; i++) add(16 << i, (written >> (8 * i)) & 255);
  return Uint8Array.from(bytes);
}

/** An instruction to insert up to 127 bytes. */
export function insertStep(content: string | Uint8Array): Uint8Array {
  const bytes = bytesOf(content);
  return joined(Uint8Array.of(bytes.length), bytes);
}

/** A delta of steps. */
export function deltaOf(
  baseSize: number,
  size: number,
  ...steps: readonly Uint8Array[]
): Uint8Array {
  return joined(deltaSize(baseSize), deltaSize(size), ...steps);
}
