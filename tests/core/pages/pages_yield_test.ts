// Not at the edge: the clock does not advance while a worker runs.
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
  type ReadOptions,
} from "../../../mod.ts";
import {
  Call,
  isPromise,
  runInSteps,
  STEP_ITEMS,
} from "../../../src/core/base/call.ts";
import { HiddenReport } from "../../../src/core/unicode/hidden.ts";
import { SLICE_MS } from "../../../src/core/base/limits.ts";
import { makeLines } from "../../../src/core/pages/page_lines.ts";
import { readingOf } from "../../../src/core/pages/page.ts";
import { withClock } from "../../support/clock.ts";
import { findHidden } from "../../support/hidden.ts";
import { oneFileFs } from "../../support/one_file_fs.ts";

const MIB = 1024 * 1024;
/** Bytes beyond ASCII, as kinds of bytes. */
const ODD = 2;

/** A port with a file `/a`; calls `hear` once the whole file was read. */
function heardFs(content: string | Uint8Array, hear: () => void): FsPort {
  const fs = memoryFs({ "/a": content });
  return {
    ...fs,
    async open(path) {
      const handle = await fs.open(path);
      return {
        ...handle,
        close() {
          hear();
          return handle.close();
        },
      };
    },
  };
}

/** Content whose pages take long to make. */
const LONG:
  readonly (readonly [string, () => string | Uint8Array, ReadOptions])[] = [
    ["many lines", () => "a line\n".repeat(400_000), {}],
    ["many escaped lines", () => "a\0\n".repeat(400_000), {
      escape: true,
    }],
    ["one long line", () => "a".repeat(16 * MIB), {}],
    ["many empty lines", () => "\n".repeat(200_000), {}],
    [
      "lines that are not UTF-8",
      () => new Uint8Array(60_000 * 3).map((_, at) => [97, 255, 10][at % 3]!),
      {},
    ],
  ];

describe("a large page is made in steps", () => {
  for (const [what, contentOf, options] of LONG) {
    it(`for ${what}: it ends when its caller aborts`, async () => {
      const controller = new AbortController();
      const fs = heardFs(contentOf(), () => {
        setTimeout(() => controller.abort(), 0);
      });
      const workspace = await openWorkspace("/", { fs });
      const { signal } = controller;
      const read = () => workspace.read("a", options, { signal });
      const error = await assertRejects(
        () => withClock(SLICE_MS, read),
        ReadFileError,
      );
      assertEquals(error.code, "ABORTED");
    });
  }
  it("while timers run", async () => {
    let turns = 0;
    let timer: ReturnType<typeof setInterval> | undefined;
    const fs = heardFs("a line\n".repeat(400_000), () => {
      timer = setInterval(() => turns++, 0);
    });
    const workspace = await openWorkspace("/", { fs });
    const { lines } = await withClock(SLICE_MS, () => workspace.read("a"));
    clearInterval(timer);
    assertEquals(lines.length, 400_000);
    assertEquals(lines.at(-1)?.number, 400_000);
    assert(turns > 1, `${turns} turns`);
  });
});

describe("runInSteps()", () => {
  it("yields after a long step, and returns the result of the last one", async () => {
    const steps: number[] = [];
    function* work() {
      for (let step = 0; step < 3; step++) {
        const past = performance.now() + 20;
        while (performance.now() < past);
        steps.push(step);
        yield;
      }
      return undefined;
    }
    const done = runInSteps(work(), new Call("a"));
    assert(isPromise(done));
    assertEquals(steps, [0]);
    assertEquals(await done, undefined);
    assertEquals(steps, [0, 1, 2]);
  });
});

describe("a page with the number of lines of one step", () => {
  for (
    const count of [STEP_ITEMS - 1, STEP_ITEMS, STEP_ITEMS + 1, 2 * STEP_ITEMS]
  ) {
    it(`has all of them: ${count}`, async () => {
      const fs = memoryFs({ "/a": "a\u200b\n".repeat(count) });
      const workspace = await openWorkspace("/", { fs });
      const { lines, warnings } = await workspace.read("a");
      const last = { number: count, column: 1, text: "a\u200b", ending: "\n" };
      assertEquals([lines.length, lines.at(-1)], [count, last]);
      assertEquals(warnings.length, count);
    });
  }
});

describe("one line of unusual characters", () => {
  const encoder = new TextEncoder();
  const CASES: readonly (readonly [string, Uint8Array, boolean])[] = [
    ["that is not UTF-8", new Uint8Array(2 * MIB).fill(0xff), false],
    ["of U+FFFD", encoder.encode("\uFFFD".repeat(MIB / 4)), true],
    ["of U+FF00", encoder.encode("\uFF00".repeat(MIB / 4)), true],
  ];
  for (const [what, content, exact] of CASES) {
    it(`${what} is made in steps`, async () => {
      const fs = memoryFs({ "/a": content });
      const page = await (await openWorkspace("/", { fs })).read("a");
      const work = makeLines(readingOf(page), false, ODD);
      let steps = 0;
      for (;;) {
        const { done, value } = work.next();
        steps++;
        if (!done) continue;
        assertEquals(value.inexact.length === 0, exact);
        break;
      }
      assert(steps >= MIB / 4 / STEP_ITEMS, `${steps} steps`);
    });
  }
});

describe("an endless run of hidden characters", () => {
  const lineOf = (count: number) => {
    const text = "\0".repeat(count);
    return { number: 1, column: 1, text, ending: "\n" } as const;
  };
  it("are checked in steps", () => {
    const report = new HiddenReport();
    const line = lineOf(3 * STEP_ITEMS + 1);
    assertEquals([...report.add(line, false) ?? []].length, 3);
    assertEquals(report.found.length, 10_000);
  });
  it("are limited to the length that a runtime can match", () => {
    assertEquals(findHidden([lineOf(16 * MIB)]).length, 10_000);
  });
});

describe("the etag of a large page", () => {
  it("covers everything that was shown, in any number of steps", async () => {
    const fs = oneFileFs();
    const workspace = await openWorkspace("/ws", { fs });
    fs.content = new TextEncoder().encode("a line\n".repeat(MIB));
    let shown = 0;
    // The file has no mtime, so each page compares the shown bytes.
    for await (const page of workspace.pages("a", { maxBytes: 2.5 * MIB })) {
      shown += page.bytes().length;
    }
    assertEquals(shown, fs.content.length);
    const { etag } = await workspace.read("a", { maxBytes: 2.5 * MIB });
    fs.content = fs.content.slice();
    fs.content[2 * MIB] = 0x62;
    const error = await assertRejects(
      () => workspace.read("a", { start: 9, count: 1, etag }),
      ReadFileError,
    );
    assertEquals(error.code, "CHANGED");
  });
});
