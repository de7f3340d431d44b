import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openWorkspace } from "../../mod.ts";
import { questionsOf } from "../../src/core/guard/proof.ts";
import {
  assertOutcome,
  type Outcome,
  outcomeOf,
  type Reader,
  readersOf,
  type Sample,
  SAMPLES,
  SHRANK,
  workspaceOn,
} from "../support/fault_readers.ts";
import { nameless } from "../support/fake_fs.ts";
import {
  type Answers,
  type Fault,
  FaultyDisk,
  type Verb,
} from "../support/faulty_fs.ts";
import { shareOf } from "../support/share.ts";

const ANSWERS: readonly Answers[] = ["at once", "later"];

/** The error code for each code of the system. */
const CODES: Readonly<Record<string, string>> = {
  EIO: "IO",
  ENOENT: "NOT_FOUND",
  EACCES: "PERMISSION_DENIED",
  EMFILE: "IO",
};

/** The result and the calls of a read without faults. */
async function cleanRead(
  { read }: Reader,
  bytes: Uint8Array,
): Promise<Outcome & { readonly calls: readonly Verb[] }> {
  const disk = new FaultyDisk(bytes);
  const workspace = await workspaceOn(disk);
  disk.plan(() => undefined);
  const outcome = await outcomeOf(read(workspace));
  assertEquals(disk.closes, [1]);
  return { ...outcome, calls: [...disk.calls] };
}

/** The last call of the first walk, which follows a link to a file in a directory. */
function endOfWalk(calls: readonly Verb[]): number {
  return calls.indexOf("readLink") + 2;
}

/** Reads with one fault, and then again without. */
async function readWith(
  fault: Fault,
  at: number,
  { bytes }: Sample,
  { read }: Reader,
  answers: Answers,
): Promise<readonly [first: Outcome, second: Outcome]> {
  const disk = new FaultyDisk(bytes, answers);
  const workspace = await workspaceOn(disk);
  disk.plan((_, number) => number === at ? fault : undefined);
  const first = await outcomeOf(read(workspace));
  assert(disk.calls.length > at, "the fault did not occur");
  assert(disk.closes.every((times) => times === 1), `closed ${disk.closes}`);
  disk.plan(() => undefined);
  const second = await outcomeOf(read(workspace));
  return [first, second];
}

for (const sample of SAMPLES) {
  for (const reader of shareOf(readersOf(sample.line))) {
    describe(`${reader.name} of ${sample.name}`, () => {
      for (const answers of ANSWERS) {
        it(`has one code for each failure of a port that answers ${answers}`, async () => {
          const { calls, ...clean } = await cleanRead(reader, sample.bytes);
          for (const [at, verb] of calls.entries()) {
            for (const [code, ours] of Object.entries(CODES)) {
              for (const how of ["throws", "rejects"] as const) {
                const fault = { kind: "fails", code, how } as const;
                const [outcome, again] = await readWith(
                  fault,
                  at,
                  sample,
                  reader,
                  answers,
                );
                // A file that vanished during the read is looked up again.
                const isProof = verb === "lstat" && at > endOfWalk(calls);
                const isRetried = isProof
                  ? ours !== "IO"
                  : verb === "open" && code === "ENOENT";
                // The error is the original failure, not that of close().
                const isOver = verb === "close" && clean.code !== null;
                const what = `call ${at}, ${verb}, ${how} ${code}`;
                if (isRetried || isOver) assertOutcome(outcome, clean, what);
                else assertEquals(outcome.code, ours, what);
                assertOutcome(again, clean, what);
              }
            }
          }
        });
        it(`accepts short reads, if a port answers ${answers}`, async () => {
          const { calls, ...clean } = await cleanRead(reader, sample.bytes);
          for (const [at, verb] of calls.entries()) {
            if (verb !== "read") continue;
            const ask = (kind: "is short" | "is empty") =>
              readWith({ kind }, at, sample, reader, answers);
            const [short, afterShort] = await ask("is short");
            assertOutcome(short, clean, `call ${at}`);
            assertOutcome(afterShort, clean, `call ${at}`);
            const [empty, afterEmpty] = await ask("is empty");
            assertOutcome(empty, SHRANK, `call ${at}`);
            assertOutcome(afterEmpty, clean, `call ${at}`);
          }
        });
      }
    });
  }
}

