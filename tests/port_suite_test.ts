import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FileHandle,
  type FsPort,
  fsPortSuite,
  type MemoryEntry,
  memoryFs,
  type PortLack,
  type PortTree,
} from "../mod.ts";

const ROOT = "/base/ws";

/** What makes a port worse than it was. */
type Spoil = (fs: FsPort) => FsPort;

function planting(spoil: Spoil) {
  return (tree: PortTree) => {
    const files: Record<string, MemoryEntry> = {
      [ROOT]: { kind: "directory" },
    };
    for (const [path, entry] of Object.entries(tree)) {
      files[`${ROOT}/${path}`] = typeof entry === "string" ||
          !entry.link.startsWith("/")
        ? entry
        : { link: ROOT + entry.link };
    }
    return { fs: spoil(memoryFs(files)), root: ROOT };
  };
}

/** The claims that a port does not keep, with what was said of each. */
async function broken(
  spoil: Spoil,
  lacks: readonly PortLack[] = [],
): Promise<Map<string, string>> {
  const failures = new Map<string, string>();
  for (const { name, run } of fsPortSuite(planting(spoil), { lacks })) {
    try {
      await run();
    } catch (error) {
      assert(error instanceof Error);
      failures.set(name, error.message);
    }
  }
  return failures;
}

/** Changes what is opened. */
function withHandle(
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

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Ports that break one promise each, and a claim that says so. */
const SPOILT: Readonly<Record<string, readonly [Spoil, string]>> = {
  "ignores the position": [
    withHandle(({ read }) => ({ read: (buffer) => read(buffer, 0) })),
    "read(): reads from the position it is given",
  ],
  "keeps a position of its own": [
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
    "lstat(): gives every file an identity of its own, and keeps it",
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
  "says ENOENT of what is no link": [
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
    "readLink(): says EINVAL of what is no link",
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

describe("fsPortSuite()", () => {
  it("has nothing to say against a port that keeps its promises", async () => {
    assertEquals(await broken((fs) => fs), new Map());
  });
  for (const [fault, [spoil, claim]] of Object.entries(SPOILT)) {
    it(`notices a port that ${fault}`, async () => {
      const failures = await broken(spoil);
      assert(failures.has(claim), [...failures.keys()].join("\n"));
      assertMatch(failures.get(claim)!, / must | are not those /);
    });
  }
  it("lets fewer bytes come than were asked for", async () => {
    const dribble = withHandle(({ read }) => ({
      read: (buffer, position) => read(buffer.subarray(0, 4096), position),
    }));
    assertEquals(await broken(dribble), new Map());
  });
  it("gives each case a name of its own", () => {
    for (const lacks of [[], ["links"], ["links", "directories"]] as const) {
      const names = fsPortSuite(planting((fs) => fs), { lacks })
        .map(({ name }) => name);
      assertEquals(new Set(names).size, names.length);
    }
  });
  it("asks other questions of who has no links, and not fewer verbs", async () => {
    const lacks = ["links"] as const;
    assertEquals(await broken((fs) => fs, lacks), new Map());
    const claimsALink = await broken(
      (fs) => ({ ...fs, readLink: () => "elsewhere" }),
      lacks,
    );
    assert(claimsALink.has("readLink(): says EINVAL of what is no link"));
  });
  it("still wants ENOENT from who cannot list, when something is opened", async () => {
    const lacks = ["links", "directories"] as const;
    const opensAll = await broken(
      (fs) => ({
        ...fs,
        open: async (path) => {
          try {
            return await fs.open(path);
          } catch {
            return await fs.open("/");
          }
        },
      }),
      lacks,
    );
    assert(opensAll.has("open(): says ENOENT and ENOTDIR as a disk does"));
  });
  it("clears a place away, also after a failure", async () => {
    let cleared = 0;
    const cases = fsPortSuite(() => ({
      fs: memoryFs({}),
      root: "",
      [Symbol.asyncDispose]() {
        cleared++;
        return Promise.resolve();
      },
    }));
    const results = await Promise.allSettled(cases.map(({ run }) => run()));
    assert(results.some(({ status }) => status === "rejected"));
    assertEquals(cleared, cases.length);
  });
});
