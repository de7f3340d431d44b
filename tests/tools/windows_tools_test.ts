/** Tools and layers over a simulated disk of Windows. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  createCodexReadFile,
  createSecureTool,
  type FsPort,
  openFile,
  openWorkspace,
  ReadFileError,
  type Workspace,
} from "../../mod.ts";
import { mountFs, overlayFs } from "../../layers/mod.ts";
import { win32Fs } from "../../src/fs/win32.ts";
import { SimulatedApfs } from "../support/simulated_apfs.ts";
import { RUNTIMES, SimulatedNtfs } from "../support/simulated_ntfs.ts";

const TREE = [
  "C:\\ws\\a.txt = one",
  "C:\\ws\\src\\main.ts = MAIN",
  "C:\\ws\\vol => \\\\?\\Volume{c}\\out",
  "C:\\ws\\in => \\\\?\\Volume{c}\\ws\\src",
  "C:\\ws\\link -> C:\\ws\\a.txt",
  "C:\\out\\secret.txt = SECRET",
  "\\\\host\\share\\a.txt = UNC",
];

const disk = () =>
  win32Fs(new SimulatedNtfs(TREE).port(RUNTIMES["Node.js and Bun"]!));

async function textOf(workspace: Workspace, path: string): Promise<string> {
  try {
    const { lines } = await workspace.read(path);
    return lines.map(({ text }) => text).join("\n");
  } catch (error) {
    if (error instanceof ReadFileError) return error.code;
    throw error;
  }
}

describe("createCodexReadFile() on Windows", () => {
  it("takes paths that name a drive or a server", async () => {
    const fs = disk();
    for (const root of ["C:\\ws", "\\\\host\\share"]) {
      const tool = createCodexReadFile(await openWorkspace(root, { fs }));
      const { content } = await tool.call({ file_path: `${root}\\a.txt` });
      assertEquals(content, root === "C:\\ws" ? "L1: one" : "L1: UNC");
    }
    const workspace = await openWorkspace("C:\\ws", { fs });
    const tool = createCodexReadFile(workspace);
    for (const file_path of ["C:/ws/src/main.ts", "c:\\WS\\src\\MAIN.ts"]) {
      assertEquals((await tool.call({ file_path })).content, "L1: MAIN");
    }
    for (const file_path of ["a.txt", "src\\main.ts", "C:a.txt"]) {
      const error = await assertRejects(
        () => tool.call({ file_path }),
        ReadFileError,
        "file_path must be an absolute path",
      );
      const hint =
        "name the file by its whole path, from its drive or server on";
      assertEquals(error.hint, hint);
    }
    const outside = await assertRejects(
      () => tool.call({ file_path: "C:\\out\\secret.txt" }),
      ReadFileError,
    );
    assertEquals(outside.hint, 'name a file below "C:/ws"');
  });
  it("suggests whole paths that can be sent back", async () => {
    const tool = createCodexReadFile(
      await openWorkspace("C:\\ws", { fs: disk() }),
    );
    for (
      const [file_path, meant] of [
        ["C:\\ws\\src\\mian.ts", "C:/ws/src/main.ts"],
        ["C:/ws/src/mian.ts", "C:/ws/src/main.ts"],
      ] as const
    ) {
      const error = await assertRejects(
        () => tool.call({ file_path }),
        ReadFileError,
      );
      assertEquals(error.hint, `did you mean "${meant}"?`);
      assertEquals((await tool.call({ file_path: meant })).content, "L1: MAIN");
    }
  });
});

describe("openFile() on Windows", () => {
  it("takes file: URLs of drives and servers", async () => {
    const fs = disk();
    const local = await openWorkspace("C:\\ws", { fs });
    const url = new URL("file:///C:/ws/src/main.ts");
    assertEquals(await openFile(local, url), "MAIN");
    const share = await openWorkspace("\\\\host\\share", { fs });
    const remote = new URL("file://host/share/a.txt");
    assertEquals(await openFile(share, remote), "UNC");
    const outside = new URL("file://other/share/a.txt");
    await assertRejects(() => openFile(share, outside));
    await assertRejects(() => openFile(local, new URL("file:///C:/out/x")));
  });
});

describe("createSecureTool() on Windows", () => {
  it("keeps a separator at the end, which asks for a directory", async () => {
    const tool = createSecureTool(
      { name: "show", isWriteOp: false, description: "" },
      (_reader, path) => path,
    );
    const workspace = await openWorkspace("C:\\ws", { fs: disk() });
    const paths: Readonly<Record<string, string>> = {
      "src\\main.ts": "src/main.ts",
      "src\\": "src/",
      "src/.": "src/",
      "C:\\WS\\src\\": "src/",
    };
    for (const [given, normalized] of Object.entries(paths)) {
      const result = await tool({ workspace }, given);
      assertEquals(result.status === "success" && result.data, normalized);
    }
  });
});

describe("overlayFs() on Windows", () => {
  it("takes edits by the paths of Windows", async () => {
    for (
      const path of [
        "C:\\ws\\a.txt",
        "C:/ws/a.txt",
        "c:/ws/a.txt",
        "/C:/ws/a.txt",
      ]
    ) {
      const fs = overlayFs(disk(), { [path]: "edited" });
      const workspace = await openWorkspace("C:\\ws", { fs });
      assertEquals(await textOf(workspace, "a.txt"), "edited", path);
      assertEquals(await textOf(workspace, "C:\\ws\\a.txt"), "edited", path);
      assertEquals(
        await textOf(workspace, "..\\out\\secret.txt"),
        "OUTSIDE_WORKSPACE",
      );
      assertEquals(
        await textOf(workspace, "vol\\secret.txt"),
        "OUTSIDE_WORKSPACE",
      );
    }
    for (
      const path of ["ws\\a.txt", "\\ws\\a.txt", "C:\\", "C:a.txt", "\\\\"]
    ) {
      assertThrows(
        () => overlayFs(disk(), { [path]: "x" }),
        TypeError,
        "is not an absolute path",
      );
    }
  });
});

describe("overlayFs() where names differ in no case", () => {
  const textsOf = async (
    fs: FsPort,
    root: string,
    paths: readonly string[],
  ) => {
    const workspace = await openWorkspace(root, { fs });
    return await Promise.all(paths.map((path) => textOf(workspace, path)));
  };
  it("finds an edit by each spelling of its path", async () => {
    const edits = {
      "c:\\WS\\A.txt": "edited",
      "C:\\ws\\SRC\\new.ts": "new",
      "C:\\ws\\Src\\MAIN.ts": null,
    };
    const fs = overlayFs(disk(), edits);
    const paths = [
      "a.txt",
      "A.TXT",
      "src\\new.ts",
      "SRC/NEW.TS",
      "src/main.ts",
    ];
    assertEquals(await textsOf(fs, "C:\\ws", paths), [
      ...["edited", "edited", "new", "new", "NOT_FOUND"],
    ]);
    const workspace = await openWorkspace("C:\\ws", { fs });
    const { entries } = await workspace.list(".");
    const names = entries.map(({ path }) => path.toLowerCase());
    assertEquals(names.filter((name) => name === "a.txt").length, 1);
  });
  it("finds it in each composition on macOS", async () => {
    const lines = ["/ws/caf\u00e9 = saved", "/ws/b = saved"];
    const edits = { "/WS/Cafe\u0301": "edited" };
    const fs = overlayFs(new SimulatedApfs(lines).port(), edits);
    const paths = ["caf\u00e9", "CAFE\u0301", "b"];
    const texts = await textsOf(fs, "/ws", paths);
    assertEquals(texts, ["edited", "edited", "saved"]);
  });
  it("tells two files apart where the disk does", async () => {
    const lines = ["/ws/a = lower", "/ws/A = upper"];
    const port = new SimulatedApfs(lines, true).port();
    const fs = overlayFs(port, { "/ws/a": "edited", "/ws/B": "new" });
    const texts = await textsOf(fs, "/ws", ["a", "A", "B"]);
    assertEquals(texts, ["edited", "upper", "new"]);
  });
});

describe("mountFs() on Windows", () => {
  it("leads out by no junction, and keeps links inside", async () => {
    const fs = mountFs({ "/code": { fs: disk(), root: "C:\\ws" } });
    const workspace = await openWorkspace("/code", { fs });
    assertEquals(await textOf(workspace, "src/main.ts"), "MAIN");
    assertEquals(await textOf(workspace, "link"), "one");
    assertEquals(
      await textOf(workspace, "vol/secret.txt"),
      "OUTSIDE_WORKSPACE",
    );
    assertEquals(await textOf(workspace, "in/main.ts"), "OUTSIDE_WORKSPACE");
    assertEquals(await textOf(workspace, "..\\out\\secret.txt"), "NOT_FOUND");
  });
});
