import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FileHandle,
  type FsPort,
  openWorkspace,
  ReadFileError,
} from "../../../mod.ts";
import { failure, withHandles } from "../../support/fake_fs.ts";
import { read, refusal, TREE, TRIES } from "../../support/small_tree.ts";

describe("Workspace.open(), while the tree changes", () => {
  it("retries three times, and then fails", async () => {
    let opened = 0;
    const fs = withHandles(TREE, (handle) => ({
      path: () => ++opened < TRIES ? "/ws-evil/f.txt" : handle.path(),
    }));
    assertEquals(await read(fs), "INSIDE");
    assertEquals(opened, TRIES);
  });
  for (const code of ["ENOENT", "ENOTDIR", "ELOOP"]) {
    it(`treats ${code} of open() as a change`, async () => {
      let tries = 0;
      const open = () => {
        tries++;
        return Promise.reject(failure(code));
      };
      const error = await refusal({ ...TREE, open }, 0);
      assert(error.is("CHANGED"));
      assertEquals([tries, error.details.how], [TRIES, "path"]);
    });
  }
  it("does not retry other failures of open()", async () => {
    let tries = 0;
    const open = () => {
      tries++;
      throw failure("EACCES");
    };
    const error = await refusal({ ...TREE, open }, 0);
    assertEquals([tries, error.code], [1, "PERMISSION_DENIED"]);
  });
  it("treats a link that was replaced as a change", async () => {
    let tries = 0;
    const readLink = () => {
      tries++;
      throw failure("EINVAL");
    };
    const error = await refusal({ ...TREE, readLink }, 0, "l");
    assertEquals([tries, error.code], [TRIES, "CHANGED"]);
  });
  it("refuses an empty link", async () => {
    const error = await refusal({ ...TREE, readLink: () => "" }, 0, "l");
    assertEquals(error.code, "INVALID_ARGUMENT");
  });
  for (const [path, kind] of [["/ws/p", "other"], ["/ws/d", "directory"]]) {
    it(`checks the open file: ${kind} in place of a file`, async () => {
      const open = () => TREE.open(path!);
      const error = await refusal({ ...TREE, open }, 1);
      assert(error.is("NOT_A_FILE"));
      assertEquals(error.details.kind, kind);
    });
  }
  it("opens nothing but regular files", async () => {
    assertEquals((await refusal(TREE, 0, "p")).code, "NOT_A_FILE");
    assertEquals((await refusal(TREE, 0, "d")).code, "NOT_A_FILE");
  });
  it("closes a file whose stat fails", async () => {
    const stat = () => Promise.reject(failure("EIO"));
    const error = await refusal(withHandles(TREE, () => ({ stat })), 1);
    assertEquals(error.code, "IO");
  });
  it("reports the refusal, not a failure of close()", async () => {
    const close = () => Promise.reject(failure("EIO"));
    const fs = withHandles(TREE, () => ({ path: () => "/ws-evil", close }));
    const error = await assertRejects(() => read(fs), ReadFileError);
    assertEquals(error.code, "CHANGED");
  });
  it("closes a file that opens after the abort", async () => {
    const opening = Promise.withResolvers<FileHandle>();
    const closed = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    const fs: FsPort = {
      ...TREE,
      open() {
        opened.resolve();
        return opening.promise;
      },
    };
    const workspace = await openWorkspace("/ws", { fs });
    const controller = new AbortController();
    const { signal } = controller;
    const refused = assertRejects(
      () => workspace.open("d/f.txt", { signal }),
      ReadFileError,
    );
    await opened.promise;
    controller.abort();
    assertEquals((await refused).code, "ABORTED");
    const handle = await TREE.open("/ws/d/f.txt");
    opening.resolve({ ...handle, close: () => closed.resolve() });
    await closed.promise;
  });
});
