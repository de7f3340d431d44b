/** A file that is overwritten during a read, with its mtime set back afterwards. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FsPort,
  memoryFs,
  openWorkspace,
  type ReadFileError,
} from "../../../mod.ts";

const LINES = 60_000;

/** The same size, with lines at other positions. */
const FIRST = text((line) => `A${line}\n`.padStart(40, "."));
const SECOND = text((line) => `B${line}\n`.padStart(line % 2 ? 30 : 50, "."));

function text(lineOf: (line: number) => string): Uint8Array {
  const lines = Array.from({ length: LINES }, (_, line) => lineOf(line + 1));
  return new TextEncoder().encode(lines.join(""));
}

/** A file at rest; only the ctime shows the change. */
function touchable(): {
  readonly fs: FsPort;
  onRead: (() => void) | undefined;
  bytes: Uint8Array;
  ctimeMs: number;
} {
  const file = {
    bytes: FIRST,
    ctimeMs: 1e12,
    onRead: undefined as (() => void) | undefined,
  };
  const inner = memoryFs({ "/ws/a.txt": "" });
  const stat = () => ({
    kind: "file" as const,
    size: file.bytes.length,
    mtimeMs: 1e12,
    ctimeMs: file.ctimeMs,
    id: "a",
  });
  const fs: FsPort = {
    ...inner,
    lstat: (path) => path === "/ws/a.txt" ? stat() : inner.lstat(path),
    open: () => ({
      stat,
      read(buffer, position) {
        file.onRead?.();
        const bytes = file.bytes.subarray(position, position + buffer.length);
        buffer.set(bytes);
        return bytes.length;
      },
      path: () => "/ws/a.txt",
      close() {},
    }),
  };
  return Object.assign(file, { fs });
}

describe("a file whose ctime changes during a read", () => {
  const lines = { start: 50_001, count: 1 } as const;
  it("does not mix versions, even with an index of the first", async () => {
    assertEquals(FIRST.length, SECOND.length);
    const file = touchable();
    const workspace = await openWorkspace("/ws", {
      fs: file.fs,
      cacheBytes: 0,
    });
    const before = await workspace.read("a.txt", lines);
    assert(before.text.endsWith("A50001\n"));
    file.onRead = () => {
      file.bytes = SECOND;
      file.ctimeMs = 1e12 + 1;
    };
    // Another window: the same one would come from the cache.
    const other = { ...lines, start: 50_003 };
    const outcome = await workspace.read("a.txt", other)
      .then(({ text }) => text, (error: ReadFileError) => error.code);
    assert(/^CHANGED$|B50003\n$/.test(outcome), outcome);
    const after = await workspace.read("a.txt", lines);
    assert(after.text.endsWith("B50001\n"));
  });
  it("is read if its content stays the same, as after a rename", async () => {
    const file = touchable();
    const workspace = await openWorkspace("/ws", { fs: file.fs });
    file.onRead = () => {
      file.ctimeMs = 1e12 + 1;
    };
    const { text } = await workspace.read("a.txt", lines);
    assert(text.endsWith("A50001\n"));
  });
});
