import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { describe, it } from "node:test";
import { createOpenFile, type Page } from "../../mod.ts";
import {
  type Draw,
  drawWindows,
  ENDS,
  FILES,
  makeSamples,
  sedCommands,
  to,
  WINDOWS,
  WINDOWS_SEED,
} from "../support/samples.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Describes a draw, with the seed that it comes from. */
function tell({ name, kind, total, start, count }: Draw): string {
  return JSON.stringify({ WINDOWS_SEED, name, kind, total, start, count });
}

/** Compares a result with that of the system's tool. */
function assertSame(
  page: Page,
  wanted: Uint8Array,
  draw: Draw,
  firstLine: number,
): void {
  const what = tell(draw);
  const { text, lines, lineCount, totalLines } = page;
  assert(
    Buffer.compare(page.bytes(), wanted) === 0,
    `the bytes differ: ${what}`,
  );
  assert(text === decoder.decode(wanted), `the text differs: ${what}`);
  const shown = lines.map(({ text, ending }) => text + ending);
  assert(shown.join("") === text, `the lines differ: ${what}`);
  assertEquals(totalLines, draw.total, what);
  assertEquals(lines.length, lineCount, what);
  assert(
    lines.every(({ number }, index) => number === firstLine + index),
    `the numbers differ: ${what}`,
  );
  const next = firstLine + lineCount;
  assertEquals(page.next?.start, next > draw.total ? undefined : next, what);
}

// Every message contains the seed and the window, to reproduce a failure.
describe(`read() agrees, on ${FILES} files, with`, () => {
  const countLines = true;

  it(`sed -n 'A,Bp' and sed -n '$=' on ${WINDOWS} windows`, async () => {
    await using place = await makeSamples();
    const draws = drawWindows(place.samples, WINDOWS);
    place.run(sedCommands(draws));
    for (const draw of draws) {
      const { name, start, count } = draw;
      const options = { start, count, countLines };
      const page = await place.workspace.read(name, options);
      assertSame(page, place.answer(draw.place), draw, start);
    }
  });
  it(`head -n on ${ENDS} windows`, async () => {
    await using place = await makeSamples();
    const draws = drawWindows(place.samples, ENDS);
    place.run(
      draws.map((draw) =>
        `head -n ${draw.count} ${draw.name} >${to(draw.place)}`
      ),
    );
    for (const draw of draws) {
      const { name, count } = draw;
      const options = { start: 1, count, countLines };
      const page = await place.workspace.read(name, options);
      assertSame(page, place.answer(draw.place), draw, 1);
    }
  });
  it(`tail -n on ${ENDS} windows`, async () => {
    await using place = await makeSamples();
    const draws = drawWindows(place.samples, ENDS);
    place.run(
      draws.map((draw) =>
        `tail -n ${draw.count} ${draw.name} >${to(draw.place)}`
      ),
    );
    for (const draw of draws) {
      const { name, count, total } = draw;
      const page = await place.workspace.read(name, { tail: count });
      const first = Math.max(1, total - count + 1);
      assertSame(page, place.answer(draw.place), draw, first);
    }
  });
});

describe(`open_file agrees, on ${FILES} files, with`, () => {
  it(`sed -n 'A,Bp' on ${WINDOWS} windows, and refuses files that it cannot show`, async () => {
    await using place = await makeSamples();
    const tool = createOpenFile(place.workspace);
    const draws = drawWindows(place.samples, WINDOWS);
    place.run(sedCommands(draws));
    for (const draw of draws) {
      const { name, start, count, total } = draw;
      const end = start + count - 1;
      const args = { file_path: name, start_line: start, end_line: end };
      const text = await tool.call(args).catch(({ code }) => code);
      const wanted = end > total
        ? "RANGE_OUT_OF_BOUNDS"
        : isUtf8To(draw.bytes, end)
        ? decoder.decode(place.answer(draw.place))
        : "BINARY";
      assert(text === wanted, tell(draw));
    }
  });
});

/** Whether a file is UTF-8 up to the end of a line. */
function isUtf8To(bytes: Uint8Array, line: number): boolean {
  let end = 0;
  for (let left = line; left > 0; left--) {
    end = bytes.indexOf(0x0a, end) + 1 || bytes.length;
  }
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, end));
    return true;
  } catch {
    return false;
  }
}
