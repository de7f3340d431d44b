/** Compares gitFs() with git. */
import { assertEquals } from "@std/assert";
import { type FsPort, openWorkspace, ReadFileError } from "../../../mod.ts";
import { gitFs } from "../../../git/mod.ts";
import { Random } from "../../support/random.ts";
import { CatFile, git, gitText } from "./git.ts";

/** A repository to compare, and the folders that it may name. */
export interface Compared {
  readonly name: string;
  readonly folder: string;
  readonly allow: readonly string[];
}

/** An entry of `git ls-tree`. */
interface Entry {
  readonly mode: string;
  readonly oid: string;
  readonly size: number;
  readonly path: string;
  /** Whether the path is Unicode, and can be asked for. */
  readonly isPath: boolean;
}

async function entriesOf(folder: string, rev: string): Promise<Entry[]> {
  const out = await git(folder, [
    ...["ls-tree", "-r", "-t", "-l", "-z", "--full-tree", rev],
  ]);
  const latin1 = new TextDecoder("latin1").decode(out);
  return latin1.split("\0").filter((line) => line !== "").map((line) => {
    const [, mode, oid, size, name] = /^(\d+) \w+ (\w+) +(\S+)\t([^]*)$/.exec(
      line,
    )!;
    const bytes = bytesOfLatin1(name!);
    const path = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    return {
      mode: mode!,
      oid: oid!,
      size: size === "-" ? 0 : Number(size),
      path,
      isPath: !path.includes("\ufffd"),
    };
  });
}

/** `latin1` of TextDecoder is windows-1252, so its characters are mapped back. */
function bytesOfLatin1(text: string): Uint8Array {
  return Uint8Array.from(text, (unit) => BYTES.get(unit)!);
}

const BYTES = new Map(
  Array.from({ length: 256 }, (_, byte) => [
    new TextDecoder("latin1").decode(Uint8Array.of(byte)),
    byte,
  ]),
);

const KINDS: Readonly<Record<string, string>> = {
  "040000": "directory",
  "100644": "file",
  "100755": "file",
  "120000": "symlink",
  "160000": "other",
};

/** The sums of a comparison. */
export interface Sums {
  readonly revisions: number;
  readonly triples: number;
  readonly links: number;
  readonly directories: number;
}

/** Compares about `triples` windows of files of a repository at random revisions, byte by byte. */
export async function compareFiles(
  { folder, allow }: Compared,
  triples: number,
): Promise<Sums> {
  const random = new Random(20_303);
  const commits = (await gitText(folder, ["rev-list", "--all"])).split("\n");
  using contents = new CatFile(folder, "--batch");
  const sums = { revisions: 0, triples: 0, links: 0, directories: 0 };
  const most = Math.ceil(triples / WINDOWS / FILES);
  const step = Math.max(1, Math.floor(commits.length / most));
  for (let at = 0; sums.triples < triples; at += step) {
    const rev = commits[at % commits.length]!;
    const fs = await gitFs({ repository: folder, rev, allow });
    const entries = await entriesOf(folder, rev);
    sums.revisions++;
    // Every directory of some revisions; listings hold the kinds of all files.
    if (sums.revisions % 10 === 1) {
      sums.directories += await compareListings(fs, entries);
    }
    const links = entries.filter(({ mode }) => mode === "120000");
    for (const { path, oid } of links) {
      const target = new TextDecoder().decode(await contents.content(oid));
      assertEquals(await fs.readLink(`/${path}`), target);
      sums.links++;
    }
    const workspace = await openWorkspace("/", { fs });
    const files = entries.filter(({ mode, isPath }) =>
      mode.startsWith("100") && isPath
    );
    for (let i = 0; i < Math.min(FILES, files.length); i++) {
      const entry = random.pick(files);
      const wanted = await contents.content(entry.oid);
      const stat = await fs.lstat(`/${entry.path}`);
      assertEquals(stat.size, entry.size, `${rev}:${entry.path}`);
      const file = await workspace.open(entry.path);
      for (let j = 0; j < WINDOWS; j++) {
        const [from, to] = windowOf(random, wanted);
        const got = await readPart(file, from, to - from);
        if (!isSame(got, wanted.subarray(from, to))) {
          throw new Error(`${rev}:${entry.path} differs from ${from} to ${to}`);
        }
        sums.triples++;
      }
      await file.close();
    }
  }
  return sums;
}

const WINDOWS = 4;
const FILES = 12;

/** The bytes of some lines, at random. */
function windowOf(random: Random, bytes: Uint8Array): [number, number] {
  const starts = [0];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    starts.push(at + 1);
  }
  const first = random.below(starts.length);
  const last = Math.min(starts.length, first + 1 + random.below(60));
  return [starts[first]!, starts[last] ?? bytes.length];
}

interface Readable {
  read(buffer: Uint8Array, position: number): number | Promise<number>;
}