describe("a failed read", () => {
  for (const answers of ANSWERS) {
    it(`keeps its error if close() also fails (${answers})`, async () => {
      const [sample] = SAMPLES;
      for (const reader of readersOf(sample!.line)) {
        const { calls } = await cleanRead(reader, sample!.bytes);
        const last = calls.indexOf("close");
        for (let at = 0; at < last; at++) {
          const disk = new FaultyDisk(sample!.bytes, answers);
          const workspace = await workspaceOn(disk);
          disk.plan((verb, number) =>
            verb === "close"
              ? { kind: "fails", code: "EACCES", how: "rejects" }
              : number === at
              ? { kind: "fails", code: "EIO", how: "rejects" }
              : undefined
          );
          const { code } = await outcomeOf(reader.read(workspace));
          assertEquals(code, "IO", `${reader.name}, call ${at}`);
          assert(disk.closes.every((times) => times === 1));
        }
      }
    });
  }
  it("tries four times to open a file that keeps vanishing", async () => {
    const disk = new FaultyDisk(SAMPLES[0]!.bytes);
    const workspace = await workspaceOn(disk);
    disk.plan((verb) =>
      verb === "open"
        ? { kind: "fails", code: "ENOENT", how: "throws" }
        : undefined
    );
    const { code } = await outcomeOf(workspace.open("l"));
    assertEquals(code, "CHANGED");
    assertEquals(disk.calls.filter((verb) => verb === "open").length, 4);
  });
});

describe("a port whose system cannot name open files", () => {
  const [{ bytes, other, line }] = SAMPLES as readonly [Sample];
  const readers = readersOf(line).filter((_, index) => index % 7 === 0);

  async function readNameless(
    { read }: Reader,
    fault?: Fault,
    at?: number,
  ): Promise<Outcome & { readonly disk: FaultyDisk }> {
    const disk = new FaultyDisk(bytes);
    const port = nameless(disk.port);
    const workspace = await openWorkspace("/ws", { fs: port });
    disk.plan((_, number) => number === at ? fault : undefined);
    const outcome = await outcomeOf(read(workspace));
    assert(disk.closes.every((times) => times === 1));
    return { ...outcome, disk };
  }

  for (const reader of readers) {
    it(`has one code for each failure of its proof: ${reader.name}`, async () => {
      const { disk: { calls }, ...clean } = await readNameless(reader);
      assert(calls.length > questionsOf(2));
      for (const [at, verb] of calls.entries()) {
        if (verb === "close") continue;
        // A path that vanishes after the walk is looked up again.
        const isProof = verb === "lstat" && at > endOfWalk(calls);
        for (const [code, ours] of Object.entries(CODES)) {
          const fault = { kind: "fails", code, how: "throws" } as const;
          const { disk: _, ...outcome } = await readNameless(reader, fault, at);
          const isRetried = isProof
            ? ours !== "IO"
            : verb === "open" && code === "ENOENT";
          if (isRetried) assertEquals(outcome, clean, `${at}, ${verb}`);
          else assertEquals(outcome.code, ours, `${at}, ${verb} ${code}`);
        }
      }
    });
    it(`reads the old or the new file if the file is replaced: ${reader.name}`, async () => {
      const { disk: { calls }, ...before } = await readNameless(reader);
      const after = await cleanRead(reader, other);
      const seen = new Set<string>();
      for (let at = 0; at < calls.length; at++) {
        const disk = new FaultyDisk(bytes);
        const workspace = await openWorkspace("/ws", {
          fs: nameless(disk.port),
        });
        const deed = () => disk.change("is replaced", other);
        disk.plan((_, number) =>
          number === at ? { kind: "meets", deed } : undefined
        );
        const outcome = await outcomeOf(reader.read(workspace));
        assert(disk.closes.every((times) => times === 1));
        seen.add(outcome.text);
      }
      assertEquals(seen, new Set([after.text, before.text]));
    });
  }
});
