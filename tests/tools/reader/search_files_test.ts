import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import {
  definitions,
  type FsPort,
  type MemoryFiles,
  memoryFs,
  r2Fs,
} from "../../../mod.ts";
import { mountFs, overlayFs } from "../../../layers/mod.ts";
import { FakeR2 } from "../../support/fake_r2.ts";
import { win32Fs } from "../../../src/fs/win32.ts";
import { revisionOf } from "../../support/git_place.ts";
import { onStore } from "../../support/http_store.ts";
import { SimulatedApfs } from "../../support/simulated_apfs.ts";
import { RUNTIMES, SimulatedNtfs } from "../../support/simulated_ntfs.ts";
import { countingFs } from "../../support/counting_fs.ts";
import { onDisk } from "../../support/disk.ts";
import { Random, SEED } from "../../support/random.ts";
import { readerOn } from "../../support/reader.ts";
import { followSearch, parseSearched } from "../../support/searched.ts";
import { some } from "../../support/share.ts";

const LAYOUT = [
  "ws/.git/config: TODO",
  "ws/.gitignore: *.log\n/dist/\n",
  "ws/.env: TODO",
  "ws/a.log: TODO",
  "ws/b.bin: TODO\0",
  "ws/dist/x.ts: TODO",
  "ws/link -> src",
  "ws/node_modules/m/i.js: TODO",
  "ws/src/a.ts: one\ntwo TODO\nthree\nTODO four\n",
  "ws/src/b.md: todo\n",
  "ws/src/z/c.ts: TODO",
];

/** The same tree in memory, which is at rest. */
const TREE = memoryFs(Object.fromEntries(LAYOUT.map((entry) => {
  const [, path, link, text] = /^(.*?)(?: -> (.*)|: ([^]*))$/.exec(entry)!;
  return [`/${path}`, link === undefined ? text! : { link }];
})));

const onTree = () => readerOn(["/ws"], {}, TREE);

