import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { type FsPort, openWorkspace, ReadFileError } from "../../mod.ts";
import { gitFs } from "../../git/mod.ts";
import { type MemoryEntry, memoryRepository } from "../support/git_place.ts";
import {
  commitOf,
  copyStep,
  deflated,
  deltaOf,
  emptyRepository,
  type GitFiles,
  insertStep,
  joined,
  looseFiles,
  loosePath,
  type MadeObject,
  objectOf,
  type PackEntry,
  type PackFaults,
  packFiles,
  packOf,
  treeOf,
} from "../support/git_repository.ts";

const A = objectOf("blob", "hello\n");
const TREE = treeOf([{ name: "a", mode: "100644", oid: A.oid }]);
const COMMIT = commitOf(TREE.oid);

/** A repository whose file `a` is an object. */
function holding(blob: MadeObject, files: GitFiles = {}): GitFiles {
  const { tree, commit } = treeWith(blob.oid);
  return {
    ...emptyRepository(commit.oid),
    ...looseFiles([tree, commit]),
    ...files,
  };
}

function treeWith(oid: string, mode = "100644") {
  const tree = treeOf([{ name: "a", mode, oid }]);
  return { tree, commit: commitOf(tree.oid) };
}

/** A repository whose file `a` is the last entry of a pack. */
function packed(
  entries: readonly PackEntry[],
  faults: PackFaults = {},
  name = entries.at(-1)!.oid,
): GitFiles {
  const { tree, commit } = treeWith(name);
  return {
    ...emptyRepository(commit.oid),
    ...looseFiles([tree, commit]),
    ...packFiles(packOf(entries, "sha1", faults)),
  };
}

const WHOLE: GitFiles = {
  ...emptyRepository(COMMIT.oid),
  ...looseFiles([A, TREE, COMMIT]),
};

const SECRET = "SECRET outside";
/** What lies outside of the repository. */
const OUTSIDE: Readonly<Record<string, MemoryEntry>> = {
  "/secret/file": SECRET,
  "/secret/objects/x": SECRET,
};

/** Notes every path outside of `/repo` that is used, but for the ways to it. */
function watched(fs: FsPort) {
  const strayed: string[] = [];
  const note = (path: string) => {
    if (!/^\/repo(\/|$)/.test(path)) strayed.push(path);
    return path;
  };
  const port: FsPort = {
    realPath: (path) => fs.realPath(note(path)),
    lstat: (path, role) => fs.lstat(note(path), role),
    readLink: (path) => fs.readLink(note(path)),
    open: (path) => fs.open(note(path)),
    list: (path, most) => fs.list!(note(path), most),
  };
  return { port, strayed };
}

/** Reads the file `a` at a revision: its text, or the failure. */
async function readA(
  files: GitFiles,
  rev = "main",
  others: Readonly<Record<string, MemoryEntry>> = {},
): Promise<string | ReadFileError> {
  const memory = memoryRepository(files, { ...OUTSIDE, ...others });
  const { port, strayed } = watched(memory);
  try {
    const fs = await gitFs({ repository: "/repo", rev, fs: port });
    const workspace = await openWorkspace("/", { fs });
    const file = await workspace.open("a");
    const buffer = new Uint8Array(100);
    const count = await file.read(buffer, 0);
    await file.close();
    return new TextDecoder().decode(buffer.subarray(0, count));
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error;
    assert(!`${error.message} ${error.hint}`.includes(SECRET), error.message);
    return error;
  } finally {
    assertEquals(strayed, []);
  }
}

/** A bad repository: its files, what is said, and the revision. */
type Row = readonly [
  what: string,
  files: GitFiles,
  code: string,
  says: RegExp,
  rev?: string,
  others?: Readonly<Record<string, MemoryEntry>>,
];

const BASE = objectOf("blob", "base ".repeat(100));
const CHANGED = objectOf("blob", `${"base ".repeat(100)}more`);
const DELTA = deltaOf(500, 504, copyStep(0, 500), insertStep("more"));
const BROKEN = "IO EBADMSG";

