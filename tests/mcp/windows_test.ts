/** The directories of the server on a simulated disk of Windows. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { callTool, readerTools, type ReadRoots } from "../../mod.ts";
// The dialects and the command line import each other, so this must be loaded first.
import "../../mcp/src/command_line.ts";
import { openDirectories } from "../../mcp/src/directories.ts";
import { dialectTool } from "../../mcp/src/dialects.ts";
import { codeFrom } from "../../mcp/src/origin.ts";
import { win32Fs } from "../../src/fs/win32.ts";
import { RUNTIMES, SimulatedNtfs } from "../support/simulated_ntfs.ts";

const TREE = [
  "C:\\world\\ws\\a.txt = of ws",
  "C:\\world\\ws\\src\\main.ts = of src",
  "C:\\world\\ws\\.env = DENIED",
  "C:\\world\\ws2\\a.txt = of ws2",
  "C:\\world\\outside.txt = SECRET",
  "C:\\world\\bunfig.toml = x",
  "\\\\host\\share\\ws\\a.txt = of share",
  "\\\\host\\share\\ws\\in\\a.txt = of in",
  "\\\\evil\\share\\ws\\a.txt = SECRET",
];

async function open(
  directories: readonly string[],
  more: { readonly followRoots?: boolean } = {},
) {
  const disk = new SimulatedNtfs(TREE);
  const fs = win32Fs(disk.port(RUNTIMES["Node.js and Bun"]!));
  const served = await openDirectories(
    { directories: [...directories], ...more },
    { fs },
    () => {},
  );
  return { disk, fs, served };
}

async function read(roots: ReadRoots, path: string): Promise<string> {
  const [tool] = readerTools(roots);
  const { output, error } = await callTool(tool!, { path });
  return error === undefined
    ? tool!.render(output)
    : `${error.code} ${error.message} ${error.hint}`;
}

describe("the server on Windows", () => {
  it("reads paths of one directory in each form", async () => {
    const { served } = await open(["C:\\world\\ws"]);
    const { roots } = await served.rootsFor([]);
    for (
      const path of [
        "a.txt",
        ".\\a.txt",
        "src\\..\\a.txt",
        "C:\\world\\ws\\a.txt",
        "c:/WORLD/ws/A.TXT",
        "a.txt:1",
        "C:\\world\\ws\\a.txt:1",
        "C:/world/ws/a.txt:/of/",
        "file:///C:/world/ws/a.txt",
      ]
    ) assertStringIncludes(await read(roots, path), "of ws", path);
    const outside = [
      "..\\outside.txt",
      "C:\\world\\outside.txt",
      "\\world\\outside.txt",
      "\\\\evil\\share\\ws\\a.txt",
    ];
    for (const path of outside) {
      const told = await read(roots, path);
      assertStringIncludes(told, "OUTSIDE_WORKSPACE", path);
      assertStringIncludes(told, 'name a file below "C:/world/ws"');
    }
    assertStringIncludes(await read(roots, "src\\..\\.env"), "POLICY_DENIED");
  });
  it("names several directories by their last names", async () => {
    const { served } = await open(["C:\\world\\ws", "c:\\world\\WS2\\"]);
    const { roots } = await served.rootsFor([]);
    assertEquals(roots.roots.map(({ name, path }) => [name, path]), [
      ["ws", "C:/world/ws"],
      ["ws2", "C:/world/ws2"],
    ]);
    const paths: Readonly<Record<string, string>> = {
      "ws/a.txt": "of ws",
      "ws2\\a.txt": "of ws2",
      ".\\ws\\src\\main.ts": "of src",
      "C:\\world\\ws2\\a.txt": "of ws2",
      "C:/world/ws/src/main.ts": "of src",
    };
    for (const [path, text] of Object.entries(paths)) {
      const told = await read(roots, path);
      assert(told.endsWith(`\t${text}`) || told.includes(`\t${text}\n`), told);
    }
    const wrong = [
      "ws\\..\\outside.txt",
      "ws/../../outside.txt",
      "C:\\world\\a",
    ];
    for (const path of wrong) {
      assertStringIncludes(await read(roots, path), "OUTSIDE_WORKSPACE", path);
    }
    const unnamed = await read(roots, "a.txt");
    assertStringIncludes(unnamed, 'the name of a root, "ws/" or "ws2/"');
  });
  it("says what is meant in a form that can be sent back", async () => {
    const { served } = await open(["C:\\world\\ws"]);
    const { roots } = await served.rootsFor([]);
    const cases: Readonly<Record<string, string>> = {
      "src\\mian.ts": 'did you mean "src/main.ts"?',
      "C:\\world\\ws\\src\\mian.ts": 'did you mean "C:/world/ws/src/main.ts"?',
      "src\\": 'it holds "src/main.ts"',
      "src\\nothing\\at\\all": 'list_directory {"path":"src"}',
    };
    for (const [path, hint] of Object.entries(cases)) {
      assertStringIncludes(await read(roots, path), hint, path);
    }
  });
  it("serves a whole drive, and names it in a form that can be sent back", async () => {
    for (const directories of [["C:\\"], ["c:/", "C:\\world\\ws"]]) {
      const { served } = await open(directories);
      const { roots } = await served.rootsFor(["file:///c:/"]);
      const told = await read(roots, "\\\\evil\\share\\a");
      const [, named = ""] = /below "([^"]+)"/.exec(told)!;
      assertEquals(named, "C:/");
      assertEquals(roots.roots[0]?.name, "root");
      const [, , list] = readerTools(roots);
      const { output, error } = await callTool(list!, { path: named });
      assertEquals(error, undefined);
      assertStringIncludes(list!.render(output!), "\tworld");
      const path = "C:\\world\\ws2\\a.txt";
      assertStringIncludes(await read(roots, path), "of ws2");
    }
  });
  it("serves the roots of a client by their URLs", async () => {
    const uris = ["file:///C:/world/ws", "file:///c%3A/World/WS/"];
    for (const uri of uris) {
      const { served } = await open([]);
      const { roots, unserved } = await served.rootsFor([uri]);
      assertEquals(unserved, [], uri);
      assertStringIncludes(await read(roots, "a.txt"), "of ws");
      assertStringIncludes(
        await read(roots, "..\\outside.txt"),
        "OUTSIDE_WORKSPACE",
      );
    }
    const { served } = await open([]);
    const { roots } = await served.rootsFor(["file://host/share/ws"]);
    assertStringIncludes(await read(roots, "a.txt"), "of share");
    assertEquals(roots.roots[0]?.path.toLowerCase(), "//host/share/ws");
  });
  it("follows the roots of a client only inside its directories", async () => {
    const { served } = await open(["C:\\world\\ws"], { followRoots: true });
    const inside = await served.rootsFor(["file:///c:/world/WS/src"]);
    assertEquals(inside.unserved, []);
    assertStringIncludes(await read(inside.roots, "main.ts"), "of src");
    assertStringIncludes(await read(inside.roots, "..\\a.txt"), "OUTSIDE");
    const outside = await served.rootsFor(["file:///C:/world/ws2"]);
    assertEquals(outside.unserved, ["file:///C:/world/ws2"]);
  });
  it("takes a root of the client around its directory that it may not read", async () => {
    // As in Deno with --allow-read=C:\\world\\ws.
    const disk = new SimulatedNtfs(TREE);
    const fs = win32Fs(disk.port(RUNTIMES["Deno"]!));
    const strict = {
      ...fs,
      realPath(path: string) {
        if (/ws/i.test(path)) return fs.realPath(path);
        throw Object.assign(new Error("denied"), { name: "NotCapable" });
      },
    };
    for (
      const uri of ["file:///C:/world", "file:///c%3A/world/", "file:///c:/"]
    ) {
      const served = await openDirectories(
        { directories: ["C:\\world\\ws"] },
        { fs: strict },
        () => {},
      );
      const { roots, unserved } = await served.rootsFor([uri]);
      assertEquals(unserved, [], uri);
      assertStringIncludes(await read(roots, "a.txt"), "of ws");
    }
  });
  it("contacts no server because of a client's root", async () => {
    for (const followRoots of [true, false]) {
      const { disk, served } = await open(
        ["C:\\world\\ws", "\\\\host\\share\\ws"],
        { followRoots },
      );
      disk.contacted.clear();
      const evil = ["file://evil/share/ws", "file://evil/x"];
      const { unserved } = await served.rootsFor(evil);
      assertEquals(unserved, evil);
      assertEquals([...disk.contacted], []);
      const known = await served.rootsFor(["file://HOST/share/ws/in"]);
      assertEquals(known.unserved, []);
      assertStringIncludes(await read(known.roots, "a.txt"), "of in");
    }
  });
  it("serves the tool of Codex, which takes absolute paths", async () => {
    const { served } = await open(["C:\\world\\ws"]);
    const { roots } = await served.rootsFor([]);
    const make = await dialectTool("codex", { maxScan: 1 << 20 });
    const tool = make(() => Promise.resolve(roots), "");
    for (const file_path of ["C:\\world\\ws\\a.txt", "c:/world/ws/a.txt"]) {
      const { output } = await callTool(tool, { file_path });
      assertStringIncludes(tool.render(output!), "L1: of ws");
    }
    const { error } = await callTool(tool, { file_path: "src\\main.ts" });
    assertStringIncludes(error!.message, "must be an absolute path");
    const { error: outside } = await callTool(tool, {
      file_path: "C:\\world\\outside.txt",
    });
    assertEquals(outside?.code, "OUTSIDE_WORKSPACE");
  });
  it("warns of code from a served directory", async () => {
    const { fs } = await open(["C:\\world\\ws"]);
    const started = {
      address: "file:///c:/World/ws/node_modules/mcp.js",
      resolve: (name: string) => name,
      options: [],
      bunDirectory: "C:\\world",
    };
    assertEquals(await codeFrom(["C:\\world\\ws"], fs, started), [
      "this server is taken from file:///c:/World/ws/node_modules/mcp.js",
    ]);
    assertEquals(await codeFrom(["C:\\world\\ws2"], fs, started), []);
    assertEquals(
      await codeFrom(["C:\\world"], fs, { ...started, address: "jsr:x" }),
      [
        "the configuration of Bun is taken from file:///C:/world/bunfig.toml",
      ],
    );
    const share = "file://HOST/share/ws/mcp.js";
    assertEquals(
      await codeFrom(["\\\\host\\share\\ws"], fs, {
        ...started,
        address: share,
      }),
      [`this server is taken from ${share}`],
    );
  });
});