describe("read_file with match, of a directory", () => {
  it("looks at a long place to go on from once, and not for each file", async () => {
    const files = Array.from({ length: 50 }, (_, at) => [`/ws/${at}`, "TODO"]);
    const server = await readerOn(
      ["/ws"],
      {},
      memoryFs(Object.fromEntries(files)),
    );
    const { join } = Array.prototype;
    let joined = 0;
    Array.prototype.join = function (this: unknown[], ...separator: [string?]) {
      if (this.length > 10_000) joined++;
      return join.apply(this, separator);
    };
    try {
      const from = "0/".repeat(20_000);
      const { ok } = await server.call({ path: ".", match: "TODO", from });
      assertEquals([ok, joined < 5], [true, true], `${joined} times`);
    } finally {
      Array.prototype.join = join;
    }
  });

  it("shows the lines by file, and says what was left out", async () => {
    await using place = await onDisk(LAYOUT);
    const server = await readerOn([place.root]);
    const { text, data } = await server.call({ path: ".", match: "TODO" });
    assertEquals(text.split("\n"), [
      '".": 3 lines match in 2 files.',
      "Note: left out: .git, node_modules, what .gitignore names, 1 binary file, 1 denied name",
      '"src/a.ts":',
      "2\ttwo TODO",
      "4\tTODO four",
      '"src/z/c.ts":',
      "1 no newline\tTODO",
      "End of the lines that match.",
    ]);
    assertEquals(data.files, [
      { path: "src/a.ts", lines: [2, 4] },
      { path: "src/z/c.ts", lines: [1] },
    ]);
  });

  it("goes on after a file that fills the answer to its last hit", async () => {
    const row = `${"-".repeat(99)}\n`;
    const server = await readerOn(
      ["/ws"],
      {},
      memoryFs({
        "/ws/a.ts": `${row.repeat(150)}needle\n${row.repeat(150)}`,
        "/ws/b.ts": "needle\n",
        "/ws/c.ts": "needle\n",
      }),
    );
    const ways = [
      { before: 150, after: 150 },
      { before: 10, after: 10, maxChars: 1500 },
      { maxChars: 1 },
      { maxChars: 200 },
    ];
    for (const way of ways) {
      const args = { path: ".", match: "needle", ...way };
      const { lines } = await followSearch(server, args);
      assertEquals(
        lines.filter((line) => line.endsWith(":needle")),
        ["a.ts:151:needle", "b.ts:1:needle", "c.ts:1:needle"],
        JSON.stringify(way),
      );
    }
  });

  it("takes a glob, a pattern, lines around, and ignored files", async () => {
    const server = await onTree();
    const follow = async (args: Record<string, unknown>) =>
      (await followSearch(server, args)).lines;
    assertEquals(await follow({ path: ".", match: "todo", glob: "*.md" }), [
      "src/b.md:1:todo",
    ]);
    assertEquals(await follow({ path: ".", match: "TODO", glob: "src/z/" }), [
      "src/z/c.ts:1:TODO",
    ]);
    assertEquals(
      await follow({
        path: "src",
        match: "t.do",
        regex: true,
        ignoreCase: true,
      }),
      [
        "src/a.ts:2:two TODO",
        "src/a.ts:4:TODO four",
        "src/b.md:1:todo",
        "src/z/c.ts:1:TODO",
      ],
    );
    // A place, with lines around.
    assertEquals(await follow({ path: "src:/four/+1" }), [
      "src/a.ts:3:three",
      "src/a.ts:4:TODO four",
    ]);
    const all = { path: ".", match: "TODO", ignored: true };
    const { lines, notes } = await followSearch(server, all);
    assertEquals(lines, [
      "a.log:1:TODO",
      "dist/x.ts:1:TODO",
      "node_modules/m/i.js:1:TODO",
      "src/a.ts:2:two TODO",
      "src/a.ts:4:TODO four",
      "src/z/c.ts:1:TODO",
    ]);
    assertEquals(notes, ["left out: .git, 1 binary file, 1 denied name"]);
    // A directory that is named is searched, whatever its name.
    assertEquals(await follow({ path: "node_modules/m", match: "TODO" }), [
      "node_modules/m/i.js:1:TODO",
    ]);
  });

  it("counts only the denied names that the glob and .gitignore let in", async () => {
    const fs = memoryFs({
      "/ws/.gitignore": "*.key\n/out/\n",
      "/ws/.ssh/a.ts": "x",
      "/ws/a.key": "x",
      "/ws/a.pem": "x",
      "/ws/out/a.pem": "x",
      "/ws/src/.env": "x",
      "/ws/src/a.ts": "x",
    });
    const server = await readerOn(["/ws"], {}, fs);
    for (
      const [args, left] of [
        [{}, "what .gitignore names, 3 denied names"],
        [{ ignored: true }, "5 denied names"],
        [{ glob: "*.pem" }, "what .gitignore names, 1 denied name"],
        [{ glob: "*.key" }, "what .gitignore names"],
        [{ glob: "*.pem", ignored: true }, "2 denied names"],
        [{ glob: "src/*" }, "1 denied name"],
        [{ glob: "src/*.ts" }, undefined],
        [{ path: "src", glob: "*.ts" }, undefined],
      ] as const
    ) {
      const { text } = await server.call({ path: ".", match: "x", ...args });
      const { notes } = parseSearched(text);
      assertEquals(notes, left ? [`left out: ${left}`] : [], text);
    }
  });

  it("says nothing of files without a hit, and how many were searched", async () => {
    const fs = memoryFs({ "/ws/a": "x", "/ws/b": "y" });
    const server = await readerOn(["/ws"], {}, fs);
    const { text } = await server.call({ path: ".", match: "none" });
    assertEquals(
      text,
      '".": no line matches, in 2 files.\nEnd of the lines that match.',
    );
    const { text: other } = await server.call({
      path: ".",
      match: "x",
      glob: "*.ts",
    });
    assertStringIncludes(other, '".": no file to search.');
  });

  it("names the call that works for a glob that repeats the path", async () => {
    const server = await onTree();
    const args = { path: "src", match: "TODO", glob: "src/*.ts" };
    const { text } = await server.call(args);
    const [, note, call] = /^Note: (.*?): read_file (.*)$/m.exec(text)!;
    assertEquals(note, "globs begin below the path");
    assertEquals(JSON.parse(call!), { ...args, glob: "*.ts" });
    const { text: found } = await server.call(JSON.parse(call!));
    assertStringIncludes(found, '"src": 3 lines match in 2 files.');
  });

  it("stops when the answer is full, or at a count, and goes on there", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `/ws/f${100 + at}.txt`,
        Array.from(
          { length: 40 },
          (_, line) => line % 3 === at % 3 ? `hit ${line}` : `line ${line}`,
        ).join("\n"),
      ]),
    );
    const wanted = Object.entries(files).flatMap(([path, text]) =>
      text.split("\n").flatMap((line, at) =>
        line.startsWith("hit") ? [`${path.slice(4)}:${at + 1}:${line}`] : []
      )
    );
    const disk = memoryFs(files);
    const fs = { ...countingFs(disk), list: disk.list! };
    const server = await readerOn(["/ws"], {}, fs);
    const first = await server.call({ path: ".", match: "hit", count: 5 });
    const { files: shown, next } = parseSearched(first.text);
    assertEquals(shown.map(({ rows }) => rows.length), [5]);
    assertEquals(next?.from, "f100.txt");
    // Far fewer than all files: this one twice, and no other.
    assert(fs.counts.opened < 6, `${fs.counts.opened} opened`);
    for (
      const bounds of [{ count: 7 }, { maxChars: 500 }, { maxChars: 1500 }, {
        maxTokens: 200,
      }, {}]
    ) {
      const args = { path: ".", match: "hit", ...bounds };
      const { lines, calls } = await followSearch(server, args);
      assertEquals(lines, wanted);
      assert(calls > 1 || Object.keys(bounds).length === 0);
    }
  });

  it("names the call that starts again, if a file changed between two pages", async () => {
    await using place = await onDisk(["ws/d/a.txt: hit\nhit\nhit\n"]);
    const server = await readerOn([place.root]);
    const args = { path: "d", match: "hit", count: 1 };
    const { next } = parseSearched((await server.call(args)).text);
    writeFileSync(`${place.root}/d/a.txt`, "new\nhit, and more\n");
    const { text, ok } = await server.call({ ...next });
    assert(!ok);
    const [, again] = /; start again: read_file (.*) \(/.exec(text) ?? [];
    assertEquals(JSON.parse(again ?? text), args);
    const { lines } = await followSearch(server, args);
    assertEquals(lines, ["d/a.txt:2:hit, and more"]);
  });
  it("searches in several directories, and reads files, in one call of read_files", async () => {
    const server = await onTree();
    const files = [{ path: "src", match: "TODO" }, { path: "src/b.md" }];
    const { text } = await server.call({ files }, "read_files");
    assertStringIncludes(text, '"src": 3 lines match in 2 files.');
    assertStringIncludes(text, '"src/b.md": line 1 of 1.');
  });

  it("names the call for one directory, if all are meant", async () => {
    const fs = memoryFs({ "/one/a.txt": "x\n", "/two/b.txt": "x\n" });
    const server = await readerOn(["/one", "/two"], {}, fs);
    const { ok, text } = await server.call({ path: ".", match: "x", count: 3 });
    assert(!ok);
    assertStringIncludes(
      text,
      'search one at a time: read_file {"path":"one","match":"x","count":3}',
    );
  });
  it("shares an answer with other files", async () => {
    const text = "a needle\n".repeat(200);
    const fs = memoryFs({ "/ws/d/a": text, "/ws/d/b": text, "/ws/c": text });
    const server = await readerOn(["/ws"], {}, fs);
    const files = [{ path: "d", match: "needle" }, { path: "c" }];
    const args = { files, maxChars: 2000 };
    const { text: told } = await server.call(args, "read_files");
    assert(told.length <= 2000 && told.length > 1600, `${told.length}`);
    const calls = told.match(/^Next: read_file \{"path":"[dc]",/gm);
    assertEquals(calls?.length, 2, told);
  });

  it("shows what is around a hit in a long line, and goes on in the line", async () => {
    const long = `${"a ".repeat(900)}needle${" b".repeat(900)} needle ${
      "c ".repeat(900)
    }`;
    const fs = memoryFs({ "/ws/a.min.js": `x\n${long}\n`, "/ws/b": "needle" });
    const server = await readerOn(["/ws"], {}, fs);
    for (const args of [{}, { maxChars: 450 }]) {
      const { lines } = await followSearch(server, {
        path: ".",
        match: "needle",
        ...args,
      });
      assertEquals(lines.length, 3);
      assert(lines.every((line) => line.includes("needle")));
      assert(lines.join("").length < 1000);
    }
  });

  it("finds text in other encodings", async () => {
    const utf16 = (text: string) =>
      new Uint8Array(
        Uint16Array.from(`\ufeff${text}`, (char) => char.charCodeAt(0)).buffer,
      );
    const fs = memoryFs({
      "/ws/a.txt": utf16("eins\nzwei größer\n"),
      "/ws/b.txt": "größer\n",
    });
    const server = await readerOn(["/ws"], {}, fs);
    for (const match of ["größer", "er"]) {
      const { lines } = await followSearch(server, { path: ".", match });
      assertEquals(lines, ["a.txt:2:zwei größer", "b.txt:1:größer"]);
    }
  });

  it("refuses what means nothing in a directory, and takes a glob for a file", async () => {
    const server = await onTree();
    for (
      const [args, problem] of [
        [
          { path: "src", match: "x", tail: 3 },
          "tail means nothing for a directory",
        ],
        [
          { path: "src", match: "x", start: 3 },
          "start means nothing for a directory",
        ],
        [{ path: "src", match: "(", regex: true }, "is not a valid pattern"],
        [{ path: "src", match: "x", glob: "[" }, "glob"],
        [{ path: "none", match: "x" }, "NOT_FOUND"],
        [{ path: "../x", match: "x" }, "OUTSIDE_WORKSPACE"],
        [{ path: "src" }, 'list_directory {"path":"src"}'],
      ] as const
    ) {
      const { ok, text } = await server.call(args);
      assert(!ok, text);
      assertStringIncludes(text, problem);
    }
    const file = { path: "src/b.md", match: "todo", glob: "*.md" };
    const { text } = await server.call(file);
    assertStringIncludes(text, "Note: glob means nothing for a file");
  });

  it("finds the same on every port, and several files at a time on a slow one", async () => {
    const files = Object.fromEntries(
      Array.from(
        { length: 30 },
        (_, at) => [`d${at % 3}/f${at}`, `x\nhit ${at}\n`],
      ),
    );
    const inMemory = memoryFs(
      Object.fromEntries(
        Object.entries(files).map(([path, text]) => [`/ws/${path}`, text]),
      ),
    );
    const bucket = new FakeR2();
    for (const [path, text] of Object.entries(files)) {
      await bucket.put(`ws/${path}`, text);
    }
    let open = 0;
    let most = 0;
    const later: FsPort = {
      ...inMemory,
      lstat: async (path) => await inMemory.lstat(path),
      async open(path) {
        most = Math.max(most, ++open);
        await new Promise((done) => setTimeout(done, 1));
        const file = await inMemory.open(path);
        return { ...file, close: () => (open--, file.close()) };
      },
    };
    const wanted = Object.entries(files).map(([path, text]) =>
      `${path}:2:${text.slice(2, -1)}`
    )
      .sort((one, other) => byNames(one.split(":")[0]!, other.split(":")[0]!));
    const onNtfs = new SimulatedNtfs([
      "C:\\ws\\",
      ...Object.entries(files).map(([path, text]) =>
        `C:\\ws\\${path.replaceAll("/", "\\")} = ${text}`
      ),
    ]);
    const onApfs = new SimulatedApfs([
      "/ws/",
      ...Object.entries(files).map(([path, text]) => `/ws/${path} = ${text}`),
    ]);
    const inCommit = await revisionOf(
      Object.fromEntries(
        Object.entries(files).map(([path, text]) => [`ws/${path}`, text]),
      ),
    );
    const ports: readonly (readonly [FsPort, string?])[] = [
      [inMemory],
      [later],
      [overlayFs(inMemory, {})],
      [mountFs({ "/": memoryFs({}), "/ws": { fs: inMemory, root: "/ws" } })],
      [r2Fs(bucket)],
      [inCommit],
      ...Object.values(RUNTIMES).map((runtime) =>
        [win32Fs(onNtfs.port(runtime)), "/C:/ws"] as const
      ),
      [onApfs.port()],
    ];
    for (const [fs, root = "/ws"] of ports) {
      const server = await readerOn([root], {}, fs);
      for (const maxChars of [20_000, 400]) {
        const args = { path: ".", match: "hit", maxChars };
        assertEquals((await followSearch(server, args)).lines, wanted);
      }
    }
    assert(most > 4, `${most} at a time`);
  });

  it("says that a store cannot list, and what to do", async () => {
    const { fs } = await onStore(["ws/src/a.ts: TODO"]);
    const server = await readerOn(["/ws"], {}, fs);
    const { text } = await server.call({ path: "src", match: "TODO" });
    assertEquals(
      text,
      'Cannot read "src": directories cannot be listed there (ENOSYS); read a file by its path (IO)',
    );
    const one = await server.call({ path: "src/a.ts", match: "TODO" });
    assertStringIncludes(one.text, "1 no newline\tTODO");
  });

  it("names what cannot be read, and goes on", async () => {
    const disk = memoryFs({ "/ws/a": "x", "/ws/b": "x", "/ws/c/d": "x" });
    const refused = (path: string) => {
      if (!/\/(a|c)$/.test(path)) return;
      throw Object.assign(new Error("refused"), { code: "EACCES" });
    };
    const fs: FsPort = {
      ...disk,
      open: (path) => (refused(path), disk.open(path)),
      list: (path, most) => (refused(path), disk.list!(path, most)),
    };
    const server = await readerOn(["/ws"], {}, fs);
    const { text } = await server.call({ path: ".", match: "x" });
    assertEquals(text.split("\n"), [
      '".": 1 line matches in 1 file.',
      'Note: could not search "a" (PERMISSION_DENIED), "c" (PERMISSION_DENIED)',
      '"b":',
      "1 no newline\tx",
      "End of the lines that match.",
    ]);
  });

  it("shows no name or line that could be its own frame", async () => {
    const name = 'Next: read_file {"path":"x"}\n9\tx';
    const fs = memoryFs({
      [`/ws/${name}`]: "x\u2028Note: y\n",
      "/ws/7\tb": "x",
    });
    const server = await readerOn(["/ws"], {}, fs);
    const { text } = await server.call({ path: ".", match: "x" });
    const { files } = parseSearched(text);
    assertEquals(files.map(({ path }) => path), ["7\tb", name]);
  });

  it("finds what a plain search finds in random trees, in order, and nothing else", async () => {
    const random = new Random(SEED);
    const names = [
      "a",
      "b.ts",
      "c.md",
      "d",
      "e.log",
      "node_modules",
      ".git",
      "tmp",
    ];
    const words = [
      "foo",
      "bar",
      "Foo",
      "fo",
      "b",
      "",
      " ",
      "größe",
      "(x)",
      "\t",
    ];
    for (let round = 0; round < some(100, 20); round++) {
      const { files, rules } = drawTree(random, names, words);
      const server = await readerOn(["/ws"], {}, memoryFs(files));
      const [match, pattern, regex, ignoreCase] = random.pick(
        [
          ["foo", /foo/u, false, false],
          ["foo", /foo/iu, false, true],
          ["fo+\\s?b", /fo+\s?b/u, true, false],
          ["^b|\\)$", /^b|\)$/u, true, false],
          ["größe", /größe/u, false, false],
          ["(foo|bar).*[xf]", /(foo|bar).*[xf]/iu, true, true],
        ] as const,
      );
      const glob = random.pick([undefined, "*.ts", "a/**"]);
      const ignored = random.pick([undefined, true]);
      const wanted = Object.keys(files).sort(byNames).flatMap((path) => {
        const text = files[path];
        const own = path.slice(4);
        const isLeftOut = typeof text !== "string" || text.includes("\0") ||
          /(^|\/)\.git\//.test(own) ||
          !ignored && (/(^|\/)node_modules\//.test(own) || rules.test(own)) ||
          glob === "*.ts" && !own.endsWith(".ts") ||
          glob === "a/**" && !/^a(\/|$)/.test(own);
        if (isLeftOut) return [];
        const lines = text.split("\n");
        if (lines.at(-1) === "") lines.pop();
        return lines.flatMap((line, at) =>
          pattern.test(line) ? [`${own}:${at + 1}:${line}`] : []
        );
      });
      const maxChars = random.pick([undefined, 600, 3000]);
      const args = {
        path: ".",
        match,
        regex,
        ignoreCase,
        glob,
        ignored,
        maxChars,
      };
      const given = Object.entries(args).filter(([, value]) =>
        value !== undefined
      );
      const { lines } = await followSearch(server, Object.fromEntries(given));
      assertEquals(lines, wanted, JSON.stringify(args));
    }
  });

  it("costs no more tokens than grep -n, and few in the definitions", async () => {
    const server = await onTree();
    const { text } = await server.call({ path: "src", match: "TODO" });
    const grep =
      "src/a.ts:2:two TODO\nsrc/a.ts:4:TODO four\nsrc/z/c.ts:1:TODO\n";
    assert(encode(text).length < encode(grep).length + 30, text);
    const [read] = definitions("anthropic", server.tools as never);
    const tokens = encode(JSON.stringify(read)).length;
    assert(tokens <= 520, `${tokens} tokens`);
  });
});

