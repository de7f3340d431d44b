/** Attacks on a workspace on a simulated disk of Windows. */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { describe, it } from "node:test";
import {
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
  SECRET_FILES,
  type Workspace,
} from "../../../mod.ts";
import { win32Fs } from "../../../src/fs/win32.ts";
import { RUNTIMES, SimulatedNtfs } from "../../support/simulated_ntfs.ts";
import { DENY, ROWS, SECRETS, TREE } from "../../support/windows_rows.ts";

const OUT = "OUTSIDE_WORKSPACE";
const NO = "POLICY_DENIED";
const BAD = "INVALID_ARGUMENT";
const NONE = "NOT_FOUND";

async function verdictOf(workspace: Workspace, path: string): Promise<string> {
  try {
    const { lines } = await workspace.read(path);
    return lines.map(({ text }) => text).join("\n");
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error;
    const { code, hint, message, details } = error;
    const said = JSON.stringify([message, hint, details]);
    assert(!SECRETS.test(said), said);
    assert(hint !== undefined, said);
    return code;
  }
}

for (const [name, runtime] of Object.entries(RUNTIMES)) {
  const open = async (options: { denied?: "hide"; later?: boolean } = {}) => {
    const { denied = "refuse", later = false } = options;
    const disk = new SimulatedNtfs(TREE);
    const fs = win32Fs(disk.port(runtime, later));
    const root = "C:\\world\\ws";
    const workspace = await openWorkspace(root, { fs, deny: DENY, denied });
    disk.calls.length = 0;
    return { disk, workspace };
  };

  /** Fails if anything but the workspace was asked for. */
  const assertInside = ({ calls, contacted, devices }: SimulatedNtfs) => {
    const strayed = calls.filter((call) =>
      !/^\w+ C:\\world\\ws(?:\\|$)/i.test(call) || /[:~]|\\\.\.?(\\|$)/.test(
          call.slice(call.indexOf(":") + 1),
        ) && !/~+$/.test(call)
    );
    assertEquals([strayed, [...contacted], [...devices]], [[], [], []]);
  };

  describe(`attacks on Windows, as in ${name}`, () => {
    it("are at least 80", () => assert(ROWS.length >= 80));
    for (const [path, verdict] of ROWS) {
      it(`${JSON.stringify(path)} is ${verdict}`, async () => {
        const { disk, workspace } = await open();
        assertEquals(await verdictOf(workspace, path), verdict);
        assertInside(disk);
      });
    }
    it("have the same outcome where the disk answers by promises", async () => {
      const { disk, workspace } = await open({ later: true });
      for (const [path, verdict] of ROWS) {
        assertEquals(await verdictOf(workspace, path), verdict, path);
      }
      assertInside(disk);
    });
    it("tell nothing of hidden files", async () => {
      const { disk, workspace } = await open({ denied: "hide" });
      for (const [path, verdict] of ROWS) {
        const wanted = verdict === NO ? NONE : verdict;
        assertEquals(await verdictOf(workspace, path), wanted, path);
      }
      assertInside(disk);
    });
    it("list nothing from outside, and nothing denied", async () => {
      const { disk, workspace } = await open();
      const listing = await workspace.list(".", { depth: 3 });
      const paths = listing.entries.map((entry) => entry.path);
      assert(paths.includes("src/deep/a.ts"));
      const wrong = paths.filter((path) =>
        /secret|env|key\.txt|private|credentials|outside/.test(path)
      );
      assertEquals(wrong, []);
      for (
        const path of ["..", "..\\out", "src\\..\\..", "C:\\world", "j-out"]
      ) {
        const error = await assertRejects(
          () => workspace.list(path),
          ReadFileError,
        );
        assertEquals(error.code, OUT, path);
      }
      const kindOf = (path: string) =>
        listing.entries.find((entry) => entry.path === path)?.kind;
      assertEquals(["j-vol", "j-out", "src"].map(kindOf), [
        "symlink",
        "symlink",
        "directory",
      ]);
      // Neither can be listed itself.
      for (const path of ["j-vol", "j-volroot", "j-volin"]) {
        const error = await assertRejects(
          () => workspace.list(path),
          ReadFileError,
        );
        assertEquals(error.code, OUT, path);
      }
      assertInside(disk);
    });
    it("narrow to nothing outside", async () => {
      const { workspace } = await open();
      for (const root of ["..\\out", "C:\\world\\out", "j-vol", "j-out"]) {
        const error = await assertRejects(
          () => workspace.narrow({ root }),
          ReadFileError,
        );
        assertEquals(error.code, OUT, root);
      }
      const src = await workspace.narrow({ root: "C:\\WORLD\\ws\\src" });
      assertEquals(await verdictOf(src, "main.ts"), "MAIN");
      assertEquals(await verdictOf(src, "..\\file.txt"), OUT);
      assertEquals(
        await verdictOf(src, "c:\\world\\WS\\SRC\\main.ts"),
        "MAIN",
      );
    });
    it("reach secrets neither below nor above a root", async () => {
      const disk = new SimulatedNtfs([
        "C:\\home\\.ssh\\deploy = DENIED",
        "C:\\home\\a.txt = HOME",
      ]);
      const fs = win32Fs(disk.port(runtime));
      for (const root of ["C:\\home", "C:\\home\\.ssh", "c:/HOME/.SSH"]) {
        const options = { fs, deny: SECRET_FILES };
        const workspace = await openWorkspace(root, options);
        for (const path of ["deploy", ".ssh\\deploy", ".SSH/deploy"]) {
          const verdict = await verdictOf(workspace, path);
          assert([NO, NONE].includes(verdict), `${root} ${path} ${verdict}`);
        }
      }
    });
  });
}