/** A chain of deltas, each of which doubles its base. */
function doubling(count: number): PackEntry[] {
  const entries: PackEntry[] = [objectOf("blob", "x".repeat(100))];
  for (let at = 0; at < count; at++) {
    const size = 100 * 2 ** at;
    const oid = at.toString(16).padStart(40, "d");
    const steps: Uint8Array[] = [];
    // The sizes alone tell that the last ones are too large.
    for (let twice = 0; twice < 2 && size < 2 ** 31; twice++) {
      for (let from = 0; from < size; from += 0xffffff) {
        steps.push(copyStep(from, Math.min(0xffffff, size - from)));
      }
    }
    entries.push({ oid, delta: deltaOf(size, 2 * size, ...steps), base: 1 });
  }
  return entries;
}

/** An index whose names stand at the places of the others. */
function swapped(): GitFiles {
  const one = objectOf("blob", "one\n");
  const two = objectOf("blob", "two\n");
  const { offsets } = packOf([one, two]);
  const faults = { offsets: { 0: offsets[1]!, 1: offsets[0]! } };
  return packed([one, two], faults);
}

const FANOUT_AT = 8;
const NAMES_AT = 8 + 1024;

/** The files of a pack with one object, of which one file is changed. */
function changed(
  ending: "pack" | "idx",
  change: (bytes: Uint8Array) => Uint8Array,
): GitFiles {
  const files = packed([A]);
  const path = `objects/pack/pack-1.${ending}`;
  const bytes = files[path];
  if (!(bytes instanceof Uint8Array)) throw new TypeError(path);
  return { ...files, [path]: change(new Uint8Array(bytes)) };
}

function put(bytes: Uint8Array, at: number, ...values: number[]) {
  bytes.set(values, at);
  return bytes;
}

const ZEROS = new Uint8Array(64 * 1024 * 1024);