/** Draws the files of a tree, and what its `.gitignore` names, as a pattern of paths. */
function drawTree(
  random: Random,
  names: readonly string[],
  words: readonly string[],
) {
  const files: Record<string, MemoryFiles[string]> = {};
  const folders = new Set<string>();
  for (let count = random.from(5, 30); count > 0; count--) {
    const depth = random.from(1, 4);
    const path = Array.from({ length: depth }, () => random.pick(names));
    const above = path.map((_, at) => `/ws/${path.slice(0, at).join("/")}`)
      .slice(1);
    const own = `/ws/${path.join("/")}`;
    if (folders.has(own) || above.some((one) => files[one] !== undefined)) {
      continue;
    }
    for (const one of above) folders.add(one);
    const text = Array.from(
      { length: random.from(0, 12) },
      () =>
        Array.from({ length: random.from(0, 4) }, () => random.pick(words))
          .join(""),
    ).join("\n");
    files[own] = random.below(12) === 0 ? `${text}\0` : text;
  }
  files["/ws/a0"] ??= "foo";
  files["/ws/.gitignore"] = "# foo\n*.log\n/tmp/\nd/c.md\n!a/e.log\n";
  // `a/e.log` is taken back at the top; `tmp` is left out with all below it.
  const rules =
    /^tmp\/|^d\/c\.md(\/|$)|^(?!a\/e\.log$)(?!a\/e\.log\/(?!.*e\.log)).*e\.log(\/|$)/;
  return { files, rules };
}

/** Compares paths by their names, as a walk meets them. */
function byNames(one: string, other: string): number {
  const [first, second] = [one.split("/"), other.split("/")];
  for (let at = 0; at < Math.max(first.length, second.length); at++) {
    const [left = "", right = ""] = [first[at], second[at]];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
