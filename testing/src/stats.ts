import type { FsPort } from "@agent-tools/read-file";
import {
  BrokenClaim,
  codeOf,
  type DraftCase,
  expect,
  expectCode,
  kindOpened,
  type Lacks,
  show,
  withOpen,
} from "./port_case.ts";

/** The claims about `lstat()` and `stat()`. */
export function statCases(lacks: Lacks): DraftCase[] {
  return [
    {
      name: "lstat(): tells files and directories apart",
      tree: { "a": "x", "d/e/b": "x" },
      async check({ fs, root }) {
        // A port without directories recognizes one only in the role "way".
        const role = lacks.includes("directories") ? "way" : "last";
        for (const name of ["", "/d", "/d/e"]) {
          const { kind } = await fs.lstat(root + name, role);
          expect(`the kind of ${JSON.stringify(name)}`, kind, "directory");
        }
        for (const name of ["/a", "/d/e/b"]) {
          const { kind } = await fs.lstat(root + name);
          expect(`the kind of ${JSON.stringify(name)}`, kind, "file");
        }
      },
    },
    {
      name: "lstat(): recognizes a directory in the path",
      tree: { "d/e/b": "x" },
      async check({ fs, root }) {
        for (const name of ["", "/d", "/d/e"]) {
          const { kind } = await fs.lstat(root + name, "way");
          const what = `the kind of ${JSON.stringify(name)} in the role "way"`;
          expect(what, kind, "directory");
        }
      },
    },
    {
      name: "lstat(): gives the size in bytes, not in characters",
      tree: { "a": "h\u00e9llo" },
      async check({ fs, root }) {
        const { size } = await fs.lstat(`${root}/a`);
        expect("the size of five letters, one of them of two bytes", size, 6);
      },
    },
    {
      name: "stat(): agrees with lstat(), also on the identity of the file",
      tree: { "a": "hello" },
      async check({ fs, root }) {
        const path = `${root}/a`;
        const seen = await fs.lstat(path);
        const opened = await withOpen(fs, path, (handle) => handle.stat());
        for (const fact of ["kind", "size", "id"] as const) {
          expect(`the ${fact} of the open file`, opened[fact], seen[fact]);
        }
        // One of them may be rounded to milliseconds.
        const changed = floor(opened.mtimeMs);
        expect("the mtimeMs of the open file", changed, floor(seen.mtimeMs));
        expect("the type of a file's id", typeof seen.id, "string");
      },
    },
    {
      name: "lstat(): gives every file its own stable identity",
      tree: { "d/a": "x", "d/b": "x", "e/a": "x" },
      async check({ fs, root }) {
        const idOf = async (name: string) =>
          (await fs.lstat(`${root}/${name}`)).id;
        const ids = await Promise.all(["d/a", "d/b", "e/a"].map(idOf));
        expect("the number of different ids", new Set(ids).size, 3);
        expect("the id, on the second call", await idOf("d/a"), ids[0] ?? null);
      },
    },
    {
      name: "open(): opens a directory as a directory, or refuses it",
      tree: { "d/a": "x" },
      async check({ fs, root }) {
        const path = `${root}/d`;
        const kind = await kindOpened(fs, path);
        if (lacks.includes("directories") && kind === "ENOENT") return;
        if (kind === "EISDIR") return;
        expect("the kind of an open directory", kind, "directory");
        await withOpen(fs, path, (handle) => {
          const ask = () => handle.read(new Uint8Array(1), 0);
          return expectCode("read() of a directory", ask, "EISDIR");
        });
      },
    },
  ];
}

function floor(time: number | null): number | null {
  return time === null ? null : Math.floor(time);
}

const LISTED = { "d/a": "x", "d/b": "x", "d/e/c": "x", "d.txt": "x" };

/** The entries of `d` and their kinds. */
const LISTED_KINDS: ReadonlyMap<unknown, string> = new Map(
  Object.entries({ a: "file", b: "file", e: "directory" }),
);

/** The claims about `list()`, if the port has it. */
export function listCases(): DraftCase[] {
  return [
    listCase("gives every entry of a directory once, with its kind", [
      Infinity,
    ]),
    listCase("gives as many entries as are enough", [3, 2, 1]),
    {
      name: "list(): fails for a path that is not a directory",
      tree: LISTED,
      async check({ fs, root }) {
        if (await entriesIn(fs, `${root}/d`, 1) === undefined) return;
        for (const [name, code] of [["x", "ENOENT"], ["d.txt", "ENOTDIR"]]) {
          const ask = () => entriesIn(fs, `${root}/${name}`, 1);
          await expectCode(`list() of "${name}"`, ask, code!);
        }
      },
    },
  ];
}

/** Entries of a directory; `undefined` if the port, or a port that it wraps, cannot list. */
async function entriesIn(
  fs: FsPort,
  path: string,
  most: number,
): Promise<unknown[] | undefined> {
  if (fs.list === undefined) return undefined;
  const entries: unknown[] = [];
  try {
    const listing = await fs.list(path, most);
    const isWhole = Array.isArray(listing);
    const hasBatches = Symbol.asyncIterator in Object(listing);
    if (!isWhole && !hasBatches) {
      const problem = "must give an array, or batches";
      throw new BrokenClaim(`list() ${problem}, and gives ${show(listing)}`);
    }
    const batches = isWhole
      ? [listing]
      : listing as AsyncIterable<readonly unknown[]>;
    for await (const batch of batches) {
      entries.push(...batch);
      if (entries.length >= most) break;
    }
  } catch (error) {
    if (codeOf(error) === "ENOSYS") return undefined;
    throw error;
  }
  return entries;
}

function listCase(name: string, rows: readonly number[]): DraftCase {
  return {
    name: `list(): ${name}`,
    tree: LISTED,
    async check({ fs, root }) {
      for (const most of rows) {
        const entries = await entriesIn(fs, `${root}/d`, most);
        if (entries === undefined) return;
        const wanted = Math.min(most, LISTED_KINDS.size);
        const what = `entries of three, where ${most} are enough`;
        if (entries.length < wanted || most === Infinity) {
          expect(`the number of ${what}`, entries.length, wanted);
        }
        expectListed(what, entries);
      }
    },
  };
}

/** Fails unless these are distinct entries of `d`, with their kinds. */
function expectListed(what: string, entries: readonly unknown[]): void {
  const names = new Set<unknown>();
  for (const entry of entries) {
    const { name, kind } = Object(entry);
    names.add(name);
    const wanted = LISTED_KINDS.get(name);
    if (wanted === undefined) {
      const gives = `gives ${show(name)}`;
      throw new BrokenClaim(`list() must give the names in "d", and ${gives}`);
    }
    expect(`the kind that list() has for ${show(name)}`, kind, wanted);
  }
  expect(`the number of different ${what}`, names.size, entries.length);
}