const NODE = RUNTIMES["Node.js and Bun"]!;

describe("a junction that lstat describes as a directory", () => {
  /** A port that believes what lstat says, as the library did. */
  const believing = (fs: FsPort): FsPort => ({
    ...fs,
    realPath: (path) => path.startsWith("/") ? path : fs.realPath(path),
  });
  it("leads out of a workspace that does not ask for real paths", async () => {
    // The control: the real path alone shows such a junction.
    const disk = new SimulatedNtfs(TREE);
    const fs = believing(win32Fs(disk.port(NODE)));
    const workspace = await openWorkspace("C:\\world\\ws", { fs });
    assertEquals(await verdictOf(workspace, "file.txt"), "INSIDE");
    const { lines } = await workspace.read("j-vol\\secret.txt");
    assertEquals(lines[0]?.text, "SECRET");
  });
});

describe("a junction that is swapped during the walk", () => {
  for (const later of [false, true]) {
    it(`is found by the proof, ${later ? "by promises" : "at once"}`, async () => {
      const disk = new SimulatedNtfs([
        "C:\\ws\\d\\a.txt = INSIDE",
        "C:\\out\\a.txt = SECRET",
      ]);
      const folder = disk.at("C:\\ws\\d");
      const junction = disk.node({
        kind: "symlink",
        isJunction: true,
        to: "\\\\?\\Volume{c}\\out",
      });
      const fs = win32Fs(disk.port(NODE, later));
      const workspace = await openWorkspace("C:\\ws", { fs });
      // The walk asks for two real paths, of the directory and of the file. Just for
      // these, the directory is there; lstat() describes what the junction leads to.
      let asked = 0;
      disk.beforeCall = (verb) => {
        const isThere = verb === "realPath" && asked++ < 2;
        disk.replace("C:\\ws\\d", isThere ? folder : junction);
      };
      const told = await verdictOf(workspace, "d\\a.txt");
      assert([OUT, "CHANGED"].includes(told), told);
      assert(asked > 2);
    });
  }
});