const ROWS: readonly Row[] = [
  // Revisions.
  [
    "a branch that is not there",
    WHOLE,
    "NOT_FOUND",
    /there is no "mian"$/,
    "mian",
  ],
  [
    "a parent that is not there",
    WHOLE,
    "NOT_FOUND",
    /has no parent$/,
    "main~1",
  ],
  ["a second parent", WHOLE, "NOT_FOUND", /has no parent$/, "main^2"],
  [
    "no short hash of an object",
    WHOLE,
    "NOT_FOUND",
    /there is no "abcdef"$/,
    "abcdef",
  ],
  [
    "a full hash of no object",
    WHOLE,
    "NOT_FOUND",
    /is not in the repository$/,
    "a".repeat(40),
  ],
  ["a range", WHOLE, "INVALID_ARGUMENT", /is a range/, "main..main"],
  ["a reflog", WHOLE, "INVALID_ARGUMENT", /reflog/, "main@{1}"],
  [
    "a search",
    WHOLE,
    "INVALID_ARGUMENT",
    /nothing before the colon/,
    ":/a commit",
  ],
  [
    "a step that is unknown",
    WHOLE,
    "INVALID_ARGUMENT",
    /unknown step, "\^\{\/a\}"/,
    "main^{/a}",
  ],
  ["a file", WHOLE, "INVALID_ARGUMENT", /names a file, not a tree/, A.oid],
  [
    "a file of a revision",
    WHOLE,
    "INVALID_ARGUMENT",
    /names "a", which is not a folder/,
    "main:a",
  ],
  [
    "no folder of a revision",
    WHOLE,
    "NOT_FOUND",
    /nothing is at "b" in it/,
    "main:b",
  ],
  [
    "a name that leaves the refs",
    WHOLE,
    "INVALID_ARGUMENT",
    /is a range/,
    "../../secret/file",
  ],
  [
    "a name that leaves the refs by a part",
    WHOLE,
    "INVALID_ARGUMENT",
    /is a range/,
    "heads/../../config",
  ],
  ["an absolute name", WHOLE, "NOT_FOUND", /there is no/, "/secret/file"],
  [
    "a file of the repository that is no ref",
    WHOLE,
    "NOT_FOUND",
    /there is no "config"/,
    "config",
  ],
  [
    "a revision of many characters",
    WHOLE,
    "INVALID_ARGUMENT",
    /longer than 4096/,
    "a".repeat(5000),
  ],
  [
    "a hidden character",
    WHOLE,
    "NOT_FOUND",
    /there is no "\\u202e\\u2800x"/,
    "\u202e\u2800x",
  ],
  // Refs.
  [
    "no commit yet",
    { ...WHOLE, "HEAD": "ref: refs/heads/new\n" },
    "NOT_FOUND",
    /"HEAD" leads to "refs\/heads\/new", which is not there/,
    "HEAD",
  ],
  [
    "a ref that leads out",
    { ...WHOLE, "HEAD": "ref: refs/heads/../../../../secret/file\n" },
    BROKEN,
    /"HEAD" leads to "refs\/heads\/\.\.\/\S+", no ref/,
    "HEAD",
  ],
  [
    "a ref that leads to another file",
    { ...WHOLE, "HEAD": "ref: config\n" },
    BROKEN,
    /leads to "config", no ref/,
    "HEAD",
  ],
  [
    "refs that lead to each other",
    {
      ...WHOLE,
      "refs/heads/main": "ref: refs/heads/b\n",
      "refs/heads/b": "ref: refs/heads/main\n",
    },
    BROKEN,
    /through too many others/,
  ],
  [
    "a ref that is no hash",
    { ...WHOLE, "refs/heads/main": "nonsense\n" },
    BROKEN,
    /"refs\/heads\/main" is not a hash/,
  ],
  [
    "a ref that is too short a hash",
    { ...WHOLE, "refs/heads/main": `${COMMIT.oid.slice(1)}\n` },
    BROKEN,
    /is not a hash/,
  ],
  [
    "a ref that is a link out",
    without("refs/heads/main"),
    "OUTSIDE_WORKSPACE",
    /its file "refs\/heads\/main" is a link that leads out of the repository/,
    "main",
    { "/repo/.git/refs/heads/main": { link: "/secret/file" } },
  ],
  [
    "a ref that is a relative link out",
    without("refs/heads/main"),
    "OUTSIDE_WORKSPACE",
    /leads out/,
    "main",
    { "/repo/.git/refs/heads/main": { link: "../../../../secret/file" } },
  ],
  [
    "a ref that is a link to a file of the worktree",
    without("refs/heads/main"),
    "OUTSIDE_WORKSPACE",
    /leads out/,
    "main",
    {
      "/repo/.git/refs/heads/main": { link: "../../../.env" },
      "/repo/.env": SECRET,
    },
  ],
  [
    "a ref that is a link to itself",
    without("refs/heads/main"),
    BROKEN,
    /is a link to itself/,
    "main",
    { "/repo/.git/refs/heads/main": { link: "main" } },
  ],
  [
    "a ref that is a FIFO",
    without("refs/heads/main"),
    BROKEN,
    /"refs\/heads\/main" is not a regular file/,
    "main",
    { "/repo/.git/refs/heads/main": { kind: "other" } },
  ],
  [
    "refs in a folder that is a link out",
    without("refs/heads/main"),
    "OUTSIDE_WORKSPACE",
    /leads out/,
    "main",
    { "/repo/.git/refs/heads": { link: "/secret" } },
  ],
  // The repository.
  ["no repository", {}, "NOT_FOUND", /no git repository is there/, "main", {
    "/repo/x": "",
  }],
  [
    ".git that is a link out",
    {},
    "OUTSIDE_WORKSPACE",
    /its file "\.git" is a link that leads out/,
    "main",
    { "/repo/.git": { link: "/secret" } },
  ],
  [
    ".git that names a folder outside",
    {},
    "OUTSIDE_WORKSPACE",
    /its file "\.git" names "\/secret", which is outside/,
    "main",
    { "/repo/.git": "gitdir: ../secret\n" },
  ],
  [
    ".git that names no folder",
    {},
    BROKEN,
    /its file "\.git" names no folder/,
    "main",
    { "/repo/.git": "nonsense\n" },
  ],
  [".git that is a FIFO", {}, BROKEN, /"\.git" is not a regular file/, "main", {
    "/repo/.git": { kind: "other" },
  }],
  [
    "a common folder outside",
    { ...WHOLE, "commondir": "/secret\n" },
    "OUTSIDE_WORKSPACE",
    /commondir names "\/secret"/,
  ],
  [
    "alternates outside",
    { ...WHOLE, "objects/info/alternates": "../../../secret/objects\n" },
    "OUTSIDE_WORKSPACE",
    /objects\/info\/alternates names "\/secret\/objects"/,
  ],
  [
    "alternates with a quoted path",
    { ...WHOLE, "objects/info/alternates": '"/a"\n' },
    "IO ENOTSUP",
    /has a quoted path/,
  ],
  [
    "objects that are a link out",
    { "HEAD": "ref: refs/heads/main\n" },
    "OUTSIDE_WORKSPACE",
    /"objects" is a link that leads out/,
    "main",
    { "/repo/.git/objects": { link: "/secret/objects" } },
  ],
  [
    "refs in a table",
    {
      ...WHOLE,
      "config":
        "[core]\nrepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable\n",
    },
    "IO ENOTSUP",
    /its refs are stored as "reftable", which is not read/,
  ],
  [
    "an unknown extension",
    { ...WHOLE, "config": "[extensions]\n\tnew = true\n" },
    "IO ENOTSUP",
    /the extension "new", which is unknown/,
  ],
  [
    "an unknown version",
    { ...WHOLE, "config": "[core]\nrepositoryformatversion = 2 ; later\n" },
    "IO ENOTSUP",
    /version 2 of its form, which is unknown/,
  ],
  [
    "an unknown hash",
    { ...WHOLE, "config": "[extensions] objectFormat = md5\n" },
    "IO ENOTSUP",
    /the object format "md5"/,
  ],
  // Loose objects.
  [
    "an object that is missing",
    without(loosePath(A.oid)),
    "NOT_FOUND",
    /the object ce0136\w+ is not in the repository/,
  ],
  [
    "an object that is truncated",
    holding(A, {
      [loosePath(A.oid)]: deflated(joined("blob 6\0hello\n")).subarray(0, 12),
    }),
    BROKEN,
    /the loose object ce0136\w+ is broken/,
  ],
  [
    "an object that goes on",
    holding(A, {
      [loosePath(A.oid)]: joined(deflated("blob 6\0hello\n"), "more"),
    }),
    BROKEN,
    /is broken/,
  ],
  [
    "an object that is empty",
    holding(A, { [loosePath(A.oid)]: "" }),
    BROKEN,
    /is broken/,
  ],
  [
    "an object that is not compressed",
    holding(A, { [loosePath(A.oid)]: "blob 6\0hello\n" }),
    BROKEN,
    /is broken/,
  ],
  [
    "an object of no type",
    holding(A, { [loosePath(A.oid)]: deflated("blub 6\0hello\n") }),
    BROKEN,
    /is broken/,
  ],
  [
    "an object of another size",
    holding(A, { [loosePath(A.oid)]: deflated("blob 7\0hello\n") }),
    BROKEN,
    /is broken/,
  ],
  [
    "an object with another content",
    holding(A, { [loosePath(A.oid)]: deflated("blob 6\0jello\n") }),
    BROKEN,
    /the content of the object ce0136\w+ has another hash/,
  ],
  [
    "an object of another type",
    holding(TREE, looseFiles([TREE])),
    BROKEN,
    /is not a file/,
  ],
  [
    "a zlib bomb",
    holding(A, { [loosePath(A.oid)]: deflated(joined("blob 6\0", ZEROS)) }),
    BROKEN,
    /is broken/,
  ],
  [
    "a zlib bomb that tells its size",
    holding(A, {
      [loosePath(A.oid)]: deflated(joined(`blob ${ZEROS.length}\0`, ZEROS)),
    }),
    BROKEN,
    /has another hash/,
  ],
  [
    "an object that says to be huge",
    holding(A, { [loosePath(A.oid)]: deflated("blob 2000000000\0hello\n") }),
    "TOO_LARGE",
    /2000000000 bytes exceed the limit of 1073741824 bytes/,
  ],
  [
    "a large object that ends too early",
    holding(A, { [loosePath(A.oid)]: deflated("blob 9000000\0hello\n") }),
    BROKEN,
    /a large object ends too early/,
  ],
  [
    "a tree that says to be huge",
    { ...WHOLE, [loosePath(TREE.oid)]: deflated("tree 9000000\0hello\n") },
    "TOO_LARGE",
    /9000000 bytes exceed the limit of 8388608 bytes/,
  ],
  [
    "an object that is a FIFO",
    without(loosePath(A.oid)),
    BROKEN,
    /is not a regular file/,
    "main",
    { [`/repo/.git/${loosePath(A.oid)}`]: { kind: "other" } },
  ],
  [
    "an object that is a link out",
    without(loosePath(A.oid)),
    "OUTSIDE_WORKSPACE",
    /leads out of the repository/,
    "main",
    { [`/repo/.git/${loosePath(A.oid)}`]: { link: "/secret/file" } },
  ],
  [
    "a tree that is a file",
    { ...WHOLE, ...referring(A.oid) },
    BROKEN,
    /is a blob, not a tree/,
    "bad",
  ],
  [
    "a tree that is broken",
    { ...WHOLE, ...badTree("100644 a\0short") },
    BROKEN,
    /the tree \w+ is broken/,
    "bad",
  ],
  [
    "a tree without an end of a name",
    { ...WHOLE, ...badTree("100644 aaaa") },
    BROKEN,
    /the tree \w+ is broken/,
    "bad",
  ],
  [
    "a parent that is a tree",
    { ...WHOLE, ...badCommit(`tree ${TREE.oid}\nparent ${TREE.oid}\n\nx`) },
    BROKEN,
    /is a tree, not a commit/,
    "bad~1",
  ],
  [
    "a commit that is broken",
    { ...WHOLE, ...badCommit("nonsense\n\nx") },
    BROKEN,
    /the commit or tag \w+ is broken/,
    "bad",
  ],
  [
    "a commit with a short tree",
    { ...WHOLE, ...badCommit("tree abc\n\nx") },
    BROKEN,
    /the commit or tag \w+ is broken/,
    "bad",
  ],
  // Packs.
  [
    "a pack that is empty",
    { ...changed("pack", () => new Uint8Array(0)) },
    BROKEN,
    /"pack\/pack-1.pack" ends too early/,
  ],
  [
    "a pack that is not a pack",
    changed("pack", (bytes) => put(bytes, 0, 0)),
    BROKEN,
    /"pack\/pack-1.pack" is not a pack/,
  ],
  [
    "a pack of another version",
    changed("pack", (bytes) => put(bytes, 7, 4)),
    BROKEN,
    /is not a pack/,
  ],
  [
    "a pack with another count",
    changed("pack", (bytes) => put(bytes, 11, 9)),
    BROKEN,
    /has another count/,
  ],
  [
    "a pack that is truncated",
    changed("pack", (bytes) => bytes.subarray(0, -25)),
    BROKEN,
    /ends too early/,
  ],
  [
    "a pack that is gone",
    without("objects/pack/pack-1.pack", packed([A])),
    BROKEN,
    /"pack\/pack-1.pack" is gone/,
  ],
  [
    "an index that is empty",
    changed("idx", () => new Uint8Array(0)),
    BROKEN,
    /"pack\/pack-1.idx" ends too early/,
  ],
  [
    "an index of version 1",
    changed("idx", (bytes) => bytes.fill(0, 0, 8)),
    "IO ENOTSUP",
    /is not an index of version 2/,
  ],
  [
    "an index of version 3",
    changed("idx", (bytes) => put(bytes, 7, 3)),
    BROKEN,
    /has no known version/,
  ],
  [
    "an index whose counts fall",
    changed("idx", (bytes) => put(bytes, FANOUT_AT, 9, 9, 9, 9)),
    BROKEN,
    /do not fit together/,
  ],
  [
    "an index that says to be huge",
    changed("idx", (bytes) => bytes.fill(0xff, FANOUT_AT, NAMES_AT)),
    BROKEN,
    /do not fit together/,
  ],
  [
    "an index that is truncated",
    changed("idx", (bytes) => bytes.subarray(0, -4)),
    BROKEN,
    /ends too early|do not fit together/,
  ],
  [
    "an index that is a FIFO",
    without("objects/pack/pack-1.idx", packed([A])),
    BROKEN,
    /is not a regular file/,
    "main",
    { "/repo/.git/objects/pack/pack-1.idx": { kind: "other" } },
  ],
  [
    "a pack that is a link out",
    without("objects/pack/pack-1.pack", packed([A])),
    "OUTSIDE_WORKSPACE",
    /leads out/,
    "main",
    { "/repo/.git/objects/pack/pack-1.pack": { link: "/secret/file" } },
  ],
  [
    "an index that swaps blobs",
    swapped(),
    BROKEN,
    /the content of the object \w+ has another hash/,
  ],
  [
    "an offset past the end",
    packed([A], { offsets: { 0: 4000 } }),
    BROKEN,
    /lies outside of it/,
  ],
  [
    "an offset in the head",
    packed([A], { offsets: { 0: 4 } }),
    BROKEN,
    /lies outside of it/,
  ],
  [
    "a long offset past the end",
    packed([A], { offsets: { 0: 2 ** 52 }, long: true }),
    BROKEN,
    /lies outside of it/,
  ],
  [
    "a long offset that the index lacks",
    packed([A], { offsets: { 0: 2 ** 31 + 5 } }),
    BROKEN,
    /names an offset that it lacks/,
  ],
  [
    "an entry of no type",
    packed([A], { types: { 0: 5 } }),
    BROKEN,
    /the object at 12 of "pack\/pack-1" is broken/,
  ],
  [
    "an entry of another type",
    packed([A], { types: { 0: 2 } }),
    BROKEN,
    /has another hash/,
  ],
  [
    "an entry of another size",
    packed([A], { sizes: { 0: 5 } }),
    BROKEN,
    /the object at 12 of "pack\/pack-1" is broken/,
  ],
  [
    "an entry that says to be huge",
    packed([A], { sizes: { 0: 2 ** 40 } }),
    "TOO_LARGE",
    /1099511627776 bytes exceed/,
  ],
  [
    "a large entry that ends too early",
    packed([A], { sizes: { 0: 9_000_000 } }),
    BROKEN,
    /ends too early/,
  ],
  [
    "a bomb in a pack",
    packed([A], { data: { 0: deflated(ZEROS) } }),
    BROKEN,
    /is broken/,
  ],
  [
    "a bomb in a pack that tells its size",
    packed([A], { data: { 0: deflated(ZEROS) }, sizes: { 0: ZEROS.length } }),
    BROKEN,
    /has another hash/,
  ],
  [
    "a large entry that is longer than its size",
    packed([A], { data: { 0: deflated(ZEROS) }, sizes: { 0: 9_000_000 } }),
    BROKEN,
    /longer than its size/,
  ],
  // Deltas.
  [
    "a delta that is based on itself",
    packed([{ oid: A.oid, delta: DELTA, base: A.oid }]),
    BROKEN,
    /are based on each other/,
  ],
  [
    "deltas that are based on each other",
    packed([{ oid: BASE.oid, delta: DELTA, base: A.oid }, {
      oid: A.oid,
      delta: DELTA,
      base: BASE.oid,
    }]),
    BROKEN,
    /are based on each other/,
  ],
  [
    "a delta without a base",
    packed([{ oid: A.oid, delta: DELTA, base: BASE.oid }]),
    BROKEN,
    /the base of a delta, is not in its pack/,
  ],
  [
    "a delta that is its own base by offset",
    packed([BASE, { oid: CHANGED.oid, delta: DELTA, base: 1 }], {
      backs: { 1: 0 },
    }),
    BROKEN,
    /is broken/,
  ],
  [
    "a delta whose base lies before the pack",
    packed([BASE, { oid: CHANGED.oid, delta: DELTA, base: 1 }], {
      backs: { 1: 1_000_000 },
    }),
    BROKEN,
    /lies outside of it/,
  ],
  [
    "a delta whose base is no entry",
    packed([BASE, { oid: CHANGED.oid, delta: DELTA, base: 1 }], {
      backs: { 1: 9 },
    }),
    BROKEN,
    /is broken|has another hash|lies outside|copies what/,
  ],
  [
    "a delta for another base",
    packed([A, { oid: CHANGED.oid, delta: DELTA, base: 1 }]),
    BROKEN,
    /is for a base of another size/,
  ],
  [
    "a delta that copies past its base",
    packed([BASE, {
      oid: CHANGED.oid,
      delta: deltaOf(500, 504, copyStep(1, 500)),
      base: 1,
    }]),
    BROKEN,
    /copies what its base does not have/,
  ],
  [
    "a delta that gives too little",
    packed([BASE, {
      oid: CHANGED.oid,
      delta: deltaOf(500, 504, copyStep(0, 500)),
      base: 1,
    }]),
    BROKEN,
    /gives fewer bytes/,
  ],
  [
    "a delta that gives too much",
    packed([BASE, {
      oid: CHANGED.oid,
      delta: deltaOf(500, 400, copyStep(0, 500)),
      base: 1,
    }]),
    BROKEN,
    /gives more bytes/,
  ],
  [
    "a delta with an unknown instruction",
    packed([BASE, {
      oid: CHANGED.oid,
      delta: deltaOf(500, 504, Uint8Array.of(0)),
      base: 1,
    }]),
    BROKEN,
    /unknown instruction/,
  ],
  [
    "a delta that ends in an insertion",
    packed([BASE, {
      oid: CHANGED.oid,
      delta: deltaOf(500, 504, Uint8Array.of(9, 1)),
      base: 1,
    }]),
    BROKEN,
    /ends in an insertion/,
  ],
  [
    "a delta that ends in an instruction",
    packed([BASE, {
      oid: CHANGED.oid,
      delta: deltaOf(500, 504, Uint8Array.of(0xff, 1)),
      base: 1,
    }]),
    BROKEN,
    /copies what its base does not have/,
  ],
  [
    "a delta that ends in its sizes",
    packed([BASE, { oid: CHANGED.oid, delta: Uint8Array.of(0xff), base: 1 }]),
    BROKEN,
    /ends in its sizes/,
  ],
  [
    "a delta of another content",
    packed([BASE, {
      oid: CHANGED.oid,
      delta: deltaOf(500, 504, copyStep(0, 500), insertStep("less")),
      base: 1,
    }]),
    BROKEN,
    /has another hash/,
  ],
  [
    "a delta that says to give a huge file",
    packed([BASE, {
      oid: CHANGED.oid,
      delta: deltaOf(500, 2 ** 45, copyStep(0, 500)),
      base: 1,
    }]),
    "TOO_LARGE",
    /35184372088832 bytes exceed/,
  ],
  [
    "a delta that says to give a large file",
    packed([BASE, {
      oid: CHANGED.oid,
      delta: deltaOf(500, 9_000_000, copyStep(0, 500)),
      base: 1,
    }]),
    BROKEN,
    /gives fewer bytes/,
  ],
  [
    "deltas that double a file a little",
    packed(doubling(10)),
    BROKEN,
    /has another hash/,
  ],
  [
    "deltas that double a file much",
    packed(doubling(22)),
    "IO ENOTSUP",
    /divide a file into more than 200000 parts/,
  ],
  [
    "deltas that double a file without end",
    packed(doubling(40)),
    "TOO_LARGE",
    /exceed the limit of 1073741824 bytes/,
  ],
];

