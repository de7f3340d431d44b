import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Page } from "../mod.ts";
import {
  assertOutcome,
  type Outcome,
  outcomeOf,
  type Reader,
  readersOf,
  type Sample,
  SAMPLES,
  workspaceOn,
} from "./support/fault_readers.ts";
import {
  type Answers,
  type Change,
  FAULTY_PATH,
  FaultyDisk,
  type Verb,
} from "./support/faulty_fs.ts";

const CHANGES: readonly Change[] = [
  "grows",
  "shrinks",
  "is replaced",
  "is removed",
  "is rewritten",
  "is rewritten by more",
  "is rewritten by less",
];

/** What may come of a read, by when the file changed. */
interface Answersheet {
  readonly before: Outcome;
  readonly after: Outcome;
  /** The new file, as far as the old one went. */
  readonly part: Outcome;
}

const REWRITTEN: Outcome = { code: "CHANGED", text: '{"how":"rewritten"}' };
const SHRANK: Outcome = { code: "CHANGED", text: '{"how":"shrank"}' };

/** The outcomes that are right for a change at call `at` of a read. */
function rightFor(
  change: Change,
  at: number,
  calls: readonly Verb[],
  { before, after, part }: Answersheet,
): readonly Outcome[] {
  // At the first look at the open file, its size and times are settled.
  const isEarly = at <= calls.indexOf("stat");
  const isOver = at >= calls.indexOf("close");
  switch (change) {
    case "is replaced":
    case "is removed":
      // What is open stays what it was.
      return [at <= calls.indexOf("open") ? after : before];
    case "grows":
      return [isEarly ? after : before];
    case "is rewritten by more":
      if (isEarly || isOver) return [isEarly ? after : before];
      // Nothing that is shown was read of the old one, and the new one is longer:
      // it looks as if it had grown.
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
  for (const reader of readersOf(sample.line)) {
    describe(`${reader.name} of ${sample.name}`, () => {
      for (const change of CHANGES) {
        it(`never mixes two versions where it ${change}`, async () => {
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
        // A file that is only opened is not read, so nothing can be mixed.
        const right = calls.includes("read")
          ? rightFor(change, at, calls, sheet)
          : [sheet.before, sheet.after];
        const isRight = right.some((one) => isSame(one, outcome));
        if (!isRight) assertOutcome(outcome, right[0]!, what);
        // What the first read has left behind spoils no other.
        disk.plan(() => undefined);
        const again = await outcomeOf(reader.read(workspace));
        assertOutcome(again, sheet.after, `${what}, read again`);
      }
    });
  }
}

function isSame(one: Outcome, other: Outcome): boolean {
  return one.code === other.code && one.text === other.text;
}

describe("a file that changes all the time", () => {
  const [sample] = SAMPLES as [Sample];
  for (const { name, read } of readersOf(sample.line)) {
    it(`is read as it was opened if it only grows: ${name}`, async () => {
      const disk = new FaultyDisk(sample.bytes);
      const workspace = await workspaceOn(disk);
      const more = new TextEncoder().encode("more\n");
      let opened: Uint8Array | undefined;
      const deed = () => disk.change("grows", more);
      disk.plan((verb) => {
        if (verb === "stat") opened ??= disk.bytes;
        return opened === undefined ? undefined : { kind: "meets", deed };
      });
      const outcome = await outcomeOf(read(workspace));
      // The first of the changes came just before the first stat was answered.
      const length = opened!.length + more.length;
      const clean = new FaultyDisk(disk.bytes!.slice(0, length));
      assertEquals(outcome, await outcomeOf(read(await workspaceOn(clean))));
    });
  }
  it("is CHANGED if it is another each time", async () => {
    for (const { name, read } of readersOf(sample.line)) {
      if (name === "workspace.open") continue;
      const disk = new FaultyDisk(sample.bytes);
      const workspace = await workspaceOn(disk);
      const { bytes, other } = sample;
      let turn = 0;
      const deed = () =>
        disk.change("is rewritten", turn++ % 2 === 0 ? other : bytes);
      disk.plan(() => ({ kind: "meets", deed }));
      assertOutcome(await outcomeOf(read(workspace)), REWRITTEN, name);
    }
  });
});

describe("Workspace.pages()", () => {
  for (const sample of SAMPLES) {
    it(`never joins pages of two versions of ${sample.name}`, async () => {
      const clean = new FaultyDisk(sample.bytes);
      const old = await outcomeOf(pagesOf(clean));
      const all = [...clean.calls];
      for (const change of CHANGES) {
        const changed = new FaultyDisk(sample.bytes);
        changed.change(change, sample.other);
        const right = [old, await outcomeOf(pagesOf(changed))];
        const refused: (string | null)[] = [];
        for (let at = 0; at < all.length; at++) {
          const disk = new FaultyDisk(sample.bytes);
          const outcome = await outcomeOf(
            pagesOf(disk, (number) => {
              if (number === at) disk.change(change, sample.other);
            }),
          );
          if (right.some((one) => isSame(one, outcome))) continue;
          refused.push(outcome.code);
        }
        assertNotEquals(refused.length, all.length);
        const codes = new Set(refused);
        codes.delete("CHANGED");
        // Pages of a log go on in what was appended; a removed one is gone.
        if (change === "grows") codes.delete(null);
        if (change === "is removed") codes.delete("NOT_FOUND");
        // Nothing was read of the old one yet: it looks as if it had grown.
        if (change === "is rewritten by more") codes.delete(null);
        assertEquals([...codes], [], change);
      }
    });
  }

  async function pagesOf(
    disk: FaultyDisk,
    meet: (number: number) => void = () => {},
  ): Promise<unknown> {
    const workspace = await workspaceOn(disk);
    disk.plan((_, number) => ({ kind: "meets", deed: () => meet(number) }));
    const lines: Page["lines"][] = [];
    for await (
      const page of workspace.pages(FAULTY_PATH, {
        start: 11,
        end: 19,
        maxBytes: 70,
      })
    ) lines.push(page.lines);
    return lines.flat();
  }
});
