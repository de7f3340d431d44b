/** What `readerTools` takes, and what follows from it. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "node:test";
import {
  callTool,
  memoryFs,
  openWorkspace,
  ReaderMemory,
  type ReaderOptions,
  readerTools,
  ReadRoots,
  renderPage,
  respond,
} from "../../../mod.ts";

const linesTo = (count: number) =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");

const fs = memoryFs({
  "/ws/a.txt": "one\ntwo\nthree\n",
  "/ws/many.txt": linesTo(9000),
  "/ws/cjk.txt": "\u4e2d\u6587\n".repeat(9000),
  "/ws/sjis.txt": Uint8Array.of(0x93, 0xfa, 0x96, 0x7b, 0x0a),
  "/ws/doc.pdf": `%PDF-1.7\n\0\n`,
  ...Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`/ws/dir/${at}.txt`, ""]),
  ),
  "/docs/a.md": "# A\n",
  "/docs/ws/b.md": "# B\n",
});

const workspace = await openWorkspace("/ws", { fs });

/** The text of a call of `read_file`. */
async function read(args: object, options?: ReaderOptions): Promise<string> {
  const [tool] = readerTools(workspace, options);
  return (await respond(tool, args)).content;
}

const nextIn = (text: string): Record<string, unknown> =>
  JSON.parse(text.slice(text.lastIndexOf("{")));

describe("the limits of readerTools", () => {
  const bytesOf = (text: string) => new TextEncoder().encode(text).length;

  it("bound an answer in characters, bytes and lines", async () => {
    const path = "cjk.txt";
    for (
      const [options, chars, bytes, lines] of [
        [{}, 20_000, 40_000, 1000],
        [{ maxChars: 5000 }, 5000, 10_000, 1000],
        [{ maxAnswerLines: 100 }, 20_000, 40_000, 100],
        [{ maxAnswerBytes: 5000 }, 20_000, 5000, 1000],
        [{ maxChars: 60_000 }, 60_000, 120_000, 3000],
      ] as const
    ) {
      const text = await read({ path }, options);
      const rows = text.split("\n").length;
      assert(text.length <= chars && bytesOf(text) <= bytes && rows <= lines);
      const fullest = Math.max(
        text.length / chars,
        bytesOf(text) / bytes,
        rows / lines,
      );
      assert(fullest > 0.95, `${fullest}`);
    }
  });

  it("are those of several files together, and of a listing", async () => {
    const [, readFiles, list] = readerTools(workspace, { maxChars: 2000 });
    const files = ["many.txt", "a.txt", "cjk.txt"];
    const { content } = await respond(readFiles, { files });
    assert(content.length <= 2000 && content.length > 1500, content);
    const listed = await respond(list, { path: "dir", maxChars: 200 });
    assert(listed.content.length <= 200, listed.content);
    assertStringIncludes(listed.content, "More follow.");
  });

  it("show one character at least, and then go on", async () => {
    for (const maxChars of [1, 2, 50]) {
      const text = await read({ path: "a.txt", maxChars });
      assertMatch(text, /^"a\.txt": line 1 of 3, cut inside line 1\./);
      assertMatch(text, /\n1 cut\to\n/);
      const next = nextIn(text);
      assertEquals([next.start, next.column, next.maxChars], [1, 2, maxChars]);
    }
  });

  it("bound a call, which may ask for less, and not for more", async () => {
    assert((await read({ path: "many.txt", maxChars: 500 })).length <= 500);
    const text = await read(
      { path: "many.txt", maxChars: 600 },
      { maxChars: 500 },
    );
    assertStringIncludes(text, "maxChars 600 was taken as 500, the largest\n");
    assert(text.length <= 500);
  });

  it("bound a failure", async () => {
    const path = "x".repeat(3000);
    const text = await read({ path }, { maxChars: 200 });
    assert(text.length <= 200, text);
    assertStringIncludes(text, " … ");
    for (const maxChars of [1, 4, 5]) {
      const short = await read({ path: "none.txt" }, { maxChars });
      assertEquals(short.length, maxChars, short);
    }
  });

  it("say which files are counted whole, for the total", async () => {
    const path = "many.txt";
    for (
      const [maxCountedBytes, total] of [[0, "an unknown total"], [
        88_893,
        9000,
      ]] as const
    ) {
      const options = { maxCountedBytes };
      const text = await read({ path }, options);
      assertStringIncludes(text, ` of ${total}`);
      const tail = await read({ path, tail: 1 }, options);
      assertMatch(tail, total === 9000 ? /\n9000\t/ : /\n-1\t/);
    }
  });

  it("count tokens as the host does", async () => {
    const counted: string[] = [];
    const countTokens = (text: string) => {
      counted.push(text);
      return text.length;
    };
    const args = { path: "many.txt", maxTokens: 300 };
    const text = await read(args, { countTokens });
    assert(text.length <= 300 && text.length > 200, `${text.length}`);
    assert(counted.includes(text));
    for (const maxTokens of [0, -1, 1.5, "few", [3]]) {
      assertMatch(
        await read({ path: "many.txt", maxTokens }),
        /maxTokens must be a whole number from 1 on, .*\(INVALID_ARGUMENT\)$/,
      );
    }
    counted.length = 0;
    await read({ path: "many.txt" }, { countTokens });
    assertEquals(counted, []);
  });
});

