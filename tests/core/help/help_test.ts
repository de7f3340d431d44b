import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { said } from "../../support/said.ts";
import {
  createCodexReadFile,
  createOpenFile,
  createToolkitReadFile,
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
  respond,
} from "../../../mod.ts";
import { mountFs, overlayFs } from "../../../layers/mod.ts";
import { countingFs } from "../../support/counting_fs.ts";
import { replyOf } from "../../support/replies.ts";

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

describe("a workspace without the requested file", () => {
  it("suggests files", async () => {
    const error = await failureOf(FS, "src/mian.ts");
    assert(error.is("NOT_FOUND"));
    assertEquals(error.details.suggestions, ["src/main.ts"]);
    assertEquals(
      said(error),
      'Cannot read "src/mian.ts": nothing is there; did you mean "src/main.ts"?',
    );
  });
  it("names the entries of a directory, without denied entries and links that lead out", async () => {
    const error = await failureOf(FS, "src", { deny: ["**/.env"] });
    assert(error.is("NOT_A_FILE"));
    assertEquals(error.details.entries, ["lib/", "main.ts", "to-main"]);
    assertEquals(
      said(error),
      'Cannot read "src": it is a directory; name a file in it; it holds "lib/", "main.ts" and "to-main"',
    );
  });
  it("names ten entries of a larger directory", async () => {
    const names = Array.from({ length: 12 }, (_, at) => `/ws/d/${at + 10}`);
    const fs = memoryFs(Object.fromEntries(names.map((name) => [name, ""])));
    const error = await failureOf(fs, "d");
    assert(error.is("NOT_A_FILE"));
    const told = names.slice(0, 10).map((name) => name.slice("/ws/d/".length));
    assertEquals(error.details.entries, told);
    assert(said(error).endsWith('"18", "19" and more'));
  });
  it("adds nothing to other failures", async () => {
    const error = await failureOf(FS, "src/out/secret");
    assertEquals(
      said(error),
      'Cannot read "src/out/secret": it leads out of the workspace; name a file below the workspace\'s root',
    );
  });
  it("says to drop a slash if the path exists without it", async () => {
    const error = await failureOf(FS, "/src/main.ts");
    assertEquals(error.code, "OUTSIDE_WORKSPACE");
    assertEquals(error.hint, 'drop the slash: ask for "src/main.ts"');
    const others = [
      ["/src/nope.ts", {}],
      ["/src", {}],
      ["/src/out/secret", {}],
      ["/outside/secret", {}],
      ["../src/main.ts", {}],
      ["/src/.env", { deny: ["**/.env"] }],
    ] as const;
    for (const [path, options] of others) {
      const { code, hint } = await failureOf(FS, path, options);
      assertEquals(code, "OUTSIDE_WORKSPACE");
      assert(!`${hint}`.includes("drop the slash"), path);
    }
  });
  it("keeps the cause", async () => {
    const { cause } = await failureOf(FS, "src/mian.ts");
    assertEquals(String(cause), "Error: The system said ENOENT");
  });
  it("suggests files of mounts and overlays, too", async () => {
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

describe("help", () => {
  /** A port that stops answering at one call once help has begun, and then calls `abort`. */
  function stalling(
    verb: "list" | "open" | "stat" | "path",
    abort: () => void,
  ): FsPort {
    let isListed = false;
    const never = () => neverAfter(abort);
    return {
      ...FS,
      async list(path, most) {
        isListed = true;
        return verb === "list" ? await never() : await FS.list!(path, most);
      },
      async open(path) {
        if (isListed && verb === "open") return await never();
        const handle = await FS.open(path);
        return {
          ...handle,
          stat: () => isListed && verb === "stat" ? never() : handle.stat(),
          path: () => isListed && verb === "path" ? never() : handle.path(),
        };
      },
    };
  }
  for (const verb of ["list", "open", "stat", "path"] as const) {
    it(`ends with ABORTED if ${verb} does not answer`, async () => {
      for (const path of ["src/mian.ts", "src"]) {
        const { signal, abort } = abortable();
        const fs = stalling(verb, abort);
        const workspace = await openWorkspace("/ws", { fs });
        const { code } = await assertRejects(
          () => workspace.read(path, {}, { signal }),
          ReadFileError,
        );
        assertEquals(code, "ABORTED");
      }
    });
  }
  it("ends with ABORTED if the last list() does not answer", async () => {
    let lists = 0;
    const { signal, abort } = abortable();
    const fs: FsPort = {
      ...FS,
      list: (path, most) =>
        ++lists === 1 ? FS.list!(path, most) : neverAfter(abort),
    };
    const workspace = await openWorkspace("/ws", { fs });
    const { code } = await assertRejects(
      () => workspace.read("zebra.py", {}, { signal }),
      ReadFileError,
    );
    assertEquals([code, lists], ["ABORTED", 2]);
  });
  it("closes all files that it opens", async () => {
    const { counts, ...counted } = countingFs(FS);
    const fs: FsPort = { ...counted, list: FS.list! };
    const workspace = await openWorkspace("/ws", { fs });
    for (const path of ["src", "src/mian.ts", "main.ts", "src/lib/b.ts"]) {
      await assertRejects(() => workspace.read(path), ReadFileError);
    }
    assert(counts.opened > 5, String(counts.opened));
    assertEquals(counts.open, 0);
  });
  it("does not wait for a close() that never ends, once aborted", async () => {
    const { signal, abort } = abortable();
    const fs: FsPort = {
      ...FS,
      async open(path) {
        return { ...await FS.open(path), close: () => neverAfter(abort) };
      },
    };
    const workspace = await openWorkspace("/ws", { fs });
    const { code } = await assertRejects(
      () => workspace.read("src", {}, { signal }),
      ReadFileError,
    );
    assertEquals(code, "ABORTED");
  });
  it("is empty if rules hide paths: the number of names would reveal them", async () => {
    const hidden = Array.from(
      { length: 2_000 },
      (_, at) => [`/ws/k${at}.pem`, ""],
    );
    const visible = { "/ws/a.txt": "", "/ws/d/z": "" };
    const files = { ...Object.fromEntries(hidden), ...visible };
    for (const path of ["a.tx", "z", "."]) {
      const told = await Promise.all([files, visible].map(async (files) => {
        const options = { deny: ["*.pem"], denied: "hide" } as const;
        const fs = memoryFs(files);
        const workspace = await openWorkspace("/ws", { fs, ...options });
        const { message } = await assertRejects(
          () => workspace.read(path),
          ReadFileError,
        );
        return message;
      }));
      assertEquals(told[0], told[1]);
    }
  });
  it("searches at most sixteen levels of directories", async () => {
    const at = (depth: number) => `/ws/${"d/".repeat(depth)}main.ts`;
    const near = memoryFs({ [at(15)]: "" });
    const far = memoryFs({ [at(16)]: "" });
    const [found, lost] = await Promise.all(
      [near, far].map((fs) => failureOf(fs, "main.ts")),
    );
    assert(said(found!).includes("did you mean"), said(found!));
    assert(!said(lost!).includes("did you mean"), said(lost!));
  });
  it("limits its calls in the deepest tree", async () => {
    let looks = 0;
    const inner = memoryFs({ [`/ws/${"a/".repeat(255)}x`]: "" });
    const fs: FsPort = {
      ...inner,
      lstat(path, role) {
        looks++;
        return inner.lstat(path, role);
      },
    };
    await failureOf(fs, "zebra.py");
    await failureOf(fs, `${"a/".repeat(125)}b/${"a/".repeat(125)}x`);
    assert(looks < 20_000, String(looks));
  });
});

/** Never answers; calls `abort` once the caller waits. */
function neverAfter(abort: () => void): Promise<never> {
  setTimeout(abort, 0);
  return new Promise(() => {});
}

function abortable(): { readonly signal: AbortSignal; abort(): void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

describe("codex, which accepts only absolute paths,", () => {
  it("gets an absolute suggestion", async () => {
    const workspace = await openWorkspace("/ws", { fs: FS });
    const tool = createCodexReadFile(workspace);
    const { content } = await respond(tool, { file_path: "/ws/src/mein.ts" });
    assertEquals(
      content,
      'failed to read file: nothing is there\ndid you mean "/ws/src/main.ts"?',
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

describe("a tool call for a missing file", () => {
  it("suggests files in its answer", async () => {
    const workspace = await openWorkspace("/ws", { fs: FS });
    const tool = createToolkitReadFile(workspace);
    assertEquals(
      await respond(tool, { path: "src/Main.ts" }),
      replyOf({
        ok: false,
        content:
          'Cannot read "src/Main.ts": nothing is there\ndid you mean "src/main.ts"?',
      }),
    );
  });
  it("suggests files below a fixed message", async () => {
    const workspace = await openWorkspace("/ws", { fs: FS });
    const tool = createOpenFile(workspace);
    assertEquals(
      await respond(tool, { file_path: "/ws/src/mein.ts" }),
      replyOf({
        ok: false,
        content: 'file not found: /ws/src/mein.ts\ndid you mean "src/main.ts"?',
      }),
    );
  });
});