describe("the root of a workspace on Windows", () => {
  const rootOf = async (root: string, ...more: readonly string[]) => {
    const disk = new SimulatedNtfs([...TREE, ...more]);
    const workspace = await openWorkspace(root, {
      fs: win32Fs(disk.port(NODE)),
    });
    return workspace.root;
  };
  it("may be written in any form that names a drive or a server", async () => {
    assertEquals(await rootOf("C:\\world\\ws"), "C:/world/ws");
    assertEquals(await rootOf("C:/world/ws/"), "C:/world/ws");
    assertEquals(await rootOf("c:\\WORLD\\ws"), "C:/WORLD/ws");
    assertEquals(await rootOf("\\\\?\\C:\\world\\ws"), "C:/world/ws");
    assertEquals(await rootOf("/C:/world/ws"), "C:/world/ws");
    assertEquals(await rootOf("C:\\"), "C:/");
    assertEquals(await rootOf("..\\world\\ws"), "C:/world/ws");
    assertEquals(await rootOf("\\\\host\\share"), "//host/share");
    const deeper = "\\\\host\\share\\dir\\a = x";
    assertEquals(
      await rootOf("//host/share/dir", deeper),
      "//host/share/dir",
    );
  });
  it("is shown in a form that can be sent back", async () => {
    for (const given of ["C:\\world\\ws", "\\\\host\\share", "C:\\"]) {
      const disk = new SimulatedNtfs(TREE);
      const fs = win32Fs(disk.port(NODE));
      const workspace = await openWorkspace(given, { fs });
      assertEquals(workspace.normalize(workspace.root), ".");
      const again = await openWorkspace(workspace.root, { fs });
      assertEquals(again.root, workspace.root);
    }
    const disk = new SimulatedNtfs(TREE);
    const fs = win32Fs(disk.port(NODE));
    const workspace = await openWorkspace("C:\\world\\ws", { fs });
    const real = await workspace.realPath("l-in");
    assertEquals(real, "C:/world/ws/src/main.ts");
    assertEquals(await verdictOf(workspace, real), "MAIN");
  });
  it("must name its drive or server", async () => {
    for (const root of ["\\world\\ws", "/world/ws"]) {
      const disk = new SimulatedNtfs(TREE);
      const fs = win32Fs(disk.port(NODE));
      const error = await assertRejects(
        () => openWorkspace(root, { fs }),
        ReadFileError,
      );
      assertEquals(error.code, BAD);
      assertStringIncludes(
        error.message,
        "begins at the root of no named drive",
      );
      assertEquals(disk.calls, []);
    }
  });
  it("is refused with what to do on a disk that gives no real paths", async () => {
    const port = new SimulatedNtfs(TREE).port(NODE);
    const disks: readonly FsPort[] = [
      // A RAM disk, as libuv tells it.
      {
        ...port,
        realPath() {
          throw Object.assign(new Error(), { code: "EISDIR" });
        },
      },
      { ...port, realPath: () => "\\\\?\\Volume{c}\\world\\ws" },
    ];
    for (const disk of disks) {
      const error = await assertRejects(
        () => openWorkspace("C:\\world\\ws", { fs: win32Fs(disk) }),
        ReadFileError,
      );
      const { code, message, hint } = error;
      assertEquals([code, message, hint], [
        "IO",
        'Cannot read "C:\\\\world\\\\ws": its disk gives no path from a drive or a server, so nothing on it can be proved to lie inside (ENOTSUP)',
        "open a directory on another disk",
      ]);
    }
  });
  it("has no name that Win32 reads as something else", async () => {
    const roots = ["C:\\world\\ws.", "C:\\NUL", "CON", "src\\NUL", "C:\\a:b"];
    for (const root of [...roots, "\\\\host\\share\\aux"]) {
      const disk = new SimulatedNtfs(TREE);
      const fs = win32Fs(disk.port(RUNTIMES["Deno"]!));
      const error = await assertRejects(
        () => openWorkspace(root, { fs }),
        ReadFileError,
      );
      assertEquals([error.code, disk.calls], [BAD, []], root);
    }
  });
  it("keeps a path from the root of a drive apart from a share", async () => {
    const disk = new SimulatedNtfs(["\\\\host\\share\\ws\\a = UNC"]);
    const fs = win32Fs(disk.port(NODE));
    const workspace = await openWorkspace("\\\\host\\share\\ws", { fs });
    assertEquals(await verdictOf(workspace, "\\\\HOST\\Share\\ws\\a"), "UNC");
    assertEquals(await verdictOf(workspace, "/host/share/ws/a"), OUT);
    assertEquals(await verdictOf(workspace, "\\host\\share\\ws\\a"), OUT);
  });
  it("is compared in any case only where the disk does so", async () => {
    const disk = new SimulatedNtfs([
      "C:\\world\\ws\\a = LOWER",
      "C:\\world\\ws\\A = UPPER",
    ]);
    disk.at("C:\\world").tellsCase = true;
    const other = disk.node({});
    disk.at("C:\\world").entries.set("WS", {
      name: "WS",
      short: undefined,
      node: other,
    });
    const fs = win32Fs(disk.port(NODE));
    const workspace = await openWorkspace("C:\\world\\ws", { fs });
    assertEquals(await verdictOf(workspace, "C:\\world\\ws\\a"), "LOWER");
    // This is another directory.
    assertEquals(await verdictOf(workspace, "C:\\world\\WS\\a"), OUT);
  });
  it("is told from a directory that only rules take for the same", async () => {
    const disk = new SimulatedNtfs([
      "C:\\is\\ws\\a = INSIDE",
      "C:\\\u0131s\\ws\\a = SECRET",
      "C:\\i\u017f\\ws\\a = SECRET",
    ]);
    const fs = win32Fs(disk.port(NODE));
    const workspace = await openWorkspace("C:\\is\\ws", { fs });
    assertEquals(await verdictOf(workspace, "C:\\IS\\Ws\\a"), "INSIDE");
    for (const name of ["\u0131s", "i\u017f"]) {
      assertEquals(await verdictOf(workspace, `C:\\${name}\\ws\\a`), OUT);
    }
  });
  it("of a narrower workspace is compared in any case only where the disk does so", async () => {
    const disk = new SimulatedNtfs(["C:\\ws\\cs\\"]);
    disk.at("C:\\ws\\cs").tellsCase = true;
    disk.plant("C:\\ws\\cs\\a\\f = LOWER");
    disk.plant("C:\\ws\\cs\\A\\f = UPPER");
    disk.plant("C:\\ws\\cs\\b\\f = OTHER");
    disk.plant("C:\\ws\\cs\\B -> \\\\host\\share");
    const fs = win32Fs(disk.port(NODE));
    const wide = await openWorkspace("C:\\ws", { fs });
    const lower = await wide.narrow({ root: "cs\\a" });
    assertEquals(await verdictOf(lower, "C:\\ws\\cs\\a\\f"), "LOWER");
    assertEquals(await verdictOf(lower, "C:\\ws\\cs\\A\\f"), OUT);
    const other = await wide.narrow({ root: "cs\\b" });
    assertEquals(await verdictOf(other, "C:\\ws\\cs\\B\\f"), OUT);
    const whole = await wide.narrow({ root: "CS" });
    assertEquals(await verdictOf(whole, "c:\\WS\\cs\\B"), OUT);
    const same = await whole.narrow({ root: "." });
    assertEquals(await verdictOf(same, "c:\\WS\\CS\\b\\f"), "OTHER");
    assertEquals(await verdictOf(whole, "c:\\WS\\Cs\\b\\f"), "OTHER");
    assertEquals([...disk.contacted], []);
  });
  it("is compared exactly where no other spelling may be asked for", async () => {
    const disk = new SimulatedNtfs(TREE);
    const fs = win32Fs(disk.port(NODE));
    const exact = { ...fs, spelling: { ...fs.spelling, foldsNames: false } };
    const workspace = await openWorkspace("C:\\world\\ws", { fs: exact });
    assertEquals(await verdictOf(workspace, "c:/world/ws/file.txt"), "INSIDE");
    assertEquals(await verdictOf(workspace, "C:\\WORLD\\ws\\file.txt"), OUT);
    const asked = disk.calls.filter((call) => /WORLD/.test(call));
    assertEquals(asked, []);
  });
  it("is compared exactly where another spelling may not be read", async () => {
    const disk = new SimulatedNtfs(TREE);
    const fs = win32Fs(disk.port(NODE));
    const strict = {
      ...fs,
      lstat(path: string) {
        if (!/WORLD/.test(path)) return fs.lstat(path);
        throw Object.assign(new Error("denied"), { name: "NotCapable" });
      },
    };
    const workspace = await openWorkspace("C:\\world\\ws", { fs: strict });
    assertEquals(await verdictOf(workspace, "file.txt"), "INSIDE");
    assertEquals(await verdictOf(workspace, "C:\\WORLD\\ws\\file.txt"), OUT);
  });
});

