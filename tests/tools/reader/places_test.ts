/** Places, as a model names them: lines in the path. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, it } from "node:test";
import {
  callTool,
  type FsPort,
  memoryFs,
  openWorkspace,
  readerTools,
} from "../../../mod.ts";
import { Random, SEED } from "../../support/random.ts";
import { parseBatch } from "../../support/rendered.ts";

const linesTo = (count: number, text = "line") =>
  Array.from({ length: count }, (_, at) => `${text} ${at + 1}\n`).join("");

const NAMES = [
  "src/core/read.ts",
  "src/app/server/main.ts",
  "README.md",
  "tests/core/pages/hits_test.ts",
  "app.log",
] as const;

const FILES = {
  ...Object.fromEntries(NAMES.map((name) => [`/ws/${name}`, linesTo(2100)])),
  "/ws/src/small.ts": linesTo(9),
  "/ws/odd": linesTo(9),
  "/ws/odd:7": "of that name\n",
  "/ws/.env:5": "KEY=1\n",
  "/ws/.env": "KEY=1\n",
};

/** The tools, and calls of them that give their texts. */
async function setUp() {
  const deny = [".env*"];
  const fs = memoryFs(FILES);
  const workspace = await openWorkspace("/ws", { fs, deny });
  const tools = readerTools(workspace, { etags: "full" });
  const call = async (args: object, at: 0 | 1 = 0): Promise<string> => {
    const { output, error, notes } = await callTool(tools[at], args);
    return output?.text ?? tools[at].failure!(error!, notes);
  };
  return { tools, call };
}

/** Places, and the arguments that mean the same. */
const SAME: readonly (readonly [string, object])[] = [
  ["README.md:10-12", { path: "README.md", start: 10, end: 12 }],
  ["/ws/README.md:10", { path: "README.md", start: 10, end: 10 }],
  ["./README.md:-2", { path: "README.md", tail: 2 }],
  ["README.md:20+3", { path: "README.md", around: 20, before: 3, after: 3 }],
  ["README.md:/ne 7$/+1", {
    path: "README.md",
    ...{ match: "ne 7$", regex: true, before: 1, after: 1 },
  }],
  ["README.md:2000-", { path: "README.md", start: 2000 }],
  ["README.md#L5-L9", { path: "README.md", start: 5, end: 9 }],
  ["README.md:5:3", { path: "README.md", start: 5, end: 5 }],
  ["file:///ws/README.md#L5", { path: "README.md", start: 5, end: 5 }],
  ["src\\small.ts", { path: "src/small.ts" }],
  ["src\\core\\read.ts:5", { path: "src/core/read.ts", start: 5, end: 5 }],
  ["odd:7:", { path: "odd:7" }],
  ["odd:8", { path: "odd", start: 8, end: 8 }],
];

