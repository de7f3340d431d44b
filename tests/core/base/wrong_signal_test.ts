/** Invalid signals, and every call that takes a signal. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  createAgentToolkit,
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
  respond,
  type Workspace,
} from "../../../mod.ts";

const fs = memoryFs({ "/repo/a.txt": "one\n", "/repo/src/b.txt": "two\n" });

type Ask = (workspace: Workspace, options: never) => Promise<unknown>;

const CALLS: Readonly<Record<string, Ask>> = {
  "open()": (at, options) => at.open("a.txt", options),
  "read()": (at, options) => at.read("a.txt", {}, options),
  "pages()": async (at, options) => await at.pages("a.txt", {}, options).next(),
  "readMany()": (at, options) => at.readMany([{ path: "a.txt" }], {}, options),
  "the codex tool": (at, options) =>
    createCodexReadFile(at).call({ file_path: "/repo/a.txt" }, options),
  "the toolkit's tool": (at, options) =>
    createToolkitReadFile(at).call({ path: "a.txt" }, options),
  "the forge tool": (at, options) =>
    createForgeRead(at).call({ path: "a.txt" }, options),
  "the open_file tool": (at, options) =>
    createOpenFile(at).call({ file_path: "a.txt" }, options),
};

/** Made for each test: at the edge, a controller belongs to a request. */
const wrongSignals = (): Readonly<Record<string, unknown>> => ({
  "null": null,
  "a number": 5,
  // A likely mistake: without a check, the call could not be aborted.
  "a controller": new AbortController(),
  "an object": {},
});

describe("a value that is not a signal is refused as an argument", () => {
  for (const [what, ask] of Object.entries(CALLS)) {
    it(`by ${what}`, async () => {
      const workspace = await openWorkspace("/repo", { fs });
      for (const [name, signal] of Object.entries(wrongSignals())) {
        const error = await assertRejects(
          // Without types, as in JavaScript.
          () => ask(workspace, { signal } as never),
          ReadFileError,
          "signal must be an AbortSignal",
          name,
        );
        assertEquals(error.code, "INVALID_ARGUMENT", name);
        assertEquals(Object(error.details).argument, "signal", name);
      }
      const { signal } = new AbortController();
      await ask(workspace, { signal } as never);
    });
  }
  it("by the makers of a workspace, as a TypeError", async () => {
    const workspace = await openWorkspace("/repo", { fs });
    for (const signal of Object.values(wrongSignals()) as never[]) {
      const makers = [
        () => openWorkspace("/repo", { fs, signal }),
        () => createAgentToolkit({ workspaceRoot: "/repo", fs, signal }),
        () => workspace.narrow({ signal }),
      ];
      for (const make of makers) {
        await assertRejects(make, TypeError, "signal must be an AbortSignal");
      }
    }
  });
  it("by respond() as text", async () => {
    const workspace = await openWorkspace("/repo", { fs });
    const tool = createToolkitReadFile(workspace);
    const options = { signal: null as never };
    const { ok, content } = await respond(tool, { path: "a.txt" }, options);
    assertEquals(
      [ok, content],
      [false, "Cannot call read_file: signal must be an AbortSignal, not null"],
    );
  });
});

/** The same files; one call signals that it was made, and never answers. */
function hanging(verb: "realPath" | "lstat", from: string) {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const hang = () => (resolve(), new Promise<never>(() => {}));
  const stuck: FsPort = {
    ...fs,
    realPath: (path) =>
      verb === "realPath" && path === from ? hang() : fs.realPath(path),
    lstat: (path) =>
      verb === "lstat" && path === from ? hang() : fs.lstat(path),
  };
  return { stuck, asked };
}

describe("a signal ends the wait for a port that does not answer", () => {
  for (const verb of ["realPath", "lstat"] as const) {
    it(`in openWorkspace(), at ${verb}`, async () => {
      const { stuck, asked } = hanging(verb, "/repo");
      const controller = new AbortController();
      const { signal } = controller;
      const opening = openWorkspace("/repo", { fs: stuck, signal })
        .catch((error: ReadFileError) => error);
      await asked;
      controller.abort();
      const error = await opening;
      assert(error instanceof ReadFileError && error.is("ABORTED"));
      assertEquals(error.path, "/repo");
    });
  }
  it("in createAgentToolkit(), which opens a workspace", async () => {
    const { stuck, asked } = hanging("realPath", "/repo");
    const controller = new AbortController();
    const { signal } = controller;
    const place = { workspaceRoot: "/repo", fs: stuck, signal };
    const opening = createAgentToolkit(place).catch(({ code }) => code);
    await asked;
    controller.abort();
    assertEquals(await opening, "ABORTED");
  });
  it("in narrow()", async () => {
    const { stuck, asked } = hanging("lstat", "/repo/src");
    const workspace = await openWorkspace("/repo", { fs: stuck });
    const controller = new AbortController();
    const { signal } = controller;
    const narrowing = workspace.narrow({ root: "src", signal })
      .catch(({ code }) => code);
    await asked;
    controller.abort();
    assertEquals(await narrowing, "ABORTED");
  });
  it("if it was aborted before", async () => {
    const signal = AbortSignal.abort();
    const opening = openWorkspace("/repo", { fs, signal });
    assertEquals(await opening.catch(({ code }) => code), "ABORTED");
  });
});
