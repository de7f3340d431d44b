import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import type { FsPort } from "../../mod.ts";
import { win32Fs } from "../../src/fs/win32.ts";
import { fsPortSuite } from "../suites/fs_port.ts";
import { failure } from "../support/fake_fs.ts";
import { type LayOut, readLayout } from "../support/layout.ts";
import { RUNTIMES, SimulatedNtfs } from "../support/simulated_ntfs.ts";

/** Creates a layout on a simulated disk. */
function onNtfs(runtime: keyof typeof RUNTIMES, later: boolean): LayOut {
  // deno-lint-ignore require-await
  return async (layout) => {
    const spell = (path: string) => path.replaceAll("/", "\\");
    const disk = new SimulatedNtfs([
      "C:\\base\\ws\\",
      ...readLayout(layout).map((entry) => {
        const path = `C:\\base\\${spell(entry.path)}`;
        if (entry.kind === "file") return `${path} = ${entry.text}`;
        if (entry.kind !== "link") return `${path}\\`;
        return `${path} -> ${spell(entry.to.replace("$", "C:/base"))}`;
      }),
    ]);
    return {
      fs: win32Fs(disk.port(RUNTIMES[runtime]!, later)),
      base: "/C:/base",
      root: "/C:/base/ws",
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  };
}

for (const runtime of Object.keys(RUNTIMES)) {
  for (const later of [false, true]) {
    const how = later ? "by promises" : "at once";
    fsPortSuite(
      `win32Fs() in ${runtime}, which answers ${how}`,
      onNtfs(runtime, later),
      { lacks: ["reserved", "backslashes"] },
    );
  }
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | null)?.code;
}

/** The code of a failure, or the answer. */
async function outcome(ask: () => unknown): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    return codeOf(error);
  }
}

/** Names that Win32 reads as something else. */
const REFUSED: readonly string[] = [
  ...Array.from('\\/:*?"<>|', (character) => `a${character}b`).filter((name) =>
    !name.includes("/")
  ),
  ...Array.from({ length: 31 }, (_, at) => `a${String.fromCharCode(at + 1)}`),
  "a\0",
  "a.",
  "a..",
  "a ",
  "a. ",
  "...",
  "..",
  "./x",
  " ",
  "a::$DATA",
  "a:b:$DATA",
  "..\\a",
  ...["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"],
  ...Array.from(
    "0123456789\u00b9\u00b2\u00b3",
    (digit) => [`com${digit}`, `lpt${digit}`],
  ).flat(),
  "NUL",
  "Nul.txt",
  "nul.tar.gz",
  "NUL .txt",
  " nul",
  "CON ",
  "COM\u00b9.log",
];

/** Names that are only themselves. */
const TAKEN: readonly string[] = [
  "a",
  ".a",
  "..a",
  "a..b",
  "a b",
  " a",
  "con-fig",
  "console",
  "nul_",
  "nulx.txt",
  "com",
  "com10",
  "lpt",
  "com\u2074",
  "conin",
  "clock",
  "x.nul",
  "a\x7fb",
  "\u00e9",
  "e\u0301",
  "\ud83d\ude00",
  "a~1",
  "$MFT",
  "%TEMP%",
  "a'b",
  "a;b,c=d+e[f]{g}(h)&i^j!k@l#m`n",
];

