import { assertEquals, assertLess } from "@std/assert";
import * as nodeFiles from "node:fs";
import process from "node:process";
import { describe, it } from "node:test";
import { type FsPort, nodeFs } from "../../mod.ts";
import { runChild } from "../support/child.ts";
import { onDisk, RUNTIME } from "../support/disk.ts";

/** What the ports say and answer on a system, by its sign. */
function askAs(sign: string, system: string, folder: string) {
  const permissions = ["--allow-all"];
  const { stdout, stderr } = runChild("tests/children/windows.ts", [
    sign,
    system,
    folder,
  ], { permissions });
  assertEquals(stderr, "");
  const outcomes = Object.entries(JSON.parse(stdout));
  assertEquals(outcomes.length, 8);
  return outcomes;
}

/** The signs of a system; each must be enough. */
const SIGNS = RUNTIME === "Deno" ? ["node", "deno"] : ["node"];

for (const sign of SIGNS) {
  describe(`a disk, by the sign of ${sign}`, () => {
    it("is one of Windows on Windows: no port is without its checks", async () => {
      await using place = await onDisk(["ws/a.txt: hello"]);
      for (const [name, outcome] of askAs(sign, "win32", place.root)) {
        assertEquals(outcome, {
          spelling: {
            form: "windows",
            hidesLinks: true,
            foldsNames: true,
            nameUnits: "utf-16",
          },
          lstat: "ENOENT",
          fstat: "ENOENT",
          read: "INVALID_ARGUMENT",
        }, name);
      }
    });
    it("folds names on macOS, and has exact identities", async () => {
      await using place = await onDisk(["ws/a.txt: hello"]);
      const { dev, ino, mtimeNs } = nodeFiles.statSync(`${place.root}/a.txt`, {
        bigint: true,
      });
      const id = `${dev}:${ino}`;
      for (const [name, outcome] of askAs(sign, "darwin", place.root)) {
        const { fstat, ...others } = outcome as {
          readonly fstat: { readonly mtimeMs: number };
        };
        assertEquals<unknown>(others, {
          spelling: { foldsNames: true, nameUnits: "utf-16" },
          lstat: id,
          read: "hello",
        }, name);
        const { mtimeMs, ...facts } = fstat;
        assertEquals<unknown>(facts, { id, size: 5 }, name);
        // Runtimes round times in other ways.
        assertLess(Math.abs(mtimeMs - Number(mtimeNs) / 1e6), 2, name);
      }
    });
  });
}

/** Makes a port as on Windows, over these functions of `node:fs`. */
function portOver(changed: Partial<typeof nodeFiles>): FsPort {
  const { getBuiltinModule, platform } = process;
  const fake = (name: string) =>
    name === "node:fs"
      ? { ...nodeFiles, ...changed }
      : getBuiltinModule.call(process, name);
  const put = (platform: string, getBuiltinModule: unknown) => {
    Object.defineProperty(process, "platform", { value: platform });
    Object.assign(process, { getBuiltinModule });
  };
  put("win32", fake);
  try {
    return nodeFs();
  } finally {
    put(platform, getBuiltinModule);
  }
}

describe("the identity of a file on Windows", () => {
  it("is the same by its path and by its handle, though libuv gives 64 bits of a volume's number by path", async () => {
    await using place = await onDisk(["ws/a.txt: hello"]);
    const stat = nodeFiles.lstatSync(`${place.root}/a.txt`, { bigint: true });
    const withDev = (dev: bigint) => () =>
      Object.assign(Object.create(stat), { dev });
    // As libuv 1.49 and 1.50 do on Windows 11 and Windows Server 2025.
    const fs = portOver({
      lstatSync: withDev(0x1234_5678_9abc_def0n) as typeof nodeFiles.lstatSync,
      fstatSync: withDev(0x9abc_def0n) as typeof nodeFiles.fstatSync,
      openSync: () => 99,
      closeSync: () => {},
    });
    const { id } = await fs.lstat("/C:/ws/a.txt");
    const handle = await fs.open("/C:/ws/a.txt");
    assertEquals((await handle.stat()).id, id);
    assertEquals(id, `${0x9abc_def0n}:${stat.ino}`);
  });
});

describe("a disk on another system", () => {
  it("says nothing of how it spells paths", async () => {
    // The control: what differs above is the system, not the way to ask.
    await using place = await onDisk(["ws/a.txt: hello"]);
    const { dev, ino, mtimeMs } = nodeFiles.statSync(`${place.root}/a.txt`);
    const id = `${dev}:${ino}`;
    for (const [name, outcome] of askAs("none", "", place.root)) {
      const { fstat, ...others } = outcome as {
        readonly fstat: { readonly mtimeMs: number };
      };
      assertEquals<unknown>(others, { lstat: id, read: "hello" }, name);
      assertLess(Math.abs(fstat.mtimeMs - mtimeMs), 2, name);
    }
  });
});
