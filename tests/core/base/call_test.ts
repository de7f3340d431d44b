import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
  type ReadOptions,
} from "../../../mod.ts";
import { countingFs } from "../../support/counting_fs.ts";

/** The calls of a port, in the order in which a read makes them. */
const VERBS = ["lstat", "open", "path", "stat", "read", "close"] as const;
type Verb = (typeof VERBS)[number];

/** A promise, and the function that resolves it. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => open = resolve);
  return { opened, open };
}

/** Waits for a turn of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** A port that signals a call of `verb`, and answers it when released. */
function stuckFs(fs: FsPort, verb: Verb) {
  const asked = gate();
  const answer = gate();
  async function hold<T>(here: Verb, ask: () => T): Promise<Awaited<T>> {
    if (here !== verb) return await ask();
    asked.open();
    await answer.opened;
    return await ask();
  }
  const port: FsPort = {
    ...fs,
    lstat: (path) =>
      path.endsWith("/a.txt")
        ? hold("lstat", () => fs.lstat(path))
        : fs.lstat(path),
    open: (path) =>
      hold("open", async () => {
        const handle = await fs.open(path);
        return {
          path: () => hold("path", () => handle.path()),
          stat: () => hold("stat", () => handle.stat()),
          read: (buffer: Uint8Array, position: number) =>
            hold("read", () => handle.read(buffer, position)),
          close: () => hold("close", () => handle.close()),
        };
      }),
  };
  return { port, asked: asked.opened, answer: answer.open };
}

function abortedRead(read: Promise<unknown>): Promise<ReadFileError> {
  return assertRejects(
    () => read,
    ReadFileError,
    'Cannot read "a.txt": the call was aborted',
  );
}

describe("an aborted call", () => {
  for (const verb of VERBS.slice(0, -1)) {
    it(`ends if the port does not answer ${verb}, and leaves no file open`, async () => {
      const counting = countingFs(memoryFs({ "/ws/a.txt": "1\n" }));
      const { port, asked, answer } = stuckFs(counting, verb);
      const workspace = await openWorkspace("/ws", { fs: port });
      const { signal, ...controller } = abortable();
      const read = workspace.read("a.txt", {}, { signal });
      await Promise.race([asked, read]);
      controller.abort();
      const error = await abortedRead(read);
      assertEquals([error.code, error.path], ["ABORTED", "a.txt"]);
      answer();
      await turn();
      assertEquals(counting.counts.open, 0);
      assertEquals(counting.counts.opened, verb === "lstat" ? 0 : 1);
    });
  }
  it("does not wait for close(), and returns the lines", async () => {
    const counting = countingFs(memoryFs({ "/ws/a.txt": "1\n" }));
    const { port, asked, answer } = stuckFs(counting, "close");
    const workspace = await openWorkspace("/ws", { fs: port });
    const { signal, abort } = abortable();
    const read = workspace.read("a.txt", {}, { signal });
    await Promise.race([asked, read]);
    abort();
    assertEquals((await read).text, "1\n");
    answer();
    await turn();
    assertEquals(counting.counts.open, 0);
  });
  it("abandons a hung read even if close() waits for it", async () => {
    const { port, asked, answer } = stuckFs(
      memoryFs({ "/ws/a.txt": "1\n" }),
      "read",
    );
    const done = gate();
    const patient: FsPort = {
      ...port,
      async open(path) {
        const handle = await port.open(path);
        return { ...handle, close: () => done.opened };
      },
    };
    const workspace = await openWorkspace("/ws", { fs: patient });
    const { signal, abort } = abortable();
    const read = workspace.read("a.txt", {}, { signal });
    await Promise.race([asked, read]);
    abort();
    await abortedRead(read);
    answer();
    done.open();
  });
  it("makes no call if aborted before it starts", async () => {
    const fs = countingFs(memoryFs({ "/ws/a.txt": "1\n" }));
    const workspace = await openWorkspace("/ws", { fs });
    const { calls } = fs.counts;
    const signal = AbortSignal.abort();
    await abortedRead(
      workspace.read("a.txt", {}, { signal }),
    );
    await abortedRead(workspace.open("a.txt", { signal }));
    assertEquals(fs.counts.calls, calls);
  });
  it("ignores the signal after its answer", async () => {
    const fs = memoryFs({ "/ws/a.txt": "1\n" });
    const { port, answer } = stuckFs(fs, "read");
    answer();
    const workspace = await openWorkspace("/ws", { fs: port });
    const signal = new AbortController().signal;
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    Object.assign(signal, {
      addEventListener(...args: Parameters<typeof addEventListener>) {
        listeners++;
        addEventListener.apply(signal, args);
      },
      removeEventListener(...args: Parameters<typeof removeEventListener>) {
        listeners--;
        removeEventListener.apply(signal, args);
      },
    });
    await workspace.read("a.txt", {}, { signal });
    assertEquals(listeners, 0);
  });
  it("leaves no pending request that affects a later call", async () => {
    const lines = { start: 1, count: 9 } as const;
    const { port, asked, answer } = stuckFs(
      memoryFs({ "/ws/a.txt": "old\n".repeat(3) }),
      "read",
    );
    const stuck = await openWorkspace("/ws", { fs: port });
    const { signal, abort } = abortable();
    const read = stuck.read("a.txt", lines, { signal });
    await Promise.race([asked, read]);
    abort();
    await abortedRead(read);
    // The late answer arrives during a later read, in the abandoned buffer.
    const fs = memoryFs({ "/ws/a.txt": "new\n".repeat(3) });
    const late = await openWorkspace("/ws", {
      fs: {
        ...fs,
        async open(path) {
          const handle = await fs.open(path);
          return {
            ...handle,
            async read(buffer, position) {
              const bytes = await handle.read(buffer, position);
              answer();
              await turn();
              return bytes;
            },
          };
        },
      },
    });
    const window = await late.read("a.txt", lines);
    assertEquals(window.text, "new\n".repeat(3));
  });
});

