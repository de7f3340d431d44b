import { describe, it } from "node:test";
import { openWorkspace, type PageOptions } from "../mod.ts";
import { oneFileFs } from "./support/one_file_fs.ts";
import { checkWalk } from "./support/page_checks.ts";

/** A letter, a space, LF, CR, the halves of é, what no UTF-8 has, and NUL. */
const ALPHABET = [0x61, 0x20, 0x0a, 0x0d, 0xc3, 0xa9, 0xff, 0x00];

/** Limits of lines, of bytes and of columns, alone and together. */
const OPTIONS: readonly PageOptions[] = [
  {},
  { count: 1 },
  { count: 2 },
  { count: 3 },
  { maxBytes: 1 },
  { maxBytes: 2 },
  { maxBytes: 3 },
  { maxBytes: 5 },
  { width: 1 },
  { width: 2 },
  { width: 3 },
  { count: 2, maxBytes: 3 },
  { width: 2, maxBytes: 3 },
];

/** How many of the limits each file is read by: all, but for the longest files. */
const TRIED: readonly number[] = [13, 13, 13, 13, 13, 13, 1];

// At the edge it would take minutes.
const isEdge = navigator.userAgent === "Cloudflare-Workers";
const LONGEST = isEdge ? 3 : 6;

/** So many bytes a test adds, and no more: a runner gives each a few seconds. */
const MOST_BYTES = 4;

/** All strings of so many bytes. */
function* stringsOf(length: number): Generator<readonly number[]> {
  if (length === 0) return yield [];
  for (const rest of stringsOf(length - 1)) {
    for (const byte of ALPHABET) yield [...rest, byte];
  }
}

/** Walks over the files that begin with `head`, by `tried` of the limits each. */
async function walkAll(
  head: readonly number[],
  added: number,
  tried: number,
): Promise<void> {
  const fs = oneFileFs();
  const workspace = await openWorkspace("/ws", { fs });
  // Not the same limit for the same ending, whatever is before it.
  let turn = head.reduce((sum, byte) => sum + byte, 0);
  for (const rest of stringsOf(added)) {
    const file = fs.content = Uint8Array.of(...head, ...rest);
    for (let left = tried; left > 0; left--) {
      const options = OPTIONS[turn++ % OPTIONS.length]!;
      await checkWalk({ workspace, path: "a", file, options });
    }
  }
}

describe("the pages of a file rebuild it, and end, for each", () => {
  for (let length = 0; length <= LONGEST; length++) {
    const added = Math.min(length, MOST_BYTES);
    const tried = TRIED[length]!;
    for (const head of stringsOf(length - added)) {
      const files = `of the ${ALPHABET.length ** added} files`;
      const limits = `by ${tried} of ${OPTIONS.length} limits each`;
      it(`${files} of ${length} bytes from [${head}] on, ${limits}`, async () => {
        await walkAll(head, added, tried);
      });
    }
  }
});