describe("win32Fs()", () => {
  const make = () => {
    const lines = TAKEN.map((name) => `C:\\ws\\${name}\\f = x`);
    const disk = new SimulatedNtfs(lines);
    return { disk, fs: win32Fs(disk.port(RUNTIMES["Deno"]!)) };
  };
  const asks = (fs: FsPort, path: string) => [
    () => fs.lstat(path),
    () => fs.readLink(path),
    () => fs.open(path),
    () => fs.realPath(path),
    () => fs.list!(path, Infinity),
  ];
  it("refuses each name that Win32 reads as anything but itself", async () => {
    const { disk, fs } = make();
    for (const name of REFUSED) {
      for (
        const path of [`/C:/ws/${name}`, `/C:/ws/${name}/f`, `/C:/ws/x/${name}`]
      ) {
        for (const ask of asks(fs, path)) {
          assertEquals(await outcome(ask), "ENOENT", JSON.stringify(path));
        }
      }
    }
    // Only directories above the names were asked for, to tell ENOENT from ENOTDIR.
    const strange = disk.calls.filter((call) =>
      !/^lstat C:\\ws(?:\\x)?$/.test(call)
    );
    assertEquals(strange, []);
    assertEquals([...disk.devices], []);
  });
  it("takes every other name", async () => {
    const { fs } = make();
    for (const name of TAKEN) {
      const { kind } = await fs.lstat(`/C:/ws/${name}/f`);
      assertEquals(kind, "file", name);
    }
  });
  it("refuses a path without a drive, and a server without a share", async () => {
    const { disk, fs } = make();
    for (
      const path of ["/", "/C", "/server", "/c:/ws", "/CC:/ws", "/./C:/ws"]
    ) {
      assertEquals(await outcome(() => fs.lstat(path)), "ENOENT", path);
    }
    assertEquals(disk.calls, []);
  });
  it("takes the path of a root as programs write it", async () => {
    const { fs } = make();
    for (
      const path of [
        "C:\\ws",
        "C:/ws",
        "c:\\WS",
        "\\\\?\\C:\\ws",
        "/C:/ws",
        "/c:/ws",
      ]
    ) {
      assertEquals(await outcome(() => fs.realPath(path)), "/C:/ws", path);
    }
    assertEquals(await fs.realPath("C:\\"), "/C:");
  });
  it("gives a share in the form of the core", async () => {
    const disk = new SimulatedNtfs(["\\\\host\\share\\ws\\a = x"]);
    const fs = win32Fs(disk.port(RUNTIMES["Deno"]!));
    for (const path of ["\\\\host\\share\\ws\\a", "/host/share/ws/a"]) {
      const real = await fs.realPath(path);
      assertEquals(real.toLowerCase(), "/host/share/ws/a");
    }
    assertEquals((await fs.lstat("/host/share/ws/a")).kind, "file");
  });
  it("refuses a root on a volume without a drive letter, and a device", async () => {
    const { fs } = make();
    const disk: FsPort = {
      ...make().disk.port(RUNTIMES["Deno"]!),
      realPath: () => "\\\\?\\Volume{0}\\ws",
    };
    assertEquals(await outcome(() => win32Fs(disk).realPath("x")), "ENOTSUP");
    assertEquals(await outcome(() => fs.realPath("\\\\.\\pipe\\x")), "ENOENT");
  });
  it("gives no time that a proof could rest on", async () => {
    const { fs } = make();
    const stat = await fs.lstat("/C:/ws/a/f");
    const handle = await fs.open("/C:/ws/a/f");
    for (const { ctimeMs } of [stat, await handle.stat()]) {
      assertEquals(ctimeMs, null);
    }
    assertEquals(await handle.path(), undefined);
  });
  it("gives the targets of links in the form of the core, or refuses them", async () => {
    const targets: Readonly<Record<string, unknown>> = {
      "..\\a\\b": "../a/b",
      "a/b": "a/b",
      ".": ".",
      "C:\\ws\\a": "/C:/ws/a",
      "c:\\ws\\a\\": "/C:/ws/a",
      "C:/ws/a//": "/C:/ws/a",
      "\\??\\C:\\ws\\a": "/C:/ws/a",
      "\\\\?\\C:\\ws\\a": "/C:/ws/a",
      "C:\\": "/C:",
      "\\\\host\\share\\a": "/host/share/a",
      "\\\\?\\UNC\\host\\share\\a": "/host/share/a",
      "\\??\\UNC\\host\\share\\a": "/host/share/a",
      "\\ws\\a": "EXDEV",
      "/ws/a": "EXDEV",
      "C:a": "EXDEV",
      "\\\\": "EXDEV",
      "\\\\\\host\\a": "EXDEV",
      "\\\\/host\\a": "EXDEV",
      "C:": "EXDEV",
      "a:b": "EXDEV",
      "a\\b:c": "EXDEV",
      "\\\\?\\Volume{0}\\a": "EXDEV",
      "\\??\\Volume{0}\\a": "EXDEV",
      "\\\\?\\GLOBALROOT\\Device\\a": "EXDEV",
      "\\\\.\\pipe\\a": "EXDEV",
      "\\\\?\\pipe\\a": "EXDEV",
    };
    const lines = Object.keys(targets).map((to, at) =>
      `C:\\ws\\l${at} -> ${to}`
    );
    const disk = new SimulatedNtfs(lines);
    const fs = win32Fs(disk.port(RUNTIMES["Node.js and Bun"]!));
    for (const [at, [to, wanted]] of Object.entries(targets).entries()) {
      assertEquals(
        await outcome(() => fs.readLink(`/C:/ws/l${at}`)),
        wanted,
        to,
      );
    }
    assertEquals([...disk.contacted], []);
  });
  it("says what to do where Deno rounds identities", async () => {
    const disk = new SimulatedNtfs([]);
    const ino = 32n << 48n | 5n;
    disk.plant("C:\\ws\\a = x");
    disk.at("C:\\ws").entries.set("b", {
      name: "b",
      short: undefined,
      node: disk.node({ kind: "file", text: "x", ino }),
    });
    const deno = win32Fs(disk.port(RUNTIMES["Deno"]!), { roundsIds: true });
    const handle = await deno.open("/C:/ws/b");
    const thrown = assertThrows(() => void handle.stat()) as Error & {
      readonly code?: string;
      readonly reason?: string;
    };
    assertEquals([thrown.code, thrown.reason], ["ENOTSUP", "rounded_id"]);
    // Its own names can still be listed and described.
    assertEquals((await deno.lstat("/C:/ws/b")).id, null);
    const known = await (await deno.open("/C:/ws/a")).stat();
    assert(known.id !== null);
    const node = win32Fs(disk.port(RUNTIMES["Node.js and Bun"]!));
    const exact = await (await node.open("/C:/ws/b")).stat();
    assertEquals(exact.id, `7:${ino}`);
  });
  it("keeps the codes of Windows that say what failed", async () => {
    const { disk } = make();
    disk.plant("C:\\ws\\l -> a");
    const port = disk.port(RUNTIMES["Deno"]!);
    const fail = (code: string) => () => {
      throw failure(code);
    };
    for (const code of ["EACCES", "EPERM"]) {
      const fs = win32Fs({ ...port, open: fail(code), readLink: fail(code) });
      assertEquals(await outcome(() => fs.open("/C:/ws/a")), "EISDIR");
      assertEquals(await outcome(() => fs.open("/C:/ws/a/f")), code);
      assertEquals(await outcome(() => fs.readLink("/C:/ws/l")), code);
      assertEquals(await outcome(() => fs.readLink("/C:/ws/a")), "EINVAL");
      assertEquals(await outcome(() => fs.readLink("/C:/ws/a/f")), "EINVAL");
    }
    // Nothing is there below a file, however deep; and below what may not be seen.
    const fs = win32Fs(port);
    for (const path of ["a/f/x", "a/f/x/y", "a/f/x/y/z"]) {
      const code = await outcome(() => fs.lstat(`/C:/ws/${path}`));
      assertEquals(code, "ENOTDIR", path);
    }
    const locked = win32Fs({
      ...port,
      lstat(path) {
        if (path.endsWith("\\x")) throw failure("EACCES");
        return port.lstat(path);
      },
    });
    const lookBelow = () => locked.lstat("/C:/ws/a/f/x/y");
    assertEquals(await outcome(lookBelow), "ENOENT");
    const busy = win32Fs({
      ...port,
      lstat: fail("EBUSY"),
      open: fail("EBUSY"),
    });
    assertEquals(await outcome(() => busy.lstat("/C:/ws/a")), "EBUSY");
    assertEquals(await outcome(() => busy.open("/C:/ws/a")), "EBUSY");
    const { list: _, ...without } = port;
    const listless = win32Fs(without);
    assertEquals(await outcome(() => listless.list!("/C:/ws", 1)), "ENOSYS");
  });
  it("says how Windows spells paths", () => {
    assertEquals(make().fs.spelling, {
      form: "windows",
      hidesLinks: true,
      foldsNames: true,
      nameUnits: "utf-16",
    });
  });
});