describe("a call", () => {
  it("closes a file once, in whatever order the answer and the abort come", async () => {
    // The abort comes 0, 1, 2 … microtasks after the port's answer.
    for (let after = 0; after < 20; after++) {
      const { signal, abort } = abortable();
      const fs = memoryFs({ "/ws/a.txt": "1\n" });
      let closed = 0;
      const workspace = await openWorkspace("/ws", {
        fs: {
          ...fs,
          async open(path) {
            const handle = await fs.open(path);
            const late = async () => {
              for (let left = after; left > 0; left--) await undefined;
              abort();
            };
            late();
            return { ...handle, close: () => void closed++ };
          },
        },
      });
      const read = workspace.read("a.txt", {}, { signal });
      await read.catch((error) => assertEquals(error.code, "ABORTED"));
      await turn();
      assertEquals(closed, 1, `${after}`);
    }
  });
  it("closes the file after each failure", async () => {
    const content = Uint8Array.of(0, 0xff, 0x0a);
    const fs = countingFs(memoryFs({ "/ws/a.txt": content }));
    const workspace = await openWorkspace("/ws", { fs });
    const failures: readonly ReadOptions[] = [
      { maxFileBytes: 1 },
      { binary: "refuse-nul" },
      { binary: "refuse-shown" },
      { binary: "refuse-invalid" },
      { start: 9, end: 10, exactRange: true },
      { start: 1, count: 1, maxScanBytes: 1 },
    ];
    for (const options of failures) {
      await assertRejects(
        () => workspace.read("a.txt", options),
        ReadFileError,
      );
      assertEquals(fs.counts.open, 0);
    }
    assertEquals(fs.counts.opened, failures.length);
  });
});

function abortable(): { readonly signal: AbortSignal; abort(): void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
