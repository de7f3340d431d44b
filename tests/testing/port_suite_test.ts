import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { type FsPort, type MemoryFiles, memoryFs } from "../../mod.ts";
import {
  fsPortSuite,
  type PortLack,
  type PortTree,
} from "../../testing/mod.ts";
import { type Spoil, SPOILT, withHandle } from "../support/spoilt_ports.ts";

const ROOT = "/base/ws";

function planting(spoil: Spoil) {
  return (tree: PortTree) => {
    const files: Record<string, MemoryFiles[string]> = {
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

/** The cases that fail for a port, with their messages. */
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

describe("fsPortSuite()", () => {
  it("takes no feature from Object.prototype as lacking", () => {
    const namesOf = () =>
      fsPortSuite(planting((fs) => fs)).map(({ name }) => name);
    const expected = namesOf();
    const polluted = Object.prototype as Record<string, unknown>;
    try {
      polluted.lacks = ["links"];
      assertEquals(namesOf(), expected);
    } finally {
      delete polluted.lacks;
    }
  });
  it("passes for a correct port", async () => {
    assertEquals(await broken((fs) => fs), new Map());
  });
  for (const [fault, [spoil, claim]] of Object.entries(SPOILT)) {
    it(`detects a port that ${fault}`, async () => {
      const failures = await broken(spoil);
      assert(failures.has(claim), [...failures.keys()].join("\n"));
      assertMatch(failures.get(claim)!, / must | are not those /);
    });
  }
  it("says what a port gives instead of a listing, and how it fails without a code", async () => {
    const listsNull = await broken((fs) => ({
      ...fs,
      list: () => null as never,
    }));
    assertEquals(
      listsNull.get("list(): gives as many entries as are enough"),
      "list() must give an array, or batches, and gives null",
    );
    const throws = await broken((fs) => ({
      ...fs,
      readLink() {
        throw new RangeError("no such link");
      },
    }));
    assertEquals(
      throws.get("readLink(): fails with EINVAL if the path is not a link"),
      'readLink() of "d", which is not a link, must fail with the code "EINVAL", and fails with "RangeError: no such link"',
    );
    assertEquals(
      throws.get("readLink(): gives the target exactly as stored"),
      'The call must not fail, and fails with "RangeError: no such link"',
    );
  });
  it("allows reads that give fewer bytes than requested", async () => {
    const dribble = withHandle(({ read }) => ({
      read: (buffer, position) => read(buffer.subarray(0, 4096), position),
    }));
    assertEquals(await broken(dribble), new Map());
  });
  it("gives each case a unique name", () => {
    for (const lacks of [[], ["links"], ["links", "directories"]] as const) {
      const names = fsPortSuite(planting((fs) => fs), { lacks })
        .map(({ name }) => name);
      assertEquals(new Set(names).size, names.length);
    }
  });
  it("checks other claims of a port without links", async () => {
    const lacks = ["links"] as const;
    assertEquals(await broken((fs) => fs, lacks), new Map());
    const claimsALink = await broken(
      (fs) => ({ ...fs, readLink: () => "elsewhere" }),
      lacks,
    );
    assert(
      claimsALink.has(
        "readLink(): fails with EINVAL if the path is not a link",
      ),
    );
  });
  it("requires ENOENT of open(), also of a port without directories", async () => {
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
    assert(opensAll.has("open(): fails with ENOENT and ENOTDIR like a disk"));
  });
  it("allows ENOENT for a name with a backslash if the port declares this", async () => {
    const lacks = ["backslashes"] as const;
    assertEquals(await broken((fs) => fs, lacks), new Map());
    const refuses = (fs: FsPort): FsPort => ({
      ...fs,
      lstat(path, role) {
        if (!path.includes("\\")) return fs.lstat(path, role);
        throw Object.assign(new Error("ENOENT"), { code: "ENOENT" });
      },
    });
    assertEquals(await broken(refuses, lacks), new Map());
    assertEquals((await broken(refuses)).size, 1);
  });
  it("refuses misspelled options, with which it would make other claims", () => {
    const port = () => ({ fs: memoryFs({}), root: "" });
    const wrong = {
      '"lakcs" is unknown': { lakcs: ["links"] },
      "lacks must be an array": { lacks: ["lnks"] },
      "of links, directories, backslashes": { lacks: "links" },
    };
    for (const [message, options] of Object.entries(wrong)) {
      // Cast, since the types refuse these options, too.
      const make = () => fsPortSuite(port, options as never);
      assertThrows(make, TypeError, message);
    }
  });
  it("disposes of each port, also after a failure", async () => {
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