describe("the etags of readerTools", () => {
  it("have eight digits, and are known to these tools", async () => {
    const [tool] = readerTools(workspace);
    const first = await respond(tool, { path: "a.txt", count: 1 });
    const next = nextIn(first.content);
    assertMatch(String(next.etag), /^[1-9]\d{7}$/);
    const second = await respond(tool, next);
    assertMatch(second.content, /^"a\.txt": line 2 of 3\./);
    assertMatch(
      await read(next),
      /^Cannot read on in "a\.txt": this etag is not known here; .*\(CHANGED\)$/,
    );
  });

  it("are shared by tools with the same memory", async () => {
    const memory = new ReaderMemory();
    const text = await read({ path: "a.txt", count: 1 }, { memory });
    assertMatch(await read(nextIn(text), { memory }), /^"a\.txt": line 2 /);
  });

  it("may be full, as the last line of renderPage has them", async () => {
    const shown = await workspace.read("many.txt", { maxLines: 5 });
    const other = await workspace.read("many.txt", { maxBytes: 50_000 });
    const third = await workspace.read("many.txt", { end: 500, maxLines: 9 });
    for (const page of [shown, other, third]) {
      const text = renderPage(page);
      const [, name, args] = /\nNext: (\w+) (.*)$/.exec(text)!;
      for (const memory of [new ReaderMemory(), undefined]) {
        const tool = readerTools(workspace, { memory })
          .find(({ definition }) => definition.name === name)!;
        const { output, error } = await callTool(tool, JSON.parse(args!));
        assertEquals(error, undefined);
        assertEquals(output!.facts.firstLine, page.lineCount + 1);
        assertEquals(output!.text.length > 100, true);
      }
    }
    const { etag } = shown;
    for (const wrong of [`${etag}x`, etag.slice(1), etag.replace(/.$/, "-")]) {
      assertMatch(
        await read({ path: "many.txt", etag: wrong }),
        /^etag is not the etag of an earlier answer; .*\(INVALID_ARGUMENT\)$/,
      );
    }
    const changed = memoryFs({ "/ws/many.txt": linesTo(8000) });
    const [tool] = readerTools(await openWorkspace("/ws", { fs: changed }));
    const { error } = await callTool(tool, { path: "many.txt", etag });
    assertEquals(error?.code, "CHANGED");
  });

  it("are full for a host without memory", async () => {
    const etags = "full";
    const text = await read({ path: "a.txt", count: 1 }, { etags });
    const next = nextIn(text);
    assert(String(next.etag).length > 20, text);
    assertMatch(await read(next, { etags }), /^"a\.txt": line 2 /);
    const forged = { ...next, etag: `${next.etag}x` };
    assertMatch(await read(forged, { etags }), /\(INVALID_ARGUMENT\)$/);
    // The very etag that a page has.
    const { next: own } = await workspace.read("a.txt", { count: 1 });
    assertMatch(
      await read({ path: "a.txt", start: 2, etag: own!.etag }, { etags }),
      /^"a\.txt": lines 2-3 /,
    );
  });

  it("are bounded in number: the least recently used is forgotten", () => {
    const memory = new ReaderMemory();
    const tokens = Array.from(
      { length: 10_000 },
      (_, at) => memory.shorten(`etag ${at}`),
    );
    assertEquals(new Set(tokens).size, 10_000);
    assertEquals(memory.etagOf(tokens[0], "a"), "etag 0");
    // Used again, so the second one is the oldest.
    assertEquals(memory.shorten("etag 0"), tokens[0]);
    memory.shorten("one more");
    assertEquals(memory.etagOf(tokens[0], "a"), "etag 0");
    assertThrows(() => memory.etagOf(tokens[1], "a"), "not known here");
  });

  it("fail with what to do if the file has changed", async () => {
    const files: Record<string, string> = { "/ws/a.txt": "one\ntwo\n" };
    for (const etags of ["short", "full"] as const) {
      const memory = new ReaderMemory();
      const readWith = async (text: string, args: object) => {
        const fs = memoryFs({ ...files, "/ws/a.txt": text });
        const workspace = await openWorkspace("/ws", { fs });
        const [tool] = readerTools(workspace, { memory, etags });
        return (await respond(tool, args)).content;
      };
      const text = await readWith("one\ntwo\n", { path: "a.txt", count: 1 });
      assertMatch(await readWith("0\n1\n", nextIn(text)), /\(CHANGED\)$/);
    }
  });
});

