import type { FileHandle } from "@agent-tools/read-file";
import {
  BrokenClaim,
  type DraftCase,
  expect,
  readAll,
  withOpen,
} from "./port_case.ts";

const HELLO = { "a.txt": "hello" };

/** Longer than a range that a port may fetch at once; differs at every position. */
const LONG_LENGTH = 300_000;

/** The claims about `read()`. */
export function readCases(): DraftCase[] {
  return [
    readCase("reads from the given position", [5, 0, "hello"], [3, 1, "ell"]),
    readCase(
      "reads less at the end, and leaves the rest of the buffer unchanged",
      [4, 3, "lo"],
    ),
    readCase("gives 0 at the end and past it", [2, 5, ""], [2, 5e9, ""]),
    readCase(
      "supports positions of more than 32 bits",
      // If truncated to 32 bits, each of these is another position.
      ...[31, 32, 40].map((bits): Row => [2, 2 ** bits + 1, ""]),
    ),
    readCase("gives 0 for an empty buffer", [0, 1, ""]),
    {
      name: "read(): gives 0 for an empty file",
      tree: { "empty": "" },
      check: ({ fs, root }) =>
        withOpen(fs, `${root}/empty`, async (handle) => {
          const count = await handle.read(new Uint8Array(4), 0);
          expect("the bytes read of an empty file", count, 0);
        }),
    },
    {
      name: "read(): writes only into the given part of a buffer",
      tree: HELLO,
      check: ({ fs, root }) =>
        withOpen(fs, `${root}/a.txt`, async (handle) => {
          const buffer = dots(6);
          await readAll(handle, buffer.subarray(2, 4), 1);
          expect("the whole buffer", textOf(buffer), "..el..");
        }),
    },
    {
      name: "read(): depends on no earlier read, of this handle or another",
      tree: HELLO,
      async check({ fs, root }) {
        const path = `${root}/a.txt`;
        const letter = new Uint8Array(1);
        await withOpen(fs, path, async (two) => {
          await withOpen(fs, path, async (one) => {
            for (const [of, at] of [[one, 4], [two, 0], [one, 0]] as const) {
              await readAll(of, letter, at);
              expect(`the letter at ${at}`, textOf(letter), "hello"[at]!);
            }
          });
          await readAll(two, letter, 1);
          const what = "the letter at 1, once the other handle is closed";
          expect(what, textOf(letter), "e");
        });
      },
    },
    {
      name: "open(): keeps two open files separate",
      tree: { "a.txt": "hello", "d/b.txt": "world!" },
      async check({ fs, root }) {
        await withOpen(fs, `${root}/a.txt`, async (one) => {
          await withOpen(fs, `${root}/d/b.txt`, async (two) => {
            await expectOpen(one, "hello");
            await expectOpen(two, "world!");
            await expectOpen(one, "hello");
          });
          await expectOpen(one, "hello");
        });
      },
    },
    {
      name: "read(): gives the same bytes at any length and position",
      tree: { "long.txt": longText() },
      check: ({ fs, root }) =>
        withOpen(fs, `${root}/long.txt`, async (handle) => {
          const text = longText();
          for (const position of [0, 1, 65_535, 131_073, LONG_LENGTH - 9]) {
            for (const length of [1, 9, 65_537]) {
              const buffer = dots(length);
              const wanted = text.slice(position, position + length);
              const count = await readAll(handle, buffer, position);
              const what = `${length} bytes at ${position}`;
              expect(`the number of ${what}`, count, wanted.length);
              if (textOf(buffer.subarray(0, count)) !== wanted) {
                throw new BrokenClaim(`${what} are not those of the file`);
              }
            }
          }
        }),
    },
    {
      name: "read(): supports several reads at the same time",
      tree: HELLO,
      check: ({ fs, root }) =>
        withOpen(fs, `${root}/a.txt`, async (handle) => {
          const letters = await Promise.all(
            [..."hello"].map(async (_, at) => {
              const letter = new Uint8Array(1);
              await readAll(handle, letter, at);
              return textOf(letter);
            }),
          );
          expect("the joined letters", letters.join(""), "hello");
        }),
    },
  ];
}

/** Fails unless the open file has this content and size. */
async function expectOpen(handle: FileHandle, wanted: string): Promise<void> {
  const what = `one of two open files, of "${wanted}"`;
  const buffer = dots(wanted.length + 1);
  await readAll(handle, buffer, 0);
  expect(what, textOf(buffer), `${wanted}.`);
  expect(`the size of ${what}`, (await handle.stat()).size, wanted.length);
}

/** The length of a buffer, a position, and the expected bytes of `hello`. */
type Row = readonly [length: number, position: number, wanted: string];

function readCase(name: string, ...rows: readonly Row[]): DraftCase {
  return {
    name: `read(): ${name}`,
    tree: HELLO,
    check: ({ fs, root }) =>
      withOpen(fs, `${root}/a.txt`, async (handle) => {
        for (const [length, position, wanted] of rows) {
          const buffer = dots(length);
          // Call the port for an empty buffer, too.
          const count = length === 0
            ? await handle.read(buffer, position)
            : await readAll(handle, buffer, position);
          const what = `${length} bytes of "hello" at ${position}`;
          expect(`the number of ${what}`, count, wanted.length);
          expect(
            `the buffer after ${what}`,
            textOf(buffer),
            wanted.padEnd(length, "."),
          );
        }
      }),
  };
}

function longText(): string {
  const numbers = Array.from({ length: LONG_LENGTH / 5 }, (_, at) => at);
  return numbers.join("\n").slice(0, LONG_LENGTH);
}

function dots(length: number): Uint8Array {
  return new Uint8Array(length).fill(0x2e);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