describe("a place in a path", () => {
  for (const [place, args] of SAME) {
    it(`${place} is ${JSON.stringify(args)}, in each tool`, async () => {
      const { call } = await setUp();
      const text = await call(args);
      assert(/^\d+\t/m.test(text), text);
      assertEquals(await call({ path: place }), text);
      assertEquals(await call({ files: [place] }, 1), text);
      assertEquals(await call({ files: [{ path: place }] }, 1), text);
    });
  }

  it("is the name of a file, if there is one", async () => {
    const { call } = await setUp();
    assert((await call({ path: "odd:7" })).includes("of that name"));
  });

  it("cannot lead past a rule", async () => {
    const { call } = await setUp();
    for (const path of [".env:1", ".env:5", ".env#L1", "file:///ws/.env"]) {
      const text = await call({ path });
      assert(text.endsWith("(POLICY_DENIED)"), text);
    }
    assert((await call({ path: "../x:5" })).endsWith("(OUTSIDE_WORKSPACE)"));
  });

  for (
    const [args, message] of [
      [
        { path: "REDME.md:5" },
        'Cannot read "REDME.md": nothing is there; did you mean "README.md:5"? (NOT_FOUND)',
      ],
      [
        { path: "REDME.md:5-6,-2" },
        'Cannot read "REDME.md": nothing is there; did you mean "README.md:5-6,-2"? (NOT_FOUND)',
      ],
      [
        { path: "~/ws/src/core/read.ts" },
        'Cannot read "~/ws/src/core/read.ts": nothing is there; did you mean "src/core/read.ts"? (NOT_FOUND)',
      ],
      [
        { path: "~/none" },
        'Cannot read "~/none": nothing is there; check the spelling, or call list_directory {"path":"."} (NOT_FOUND)',
      ],
      [
        { path: "README.md:9-5" },
        'Cannot read "README.md:9-5": line 9 comes after line 5; turn them round (INVALID_ARGUMENT)',
      ],
      [
        { path: "README.md:9-12", start: 3 },
        'start cannot be given beside the lines of path "README.md:9-12"; leave one of them out (INVALID_ARGUMENT)',
      ],
    ] as const
  ) {
    it(`${JSON.stringify(args)} says what works`, async () => {
      const { call } = await setUp();
      assertEquals(await call(args), message);
    });
  }

  it("are in what read_files suggests, too", async () => {
    const { call } = await setUp();
    assertEquals(
      await call({ files: ["REDME.md:5"] }, 1),
      'Cannot read "REDME.md": nothing is there; did you mean "README.md:5"? (NOT_FOUND)',
    );
  });

  it("takes the arguments that are not about which lines", async () => {
    const { call } = await setUp();
    assertEquals(
      await call({ path: "README.md:9-12", before: 2, maxChars: 300 }),
      await call({
        path: "README.md",
        ...{ start: 9, end: 12, before: 2, maxChars: 300 },
      }),
    );
  });

  it("names the parts that did not fit, in a call that reads them", async () => {
    const { call } = await setUp();
    for (
      const [args, left, lines] of [
        [
          { path: "README.md:1-2,4", maxChars: 50 },
          '1 part.\nNext: read_file {"path":"README.md:4","maxChars":50}',
          [4],
        ],
        [
          { path: "README.md:1-2,4,6-9", escape: true, maxChars: 60 },
          '2 parts.\nNext: read_file {"path":"README.md:4,6-9","escape":true,"maxChars":60}',
          [4],
        ],
      ] as const
    ) {
      const text = await call(args);
      const wanted = `\n\nNot read, since the answer is full: ${left}`;
      assert(text.endsWith(wanted), text);
      const next = JSON.parse(text.slice(text.lastIndexOf("{")));
      const { pages: [page] } = parseBatch(await call(next));
      const shown = page!.rows.map(({ number }) => number);
      assertEquals<readonly number[]>(shown, lines);
    }
  });

  it("shows each part as a call of its own does, in an encoding, too", async () => {
    const { call } = await setUp();
    const more = { encoding: "latin1", maxChars: 9000 };
    const alone = [1, 3].map((line) =>
      call({ path: "README.md", start: line, end: line, ...more })
    );
    const text = await call({ path: "README.md:1,3", ...more });
    assertEquals(text, (await Promise.all(alone)).join("\n\n"));
    assert(text.includes("(asked)"), text);
  });

  it("shows parts of one version, or none", async () => {
    for (const at of [0, 1] as const) {
      let opened = 0;
      const texts = ["one\n", "ONE\n"].map((text) => text.repeat(400));
      const ports = texts.map((text) => memoryFs({ "/ws/a": text }));
      const fs: FsPort = {
        ...ports[0]!,
        open(path, signal) {
          // The file is written between the first part and the second.
          const isOther = path.endsWith("/a") && ++opened > 1;
          return ports[isOther ? 1 : 0]!.open(path, signal);
        },
      };
      const tools = readerTools(await openWorkspace("/ws", { fs }));
      const path = "a:1-2,300-301";
      const sent = at === 0 ? { path } : { files: [{ path }] };
      const { output, error } = await callTool(tools[at], sent);
      const told = error?.message ?? output!.text;
      assert(opened > 1);
      assertMatch(told, /^Cannot read on in "a": /);
      assertEquals(
        error?.code ?? Object(output!.facts.files)[0].error.code,
        "CHANGED",
      );
    }
  });

  it("leaves out in a session what was shown, part for part", async () => {
    const fs = memoryFs(FILES);
    const workspace = await openWorkspace("/ws", { fs });
    const [tool] = readerTools(workspace, { session: true });
    const read = async (args: object) =>
      (await callTool(tool, args)).output!.text;
    const path = "README.md:1-60,100-160";
    const first = await read({ path });
    const again = await read({ path });
    assert(again.length < first.length / 3, again);
    assertEquals(again.match(/unchanged since an earlier/g)?.length, 2);
    const half = await read({ path: "README.md:1-60,200-260" });
    assertEquals(half.match(/unchanged since an earlier/g)?.length, 1);
    assert(half.includes("\n230\tline 230\n"), half);
    assertEquals(await read({ path, refresh: true }), first);
    // Only what an answer had room for was shown.
    const cut = await read({ path: "app.log:1-200,500-700", maxChars: 1500 });
    const { pages: [page] } = parseBatch(cut);
    const last = page!.rows.at(-1)!.number;
    const rest = await read({ path: `app.log:${last + 1}-${last + 40}` });
    assert(rest.includes(`\n${last + 1}\tline`), rest);
  });

  it("gives facts of the first part, and of the others", async () => {
    const { tools: [readFile] } = await setUp();
    const path = "README.md:3-4,9-";
    const { output } = await callTool(readFile, { path, maxChars: 2000 });
    const { firstLine, lastLine, next, others } = output!.facts;
    assertEquals([firstLine, lastLine, next], [3, 4, null]);
    const [other, ...more] = others as Record<string, unknown>[];
    assertEquals([other!.firstLine, more], [9, []]);
    assert(Object(other!.next).start > 20);
  });
});

