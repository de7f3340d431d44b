// Not at the edge: it takes half a minute.
import { describe, it } from "node:test";
import { openWorkspace, type ReadOptions } from "../../../mod.ts";
import { DirectPages } from "../../support/direct_pages.ts";
import { KnownFile } from "../../support/known_file.ts";
import { oneFileFs } from "../../support/one_file_fs.ts";
import { checkWalk } from "../../support/page_checks.ts";
import { shareOf, some } from "../../support/share.ts";

/** A letter, a space, LF, CR, the bytes of é, an invalid byte, and NUL. */
const ALPHABET = [0x61, 0x20, 0x0a, 0x0d, 0xc3, 0xa9, 0xff, 0x00];

/** Limits of lines, bytes and columns; each file is read with all of them. */
const LIMITS: readonly ReadOptions[] = [
  { count: 1 },
  { count: 2 },
  { maxBytes: 2 },
  { maxBytes: 3 },
  { width: 1 },
  { width: 2 },
];

/** Other ranges; each of the longest files is read with one of them. */
const PLACES: readonly ReadOptions[] = [
  { tail: 1 },
  { tail: 2, maxBytes: 4 },
  { tail: 3, maxBytes: 2 },
  { around: 1, after: 1 },
  { around: 2, before: 1, after: 0 },
  { around: 3, before: 1, after: 1, maxBytes: 2 },
];

/** More limits and ranges, which the longest files skip. */
const MORE: readonly ReadOptions[] = [
  {},
  { count: 3 },
  { maxBytes: 1 },
  { maxBytes: 4 },
  { maxBytes: 5 },
  { width: 3 },
  { count: 2, maxBytes: 3 },
  { width: 2, maxBytes: 3 },
  { tail: 1, numbered: false },
  { tail: 2, maxBytes: 2, numbered: false },
  { start: 2 },
  { start: 2, end: 3, maxBytes: 2 },
  { start: 2, column: 2, count: 1 },
  { column: 3, width: 1, end: 2 },
];

const LONGEST = some(6, 5);

/** The bytes of the longest files: without space and NUL, which shorter files test. */
const FEWER = ALPHABET.filter((byte) => byte !== 0x20 && byte !== 0x00);

/** How many bytes one test varies at most: a test has a timeout. */
const MOST_BYTES = 3;

/** All strings of a length. */
function* stringsOf(
  length: number,
  alphabet: readonly number[],
): Generator<readonly number[]> {
  if (length === 0) return yield [];
  for (const rest of stringsOf(length - 1, alphabet)) {
    for (const byte of alphabet) yield [...rest, byte];
  }
}

/** Yields `count` of the options; each turn starts where the previous one ended. */
function* inTurn(options: readonly ReadOptions[], count: number, turn: number) {
  for (let at = turn * count; at < (turn + 1) * count; at++) {
    yield options[at % options.length]!;
  }
}

/** How the files of a length are read. */
interface Plan {
  /** Whether to read through a workspace; without the guard, a read takes half the time. */
  readonly wholeWay: boolean;
  /** How many of `PLACES` each file is read with. */
  readonly places: number;
  /** How many of `MORE` each file is read with. */
  readonly more: number;
  readonly alphabet: readonly number[];
}

const PLANS: readonly Plan[] = Array.from(
  { length: LONGEST + 1 },
  (_, length) =>
    length < 5
      ? {
        wholeWay: length < some(5, 4),
        places: PLACES.length,
        more: MORE.length,
        alphabet: ALPHABET,
      }
      : length === 5
      ? {
        wholeWay: false,
        places: some(3, 1),
        more: some(3, 1),
        alphabet: ALPHABET,
      }
      : { wholeWay: false, places: 1, more: 0, alphabet: FEWER },
);

/** Reads all files that begin with `head`. */
async function walkAll(
  head: readonly number[],
  added: number,
  { wholeWay, places, more, alphabet }: Plan,
): Promise<void> {
  const fs = oneFileFs();
  const workspace = await openWorkspace("/ws", { fs });
  const pages = new DirectPages();
  const read = wholeWay
    ? (options: ReadOptions) => workspace.read("a", options)
    : (options: ReadOptions) => pages.read(options);
  // Files with the same ending get different options.
  let turn = head.reduce((sum, byte) => sum + byte, 0);
  for (const rest of stringsOf(added, alphabet)) {
    const bytes = Uint8Array.of(...head, ...rest);
    fs.content = pages.content = bytes;
    const file = new KnownFile(bytes);
    const tried = [
      ...LIMITS,
      ...inTurn(PLACES, places, turn),
      ...inTurn(MORE, more, turn),
    ];
    for (const options of tried) await checkWalk({ read, file, options });
    turn++;
  }
}

describe("the pages of a file restore it, for each", () => {
  for (const [length, plan] of PLANS.entries()) {
    const added = Math.min(length, MOST_BYTES);
    const tried = LIMITS.length + plan.places + plan.more;
    const heads = stringsOf(length - added, plan.alphabet);
    for (const head of length > added ? shareOf(heads) : heads) {
      const files = `of the ${plan.alphabet.length ** added} files`;
      const limits = `with ${tried} options each`;
      it(`${files} of ${length} bytes that begin with [${head}], ${limits}`, async () => {
        await walkAll(head, added, plan);
      });
    }
  }
});
