/** Ports that break their promises. */
import type { FileHandle, FsPort } from "../../mod.ts";

/** A function that breaks a port. */
export type Spoil = (fs: FsPort) => FsPort;

/** Changes opened files. */
export function withHandle(
  change: (handle: FileHandle, path: string) => Partial<FileHandle>,
): Spoil {
  return (fs) => ({
    ...fs,
    async open(path) {
      const handle = await fs.open(path);
      return { ...handle, ...change(handle, path) };
    },
  });
}

type List = NonNullable<FsPort["list"]>;

/** Changes listings. */
function withList(change: (list: List) => List): Spoil {
  return (fs) => ({
    ...fs,
    list: change((path, most) => fs.list?.(path, most) ?? []),
  });
}

/** Adds `entries()`, in batches of one. */
function withEntries(change: (list: List) => List): Spoil {
  return (fs) => {
    const list = change((path, most) => fs.list?.(path, most) ?? []);
    return {
      ...fs,
      async *entries(path) {
        for (const entry of await list(path, Infinity)) yield [entry];
      },
    };
  };
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Ports that each break one promise, and the claim that fails. */
export const SPOILT: Readonly<Record<string, readonly [Spoil, string]>> = {
  "ignores the position": [
    withHandle(({ read }) => ({ read: (buffer) => read(buffer, 0) })),
    "read(): reads from the given position",
  ],
  "keeps its own position": [
    withHandle(({ read }) => {
      let at = 0;
      return {
        async read(buffer) {
          const count = await read(buffer, at);
          at += count;
          return count;
        },
      };
    }),
    "read(): keeps no position, in one handle or between two",
  ],
  "clears the rest of the buffer": [
    withHandle(({ read }) => ({
      async read(buffer, position) {
        const count = await read(buffer, position);
        buffer.fill(0, count);
        return count;
      },
    })),
    "read(): reads less at the end, and leaves the rest of the buffer alone",
  ],
  "writes beside a part of a buffer": [
    withHandle(({ read }) => ({
      read: (buffer, position) => read(new Uint8Array(buffer.buffer), position),
    })),
    "read(): does not touch what lies beside a part of a buffer",
  ],
  "forgets what lies deep in a file": [
    withHandle(({ read }) => ({
      read: (buffer, position) => position > 1e5 ? 0 : read(buffer, position),
    })),
    "read(): gives the same bytes at any length and position",
  ],
  "fails past the end": [
    withHandle(({ read }) => ({
      read(buffer, position) {
        if (position > 1e9) throw failure("EINVAL");
        return read(buffer, position);
      },
    })),
    "read(): gives 0 at the end and past it",
  ],
  "cuts a position to 32 bits": [
    withHandle(({ read }) => ({
      read: (buffer, position) => read(buffer, position >>> 0),
    })),
    "read(): takes a position of more than 32 bits for what it is",
  ],
  "cuts a position to 31 bits": [
    withHandle(({ read }) => ({
      read: (buffer, position) => read(buffer, position & 0x7fffffff),
    })),
    "read(): takes a position of more than 32 bits for what it is",
  ],
  "reads whichever file was opened last": [
    (fs) => {
      let latest: FileHandle;
      return {
        ...fs,
        async open(path) {
          const handle = await fs.open(path);
          latest = handle;
          const read: FileHandle["read"] = (buffer, position) =>
            latest.read(buffer, position);
          return { ...handle, read };
        },
      };
    },
    "open(): keeps two open files apart",
  ],
  "describes whichever file was opened last": [
    (fs) => {
      let latest: FileHandle;
      return {
        ...fs,
        async open(path) {
          const handle = await fs.open(path);
          latest = handle;
          return { ...handle, stat: () => latest.stat() };
        },
      };
    },
    "open(): keeps two open files apart",
  ],
  "lists all, whatever is enough": [
    withList((list) => (path) => list(path, Infinity)),
    "list(): gives no more than was asked for",
  ],
  "lists less than is enough": [
    withList((list) => (path) => list(path, 1)),
    "list(): names what a directory holds, and its kind",
  ],
  "lists paths instead of names": [
    withList((list) => async (path, most) =>
      (await list(path, most)).map(({ name, kind }) => ({
        name: `${path}/${name}`,
        kind,
      }))
    ),
    "list(): names what a directory holds, and its kind",
  ],
  "lists one name twice": [
    withList((list) => async (path, most) => {
      const entries = await list(path, most);
      return entries.map(() => entries[0]!);
    }),
    "list(): names what a directory holds, and its kind",
  ],
  "lists directories as files": [
    withList((list) => async (path, most) =>
      (await list(path, most)).map(({ name }) => ({ name, kind: "file" }))
    ),
    "list(): names what a directory holds, and its kind",
  ],
  "lists junk": [
    withList(() => () => [null] as never),
    "list(): names what a directory holds, and its kind",
  ],
  "lists in an object": [
    withList(() => () => ({}) as never),
    "list(): names what a directory holds, and its kind",
  ],
  "leaves out an entry of a whole directory": [
    withEntries((list) => (path) => list(path, 2)),
    "entries(): names all that a directory holds, each once",
  ],
  "gives an entry of a whole directory twice": [
    withEntries((list) => async (path, most) => {
      const [first, , ...rest] = await list(path, most);
      return [first!, first!, ...rest];
    }),
    "entries(): names all that a directory holds, each once",
  ],
  "takes a missing directory for an empty one": [
    withEntries((list) => async (path, most) => {
      try {
        return await list(path, most);
      } catch {
        return [];
      }
    }),
    "entries(): fails where there is no directory",
  ],
  "describes an open file by another size": [
    withHandle(({ stat }) => ({
      stat: async () => ({ ...await stat(), size: 0 }),
    })),
    "stat(): agrees with lstat(), and on which file it is",
  ],
  "has one identity for all": [
    (fs) => ({
      ...fs,
      lstat: async (path, role) => ({ ...await fs.lstat(path, role), id: "1" }),
    }),
    "lstat(): gives every file its own identity, and keeps it",
  ],
  "follows the last link": [
    (fs) => ({
      ...fs,
      lstat: async (path, role) => fs.lstat(await fs.realPath(path), role),
    }),
    "lstat(): looks through links on the way, not at the end",
  ],
  "follows a link before it reads it": [
    (fs) => ({
      ...fs,
      readLink: async (path) => {
        await fs.readLink(path);
        return await fs.realPath(path);
      },
    }),
    "readLink(): gives the target as it was written",
  ],
  "fails with ENOENT if the path is not a link": [
    (fs) => ({
      ...fs,
      readLink(path) {
        try {
          return fs.readLink(path);
        } catch {
          throw failure("ENOENT");
        }
      },
    }),
    "readLink(): fails with EINVAL if the path is not a link",
  ],
  "names an open file by the path it was given": [
    withHandle((_, path) => ({ path: () => path })),
    "path(): names what is open by its real path, or not at all",
  ],
  "throws errors without a code": [
    (fs) => ({
      ...fs,
      lstat(path, role) {
        try {
          return fs.lstat(path, role);
        } catch {
          throw new Error("Not found");
        }
      },
    }),
    "lstat(): says ENOENT and ENOTDIR as a disk does",
  ],
  "takes a name for an escape": [
    (fs) => ({ ...fs, open: (path) => fs.open(decodeURIComponent(path)) }),
    'names: takes "%2e%2e" for a name like any other',
  ],
  "makes one spelling of two": [
    (fs) => ({
      ...fs,
      lstat: (path, role) => fs.lstat(path.normalize("NFC"), role),
    }),
    "names: takes two spellings of one letter for two names",
  ],
};