describe("other options of readerTools", () => {
  it("name an encoding for every file", async () => {
    const args = { path: "sjis.txt" };
    const text = await read(args, { encoding: "shift_jis" });
    assertStringIncludes(text, "\u65e5\u672c");
    assert(!(await read(args)).includes("\u65e5"));
  });

  it("leave out what the conversation was shown, and only then", async () => {
    const memory = new ReaderMemory();
    const options = { memory, session: true };
    const args = { path: "many.txt", end: 40 };
    const first = await read(args, options);
    assertMatch(await read(args, options), /unchanged since/);
    assertEquals(await read({ ...args, refresh: true }, options), first);
    assertEquals(await read(args), first);
    assertMatch(
      await read({ ...args, refresh: true }),
      /"refresh" is not an argument.*\(INVALID_ARGUMENT\)$/,
    );
  });

  it("say what the user may do, in the words of the host", async () => {
    assertStringIncludes(
      await read({ path: "doc.pdf" }),
      "it is a PDF document; the package @agent-tools/read-file-pdf has a view",
    );
    assertStringIncludes(
      await read({ path: "doc.pdf" }, {
        hints: { pdf: "start it with --pdf" },
      }),
      "it is a PDF document; start it with --pdf (BINARY)",
    );
  });

  it("offer pages if a view has them", async () => {
    const view = {
      name: "pages",
      paged: true,
      matches: () => false,
      open: () => "text",
    };
    const paged = await openWorkspace("/ws", { fs, views: [view] });
    const hasPages = (tools: ReturnType<typeof readerTools>) =>
      "pages" in tools[0].definition.parameters.properties!;
    assertEquals(hasPages(readerTools(paged)), true);
    assertEquals(hasPages(readerTools(workspace)), false);
    const later = () => new ReadRoots([]);
    assertEquals(hasPages(readerTools(later)), false);
    assertEquals(hasPages(readerTools(later, { paged: true })), true);
  });

  it("are refused if they are unknown or wrong", () => {
    for (
      const [options, message] of [
        [{ maxChar: 5 }, '"maxChar" is unknown'],
        [{ maxChars: 0 }, "maxChars must be a whole number from 1 to"],
        [
          { maxAnswerBytes: 1.5 },
          "maxAnswerBytes must be a whole number from 1 on",
        ],
        [{ etags: "none" }, 'etags must be one of "short", "full"'],
        [{ memory: new Map() }, "memory must be a ReaderMemory"],
        [{ hints: { pdg: "x" } }, '"pdg" is unknown'],
        [{ encoding: "klingon" }, 'encoding must be "auto" or the label of'],
        [{ encoding: "shift-jsi" }, "did you mean shift_jis?"],
        [{ session: "yes" }, "session must be true or false"],
        [{ countTokens: 4 }, "countTokens must be a function"],
      ] as const
    ) {
      const make = () => readerTools(workspace, options as ReaderOptions);
      const error = assertThrows(make) as Error;
      assertStringIncludes(error.message, "Cannot make the reader tools: ");
      assertStringIncludes(error.message, message);
    }
    const source = "/ws" as unknown as ReadRoots;
    const error = assertThrows(() => readerTools(source)) as Error;
    assertStringIncludes(error.message, "the source must be a workspace");
  });

  it("refuse what a function gives instead of directories", async () => {
    for (const given of [undefined, null, {}, "/ws", workspace]) {
      const find = () => given as unknown as ReadRoots;
      for (const tool of readerTools(find)) {
        await assertRejects(
          () => tool.call({} as never),
          TypeError,
          "Cannot call the reader tools: what the source gives must be ReadRoots, not ",
        );
      }
    }
  });
});

