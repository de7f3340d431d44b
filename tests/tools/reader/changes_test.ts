import { Ajv2020 } from "ajv/dist/2020.js";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import {
  definitions,
  memoryFs,
  openWorkspace,
  readerTools,
  ReadRoots,
  respond,
} from "../../../mod.ts";
import { versionsOf } from "../../suites/changes_since.ts";

const lines = (count: number, write: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `${write(at + 1)}\n`).join("");

/** The signed rows of an answer. */
const signed = (text: string) =>
  text.split("\n").filter((row) => /^[+-]\d+( \S+)*\t/.test(row));

async function toolsOf(before: string, now: string, options = {}) {
  return readerTools(await versionsOf(now, { HEAD: before }), options);
}

describe("changes, for read_file", () => {
  it("shows what changed in the lines that the path names", async () => {
    const [readFile] = await toolsOf("one\ntwo\n3\n", "one\n2\nthree\n");
    const ask = async (args: object) => (await respond(readFile, args)).content;
    assertEquals((await ask({ path: "a:2", changes: "HEAD" })).split("\n"), [
      '"a": line 2 of 3. Since "HEAD": 1 line is new (+), 1 is gone (-, with its old number).',
      "-2\ttwo",
      "+2\t2",
      "End of what was asked for; the file goes on.",
    ]);
    const parts = await ask({ path: "a:1,3", changes: "HEAD" });
    assertMatch(parts, /line 1 of 3\. The same in "HEAD"\.[^]*\n\n"a": line 3/);
  });

  it("is in a schema only if there are revisions", async () => {
    const fs = memoryFs({ "/a": "" });
    const plain = await openWorkspace("/", { fs });
    const own = await versionsOf("", {});
    const text = (...given: Parameters<typeof readerTools>) =>
      JSON.stringify(definitions("mcp", readerTools(...given)));
    assert(!text(plain).includes("changes"));
    assert(text(own).includes('"changes"'));
    const find = () => new ReadRoots([]);
    assert(!text(find).includes("changes"));
    assert(text(find, { changes: true }).includes('"changes"'));
    const [readFile] = readerTools(plain);
    const { ok, content } = await respond(readFile, {
      path: "a",
      changes: "HEAD",
    });
    assert(!ok && content.includes("not an argument"), content);
  });

  it("goes on until each line that changed was shown once, within the bounds", async () => {
    const before = lines(400, (at) => `line ${at}`);
    const now = lines(
      400,
      (at) =>
        at % 7 === 0 ? `other ${at} ${"x".repeat(at % 90)}` : `line ${at}`,
    );
    for (const maxChars of [600, 1500, 20_000]) {
      const [readFile] = await toolsOf(before, now);
      const seen: string[] = [];
      let args: object | null = { path: "a", changes: "HEAD", maxChars };
      for (let calls = 0; args !== null; calls++) {
        assert(calls < 400);
        const { content }: { content: string } = await respond(
          readFile,
          args,
        );
        assert(content.length <= maxChars, content);
        seen.push(...signed(content));
        const next: string | undefined = /\nNext: read_file (.*)$/.exec(content)
          ?.[1];
        args = next === undefined ? null : JSON.parse(next);
      }
      assertEquals(seen.length, 2 * 57);
      assertEquals(new Set(seen).size, seen.length);
    }
  });

  it("says how many lines are gone, if there are more than fit", async () => {
    const before = lines(3000, (at) => `gone ${at}`);
    const [readFile] = await toolsOf(`${before}end\n`, "end\n");
    const { content } = await respond(readFile, {
      path: "a",
      changes: "HEAD",
      maxChars: 1000,
    });
    assert(content.length <= 1000);
    const [, more] = /\n… (\d+) more lines that are gone not shown\n/.exec(
      content,
    )!;
    assertEquals(signed(content).length + Number(more), 3000);
    // Also one line that is longer than the answer.
    const [other] = await toolsOf("a\n", `${"é".repeat(50_000)}\n`);
    const long = (await respond(other, { path: "a", changes: "HEAD" })).content;
    assert(long.length <= 20_000);
    assertMatch(long, /^\+1 clipped\té{500}/m);
  });

  it("shows of lines that are too long where they differ", async () => {
    const text = (word: string) =>
      `é${"x".repeat(30_000)}${word}${"y".repeat(30_000)}\n`;
    const [readFile] = await toolsOf(text("OLD"), text("NEW"));
    const { content } = await respond(readFile, { path: "a", changes: "HEAD" });
    assert(content.length <= 20_000);
    assertMatch(content, /^-1:29502 clipped\tx{500}OLDy+$/m);
    assertMatch(content, /^\+1:29502 clipped\tx{500}NEWy+$/m);
  });

  it("keeps to maxTokens, and shows what a session showed before", async () => {
    const now = lines(300, (at) => `line ${at}`);
    const [readFile] = await toolsOf("", now, { session: true });
    const args = { path: "a", changes: "HEAD", maxTokens: 400 };
    const first = (await respond(readFile, args)).content;
    assert(signed(first).length > 5 && signed(first).length < 100);
    assertMatch(first, /\nNext: read_file \{[^\n]*"maxTokens":400\}$/);
    assertEquals((await respond(readFile, args)).content, first);
  });

  it("refuses what it cannot be combined with, and no revision", async () => {
    const [readFile] = await toolsOf("a\n", "b\n");
    const refused = async (args: object, words: RegExp) => {
      const { ok, content } = await respond(readFile, { path: "a", ...args });
      assert(!ok);
      assertMatch(content, words);
    };
    await refused(
      { changes: "HEAD", match: "b" },
      /^match cannot be combined with changes/,
    );
    await refused({ changes: "HEAD", etag: "1" }, /^etag cannot be combined/);
    await refused({ changes: "" }, /^changes must be a revision/);
    await refused({ changes: 7 }, /^changes must be/);
  });

  it("gives facts that its schema has", async () => {
    const [readFile, readFiles] = await toolsOf("a\n", "b\u202E\n");
    const compile = (schema: object) =>
      new Ajv2020({ strict: false }).compile(schema);
    const takes = compile(readFile.factsSchema);
    for (const path of ["a", "a:5"]) {
      const { facts } = await readFile.call({ path, changes: "HEAD" });
      assert(takes(JSON.parse(JSON.stringify(facts))), JSON.stringify(facts));
    }
    const files = [{ path: "a", changes: "HEAD" }, { path: "a" }];
    const { facts, text } = await readFiles.call({ files });
    const given = JSON.parse(JSON.stringify(facts));
    assert(compile(readFiles.factsSchema)(given), JSON.stringify(facts));
    assertMatch(text, /\n\+1\tb[^]*\n\n"a": line 1 of 1\.[^]*\n1\tb/);
  });
});
