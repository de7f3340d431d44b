import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { KernelPool, withKernels } from "../../src/core/lines/scan.ts";
import { openWorkspace } from "../../mod.ts";
import {
  type Outcome,
  outcomeOf,
  type Reader,
  readersOf,
  SAMPLES,
  workspaceOn,
} from "../support/fault_readers.ts";
import {
  type Fault,
  FAULTY_PATH,
  FaultyDisk,
  type Verb,
} from "../support/faulty_fs.ts";
import { shareOf } from "../support/share.ts";

const ABORTED: Outcome = { code: "ABORTED", text: "{}" };

/** Waits for a turn of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

async function cleanRead(
  { read }: Reader,
  bytes: Uint8Array,
): Promise<{ readonly clean: Outcome; readonly calls: readonly Verb[] }> {
  const disk = new FaultyDisk(bytes);
  const workspace = await workspaceOn(disk);
  disk.plan(() => undefined);
  const clean = await outcomeOf(read(workspace));
  return { clean, calls: [...disk.calls] };
}

/** Fails if a call after call `at` does more than close open files. */
function assertLeft(disk: FaultyDisk, at: number, what: string): void {
  const rest = new Set(disk.calls.slice(at + 1));
  rest.delete("close");
  assertEquals([...rest], [], what);
}

/** Fails unless a read that was aborted in a call is aborted. After the last call it goes on, unless it gives others a turn before its end. */
function assertEnded(
  outcome: Outcome,
  verb: Verb,
  clean: Outcome,
  what: string,
): void {
  const goesOn = verb === "close" && outcome.code !== "ABORTED";
  assertEquals(outcome, goesOn ? clean : ABORTED, what);
}

for (const sample of SAMPLES) {
  for (const reader of shareOf(readersOf(sample.line))) {
    describe(`${reader.name} of ${sample.name}, when aborted`, () => {
      it("abandons a pending call, and leaves no file open", async () => {
        const { clean, calls } = await cleanRead(reader, sample.bytes);
        for (const [at, verb] of calls.entries()) {
          const disk = new FaultyDisk(sample.bytes);
          const workspace = await workspaceOn(disk);
          const controller = new AbortController();
          disk.plan((_, number) =>
            number === at ? { kind: "stalls" } : undefined
          );
          const stall = disk.stall();
          const reading = outcomeOf(reader.read(workspace, controller.signal));
          await stall;
          controller.abort();
          const what = `call ${at}, ${verb}`;
          assertEnded(await reading, verb, clean, what);
          disk.release();
          await turn();
          assertLeft(disk, at, what);
          assert(disk.closes.every((times) => times === 1), what);
        }
      });
      for (const answers of ["at once", "later"] as const) {
        it(`makes no more calls to a port that answers ${answers}`, async () => {
          const { clean, calls } = await cleanRead(reader, sample.bytes);
          for (const [at, verb] of calls.entries()) {
            const disk = new FaultyDisk(sample.bytes, answers);
            const workspace = await workspaceOn(disk);
            const controller = new AbortController();
            const deed = () => controller.abort();
            disk.plan((_, number) =>
              number === at ? { kind: "meets", deed } : undefined
            );
            const { signal } = controller;
            const outcome = await outcomeOf(reader.read(workspace, signal));
            const what = `call ${at}, ${verb}`;
            assertEnded(outcome, verb, clean, what);
            await turn();
            assertLeft(disk, at, what);
            assert(disk.closes.every((times) => times === 1), what);
          }
        });
      }
      it("makes no call if aborted before it starts", async () => {
        const disk = new FaultyDisk(sample.bytes);
        const workspace = await workspaceOn(disk);
        disk.plan(() => undefined);
        const signal = AbortSignal.abort();
        assertEquals(await outcomeOf(reader.read(workspace, signal)), ABORTED);
        assertEquals(disk.calls, []);
      });
    });
  }
}

