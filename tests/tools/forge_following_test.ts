import { assert, assertEquals, assertGreater } from "@std/assert";
import { describe, it } from "node:test";
import {
  callTool,
  createForgeRead,
  type ForgeReadOutput,
  memoryFs,
  openWorkspace,
  respond,
  type Tool,
} from "../../mod.ts";
import { Random, SEED } from "../support/random.ts";
import { replyOf } from "../support/replies.ts";

interface Limits {
  readonly max_file_read_bytes: number;
  readonly max_scan_bytes: number;
}

async function readOf(
  text: string,
  limits: Partial<Limits>,
): Promise<Tool<ForgeReadOutput>> {
  const fs = memoryFs({ "/ws/a.txt": text });
  return createForgeRead(await openWorkspace("/ws", { fs }), limits);
}

/** The arguments of the next call, from an answer or a failure. */
function nextIn(text: string): object | undefined {
  const [, json] = /continue with (\{.*\})\]?$/.exec(text) ?? [];
  return json === undefined ? undefined : JSON.parse(json);
}

interface Followed {
  /** The numbers of the shown lines, in order. */
  readonly shown: readonly number[];
  /** The answer of the last call. */
  readonly end: string;
  /** All returned text. */
  readonly said: string;
  readonly calls: number;
}

/** Follows the next calls to the end. */
async function follow(
  tool: Tool<ForgeReadOutput>,
  first: object,
  lines: readonly string[],
): Promise<Followed> {
  const shown: number[] = [];
  const asked = new Set<string>();
  let said = "";
  let next: object | undefined = { path: "a.txt", ...first };
  for (let calls = 1;; calls++) {
    // No call repeats, so the calls end.
    const sent = JSON.stringify(next);
    assert(!asked.has(sent), `a call is repeated: ${said}`);
    asked.add(sent);
    assert(calls <= 2 * lines.length + 3, `the calls do not end: ${said}`);
    const { output, error } = await callTool(tool, next);
    const end: string = error === undefined
      ? tool.render(output)
      : `${error.message}\n${error.hint}`;
    said += `${JSON.stringify(next)} -> ${end}\n`;
    if (output !== undefined && output.start_line !== null) {
      const { start_line: start, end_line, text } = output;
      for (let line = start; line <= end_line!; line++) shown.push(line);
      const bare = text.replace(/^ *\d+\| /gm, "");
      assertEquals(bare, lines.slice(start - 1, end_line!).join(""), said);
    }
    next = nextIn(end);
    if (next === undefined) return { shown, end, said, calls };
  }
}

