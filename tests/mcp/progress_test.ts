import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { openServer } from "../../mcp/src/server.ts";
import { type FsPort, memoryFs } from "../../mod.ts";
import { ENDLESS_LINE_BYTES, endlessFs } from "../support/endless_fs.ts";
import { newClient, Wire } from "../support/mcp.ts";

/** Intervals that fire when a test moves their clock, and not before. */
class Intervals implements Disposable {
  readonly #real = [globalThis.setInterval, globalThis.clearInterval] as const;
  readonly #timers = new Map<
    object,
    { tick(): void; ms: number; at: number }
  >();
  /** The milliseconds by which the clock was moved. */
  now = 0;

  constructor() {
    const set = (tick: () => void, ms: number) => {
      const timer = {};
      this.#timers.set(timer, { tick, ms, at: this.now + ms });
      return timer;
    };
    Object.assign(globalThis, {
      setInterval: set,
      clearInterval: (timer: object) => void this.#timers.delete(timer),
    });
  }

  /** Moves the clock, and lets what fires be sent. */
  async pass(ms: number): Promise<void> {
    this.now += ms;
    for (const timer of this.#timers.values()) {
      for (; timer.at <= this.now; timer.at += timer.ms) timer.tick();
    }
    await new Promise((done) => setTimeout(done, 0));
  }

  [Symbol.dispose](): void {
    const [setInterval, clearInterval] = this.#real;
    Object.assign(globalThis, { setInterval, clearInterval });
  }
}

/** A port whose reads take time. */
function slow(fs: FsPort, clock: Intervals, ms: number): FsPort {
  return {
    ...fs,
    async open(path, signal) {
      const handle = await fs.open(path, signal);
      return {
        ...handle,
        async read(buffer, position) {
          await clock.pass(ms);
          return handle.read(buffer, position);
        },
      };
    },
  };
}

async function connectTo(fs: FsPort) {
  const serve = await openServer({ directories: ["/ws"], fs });
  const client = newClient();
  await client.connect(new Wire(serve));
  return client;
}

describe("the progress of a call", () => {
  const LINES = 100_000;
  const size = LINES * ENDLESS_LINE_BYTES;
  const args = { path: "big.txt", start: LINES };

  it("is reported in bytes read, of the bytes of the file", async () => {
    using clock = new Intervals();
    const client = await connectTo(slow(endlessFs(LINES), clock, 150));
    const told: { progress: number; total?: number | undefined }[] = [];
    await client.callTool({ name: "read_file", arguments: args }, {
      onprogress: (progress) => told.push(progress),
    });
    const halves = Math.floor(clock.now / 500);
    assert(halves >= 2, `${halves}`);
    assert(told.length >= halves, `${told.length} reports`);
    for (const [at, { progress, total }] of told.entries()) {
      assertEquals(total, size);
      assert(progress <= size && progress > (told[at - 1]?.progress ?? 0));
    }
    await client.close();
  });
  it("counts bytes that are read again, and names that are listed", async () => {
    using clock = new Intervals();
    const fs = endlessFs(LINES);
    const names = Array.from({ length: 500 }, (_, at) => `${at}.txt`);
    const client = await connectTo({
      ...slow(fs, clock, 100),
      async *list() {
        for (const name of names) {
          await clock.pass(3);
          yield [{ name, kind: "file" as const }];
        }
      },
    });
    const ask = async (name: string, args: Record<string, unknown>) => {
      const told: { progress: number; total?: number | undefined }[] = [];
      const began = clock.now;
      await client.callTool({ name, arguments: args }, {
        onprogress: (progress) => told.push(progress),
      });
      const halves = Math.floor((clock.now - began) / 500);
      assert(halves >= 2 && told.length >= halves, `${told.length} reports`);
      for (const [at, { progress }] of told.entries()) {
        assert(progress > (told[at - 1]?.progress ?? 0));
      }
      return told.at(-1)!;
    };
    const big = { path: "big.txt", start: LINES };
    const twice = await ask("read_files", { files: [big, big] });
    assert(twice.progress <= twice.total!);
    const listed = await ask("list_directory", { limit: 1 });
    assertEquals(listed.total, undefined);
    assert(listed.progress <= names.length);
    await client.close();
  });
  it("is reported by a search in a directory", async () => {
    using clock = new Intervals();
    const files = Array.from({ length: 40 }, (_, at) => [`/ws/${at}`, "x\n"]);
    const fs = memoryFs(Object.fromEntries(files));
    const client = await connectTo(slow(fs, clock, 50));
    let reports = 0;
    const search = { path: ".", match: "none" };
    await client.callTool({ name: "read_file", arguments: search }, {
      onprogress: () => reports++,
    });
    const halves = Math.floor(clock.now / 500);
    assert(halves >= 2 && reports >= halves, `${reports} of ${halves}`);
    await client.close();
  });
  it("is not reported to a client that does not ask, or for a short call", async () => {
    using clock = new Intervals();
    const client = await connectTo(slow(endlessFs(10), clock, 1));
    const told: unknown[] = [];
    client.fallbackNotificationHandler = (sent) => {
      told.push(sent);
      return Promise.resolve();
    };
    await client.callTool({ name: "read_file", arguments: args });
    await client.callTool({ name: "read_file", arguments: args }, {
      onprogress: (progress) => told.push(progress),
    });
    assertEquals(told, []);
    await client.close();
  });
  it("does not keep a cancelled call from ending", async () => {
    using clock = new Intervals();
    const client = await connectTo(slow(endlessFs(2 ** 46), clock, 100));
    const controller = new AbortController();
    let reports = 0;
    const call = client.callTool({
      name: "read_file",
      arguments: { path: "big.txt", start: 2 ** 46 },
    }, {
      signal: controller.signal,
      onprogress: () => {
        if (++reports === 2) controller.abort();
      },
    });
    await assertRejects(() => call);
    await clock.pass(2_000);
    assertEquals(reports, 2);
    await client.close();
  });
});
