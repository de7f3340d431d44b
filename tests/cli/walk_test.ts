import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "../../mod.ts";
import { readTarget } from "../../src/cli/target.ts";
import { Walk, type WalkOptions } from "../../src/cli/walk.ts";
import { oneFileFs } from "../support/one_file_fs.ts";
import { Random, SEED } from "../support/random.ts";

/** What a walk over lines of `/ws/a` shows, window by window, and what it leaves out. */
async function walk(
  fs: FsPort,
  text: string,
  options: Partial<WalkOptions>,
  afterEach = () => {},
) {
  const workspace = await openWorkspace("/ws", { fs });
  const all = { column: 1, windowBytes: 1000, ...options };
  const walk = new Walk(workspace, readTarget(text), all);
  const parts: string[] = [];
  for await (const window of walk.windows()) {
    parts.push(window.text);
    afterEach();
  }
  return { parts, rest: walk.rest };
}

const filesOf = (text: string) => memoryFs({ "/ws/a": text });
const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text).length;

/** The lines of a text, with their endings. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** A text of short lines, of characters of all lengths. */
function drawText(random: Random): string {
  const pieces = ["a", "b", "é", "漢", "😀", "\r\n", "\n", "\n", "  "];
  const count = random.from(1, 24);
  return Array.from({ length: count }, () => random.pick(pieces)).join("");
}

/** Lines, as they can be asked for, and which of all they are. */
function drawPart(random: Random, count: number) {
  const [one, other] = [random.from(1, count), random.from(1, count)];
  const [start, end] = [Math.min(one, other), Math.max(one, other)];
  return random.pick([
    { target: "a", from: 0, to: count },
    { target: `a:${start}`, from: start - 1, to: start },
    { target: `a:${start}-${end}`, from: start - 1, to: end },
    { target: `a:${start}-`, from: start - 1, to: count },
    { target: `a:-${start}`, from: count - start, to: count },
    {
      target: `a:${one}+${other}`,
      from: Math.max(0, one - other - 1),
      to: one + other,
    },
  ]);
}

describe("a walk", () => {
  it("shows nothing around a line that is not there", async () => {
    const fs = filesOf("one\ntwo\nthree\n");
    const problem = "lines 5 to 5 are not in a file of 3 lines";
    await assertRejects(() => walk(fs, "a:5+3", {}), Error, problem);
    assertEquals((await walk(fs, "a:3+1", {})).parts.join(""), "two\nthree\n");
  });
  it("gives the wanted lines, whatever the size of its windows", async () => {
    const random = new Random(SEED);
    for (let round = 0; round < 500; round++) {
      const text = drawText(random);
      const lines = linesOf(text);
      const { target, from, to } = drawPart(random, lines.length);
      const windowBytes = random.pick([1, 2, 3, 7, 1000]);
      const { parts, rest } = await walk(filesOf(text), target, {
        windowBytes,
      });
      const message = JSON.stringify({ text, target, windowBytes });
      assertEquals(parts.join(""), lines.slice(from, to).join(""), message);
      assertEquals(rest, undefined, message);
      assert(
        parts.every((part) => bytesOf(part) <= Math.max(4, windowBytes)),
        message,
      );
    }
  });

  it("goes on from what it left out, and then has given the wanted lines", async () => {
    const random = new Random(SEED);
    for (let round = 0; round < 500; round++) {
      const text = drawText(random);
      const lines = linesOf(text);
      const { target, from, to } = drawPart(random, lines.length);
      const maxBytes = random.from(1, 12);
      const windowBytes = random.pick([1, 3, 1000]);
      const message = JSON.stringify({ text, target, maxBytes, windowBytes });
      const shown: string[] = [];
      let next: string | undefined = target;
      let column = 1;
      while (next !== undefined) {
        const options = { maxBytes, windowBytes, column };
        const { parts, rest } = await walk(filesOf(text), next, options);
        const part = parts.join("");
        // One character, or ending, is shown even if it is over: each call goes on.
        assert(part.length > 0, message);
        assert(bytesOf(part) <= maxBytes || /^(\r\n|.)$/su.test(part), message);
        shown.push(part);
        next = rest && `a:${rest.start}-${rest.end ?? ""}`;
        column = rest?.column ?? 1;
      }
      assertEquals(shown.join(""), lines.slice(from, to).join(""), message);
    }
  });

  it("shows lines whole as long as one fits", async () => {
    for (const windowBytes of [4, 1000]) {
      const options = { maxBytes: 6, windowBytes };
      const { parts, rest } = await walk(
        filesOf("ab\ncdef\ng\n"),
        "a",
        options,
      );
      assertEquals(parts, ["ab\n"]);
      assertEquals(rest, { start: 2, column: 1, end: undefined });
    }
  });

  it("shows a part of a line that does not fit by itself", async () => {
    const options = { maxBytes: 3 };
    const { parts, rest } = await walk(
      filesOf("abcdef\ng\n"),
      "a:1-2",
      options,
    );
    assertEquals(parts, ["abc"]);
    assertEquals(rest, { start: 1, column: 4, end: 2 });
  });

  it("leaves nothing out where the bytes suffice to the very last", async () => {
    const { parts, rest } = await walk(filesOf("ab\ncd\n"), "a:1", {
      maxBytes: 3,
    });
    assertEquals([parts, rest], [["ab\n"], undefined]);
  });
});

describe("a walk over a file that changes", () => {
  const changes = {
    replaced: { id: "other" },
    shrank: { content: encoder.encode("one\n") },
    rewritten: { mtimeMs: 2 },
    grew: { content: encoder.encode("\n\n\n\none\ntwo\nthree\n") },
  } as const;
  for (const [how, change] of Object.entries(changes)) {
    it(`is CHANGED if it ${how}`, async () => {
      const fs = oneFileFs();
      fs.content = encoder.encode("one\ntwo\nthree\n");
      fs.mtimeMs = 1;
      const alter = () => Object.assign(fs, change);
      const error = await assertRejects(
        () => walk(fs, "a", { windowBytes: 4 }, alter),
        ReadFileError,
      );
      assertEquals([error.code, error.details], ["CHANGED", { how }]);
    });
  }

  it("ends where the file ended, if it only grows", async () => {
    const fs = oneFileFs();
    fs.content = encoder.encode("one\ntwo\nthr");
    const grow = () => {
      fs.content = Uint8Array.of(
        ...fs.content,
        ...encoder.encode("ee\nfour\n"),
      );
    };
    const { parts, rest } = await walk(fs, "a", { windowBytes: 4 }, grow);
    assertEquals(parts, ["one\n", "two\n", "thr"]);
    assertEquals(rest, undefined);
  });
});