async function readPart(file: Readable, from: number, length: number) {
  // One byte more, which must not be there at the end.
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const count = await file.read(bytes.subarray(filled), from + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

function isSame(one: Uint8Array, two: Uint8Array): boolean {
  return one.length === two.length && one.every((byte, at) => byte === two[at]);
}

/** Compares the listing of each directory; gives their number. */
async function compareListings(
  fs: FsPort,
  entries: readonly Entry[],
): Promise<number> {
  const wanted = new Map<string, string[]>([["", []]]);
  for (const { path, mode } of entries) {
    const cut = path.lastIndexOf("/");
    const [above, name] = [
      path.slice(0, Math.max(0, cut)),
      path.slice(cut + 1),
    ];
    wanted.get(above)!.push(`${KINDS[mode]} ${name}`);
    if (mode === "040000") wanted.set(path, []);
  }
  for (const [path, names] of wanted) {
    if (path.includes("\ufffd")) continue;
    const listed = await fs.list!(`/${path}`, Infinity);
    if (!Array.isArray(listed)) throw new Error("not an array");
    const got = listed.map(({ name, kind }) => `${kind} ${name}`);
    assertEquals(got.sort(), names.sort());
  }
  return wanted.size;
}

/** Compares what random names of revisions lead to; gives how many were found, and how many not. */
export async function compareRevisions(
  { folder, allow }: Compared,
  count: number,
): Promise<{ readonly found: number; readonly absent: number }> {
  const random = new Random(20_304);
  const refs = (await gitText(folder, [
    ...["for-each-ref", "--format=%(refname)"],
  ])).split("\n");
  const commits = (await gitText(folder, ["rev-list", "--all"])).split("\n");
  const names = [
    ...["HEAD", "@", "main", "nope", "HEAD~0", "v1.0", "tree-tag", "origin"],
    ...refs,
    ...refs.map((ref) => ref.replace(/^refs\/(heads|tags|remotes)\//, "")),
  ];
  const steps = [
    "^",
    "~",
    "^2",
    "^3",
    "^4",
    "~3",
    "~20",
    "^0",
    "^{}",
    "^^",
    "~1",
  ];
  using check = new CatFile(folder, "--batch-check");
  const sums = { found: 0, absent: 0 };
  for (let at = 0; at < count; at++) {
    const commit = random.pick(commits);
    let rev = random.pick([
      random.pick(names),
      commit,
      commit.slice(0, random.from(4, 12)),
      commit.slice(0, random.from(5, 9)).toUpperCase(),
      `v9-3-g${commit.slice(0, 9)}`,
    ]);
    for (let i = random.below(4); i > 0; i--) rev += random.pick(steps);
    const told = await check.check(`${rev}^{tree}`);
    const wanted = /^(\w+) tree \d+$/.exec(told)?.[1];
    let got: string | undefined;
    try {
      const fs = await gitFs({ repository: folder, rev, allow });
      got = String((await fs.lstat("/")).id).split(" ")[0];
    } catch (error) {
      if (!(error instanceof ReadFileError)) throw error;
      if (!/^(NOT_FOUND|INVALID_ARGUMENT)$/.test(error.code)) throw error;
    }
    assertEquals(got, wanted, `${rev}: git says ${told}`);
    if (wanted === undefined) sums.absent++;
    else sums.found++;
  }
  return sums;
}

/** Compares a few lines with what `git show | sed -n` writes; gives the number. */
export async function compareShown(
  { folder, allow }: Compared,
  count: number,
): Promise<number> {
  const random = new Random(20_305);
  const depth = Number(
    await gitText(folder, [
      ...["rev-list", "--count", "--first-parent", "HEAD"],
    ]),
  );
  for (let at = 0; at < count; at++) {
    const rev = `HEAD~${random.below(depth)}`;
    const files = (await entriesOf(folder, rev)).filter(({ mode, isPath }) =>
      mode.startsWith("100") && isPath
    );
    const { path } = random.pick(files);
    const first = random.from(1, 40);
    const shell = new Deno.Command("sh", {
      args: ["-c", 'git -C "$1" show "$2" | LC_ALL=C sed -n "$3p"', "sh"]
        .concat(
          [folder, `${rev}:${path}`, `${first},${first + 9}`],
        ),
    });
    const { stdout } = await shell.output();
    const fs = await gitFs({ repository: folder, rev, allow });
    const handle = await fs.open(`/${path}`);
    const { size } = await handle.stat();
    const bytes = await readPart(handle, 0, size);
    await handle.close();
    const lines = new TextDecoder("latin1").decode(bytes).split(/(?<=\n)/);
    const wanted = new TextDecoder("latin1").decode(stdout);
    assertEquals(lines.slice(first - 1, first + 9).join(""), wanted);
  }
  return count;
}
