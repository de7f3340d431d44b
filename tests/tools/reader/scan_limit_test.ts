import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import {
  callTool,
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  type FsPort,
  gunzipView,
  memoryFs,
  openWorkspace,
  readerTools,
  type Tool,
} from "../../../mod.ts";
import { countingFs } from "../../support/counting_fs.ts";
import { storedGzip } from "../../support/gzip.ts";
import { longLineFs } from "../../support/long_line_fs.ts";

const MIB = 1024 ** 2;

/** A workspace with one line of 5 TiB, as a sparse file has; it counts what is read. */
async function withoutLineFeed() {
  const file = longLineFs(5 * 1024 ** 4);
  const counting = countingFs({
    ...file,
    open: async (path) => ({
      ...await file.open(path),
      stat: () => file.lstat(path),
    }),
  });
  const list: FsPort["list"] = () => [{ name: "a", kind: "file" }];
  const fs: typeof counting = { ...counting, list };
  return { fs, workspace: await openWorkspace("/ws", { fs }) };
}

/** More than the limit is read by the read that passes it, and by a search that asks again for another case. */
const MOST = 5 * MIB;

/** Calls a tool on the line; fails if it reads on and on. */
async function tell(make: (place: Awaited<Place>) => Tool, args: object) {
  const place = await withoutLineFeed();
  const { error, output } = await callTool(make(place), args);
  const { bytes } = place.fs.counts;
  assert(bytes <= MOST, `${JSON.stringify(args)} read ${bytes} bytes`);
  return { error, output: output as { readonly text: string } | undefined };
}

const LIMIT = MIB;

/** A file with a hit in its first line, and twice as large as the limit. */
const LARGE = {
  "/ws/a.log": `needle\n${"filler line\n".repeat(2 * LIMIT / 12)}`,
};

type Place = ReturnType<typeof withoutLineFeed>;

const reader = ({ workspace }: Awaited<Place>) =>
  readerTools(workspace, { maxScanBytes: 2 * MIB })[0] as Tool;

