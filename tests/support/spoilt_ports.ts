/** Ports that break the promises of `FsPort`. */
import type { FileEntry, FileHandle, FsPort } from "../../mod.ts";
import { listed } from "./listings.ts";

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

type List = (path: string, most: number) => Promise<readonly FileEntry[]>;

/** Changes the listings, and gives them in batches of one. */
function withList(change: (list: List) => List): Spoil {
  return (fs) => ({
    ...fs,
    async *list(path, most) {
      const entries = change((path, most) => listed(fs, path, most));
      for (const entry of await entries(path, most)) yield [entry];
    },
  });
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Ports that each break one promise, and the case that must fail. */
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
    "read(): depends on no earlier read, of this handle or another",
  ],
  "clears the rest of the buffer": [
    withHandle(({ read }) => ({
      async read(buffer, position) {
        const count = await read(buffer, position);
        buffer.fill(0, count);
        return count;
      },
    })),
    "read(): reads less at the end, and leaves the rest of the buffer unchanged",
  ],
  "writes outside the given part of a buffer": [
    withHandle(({ read }) => ({
      read: (buffer, position) => read(new Uint8Array(buffer.buffer), position),
    })),
    "read(): writes only into the given part of a buffer",
  ],
  "reads other bytes deep in a file": [
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
    "read(): supports positions of more than 32 bits",
  ],
  "cuts a position to 31 bits": [
    withHandle(({ read }) => ({
      read: (buffer, position) => read(buffer, position & 0x7fffffff),
    })),
    "read(): supports positions of more than 32 bits",
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
    "open(): keeps two open files separate",
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
    "open(): keeps two open files separate",
  ],
  "lists fewer than the requested number": [
    withList((list) => (path, most) => list(path, Math.min(most - 1, 3))),
    "list(): gives as many entries as are enough",
  ],
  "leaves out an entry of a whole directory": [
    withList((list) => (path, most) => list(path, Math.min(most, 2))),
    "list(): gives every entry of a directory once, with its kind",
  ],
  "lists paths instead of names": [
    withList((list) => async (path, most) =>
      (await list(path, most)).map(({ name, kind }) => ({
        name: `${path}/${name}`,
        kind,
      }))
    ),
    "list(): gives every entry of a directory once, with its kind",
  ],
  "lists one name twice": [
    withList((list) => async (path, most) => {
      const entries = await list(path, most);
      return entries.map(() => entries[0]!);
    }),
    "list(): gives every entry of a directory once, with its kind",
  ],
  "lists a name once more": [
    withList((list) => async (path, most) => {
      const entries = await list(path, most);
      return [...entries, ...entries];
    }),
    "list(): gives every entry of a directory once, with its kind",
  ],
  "lists directories as files": [
    withList((list) => async (path, most) =>
      (await list(path, most)).map(({ name }) => ({ name, kind: "file" }))
    ),
    "list(): gives every entry of a directory once, with its kind",
  ],
  "lists junk": [
    withList(() => () => Promise.resolve([null as never])),
    "list(): gives every entry of a directory once, with its kind",
  ],
  "lists in an object": [
    (fs) => ({ ...fs, list: () => ({}) as never }),
    "list(): gives every entry of a directory once, with its kind",
  ],
  "lists a missing directory as empty": [
    withList((list) => async (path, most) => {
      try {
        return await list(path, most);
      } catch {
        return [];
      }
    }),
    "list(): fails for a path that is not a directory",
  ],
  "gives another size for an open file": [
    withHandle(({ stat }) => ({
      stat: async () => ({ ...await stat(), size: 0 }),
    })),
    "stat(): agrees with lstat(), also on the identity of the file",
  ],
  "gives all files one identity": [
    (fs) => ({
      ...fs,
      lstat: async (path, role) => ({ ...await fs.lstat(path, role), id: "1" }),
    }),
    "lstat(): gives every file its own stable identity",
  ],
  "follows the last link": [
    (fs) => ({
      ...fs,
      lstat: async (path, role) => fs.lstat(await fs.realPath(path), role),
    }),
    "lstat(): follows links in the path, but not the last one",
  ],
  "follows a link before it reads it": [
    (fs) => ({
      ...fs,
      readLink: async (path) => {
        await fs.readLink(path);
        return await fs.realPath(path);
      },
    }),
    "readLink(): gives the target exactly as stored",
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
  "gives the requested path for an open file": [
    withHandle((_, path) => ({ path: () => path })),
    "path(): gives the real path of the open file, or none",
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
    "lstat(): fails with ENOENT and ENOTDIR like a disk",
  ],
  "decodes escapes in names": [
    (fs) => ({ ...fs, open: (path) => fs.open(decodeURIComponent(path)) }),
    'names: treats "%2e%2e" as an ordinary name',
  ],
  "normalizes the spelling of names": [
    (fs) => ({
      ...fs,
      lstat: (path, role) => fs.lstat(path.normalize("NFC"), role),
    }),
    "names: treats two spellings of one letter as two names",
  ],
};