describe("a failed call whose file does not close", () => {
  for (const verb of ["stat", "path", "read"] as const) {
    it(`ends when its caller aborts: ${verb} failed`, async () => {
      const disk = new FaultyDisk(SAMPLES[0]!.bytes);
      const workspace = await workspaceOn(disk);
      const controller = new AbortController();
      const faults: { readonly [Asked in Verb]?: Fault } = {
        [verb]: { kind: "fails", code: "EIO", how: "rejects" },
        close: { kind: "stalls" },
      };
      disk.plan((asked) => faults[asked]);
      const stall = disk.stall();
      const { signal } = controller;
      const reading = outcomeOf(
        workspace.read(FAULTY_PATH, {}, { signal }),
      );
      let settled = false;
      reading.then(() => settled = true);
      await stall;
      await turn();
      assert(!settled, "a file that is closing still counts as open");
      controller.abort();
      assertEquals((await reading).code, "IO");
      disk.release();
      assertEquals(disk.closes, [1]);
    });
  }
});

describe("an open file", () => {
  it("is not read after an abort, and closes at once", async () => {
    const disk = new FaultyDisk(SAMPLES[0]!.bytes, "later");
    const workspace = await workspaceOn(disk);
    const controller = new AbortController();
    const { signal } = controller;
    const file = await workspace.open(FAULTY_PATH, { signal });
    controller.abort();
    disk.plan(() => ({ kind: "stalls" }));
    const read = async () => await file.read(new Uint8Array(9), 0);
    assertEquals(await outcomeOf(read()), ABORTED);
    assertEquals(disk.calls, []);
    // close() does not wait for a call that never ends.
    await file.close();
    assertEquals([disk.calls, disk.closes], [["close"], [1]]);
  });
  it("makes no calls after close(): its descriptor may be reused", async () => {
    const disk = new FaultyDisk(SAMPLES[0]!.bytes);
    const workspace = await workspaceOn(disk);
    const file = await workspace.open(FAULTY_PATH);
    await file.close();
    await file.close();
    disk.plan(() => undefined);
    const read = async () => await file.read(new Uint8Array(9), 0);
    await assertRejects(read, TypeError, "Cannot read a file that is closed");
    const check = async () => await file.checkUnchanged();
    await assertRejects(check, TypeError, "Cannot read a file that is closed");
    assertEquals([disk.calls, disk.closes], [[], [1]]);
  });
});

describe("Workspace.pages()", () => {
  it("ends with ABORTED before the next page", async () => {
    const disk = new FaultyDisk(SAMPLES[0]!.bytes);
    const workspace = await workspaceOn(disk);
    const controller = new AbortController();
    const { signal } = controller;
    const seen: number[] = [];
    const walk = async () => {
      for await (
        const page of workspace.pages(FAULTY_PATH, { count: 9 }, { signal })
      ) {
        seen.push(page.lines.length);
        controller.abort();
      }
    };
    assertEquals(await outcomeOf(walk()), ABORTED);
    assertEquals(seen, [9]);
    assertEquals(disk.closes, [1]);
  });
});

describe("the buffer of a read", () => {
  const { bytes } = SAMPLES[1]!;

  /** Whether the buffer is reused after a read that ends with this fault. */
  async function isGivenBack(
    plan: (verb: Verb) => Fault | undefined,
    code: string,
  ): Promise<boolean> {
    const disk = new FaultyDisk(bytes);
    const kernels = new KernelPool();
    const fs = withKernels({ ...disk.port }, kernels);
    const workspace = await openWorkspace("/ws", { fs });
    const kernel = kernels.take(bytes.length);
    kernels.give(kernel);
    disk.plan(plan);
    const controller = new AbortController();
    disk.stall().then(() => controller.abort());
    const { signal } = controller;
    const reading = workspace.read(FAULTY_PATH, { start: 30_000 }, { signal });
    assertEquals((await outcomeOf(reading)).code, code);
    disk.release();
    return kernels.take(bytes.length) === kernel;
  }

  it("is not reused while a read may still write into it", async () => {
    const isGiven = await isGivenBack(
      (verb) => verb === "read" ? { kind: "stalls" } : undefined,
      "ABORTED",
    );
    assert(!isGiven);
  });
  it("is reused after a read has failed", async () => {
    const isGiven = await isGivenBack(
      (verb) => verb === "read" ? { kind: "is empty" } : undefined,
      "CHANGED",
    );
    assert(isGiven);
  });
});
