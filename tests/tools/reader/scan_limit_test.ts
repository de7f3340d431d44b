import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import {
  callTool,
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  type FsPort,
  openWorkspace,
  readerTools,
  type Tool,
} from "../../../mod.ts";
import { countingFs } from "../../support/counting_fs.ts";
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
