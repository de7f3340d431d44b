import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  createCodexReadFile,
  createOpenFile,
  createToolkitReadFile,
  type FsPort,
  memoryFs,
  mountFs,
  openWorkspace,
  overlayFs,
  ReadFileError,
  respond,
} from "../mod.ts";

async function failureOf(
  fs: FsPort,
  path: string,
  options: { readonly deny?: readonly string[] } = {},
): Promise<ReadFileError> {
  const workspace = await openWorkspace("/ws", { fs, ...options });
  return await assertRejects(() => workspace.read(path), ReadFileError);
}

const FS = memoryFs({
  "/ws/src/main.ts": "",
  "/ws/src/lib/a.ts": "",
  "/ws/src/.env": "",
  "/ws/src/out": { link: "../../outside" },
  "/ws/src/to-main": { link: "main.ts" },
  "/outside/secret": "",
});

describe("a workspace that is asked for what is not there", () => {
  it("says what may have been meant", async () => {
    const error = await failureOf(FS, "src/mian.ts");
    assert(error.is("NOT_FOUND"));
    assertEquals(error.details.suggestions, ["src/main.ts"]);
    assertEquals(
      error.message,
      'Cannot read "src/mian.ts": nothing is there; did you mean "src/main.ts"?',
    );
  });
  it("says what a directory holds, and of what is denied or outside nothing", async () => {
    const error = await failureOf(FS, "src", { deny: ["**/.env"] });
    assert(error.is("NOT_A_FILE"));
    assertEquals(error.details.entries, ["lib/", "main.ts", "to-main"]);
    assertEquals(
      error.message,
      'Cannot read "src": it is a directory, which holds "lib/", "main.ts" and "to-main"; name a file in it',
    );
  });
  it("says ten names of a directory that holds more", async () => {
    const names = Array.from({ length: 12 }, (_, at) => `/ws/d/${at + 10}`);
    const fs = memoryFs(Object.fromEntries(names.map((name) => [name, ""])));
    const error = await failureOf(fs, "d");
    assert(error.is("NOT_A_FILE"));
    const told = names.slice(0, 10).map((name) => name.slice("/ws/d/".length));
    assertEquals(error.details.entries, told);
    assert(error.message.includes('"18", "19" and more; name a file'));
  });
  it("keeps to its own words for any other failure", async () => {
    const { message } = await failureOf(FS, "src/out/secret");
    assertEquals(
      message,
      'Cannot read "src/out/secret": it leads out of the workspace; name a file below its root',
    );
  });
  it("keeps the cause", async () => {
    const { cause } = await failureOf(FS, "src/mian.ts");
    assertEquals(String(cause), "Error: The system said ENOENT");
  });
  it("suggests over mounts and unsaved files, too", async () => {
    const mounted = mountFs({
      "/ws/code": { fs: FS, root: "/ws/src" },
      "/ws/notes": memoryFs({ "/ws/notes/todo.md": "" }),
    });
    const main = await failureOf(mounted, "code/mian.ts");
    assert(main.is("NOT_FOUND"));
    assertEquals(main.details.suggestions, ["code/main.ts"]);
    const todo = await failureOf(mounted, "todo.md");
    assert(todo.is("NOT_FOUND"));
    assertEquals(todo.details.suggestions, ["notes/todo.md"]);
    const edited = overlayFs(FS, {
      "/ws/new/file.ts": "",
      "/ws/src/main.ts": null,
    });
    const file = await failureOf(edited, "new/flie.ts");
    assert(file.is("NOT_FOUND"));
    assertEquals(file.details.suggestions, ["new/file.ts"]);
    const gone = await failureOf(edited, "src/mian.ts");
    assert(gone.is("NOT_FOUND"));
    assertEquals(gone.details.suggestions, undefined);
  });
});

describe("codex, which takes absolute paths alone,", () => {
  it("is told of one that it can ask for", async () => {
    const workspace = await openWorkspace("/ws", { fs: FS });
    const tool = createCodexReadFile(workspace);
    const { content } = await respond(tool, { file_path: "/ws/src/mein.ts" });
    assertEquals(
      content,
      'failed to read file: nothing is there; did you mean "/ws/src/main.ts"?',
    );
    const original = createCodexReadFile(workspace, { original: true });
    const reply = await respond(original, { file_path: "/ws/src/mein.ts" });
    assertEquals(
      reply.content,
      "failed to read file: No such file or directory (os error 2)",
    );
    assertEquals(reply.notes, ['did you mean "/ws/src/main.ts"?']);
  });
});

describe("a tool that is asked for what is not there", () => {
  it("says what may have been meant in its answer", async () => {
    const workspace = await openWorkspace("/ws", { fs: FS });
    const tool = createToolkitReadFile(workspace);
    assertEquals(await respond(tool, { path: "src/Main.ts" }), {
      ok: false,
      content:
        'Cannot read "src/Main.ts": nothing is there; did you mean "src/main.ts"?',
    });
  });
  it("says it beside its answer where that is fixed word for word", async () => {
    const workspace = await openWorkspace("/ws", { fs: FS });
    const tool = createOpenFile(workspace);
    assertEquals(await respond(tool, { file_path: "/ws/src/mein.ts" }), {
      ok: false,
      content: "file not found: /ws/src/mein.ts",
      notes: ['did you mean "src/main.ts"?'],
    });
  });
});
