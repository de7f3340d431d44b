import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FsPort,
  memoryFs,
  openWorkspace,
  type Page,
  ReadFileError,
} from "../../mod.ts";
import { walk, type WalkLimits } from "../../src/cli/printer.ts";
import { placesOf } from "../../src/core/places.ts";
import { oneFileFs } from "../support/one_file_fs.ts";
import { Random, SEED } from "../support/random.ts";

/** What `walk` shows of lines of `/ws/a`, page by page, and what it leaves out. */
async function read(
  fs: FsPort,
  text: string,
  { column, ...limits }: Partial<WalkLimits> & { readonly column?: number },
  afterEach = () => {},
) {
  const workspace = await openWorkspace("/ws", { fs });
  const { path, parts: [options = {}] } = placesOf(text).at(-1)!;
  const from = column === undefined || column === 1
    ? options
    : { ...options, column };
  const texts: string[] = [];
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const all = { pageBytes: 1000, ...limits };
  // deno-lint-ignore require-await
  const show = async (page: Page) => {
    texts.push(decoder.decode(page.bytes()));
    afterEach();
  };
  const left = await walk(workspace, path, from, all, show);
  const rest = left &&
    { start: left.start!, column: left.column ?? 1, end: left.end };
  return { parts: texts, rest };
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

/** A random part, and the indexes of its lines. */
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
  it("gives the requested lines, for any size of pages", async () => {
    const random = new Random(SEED);
    for (let round = 0; round < 500; round++) {
      const text = drawText(random);
      const lines = linesOf(text);
      const { target, from, to } = drawPart(random, lines.length);
      const pageBytes = random.pick([1, 2, 3, 7, 1000]);
      const { parts, rest } = await read(filesOf(text), target, {
        pageBytes,
      });
      const message = JSON.stringify({ text, target, pageBytes });
      assertEquals(parts.join(""), lines.slice(from, to).join(""), message);
      assertEquals(rest, undefined, message);
      assert(
        parts.every((part) => bytesOf(part) <= Math.max(4, pageBytes)),
        message,
      );
    }
  });

  it("continues after what it left out, up to the requested lines", async () => {
    const random = new Random(SEED);
    for (let round = 0; round < 500; round++) {
      const text = drawText(random);
      const lines = linesOf(text);
      const { target, from, to } = drawPart(random, lines.length);
      const maxBytes = random.from(1, 12);
      const pageBytes = random.pick([1, 3, 1000]);
      const message = JSON.stringify({ text, target, maxBytes, pageBytes });
      const shown: string[] = [];
      let next: string | undefined = target;
      let column = 1;
      while (next !== undefined) {
        const options = { maxBytes, pageBytes, column };
        const { parts, rest } = await read(filesOf(text), next, options);
        const part = parts.join("");
        // At least one character, or ending, is shown: each call makes progress.
        assert(part.length > 0, message);
        assert(bytesOf(part) <= maxBytes || /^(\r\n|.)$/su.test(part), message);
        shown.push(part);
        next = rest && `a:${rest.start}-${rest.end ?? ""}`;
        column = rest?.column ?? 1;
      }
      assertEquals(shown.join(""), lines.slice(from, to).join(""), message);
    }
  });

  it("shows only whole lines if one fits", async () => {
    for (const pageBytes of [4, 1000]) {
      const options = { maxBytes: 6, pageBytes };
      const { parts, rest } = await read(
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
    const { parts, rest } = await read(
      filesOf("abcdef\ng\n"),
      "a:1-2",
      options,
    );
    assertEquals(parts, ["abc"]);
    assertEquals(rest, { start: 1, column: 4, end: 2 });
  });

  it("leaves nothing out if the limit is exactly enough", async () => {
    const { parts, rest } = await read(filesOf("ab\ncd\n"), "a:1", {
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
        () => read(fs, "a", { pageBytes: 4 }, alter),
        ReadFileError,
      );
      assert(error.is("CHANGED"));
      assertEquals(error.details.how, how);
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
    const { parts, rest } = await read(fs, "a", { pageBytes: 4 }, grow);
    assertEquals(parts, ["one\n", "two\n", "thr"]);
    assertEquals(rest, undefined);
  });
});
