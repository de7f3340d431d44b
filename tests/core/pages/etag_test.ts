/** Random edits between two pages, and what docs/versions.md says that the second page notices. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  openWorkspace,
  type Page,
  ReadFileError,
  type ReadOptions,
} from "../../../mod.ts";
import { type OneFileFs, oneFileFs } from "../../support/one_file_fs.ts";
import { Random, SEED } from "../../support/random.ts";

const EDITS = 2_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A time long ago, and one that the clock of the system may show again. */
const OLD_MS = 1_000;
const now = () => Date.now() + 1e6;

/** What a store tells of the times of a file. */
interface Store {
  /** Whether its times show every change, once a file is at rest. */
  readonly hasTimes: boolean;
  /** Whether a program can set the mtime back, and only the ctime shows it. */
  readonly setsBack: boolean;
  stamp(fs: OneFileFs, mtimeMs: number, ctimeMs: number): void;
}

const STORES: Readonly<Record<string, Store>> = {
  "a disk": {
    hasTimes: true,
    setsBack: true,
    stamp: (fs, mtimeMs, ctimeMs) => Object.assign(fs, { mtimeMs, ctimeMs }),
  },
  "a store with one time": {
    hasTimes: true,
    setsBack: false,
    stamp: (fs, mtimeMs) => Object.assign(fs, { mtimeMs, ctimeMs: mtimeMs }),
  },
  "a store without times": {
    hasTimes: false,
    setsBack: false,
    stamp: (fs) => Object.assign(fs, { mtimeMs: null, ctimeMs: null }),
  },
  "a disk without a ctime": {
    hasTimes: false,
    setsBack: true,
    stamp: (fs, mtimeMs) => Object.assign(fs, { mtimeMs, ctimeMs: null }),
  },
};

/** An edit between two pages. */
interface Edit {
  readonly before: string;
  readonly after: string;
  /** Whether the file was at rest when the first page was read. */
  readonly wasAtRest: boolean;
  /** Whether a program set the mtime back to that before the edit. */
  readonly isSetBack: boolean;
  /** Whether another file took its place. */
  readonly isReplaced: boolean;
  /** Whether a change left the same mtime, since the clock had not moved. */
  readonly isSameTick: boolean;
}

/** How many bytes are counted again from the beginning of the file. */
const COUNTED_BYTES = 4096;

/** What the documentation says of an edit, without looking at how it is noticed. */
function whatIsSaid(
  { hasTimes, setsBack }: Store,
  edit: Edit,
  page: Page,
): "noticed" | "the same version" | "lost" {
  const { before, after, wasAtRest, isSetBack, isReplaced, isSameTick } = edit;
  const { shown: { end } } = page;
  const start = end - lengthOfLastRun(page);
  if (isReplaced || after.length < before.length) return "noticed";
  const hasMtime = hasTimes || setsBack;
  // Touching a file is a change of it, too.
  const isTouched = hasMtime && !isSetBack && !isSameTick;
  if (after.length === before.length && isTouched) return "noticed";
  if (after.slice(start, end) !== before.slice(start, end)) return "noticed";
  if (after.startsWith(before.slice(0, end))) {
    // Nothing of what was shown has changed, nor what is before it.
    const isAppended = after.startsWith(before);
    return isAppended ? "the same version" : "lost";
  }
  const isMoved = placeIn(before, end) !== placeIn(after, end);
  if (isMoved && start <= COUNTED_BYTES) return "noticed";
  assert(!wasAtRest || isSetBack || !hasTimes || after.length > before.length);
  return "lost";
}

/** How many bytes the last run of lines has: of a page of hits, only that is compared. */
function lengthOfLastRun({ lines }: Page): number {
  let length = 0;
  for (let at = lines.length - 1; at >= 0; at--) {
    const { number, column, text, ending } = lines[at]!;
    length += text.length + ending.length;
    const above = lines[at - 1];
    if (column > 1 || above?.ending !== "\n" || above.number < number - 1) {
      break;
    }
  }
  return length;
}

/** The line and the column of a position. */
function placeIn(text: string, at: number): string {
  const lines = text.slice(0, at).split("\n");
  return `${lines.length}:${lines.at(-1)!.length}`;
}

