import { assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Page, ReadOptions } from "../../mod.ts";
import {
  assertOutcome,
  isSame,
  outcomeOf,
  readersOf,
  REWRITTEN,
  type Sample,
  SAMPLES,
  workspaceOn,
} from "../support/fault_readers.ts";
import { CHANGES, FAULTY_PATH, FaultyDisk } from "../support/faulty_fs.ts";
import { shareOf } from "../support/share.ts";

describe("a file that changes all the time", () => {
  const [sample] = SAMPLES as [Sample];
  for (const { name, read } of readersOf(sample.line)) {
    it(`is read up to its size at the first stat if it only grows: ${name}`, async () => {
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
      // The file first changes just before the first stat returns.
      const length = opened!.length + more.length;
      const clean = new FaultyDisk(disk.bytes!.slice(0, length));
      assertEquals(outcome, await outcomeOf(read(await workspaceOn(clean))));
    });
  }
  it("is CHANGED if it changes with each call", async () => {
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

/** The numbers of the calls at which the file changes: the checks before the first read, all reads, and beyond. */
const CALLS = Array.from({ length: 25 }, (_, at) => 9 + at);

describe("a file larger than the buffer", () => {
  it("is CHANGED if it is rewritten, even if its lines become inconsistent", async () => {
    const line = (letter: string, length: number) =>
      `${letter.repeat(length - 1)}\n`;
    const bytes = new TextEncoder().encode(line("a", 10).repeat(300_000));
    const other = new TextEncoder().encode(line("b", 17).repeat(187_500));
    const count = 250_000;
    const reads: readonly ReadOptions[] = [
      { countLines: true },
      { count, countLines: true },
      { count, maxLineBytes: 3 },
      { tail: count },
    ];
    for (const options of reads) {
      for (const at of shareOf(CALLS)) {
        const disk = new FaultyDisk(bytes);
        const workspace = await workspaceOn(disk);
        const deed = () => disk.change("is rewritten", other);
        disk.plan((_, number) =>
          number === at ? { kind: "meets", deed } : undefined
        );
        const outcome = await outcomeOf(workspace.read(FAULTY_PATH, options));
        const isOver = (disk.calls[at] ?? "close") === "close";
        const what = `${JSON.stringify(options)}, call ${at}`;
        if (isOver) assertEquals(outcome.code, null, what);
        else assertOutcome(outcome, REWRITTEN, what);
      }
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
        // The next page of a log shows appended lines; a removed file is missing.
        if (change === "grows") codes.delete(null);
        if (change === "is removed") codes.delete("NOT_FOUND");
        // Nothing of the old file was read yet: the new one looks like an appended one.
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