/** Random ranges of random files. */
function drawRanges(random: Random, most: number) {
  const files = Array.from(NAMES).filter(() => random.below(2) === 0)
    .slice(0, 5);
  if (files.length === 0) files.push(random.pick(NAMES));
  const count = Math.max(files.length, random.from(1, 8));
  const ranges = files.map((): [number, number][] => []);
  for (let at = 0; at < count; at++) {
    const start = random.from(1, 2000);
    const end = start + random.below(most);
    ranges[at % files.length]!.push([start, end]);
  }
  return files.map((path, at) => ({ path, ranges: ranges[at]! }));
}

describe("several ranges of several files", () => {
  it(`are one call that is as short as sed, 1,000 times (seed ${SEED})`, async () => {
    const random = new Random(SEED);
    const { call } = await setUp();
    const tokens = { ours: 0, sed: 0, worst: 0 };
    for (let count = 0; count < 1000; count++) {
      const drawn = drawRanges(random, 12);
      const places = drawn.map(({ path, ranges }) =>
        `${path}:${ranges.map((range) => range.join("-")).join(",")}`
      );
      const files = places.map((path) => ({ path }));
      const [only, ...more] = files;
      const isOne = more.length === 0;
      const args = isOne ? only! : { files };
      const text = await call(args, isOne ? 0 : 1);
      // The lines are those of separate calls.
      const alone: string[] = [];
      for (const { path, ranges } of drawn) {
        for (const [start, end] of ranges) {
          alone.push(await call({ path, start, end }));
        }
      }
      assertEquals(text, alone.join("\n\n"));
      if (!isOne) assertEquals(await call({ files: places }, 1), text);
      const sed = shortestSed(drawn);
      const ours = encode(JSON.stringify(args)).length;
      assert(ours <= 1.1 * sed, `${ours} of ${sed}: ${JSON.stringify(args)}`);
      tokens.ours += ours;
      tokens.sed += sed;
    }
    assert(tokens.ours < tokens.sed, JSON.stringify(tokens));
  });

  it(`share one budget, and go on to the last line (seed ${SEED})`, async () => {
    const random = new Random(SEED);
    const { call } = await setUp();
    for (let count = 0; count < 30; count++) {
      const drawn = drawRanges(random, 400);
      const wanted = new Set(
        drawn.flatMap(({ path, ranges }) =>
          ranges.flatMap(([start, end]) =>
            Array.from({ length: end - start + 1 }, (_, at) => start + at)
              .filter((line) => line <= 2100).map((line) => `${path}:${line}`)
          )
        ),
      );
      const files = drawn.map(({ path, ranges }) => ({
        path: `${path}:${ranges.map((range) => range.join("-")).join(",")}`,
      }));
      const calls: object[] = files.length === 1
        ? [{ ...files[0], maxChars: 3000 }]
        : [{ files, maxChars: 3000 }];
      const seen = new Set<string>();
      for (const args of calls) {
        const text = await call(args, "files" in args ? 1 : 0);
        if ("maxChars" in args) {
          assert(text.length <= 3000, `${text.length}`);
        }
        const { pages, skipped } = parseBatch(text);
        if (skipped !== null) calls.push(skipped);
        for (const { path, rows, next } of pages) {
          for (const { number } of rows) seen.add(`${path}:${number}`);
          if (next !== null) calls.push(next);
        }
      }
      assertEquals([...seen].sort(), [...wanted].sort());
    }
  });
});

/** The tokens of the shortest line for sed. */
function shortestSed(drawn: ReturnType<typeof drawRanges>): number {
  const lines = ["'", '"'].flatMap((quote) =>
    [";", "; ", " && "].map((between) =>
      drawn.map(({ path, ranges }) => {
        const script = ranges.map((range) => `${range.join(",")}p`).join(";");
        const word = ranges.length === 1 ? script : quote + script + quote;
        return `sed -n ${word} ${path}`;
      }).join(between)
    )
  );
  return Math.min(...lines.map((line) => encode(line).length));
}