/** A text of lines of up to 60 bytes, and sometimes of much longer ones. */
function drawText(random: Random): string {
  const lines = Array.from({ length: random.from(3, 200) }, (_, at) => {
    const length = random.below(60) === 0 ? 3_000 : 60;
    return `${at} ${"abc ".repeat(random.below(length / 4))}`;
  });
  return lines.join("\n") + random.pick(["", "\n"]);
}

function drawOptions(random: Random, text: string): ReadOptions {
  const lines = () => random.from(1, 30);
  // Of a long line, only the parts around hits are shown.
  const isShort = !/.{1000}/.test(text);
  return random.pick<ReadOptions>([
    { count: lines() },
    { maxBytes: random.from(1, 4_000) },
    { start: lines(), count: lines() },
    { start: lines(), width: random.from(1, 50) },
    { start: lines(), maxBytes: random.from(1, 9_000) },
    isShort
      ? { match: random.pick(["1", "abc", "9 "]), limit: 3 }
      : { count: lines() },
  ]);
}

/** Other text, of the same size, longer or shorter. */
function drawChange(random: Random, text: string, { shown }: Page): string {
  const size = text.length;
  const put = (at: number, other: string, over = other.length) =>
    text.slice(0, at) + other + text.slice(at + over);
  const within = random.pick([
    random.below(size),
    random.from(0, shown.start),
    random.from(shown.start, Math.max(shown.start, shown.end - 1)),
    random.from(Math.min(shown.end, size - 1), size - 1),
  ]);
  switch (random.below(8)) {
    case 0:
      return text;
    case 1:
      return `${text}more\n`;
    case 2:
      return put(within, "X");
    case 3:
      return put(within, "\n");
    case 4:
      return put(within, random.pick(["new", "new\n"]), 0);
    case 5:
      return put(within, "", random.from(1, 5));
    case 6:
      return `${put(within, random.pick(["X", "\n"]))}more\n`;
    default: {
      // A line moves.
      const from = text.indexOf("\n", within) + 1;
      const to = text.indexOf("\n", from) + 1;
      return to === 0
        ? text
        : text.slice(from, to) + text.slice(0, from) + text.slice(to);
    }
  }
}

describe(`of ${EDITS} random edits after a page`, () => {
  for (const [name, store] of Object.entries(STORES)) {
    it(`what is said to be noticed is noticed, and nothing else, on ${name}`, async () => {
      const random = new Random(SEED);
      const counts = { "noticed": 0, "the same version": 0, "lost": 0 };
      const fs = oneFileFs();
      for (let edits = 0; edits < EDITS / Object.keys(STORES).length;) {
        // The cache of a workspace must make no difference.
        const workspace = await openWorkspace("/ws", { fs });
        const before = drawText(random);
        const wasAtRest = random.below(2) === 0;
        fs.id = "one";
        fs.content = encoder.encode(before);
        const firstMs = wasAtRest ? OLD_MS : now();
        store.stamp(fs, firstMs, firstMs);
        const page = await workspace.read("a", drawOptions(random, before));
        if (page.next === null) continue;
        edits++;
        const after = drawChange(random, before, page);
        const isSetBack = store.setsBack && random.below(3) === 0;
        const isSameTick = !isSetBack && !wasAtRest && random.below(2) === 0;
        const isReplaced = random.below(12) === 0;
        const edit = {
          before,
          after,
          wasAtRest,
          isSetBack,
          isReplaced,
          isSameTick,
        };
        const secondMs = firstMs + (isSameTick ? 0 : 5_000);
        fs.content = encoder.encode(after);
        store.stamp(fs, isSetBack ? firstMs : secondMs, secondMs);
        if (isReplaced) fs.id = "other";
        const said = whatIsSaid(store, edit, page);
        counts[said]++;
        const facts = JSON.stringify([
          said,
          { ...edit, before: "", after: "" },
          page.shown,
          page.next,
        ]);
        const next = await workspace.read("a", page.next).catch((error) =>
          error
        );
        if (said === "noticed") {
          assert(next instanceof ReadFileError && next.is("CHANGED"), facts);
          continue;
        }
        assert(!(next instanceof ReadFileError), `${facts} ${next.message}`);
        if (next.hits !== undefined) continue;
        // Nothing is shown twice, and nothing is left out.
        const { start, end } = next.shown;
        assertEquals(start, page.shown.end, facts);
        assertEquals(decoder.decode(next.bytes()), after.slice(start, end));
      }
      for (const [said, count] of Object.entries(counts)) {
        assert(count >= 20, `${count} of ${said}`);
      }
    });
  }
});