describe("hints on Windows", () => {
  it("take a path from the root of the drive for one from the root", async () => {
    const disk = new SimulatedNtfs(TREE);
    const fs = win32Fs(disk.port(NODE));
    const workspace = await openWorkspace("C:\\world\\ws", { fs });
    for (const path of ["\\src\\main.ts", "/src/main.ts"]) {
      const error = await assertRejects(
        () => workspace.read(path),
        ReadFileError,
      );
      assertEquals(error.hint, 'drop the slash: ask for "src/main.ts"');
    }
  });
});

describe("names on Windows", () => {
  it("are as long as NTFS allows, in UTF-16", async () => {
    const cjk = "\u6f22".repeat(255);
    const pairs = "\ud83d\ude00".repeat(127);
    const disk = new SimulatedNtfs([
      `C:\\ws\\${cjk} = CJK`,
      `C:\\ws\\${pairs} = PAIRS`,
    ]);
    const fs = win32Fs(disk.port(NODE));
    const workspace = await openWorkspace("C:\\ws", { fs });
    assertEquals(await verdictOf(workspace, cjk), "CJK");
    assertEquals(await verdictOf(workspace, pairs), "PAIRS");
    const error = await assertRejects(
      () => workspace.read(`${cjk}x`),
      ReadFileError,
    );
    const problem = "has a name longer than 255 code units of UTF-16";
    assertStringIncludes(error.message, problem);
  });
  it("are found in each case that the disk takes for the same", async () => {
    const disk = new SimulatedNtfs([
      "C:\\ws\\\u03bf\u03b4\u03cc\u03c2\\\u0434\u0436 = INSIDE",
    ]);
    const fs = win32Fs(disk.port(NODE));
    const workspace = await openWorkspace("C:\\ws", { fs });
    const path = "\u039f\u0394\u038c\u03a3\\\u0414\u0416";
    assertEquals(await verdictOf(workspace, path), "INSIDE");
  });
  it("that are hidden are asked for by as long a name", async () => {
    const disk = new SimulatedNtfs(["C:\\ws\\a = x"]);
    const fs = win32Fs(disk.port(NODE));
    const cjk = "\u6f22".repeat(200);
    const options = { fs, deny: [cjk], denied: "hide" } as const;
    const workspace = await openWorkspace("C:\\ws", options);
    assertEquals(await verdictOf(workspace, cjk), NONE);
    const asked = disk.calls.filter((call) => call.includes("~"));
    assertEquals(new Set(asked), new Set([`lstat C:\\ws\\${"~".repeat(200)}`]));
  });
  it("in a directory that tells case are those of the disk", async () => {
    const disk = new SimulatedNtfs(["C:\\ws\\cs\\"]);
    disk.at("C:\\ws\\cs").tellsCase = true;
    disk.plant("C:\\ws\\cs\\a = LOWER");
    disk.plant("C:\\ws\\cs\\A = UPPER");
    const fs = win32Fs(disk.port(NODE));
    const workspace = await openWorkspace("C:\\ws", { fs });
    assertEquals(await verdictOf(workspace, "cs\\a"), "LOWER");
    assertEquals(await verdictOf(workspace, "cs\\A"), "UPPER");
    // A rule still denies both.
    const strict = await openWorkspace("C:\\ws", { fs, deny: ["cs/a"] });
    assertEquals(await verdictOf(strict, "cs\\A"), NO);
  });
  it("that Deno rounds are refused with what to do", async () => {
    const disk = new SimulatedNtfs(["C:\\ws\\"]);
    disk.at("C:\\ws").entries.set("a", {
      name: "a",
      short: undefined,
      node: disk.node({ kind: "file", text: "x", ino: 40n << 48n }),
    });
    const port = disk.port(RUNTIMES["Deno"]!);
    const fs = win32Fs(port, { roundsIds: true });
    const workspace = await openWorkspace("C:\\ws", { fs });
    const error = await assertRejects(() => workspace.read("a"), ReadFileError);
    const { code, message, hint } = error;
    assertEquals([code, message, hint], [
      "IO",
      'Cannot read "a": Deno rounds its identity on this disk, so it cannot be proved to lie inside (ENOTSUP)',
      "run the program in Node.js or Bun, which give identities exactly",
    ]);
    const { entries } = await workspace.list(".");
    assertEquals(entries.map(({ path }) => path), ["a"]);
  });
});