describe("readerTools over several directories", () => {
  const rootOf = async (path: string) => ({
    name: path.slice(1),
    path,
    workspace: await openWorkspace(path, { fs }),
  });

  it("read by the name of a directory, by absolute paths, and below a base", async () => {
    const [ws, docs] = [await rootOf("/ws"), await rootOf("/docs")];
    const both = new ReadRoots([ws, docs]);
    const based = new ReadRoots([ws, docs], { root: docs, path: "ws" });
    for (
      const [roots, path, shown] of [
        [both, "docs/a.md", "docs/a.md"],
        [both, "/docs/a.md", "docs/a.md"],
        [both, "ws/a.txt", "ws/a.txt"],
        [based, "b.md", "b.md"],
        [based, "./b.md", "b.md"],
        [based, "ws/a.txt", "ws/a.txt"],
        [based, "/docs/a.md", "docs/a.md"],
      ] as const
    ) {
      const [tool] = readerTools(roots);
      const { ok, content } = await respond(tool, { path });
      assert(ok, content);
      assertStringIncludes(content, `"${shown}": line`);
    }
    const [tool, , list] = readerTools(both);
    const { error } = await callTool(tool, { path: "a.txt" });
    assertStringIncludes(error!.message, '"ws/" or "docs/"');
    assertStringIncludes(tool.definition.description, '"ws/" or "docs/"');
    const top = await respond(list, {});
    assertEquals(top.content.split("\n"), [
      '".": 2 entries.',
      "dir\tws",
      "dir\tdocs",
      "End of the listing.",
    ]);
  });

  it("find the directories at each call", async () => {
    const found = [await rootOf("/ws"), await rootOf("/docs")];
    const [tool] = readerTools(() =>
      Promise.resolve(new ReadRoots([found.pop()!]))
    );
    assertMatch((await respond(tool, { path: "a.md" })).content, /^"a\.md"/);
    assertMatch((await respond(tool, { path: "a.txt" })).content, /^"a\.txt"/);
  });

  it("read nothing if there is no directory", async () => {
    for (const tool of readerTools(new ReadRoots([]))) {
      const args: object = { path: "a.txt", files: ["a.txt"] };
      const { content } = await respond(tool, args);
      assert(/no directory to read|is not an argument/.test(content), content);
    }
    const [tool] = readerTools(new ReadRoots([]));
    const { content } = await respond(tool, { path: "a.txt" });
    assertMatch(content, /there is no directory to read.*\(POLICY_DENIED\)$/);
  });
});

describe("a call of a reader's tool", () => {
  it("takes JSON text, and refuses what is no object", async () => {
    const [tool] = readerTools(workspace);
    const { ok } = await respond(tool, '{"path": "a.txt"}');
    assert(ok);
    for (const args of ["no JSON", [], null, 7]) {
      const { ok, content } = await respond(tool, args);
      assertEquals(ok, false);
      assertMatch(
        content,
        /^arguments must be an object.*\(INVALID_ARGUMENT\)$/,
      );
    }
  });

  it("converts arguments by itself, once, also if the host asks for that", async () => {
    const [tool] = readerTools(workspace);
    for (const lenient of [true, false]) {
      const args = { path: "a.txt", start: "2" };
      const reply = await respond(tool, args, { lenient });
      assertEquals(reply.notes, undefined);
      assertEquals(reply.content.split('Note: start: "2"').length, 2);
      assertEquals(reply.facts?.notes, ['start: "2" was taken as 2']);
      const { notes } = await callTool(tool, args, { lenient });
      assertEquals(notes, ['start: "2" was taken as 2']);
    }
  });

  it("ends with ABORTED, and files of a batch with it", async () => {
    const signal = AbortSignal.abort();
    for (const [at, tool] of readerTools(workspace).entries()) {
      const args = at === 1 ? { files: ["a.txt"] } : {};
      const sent = at === 0 ? { path: "a.txt" } : args;
      const { error } = await callTool(tool, sent, { signal });
      assertEquals(error?.code, "ABORTED");
    }
  });

  it("is denied by a policy in its own words", async () => {
    const [tool] = readerTools(workspace);
    const policy = { defaultPolicy: "deny" } as const;
    const { content } = await respond(tool, { path: "a.txt" }, { policy });
    assertMatch(content, /; .* \(POLICY_DENIED\)$/);
  });
});
