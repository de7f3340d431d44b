import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FileHandle,
  memoryFs,
  openWorkspace,
  type ReadFileError,
  type Workspace,
} from "../../../mod.ts";
import { Semaphore } from "../../../src/core/base/call.ts";
import { withClock } from "../../support/clock.ts";

/** The largest number of files that are open at a time. */
const PLACES = 64;

describe("Semaphore", () => {
  it("acquires a free slot at once", () => {
    const semaphore = new Semaphore(2);
    assertEquals([semaphore.acquire(), semaphore.acquire()], [
      undefined,
      undefined,
    ]);
    semaphore.release();
    assertEquals(semaphore.acquire(), undefined);
  });
  it("grants slots in the order of the calls", async () => {
    const semaphore = new Semaphore(1);
    semaphore.acquire();
    const came: number[] = [];
    for (const number of [1, 2, 3]) {
      semaphore.acquire()!.then(() => came.push(number));
    }
    for (const number of [1, 2, 3]) {
      await turn();
      assertEquals(came.length, number - 1);
      semaphore.release();
    }
    await turn();
    assertEquals(came, [1, 2, 3]);
  });
  it("loses no released slot", () => {
    const semaphore = new Semaphore(1);
    for (let i = 0; i < 3; i++) {
      assertEquals(semaphore.acquire(), undefined);
      semaphore.release();
    }
  });
});

/** A workspace that stops at each file until the file is released. */
interface Gate {
  readonly workspace: Workspace;
  /** The requested files that are not released yet, in order. */
  readonly asked: string[];
  /** Releases the first requested file. */
  letOne(): void;
}

async function gateOf(
  files: number,
  change: (handle: FileHandle) => Partial<FileHandle> = () => ({}),
): Promise<Gate> {
  const names = Array.from({ length: files }, (_, at) => `/ws/${at}`);
  const fs = memoryFs(Object.fromEntries(names.map((name) => [name, name])));
  const asked: string[] = [];
  const openers: (() => void)[] = [];
  const workspace = await openWorkspace("/ws", {
    fs: {
      ...fs,
      async open(path) {
        asked.push(path);
        await new Promise<void>((resolve) => openers.push(resolve));
        asked.splice(asked.indexOf(path), 1);
        const handle = await fs.open(path);
        return { ...handle, ...change(handle) };
      },
    },
  });
  return { workspace, asked, letOne: () => openers.shift()!() };
}

/** Lets all work that can continue run: the clock stands still, so a read yields at most once. */
async function turn(): Promise<void> {
  for (let step = 0; step < 2; step++) {
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** Releases the files one by one; returns the largest number that was open at a time. */
async function letAll({ asked, letOne }: Gate): Promise<number> {
  let most = 0;
  for (await turn(); asked.length > 0; await turn()) {
    most = Math.max(most, asked.length);
    letOne();
  }
  return most;
}

describe("read(), many times at once", () => {
  it(`opens at most ${PLACES} files at a time, the others in the order of the calls`, () =>
    withClock(0, async () => {
      const gate = await gateOf(PLACES + 6);
      const order: string[] = [];
      const reads = Array.from({ length: PLACES + 6 }, async (_, at) => {
        order.push((await gate.workspace.read(`${at}`)).text);
      });
      await turn();
      assertEquals(gate.asked.length, PLACES);
      gate.letOne();
      await turn();
      assertEquals(order, ["/ws/0"]);
      assertEquals(gate.asked.at(-1), `/ws/${PLACES}`);
      assertEquals(await letAll(gate), PLACES);
      await Promise.all(reads);
      assertEquals(order, reads.map((_, at) => `/ws/${at}`));
    }));

  it("ends a waiting read with ABORTED, and grants its slot to the next", () =>
    withClock(0, async () => {
      const gate = await gateOf(PLACES + 3);
      const controller = new AbortController();
      const reads = Array.from({ length: PLACES + 3 }, async (_, at) => {
        const isLeaving = at === PLACES || at === PLACES + 1;
        const signal = isLeaving ? controller.signal : undefined;
        try {
          const page = await gate.workspace.read(`${at}`, {}, { signal });
          return page.text;
        } catch (error) {
          return (error as ReadFileError).code;
        }
      });
      await turn();
      controller.abort();
      assertEquals(await reads[PLACES], "ABORTED");
      assertEquals(await reads[PLACES + 1], "ABORTED");
      assertEquals(gate.asked.length, PLACES);
      gate.letOne();
      await turn();
      // The aborted reads never opened a file.
      assertEquals(gate.asked.at(-1), `/ws/${PLACES + 2}`);
      await letAll(gate);
      assertEquals((await Promise.all(reads)).at(-1), `/ws/${PLACES + 2}`);
      await assertAllFree();
    }));

  it("releases the slot of a failed read", () =>
    withClock(0, async () => {
      const fail = () => {
        throw Object.assign(new Error("EIO"), { code: "EIO" });
      };
      const failures = ["stat", "read", "close"] as const;
      for (const verb of failures) {
        const gate = await gateOf(1, () => ({ [verb]: fail }));
        const reads = Array.from(
          { length: PLACES + 1 },
          () =>
            gate.workspace.read("0").catch((error) =>
              (error as ReadFileError).code
            ),
        );
        await letAll(gate);
        assertEquals([...new Set(await Promise.all(reads))], ["IO"], verb);
      }
      const gate = await gateOf(1);
      const outside = Array.from(
        { length: PLACES + 1 },
        () => gate.workspace.read("../0").catch(() => "refused"),
      );
      assertEquals([...new Set(await Promise.all(outside))], ["refused"]);
      await assertAllFree();
    }));
});

/** Asserts that all slots are free. */
async function assertAllFree(): Promise<void> {
  const gate = await gateOf(1);
  const reads = Array.from(
    { length: PLACES + 1 },
    () => gate.workspace.read("0"),
  );
  assertEquals(await letAll(gate), PLACES);
  await Promise.all(reads);
}

describe("read()", () => {
  it("reads in one workspace while the disk of another hangs", async () => {
    const healthy = memoryFs({ "/ws/a": "x" });
    const hanging = {
      ...healthy,
      open(path: string): Promise<FileHandle> {
        return new Promise(() => path);
      },
    };
    const hung = await openWorkspace("/ws", { fs: hanging });
    for (let call = 0; call < PLACES; call++) void hung.read("a");
    const workspace = await openWorkspace("/ws", { fs: healthy });
    assertEquals((await workspace.read("a")).text, "x");
  });
});