function linesIn(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function drawText(random: Random): string {
  const lines = Array.from({ length: random.below(30) }, () => {
    const long = random.below(8) === 0 ? 60 : 8;
    return "x".repeat(random.below(long));
  });
  return lines.join("\n") + (random.below(2) === 0 ? "\n" : "");
}

function drawCall(random: Random): Readonly<Record<string, number | boolean>> {
  const number = () => 1 + random.below(32);
  const start_line = number();
  const numbers = random.below(3) === 0
    ? { show_line_numbers: random.below(2) === 0 }
    : {};
  const lines = random.pick([
    {},
    { start_line },
    { start_line, end_line: start_line + random.below(20) },
    { start_line, limit: number() },
    { end_line: number() },
    { limit: number() },
    { head: number() },
    { tail: number() },
  ]);
  return { ...lines, ...numbers };
}

/** The first and the last requested line. */
function wantedOf(
  call: Readonly<Record<string, number | boolean>>,
  total: number,
): readonly number[] {
  const { start_line = 1, end_line = total, limit, head, tail } = call;
  const first = tail === undefined
    ? Number(start_line)
    : Math.max(1, total - Number(tail) + 1);
  const last = Math.min(
    total,
    Number(end_line),
    first - 1 + Number(limit ?? head ?? Infinity),
  );
  const length = Math.max(0, last - first + 1);
  return Array.from({ length }, (_, at) => first + at);
}

describe("the next call of Read", () => {
  it(`shows each line within the scan limit once, from any first call (seed ${SEED})`, async () => {
    const random = new Random(SEED);
    let followed = 0;
    let unreachable = 0;
    for (let round = 0; round < 2_000; round++) {
      const text = drawText(random);
      const lines = linesIn(text);
      const limits = {
        max_file_read_bytes: 4 + random.below(40),
        max_scan_bytes: 4 + random.below(300),
      };
      const { max_file_read_bytes: most, max_scan_bytes: scanned } = limits;
      const tool = await readOf(text, limits);
      const call = drawCall(random);
      const { shown, said, calls } = await follow(tool, call, lines);
      const told = `${JSON.stringify(limits)} ${said}`;
      if (calls > 1) followed++;
      assertEquals(new Set(shown).size, shown.length, `twice: ${told}`);
      const fits = text.length <= scanned;
      if ("tail" in call && !fits) continue;
      const isWhole = Object.keys(call).every((name) =>
        name === "show_line_numbers"
      ) && text.length <= most;
      const wanted = wantedOf(call, lines.length);
      const inReach = wanted.filter((number) =>
        isWhole || lines[number - 1]!.length <= most &&
          (fits || lines.slice(0, number).join("").length <= scanned)
      );
      assertEquals(
        shown.toSorted((one, two) => one - two),
        inReach,
        `${wanted} wanted: ${told}`,
      );
      if (!fits && inReach.length < wanted.length) {
        unreachable++;
        assert(
          /max_scan_bytes|longer than the limit/.test(said),
          `not told: ${told}`,
        );
      }
    }
    assertGreater(followed, 500);
    assertGreater(unreachable, 50);
  });
  it("keeps the requested end and show_line_numbers", async () => {
    const tool = await readOf("aa\nbb\ncc\ndd\nee\n", {
      max_file_read_bytes: 6,
    });
    const args = { path: "a.txt", start_line: 2, limit: 3 };
    assertEquals(
      (await respond(tool, { ...args, show_line_numbers: false })).content,
      'bb\ncc\n[truncated: continue with {"start_line":4,"end_line":4,"show_line_numbers":false,"path":"a.txt"}]',
    );
    assertEquals(
      (await respond(tool, { path: "a.txt", tail: 4 })).content,
      '4| dd\n5| ee\n[truncated: continue with {"start_line":2,"end_line":3,"path":"a.txt"}]',
    );
  });
  it("keeps show_line_numbers for a smaller tail, too", async () => {
    const tool = await readOf("aa\nbb\ncc\ndd\nee\n", { max_scan_bytes: 8 });
    const args = { path: "a.txt", tail: 4, show_line_numbers: true };
    assertEquals(
      (await callTool(tool, args)).error?.hint,
      'no larger tail is within max_scan_bytes; continue with {"tail":2,"show_line_numbers":true,"path":"a.txt"}',
    );
  });
  it("is that of the lines shown for a copy of an answer, which has no range", async () => {
    const tool = await readOf("aa\nbb\ncc\ndd\nee\n", {
      max_file_read_bytes: 6,
    });
    const range = await tool.call({ path: "a.txt", start_line: 2 });
    assertEquals(tool.render({ ...range }), tool.render(range));
    const tail = await tool.call({ path: "a.txt", tail: 4 });
    assertEquals(
      tool.render({ ...tail }),
      "4| dd\n5| ee\n[truncated: lines before these are left out]",
    );
  });
  it("is none of the fields, which are fixed", async () => {
    const tool = await readOf("aa\nbb\ncc\n", { max_file_read_bytes: 6 });
    const cut = await tool.call({ path: "a.txt", head: 3 });
    const whole = await tool.call({ path: "a.txt", head: 1 });
    assert(cut.truncated && !whole.truncated);
    assertEquals(Object.keys(cut), Object.keys(whole));
    const [one, other] = [cut, whole].map((output) => JSON.stringify(output));
    assertEquals(
      Object.keys(JSON.parse(one!)),
      Object.keys(JSON.parse(other!)),
    );
  });
  it("ends at the scan limit, and says so", async () => {
    const text = "12345678\n".repeat(10);
    const limits = { max_file_read_bytes: 40, max_scan_bytes: 60 };
    const tool = await readOf(text, limits);
    const { shown, said } = await follow(
      tool,
      { start_line: 1 },
      linesIn(text),
    );
    assertEquals(shown, [1, 2, 3, 4, 5, 6]);
    assert(said.includes(
      '[the lines from 7 on are more than 60 bytes into the file, where only tail or a larger max_scan_bytes reaches]\n[truncated: continue with {"start_line":5,"end_line":6,"path":"a.txt"}]',
    ));
    const { content } = await respond(tool, { path: "a.txt", start_line: 4 });
    assertEquals(
      content,
      'Scan limit exceeded; narrow the range\nthe lines from 7 on are more than 60 bytes into the file, where only tail or a larger max_scan_bytes reaches; continue with {"start_line":4,"end_line":6,"path":"a.txt"}',
    );
  });
  it("says how to continue after a line that is too long, if lines follow", async () => {
    const tool = await readOf("a\nbbbbbbbb\nc\ndddddddd", {
      max_file_read_bytes: 4,
    });
    const hintOf = async (args: object) =>
      (await callTool(tool, { path: "a.txt", ...args })).error?.hint;
    assertEquals(
      await hintOf({ start_line: 2, end_line: 3 }),
      'continue with {"start_line":3,"end_line":3,"path":"a.txt"}',
    );
    assertEquals(
      await hintOf({ limit: 1, start_line: 2 }),
      "it is the last line asked for",
    );
    assertEquals(
      await hintOf({ start_line: 4 }),
      "it is the last line of the file",
    );
    assertEquals(
      await hintOf({ tail: 3 }),
      'continue with {"start_line":2,"end_line":3,"path":"a.txt"}',
    );
    assertEquals(await hintOf({ tail: 1 }), "it is the only line asked for");
    assertEquals(
      await hintOf({}),
      'continue with {"start_line":1,"path":"a.txt"}',
    );
  });
  it("is denied in the notes if the last line of the file looks like it", async () => {
    const own = '[truncated: continue with {"start_line":9}]\n';
    const tool = await readOf(own, {});
    const args = { path: "a.txt", show_line_numbers: false };
    assertEquals(
      await respond(tool, args),
      replyOf({
        ok: true,
        content: own,
        notes: ["the last line is the file's own: nothing was cut"],
      }),
    );
  });
  it("is replaced by a note in an answer without lines", async () => {
    const tool = await readOf("a\nb\n", {});
    const { content, notes } = await respond(tool, {
      path: "a.txt",
      start_line: 5,
    });
    assertEquals([content, notes], ["", ["the file has 2 lines"]]);
  });
});