function without(path: string, files: GitFiles = WHOLE): GitFiles {
  const { [path]: _, ...others } = files;
  return others;
}

/** A branch `bad` with a commit of this tree. */
function referring(tree: string): GitFiles {
  const commit = commitOf(tree);
  return { ...looseFiles([commit]), "refs/heads/bad": commit.oid };
}

function badTree(content: string): GitFiles {
  const tree = objectOf("tree", content);
  return { ...looseFiles([tree]), ...referring(tree.oid) };
}

function badCommit(content: string): GitFiles {
  const commit = objectOf("commit", content);
  return { ...looseFiles([commit]), "refs/heads/bad": commit.oid };
}

/** The code of a failure, with that of the system. */
function codeOf(error: ReadFileError): string {
  return error.is("IO") ? `IO ${error.details.errno}` : error.code;
}

describe("gitFs() of a bad repository", () => {
  it("reads the good one that the bad ones are made from", async () => {
    assertEquals(await readA(WHOLE), "hello\n");
    assertEquals(await readA(packed([A])), "hello\n");
    const chain = [BASE, { oid: CHANGED.oid, delta: DELTA, base: 1 }];
    assertEquals(await readA(packed(chain)), "base ".repeat(20));
    const byHash = [{ oid: CHANGED.oid, delta: DELTA, base: BASE.oid }, BASE];
    const files = packed(byHash, {}, CHANGED.oid);
    assertEquals(await readA(files), "base ".repeat(20));
    assertEquals(await readA(packed([A], { long: true })), "hello\n");
  });
  for (const [what, files, code, says, rev, others] of ROWS) {
    it(`answers ${what} with ${code}`, async () => {
      const answer = await readA(files, rev, others);
      assert(answer instanceof ReadFileError, String(answer));
      assertEquals(codeOf(answer), code, answer.message);
      assertMatch(answer.message, says);
      assertMatch(answer.message, /^Cannot (open the revision|read) "/);
    });
  }
  it("suggests near names", async () => {
    const packedRefs = `${COMMIT.oid} refs/tags/v1.0.2\n^${COMMIT.oid}\n`;
    const files = { ...WHOLE, "packed-refs": packedRefs };
    for (const [rev, meant] of [["mian", "main"], ["v1.0.3", "v1.0.2"]]) {
      const answer = await readA(files, rev);
      assert(answer instanceof ReadFileError && answer.is("NOT_FOUND"));
      assertEquals(answer.details.suggestions, [meant!]);
      assertEquals(answer.hint, `did you mean "${meant}"?`);
    }
  });
  it("answers a crowd of alternates", async () => {
    const lines = Array.from({ length: 100 }, (_, at) => `/repo/${at}\n`);
    const path = "objects/info/alternates";
    const answer = await readA({ ...WHOLE, [path]: lines.join("") });
    assert(answer instanceof ReadFileError);
    assertMatch(answer.message, /it has more than 64 alternates/);
  });
  it("opens few of many packs at a time", async () => {
    const files: GitFiles = { ...WHOLE };
    for (let at = 0; at < 100; at++) {
      const other = objectOf("blob", `other ${at}`);
      Object.assign(files, packFiles(packOf([other]), `pack-${at}`));
    }
    let open = 0;
    let most = 0;
    const memory = memoryRepository(files);
    const counting: FsPort = {
      ...memory,
      async open(path) {
        const handle = await memory.open(path);
        most = Math.max(most, ++open);
        return { ...handle, close: () => void open-- };
      },
    };
    const fs = await gitFs({ repository: "/repo", rev: "main", fs: counting });
    const opened = await Promise.all(
      Array.from({ length: 8 }, () => fs.open("/a")),
    );
    for (const handle of opened) {
      const buffer = new Uint8Array(9);
      const count = await handle.read(buffer, 0);
      assertEquals(
        new TextDecoder().decode(buffer.subarray(0, count)),
        "hello\n",
      );
      await handle.close();
    }
    assert(most < 80, `${most} files were open`);
  });
  it("reads another copy of an object that is broken", async () => {
    const files = { ...swapped(), ...looseFiles([objectOf("blob", "two\n")]) };
    assertEquals(await readA(files), "two\n");
    // The size of the other blob is not shown.
    const short = packed([A], { sizes: { 0: 5 } });
    assertEquals(await readA({ ...short, ...looseFiles([A]) }), "hello\n");
    const pack = changed("pack", (bytes) => bytes.fill(0, 12));
    assertEquals(await readA({ ...pack, ...looseFiles([A]) }), "hello\n");
  });
  it("leaves out names that lead elsewhere", async () => {
    const names = ["..", ".", "", "a/b", "../../secret"];
    const entries = [...names, "a"].map((name) => ({
      name,
      mode: "100644",
      oid: A.oid,
    }));
    const tree = treeOf(entries);
    const files = { ...looseFiles([A, tree]), ...referring(tree.oid) };
    const fs = memoryRepository({ ...WHOLE, ...files });
    const port = await gitFs({ repository: "/repo", rev: "bad", fs });
    assertEquals(await port.list!("/", Infinity), [{
      name: "a",
      kind: "file",
    }]);
  });
});