describe("rules on Windows", () => {
  it("that are in no path are refused with what to write instead", async () => {
    const disk = new SimulatedNtfs(TREE);
    const fs = win32Fs(disk.port(NODE));
    const drops =
      "has a name that ends with a dot or a blank, which Windows drops; name the file without it";
    const stream =
      'has a name with ":", which stands for a stream of a file; name the file without ":" and what follows it';
    const forbidden =
      "has a name with a character that Windows allows in none; check the spelling, or list the directory";
    const drive = "begins with a drive; write it from the root";
    const short =
      "has a short name, which is always denied, and does not deny the long one; write the long one";
    const globs: Readonly<Record<string, string>> = {
      "C:/world/ws/private/**": drive,
      "c:/world/**": drive,
      "private./**": drops,
      "private /*": drops,
      "**/key.": drops,
      "**/*.": drops,
      "{a,key.}/b": drops,
      "!private./a": drops,
      "file.txt:hidden": stream,
      "file.txt::$DATA": stream,
      "*:*": stream,
      'a"b': forbidden,
      "a<": forbidden,
      "a|b": forbidden,
      "PRIVAT~1/**": short,
      "**/creden~1.jso": short,
      "%USERPROFILE%/x":
        "begins with %USERPROFILE%, which only a shell expands; write it from the root",
    };
    for (const [glob, problem] of Object.entries(globs)) {
      const error = await assertRejects(
        () => openWorkspace("C:\\world\\ws", { fs, deny: ["x", glob] }),
        TypeError,
      );
      const shown = JSON.stringify(glob);
      assertEquals(
        error.message,
        `Cannot deny paths: the glob ${shown} ${problem}`,
      );
    }
    // Wildcards may stand for anything, and a device is refused anyway.
    const deny = [
      "**/*~[0-9]*",
      "a*",
      "b?",
      "[.]c",
      "nul",
      "{d,e}.*",
      "LONG*~1",
    ];
    const workspace = await openWorkspace("C:\\world\\ws", { fs, deny });
    assertEquals(await verdictOf(workspace, "file.txt"), "INSIDE");
    // Elsewhere, these names are themselves.
    for (
      const glob of Object.keys(globs).filter((glob) => /^[a-z]/.test(glob))
    ) {
      const files = { "/ws/a": "x" };
      await openWorkspace("/ws", { fs: memoryFs(files), deny: [glob] });
    }
  });
  it("of a narrower workspace deny all that is reached by a short name", async () => {
    const disk = new SimulatedNtfs([
      "C:\\home\\.ssh\\ (SSH~1)",
      "C:\\home\\.ssh\\deploy = DENIED",
      "C:\\home\\.ssh\\sub\\deploy = DENIED",
      "C:\\home\\l -> SSH~1",
    ]);
    const fs = win32Fs(disk.port(NODE));
    const wide = await openWorkspace("C:\\home", { fs });
    const short = await wide.narrow({ root: "SSH~1" });
    // The control: without rules, the short name is as good as the long one.
    assertEquals(await verdictOf(short, "deploy"), "DENIED");
    const tries: readonly (readonly [Workspace, string])[] = [
      [wide, "SSH~1"],
      [wide, "l"],
      [wide, "SSH~1\\sub"],
      [short, "."],
      [short, "sub"],
    ];
    for (const [workspace, root] of tries) {
      for (const [denied, code] of [["refuse", NO], ["hide", NONE]] as const) {
        const error = await assertRejects(
          () => workspace.narrow({ root, deny: SECRET_FILES, denied }),
          ReadFileError,
        );
        assertEquals(error.code, code, root);
      }
      await workspace.narrow({ root });
    }
    // A root may have such a name of its own.
    const own = new SimulatedNtfs(["C:\\own~1\\sub\\a = INSIDE"]);
    const root = await openWorkspace("C:\\own~1", {
      fs: win32Fs(own.port(NODE)),
    });
    const sub = await root.narrow({ root: "sub", deny: ["x"] });
    assertEquals(await verdictOf(sub, "a"), "INSIDE");
  });
  it("with a backslash are refused with the form that denies", async () => {
    const disk = new SimulatedNtfs(TREE);
    const fs = win32Fs(disk.port(NODE));
    const globs: Readonly<Record<string, string>> = {
      "private\\**": '"private/**"',
      "private\\*": '"private/*"',
      "**\\.env": '"**/.env"',
      "sub\\.env": '"sub/.env"',
      "private\\k": '"private/k"',
      "src\\[id]": '"src/[id]"',
      "!src\\a.ts": '"!src/a.ts"',
    };
    for (const [glob, meant] of Object.entries(globs)) {
      const error = await assertRejects(
        () => openWorkspace("C:\\world\\ws", { fs, deny: ["x", glob] }),
        TypeError,
      );
      assertEquals(
        error.message,
        `Cannot deny paths: the glob ${
          JSON.stringify(glob)
        } has a "\\"; write ${meant}, or a class such as [[] for a character`,
      );
    }
  });
  it("may name a bracket by a class", async () => {
    const disk = new SimulatedNtfs(["C:\\ws\\[id].ts = x", "C:\\ws\\i.ts = y"]);
    const fs = win32Fs(disk.port(NODE));
    const options = { fs, deny: ["[[]id].ts"] };
    const workspace = await openWorkspace("C:\\ws", options);
    assertEquals(await verdictOf(workspace, "[id].ts"), NO);
    assertEquals(await verdictOf(workspace, "i.ts"), "y");
  });
});