describe("a call for lines of a file without a line feed", () => {
  for (
    const args of [
      { tail: 20 },
      { tail: 1, numbered: false },
      { start: 1000 },
      { start: 1, column: 1024 ** 4 },
      { around: 500 },
      { match: "x" },
      { match: "x+y", regex: true },
    ]
  ) {
    it(`ends, and says what to ask for: ${JSON.stringify(args)}`, async () => {
      const { error } = await tell(reader, { path: "a", ...args });
      assertEquals(error?.code, "SCAN_LIMIT");
      assertStringIncludes(error!.hint!, "ask the user for a larger limit");
    });
  }
  it("reads its beginning", async () => {
    const { output } = await tell(reader, { path: "a" });
    assertStringIncludes(output!.text, "cut inside line 1");
  });
  it("names it among the files that a search left out", async () => {
    const { output } = await tell(reader, { path: ".", match: "x" });
    assertStringIncludes(output!.text, 'could not search "a" (SCAN_LIMIT)');
  });
  it("counts as searched only the files that were searched to their end", async () => {
    const fs = memoryFs({ ...LARGE, "/ws/b/c.txt": "one\n" });
    const workspace = await openWorkspace("/ws", { fs });
    const [tool] = readerTools(workspace, { maxScanBytes: LIMIT });
    const textOf = async (args: { path: string; match: string }) =>
      (await callTool(tool, args)).output?.text;
    const all = await textOf({ path: ".", match: "needle" });
    assertStringIncludes(all!, '".": no line matches, in 1 file.');
    assertStringIncludes(all!, '"a.log" (SCAN_LIMIT)');
    const far = await textOf({ path: ".", match: "later" });
    assertStringIncludes(far!, '".": no line matches, in 1 file.');
    const one = readerTools(workspace, { maxScanBytes: 2 })[0];
    const { output } = await callTool(one, { path: "b", match: "x" });
    assertStringIncludes(output!.text, '"b": no file was searched to its end.');
    assertStringIncludes(output!.text, '"b/c.txt" (SCAN_LIMIT)');
  });
  it("names a search of the first lines that works", async () => {
    const workspace = await openWorkspace("/ws", { fs: memoryFs(LARGE) });
    const options = { maxScanBytes: LIMIT, maxCountedBytes: LIMIT };
    const [tool] = readerTools(workspace, options);
    const match = "needle";
    for (
      const args of [
        { path: "a.log", match },
        { path: "a.log", match, count: 5, end: 150_000 },
        { path: "a.log:90000-150000", match },
        { path: "a.log", match, tail: 3 },
        { path: "a.log", match, start: 90_000, column: 3 },
      ]
    ) {
      const { error } = await callTool(tool, args);
      assertEquals(
        error?.message,
        `Cannot read "a.log": its lines were searched no further than ${LIMIT} bytes into it`,
      );
      const [, json] = /^search its first lines: read_file (\{.*\}), or ask/
        .exec(error!.hint!)!;
      const { output } = await callTool(tool, JSON.parse(json!));
      assertStringIncludes(output!.text, "1\tneedle");
    }
    const { error } = await callTool(tool, { path: "a.log", match, end: 9e4 });
    assertStringIncludes(error!.hint!, '"match":"needle","end":1024}');
    const none = await openWorkspace("/ws", {
      fs: memoryFs({ "/ws/a.log": "x".repeat(2 * LIMIT) }),
    });
    const [alone] = readerTools(none, options);
    const last = await callTool(alone, { path: "a.log", match, end: 1 });
    assertEquals(last.error?.hint, "ask the user for a larger limit");
  });
  it("says that a view reads the whole file", async () => {
    const text = new Uint8Array(2 * LIMIT);
    const fs = memoryFs({ "/ws/a.gz": storedGzip(text.fill(0x61)) });
    const views = [gunzipView()];
    const workspace = await openWorkspace("/ws", { fs, views });
    const [tool] = readerTools(workspace, { maxScanBytes: LIMIT });
    for (const args of [{}, { match: "b" }, { tail: 2, numbered: false }]) {
      const { error } = await callTool(tool, { path: "a.gz", ...args });
      assertEquals(error?.code, "SCAN_LIMIT");
      assertEquals(
        error?.hint,
        "its view reads the whole file; ask the user for a larger limit",
      );
    }
  });
  it("ends in the tools of others, too", async () => {
    const codex = ({ workspace }: Awaited<Place>) =>
      createCodexReadFile(workspace, { maxScanBytes: 2 * MIB }) as Tool;
    for (const mode of ["slice", "indentation"]) {
      const args = { file_path: "/ws/a", offset: 50, mode };
      const { error } = await tell(codex, args);
      assertEquals(error?.code, "SCAN_LIMIT");
      assertStringIncludes(error!.hint!, "ask for earlier lines");
    }
    const others = [createForgeRead, createOpenFile, createToolkitReadFile];
    for (const make of others) {
      const tool = ({ workspace }: Awaited<Place>) => make(workspace) as Tool;
      const path = make === createOpenFile ? "file_path" : "path";
      for (const line of [1, 50]) {
        const { error } = await tell(tool, { [path]: "a", start_line: line });
        assert(["TOO_LARGE", "SCAN_LIMIT"].includes(error!.code), error!.code);
        assert(error!.hint !== undefined);
      }
    }
  });
  it("does not limit a file of that size, though it is read twice", async () => {
    const fs = countingFs(longLineFs(2 * MIB - 1));
    const place = { fs, workspace: await openWorkspace("/ws", { fs }) };
    const call = { path: "a", tail: 1, numbered: true, encoding: "big5" };
    const { error } = await callTool(reader(place), call);
    assertEquals(error?.message, undefined);
  });
});
