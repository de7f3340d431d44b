import { assert } from "@std/assert";
import { describe, it } from "node:test";
import {
  assertOutcome,
  isSame,
  type Outcome,
  outcomeOf,
  type Reader,
  readersOf,
  REWRITTEN,
  type Sample,
  SAMPLES,
  SHRANK,
  workspaceOn,
} from "../support/fault_readers.ts";
import {
  type Answers,
  type Change,
  CHANGES,
  FaultyDisk,
  type Verb,
} from "../support/faulty_fs.ts";
import { shareOf } from "../support/share.ts";

/** The allowed outcomes of a read, depending on when the file changes. */
interface Answersheet {
  readonly before: Outcome;
  readonly after: Outcome;
  /** The new content, up to the size of the old content. */
  readonly part: Outcome;
}

/** The allowed outcomes of a change at call `at` of a read. */
function rightFor(
  change: Change,
  at: number,
  calls: readonly Verb[],
  { before, after, part }: Answersheet,
): readonly Outcome[] {
  // The first stat of the open file fixes its size and times.
  const isEarly = at <= calls.indexOf("stat");
  const isOver = at >= calls.indexOf("close");
  switch (change) {
    case "is replaced":
    case "is removed":
      // The open file keeps its content.
      return [at <= calls.indexOf("open") ? after : before];
    case "grows":
      return [isEarly ? after : before];
    case "is rewritten by more":
      if (isEarly || isOver) return [isEarly ? after : before];
      // If no shown byte came from the old file, a longer new one looks like an
      // appended one.
      return [REWRITTEN, part];
    default:
      if (isEarly || isOver) return [isEarly ? after : before];
      return [change === "is rewritten" ? REWRITTEN : SHRANK];
  }
}

async function read(
  { read }: Reader,
  disk: FaultyDisk,
): Promise<Outcome> {
  const workspace = await workspaceOn(disk);
  disk.plan(() => undefined);
  return await outcomeOf(read(workspace));
}

async function sheetFor(
  reader: Reader,
  { bytes, other }: Sample,
  change: Change,
): Promise<Answersheet & { readonly calls: readonly Verb[] }> {
  const old = new FaultyDisk(bytes);
  const before = await read(reader, old);
  const changed = new FaultyDisk(bytes);
  changed.change(change, other);
  const after = await read(reader, changed);
  const part = await read(
    reader,
    new FaultyDisk(other.slice(0, bytes.length)),
  );
  return { before, after, part, calls: [...old.calls] };
}

for (const sample of SAMPLES) {
  for (const reader of shareOf(readersOf(sample.line))) {
    describe(`${reader.name} of ${sample.name}`, () => {
      for (const change of CHANGES) {
        it(`never mixes two versions if it ${change}`, async () => {
          const { calls, ...sheet } = await sheetFor(reader, sample, change);
          for (let at = 0; at < calls.length; at++) {
            for (const answers of ["at once", "later"] as const) {
              await check(change, at, calls, sheet, answers);
            }
          }
        });
      }

      async function check(
        change: Change,
        at: number,
        calls: readonly Verb[],
        sheet: Answersheet,
        answers: Answers,
      ): Promise<void> {
        const disk = new FaultyDisk(sample.bytes, answers);
        const workspace = await workspaceOn(disk);
        const deed = () => disk.change(change, sample.other);
        disk.plan((_, number) =>
          number === at ? { kind: "meets", deed } : undefined
        );
        const outcome = await outcomeOf(reader.read(workspace));
        const what = `${change} at call ${at}, ${calls[at]}, ${answers}`;
        assert(disk.closes.every((times) => times === 1), what);
        // open() alone reads nothing, so it cannot mix versions.
        const right = calls.includes("read")
          ? rightFor(change, at, calls, sheet)
          : [sheet.before, sheet.after];
        const isRight = right.some((one) => isSame(one, outcome));
        if (!isRight) assertOutcome(outcome, right[0]!, what);
        // The first read does not affect a later one.
        disk.plan(() => undefined);
        const again = await outcomeOf(reader.read(workspace));
        assertOutcome(again, sheet.after, `${what}, read again`);
      }
    });
  }
}
