import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { readRequest } from "../../src/cli/request.ts";
import { UsageError } from "../../src/cli/shell.ts";

/** Takes a command line that reads. */
function takeRead(args: readonly string[]) {
  const request = readRequest(args);
  assert(request.kind === "read");
  return request;
}

describe("the options", () => {
  it("select lines of files", () => {
    const args = [
      "a",
      "b:3",
      "--workspace",
      "w",
      "--deny=*.key",
      "--deny",
      "x",
    ];
    const rest = [
      "--max-bytes=9",
      "--encoding=sjis",
      "--view=x",
      "--no-numbers",
      "--color",
      "--stats",
    ];
    const same = { encoding: "shift_jis", view: "x" };
    const { placesFor, ...request } = takeRead([...args, ...rest]);
    assertEquals(placesFor("a"), [{ path: "a", parts: [same] }]);
    assertEquals(request, {
      kind: "read",
      workspace: "w",
      deny: ["*.key", "x"],
      targets: [
        { text: "a", places: [{ path: "a", parts: [same] }] },
        {
          text: "b:3",
          places: [
            { path: "b:3", parts: [same] },
            { path: "b", parts: [{ start: 3, end: 3, ...same }] },
          ],
        },
      ],
      follow: false,
      maxBytes: 9,
      encoding: "shift_jis",
      json: undefined,
      numbers: false,
      color: true,
      stats: true,
      changes: undefined,
      gitAllow: [],
      values: {
        ...{ workspace: "w", deny: ["*.key", "x"], view: "x", stats: true },
        ...{ "max-bytes": "9", encoding: "sjis", "no-numbers": true },
        color: true,
      },
    });
  });

  for (
    const [args, options] of [
      [["--head=3"], { end: 3 }],
      [["--tail", "3"], { tail: 3 }],
      [["--indent", "3"], {
        around: 3,
        block: { levels: 0, count: Infinity },
      }],
      [["--indent=3", "--levels=2"], {
        around: 3,
        block: { levels: 2, count: Infinity },
      }],
    ] as const
  ) {
    it(`${args.join(" ")} is of every PATH`, () => {
      const request = readRequest([...args, "a", "b:"]);
      const all = request.kind === "read" &&
        request.targets.map(({ places }) => places.at(-1)!.parts[0]);
      assertEquals<unknown>(all, [options, options]);
    });
  }

  it("end where a PATH must begin with a dash", () => {
    const request = readRequest(["--", "-x", "--head"]);
    const paths = request.kind === "read" &&
      request.targets.map(({ text }) => text);
    assertEquals(paths, ["-x", "--head"]);
  });

  it("print help and the version before anything else", () => {
    assertEquals(readRequest(["-h", "--head=x"]), {
      kind: "help",
      isAll: false,
    });
    assertEquals(readRequest(["a", "--version"]), { kind: "version" });
  });

  for (
    const [line, message] of [
      ["", "No PATH is named; name one"],
      [
        "--nonsense a",
        'Unknown option: "--nonsense"; write "./--nonsense" for a file of that name',
      ],
      [
        "--haed=3 a",
        'Unknown option: "--haed"; did you mean "--head"? Or write',
      ],
      ["--nonumbers a", 'did you mean "--no-numbers"?'],
      ["-head 3 a", 'Unknown option: "-head"; did you mean "--head"?'],
      [
        "-dash7",
        'Unknown option: "-dash7"; write "./-dash7" for a file of that',
      ],
      [
        "-d:3",
        'Unknown option: "-d:3"; write "./-d:3" for a file of that name',
      ],
      ["-hx", 'Unknown option: "-hx"'],
      ["--toString a", 'Unknown option: "--toString"'],
      ["--__proto__=1 a", 'Unknown option: "--__proto__"'],
      ["--head a", "--head must be a whole number from 1 on"],
      ["--max-bytes a", "--max-bytes must be a whole number from 1 on"],
      ["--head", "--head needs a value; put it behind"],
      [
        "--glob -x a",
        '--glob needs a value, and "-x" begins with a dash; write "--glob=-x"',
      ],
      ["--json=1 a", "--json takes no value; leave it out"],
      ["--head=0 a", "--head must be a whole number from 1 on"],
      ["--tail=-1 a", "--tail must be a whole number from 1 on"],
      ["--indent=x a", "--indent must be a whole number from 1 on"],
      ["--indent=1 --levels=-1 a", "--levels must be a whole number from 0"],
      ["--max-bytes=0 a", "--max-bytes must be a whole number from 1 on"],
      ["--max-bytes=1e3 a", "--max-bytes must be a whole number from 1 on"],
      ["--column=0 a", "--column must be a whole number from 1 on"],
      ["--column=2 a b", "--column needs one PATH"],
      ["--column=2 a:-3", "--column needs one PATH, or one PATH:LINE"],
      ["--column=2 a:3+1", "--column needs one PATH, or one PATH:LINE"],
      ["--column=2 --indent=3 a", "--column needs one PATH, or one PATH:LINE"],
      ["--head=1 --tail=1 a", "--head and --tail cannot both be; take one"],
      ["--head=1 --indent=1 a", "--head and --indent cannot both be"],
      ["--levels=1 a", "--levels means nothing without --indent; add it"],
      ["--head=1 a:3", '"a:3" names its lines, and so does --head'],
      ["--numbers --no-numbers a", "cannot both be; take one"],
      ["--json --color a", "--color means nothing with --json; leave one"],
      ["--json --no-numbers a", "--no-numbers means nothing with --json"],
      ["--args={} a", "--args means nothing without --tool; add it"],
      ["--config=x a", "--config means nothing without --tool; add it"],
      ["--tool=nano --args={}", "--tool must be one of read_file, read_files"],
      ["--tool=open", "--tool needs --args with what a model would send"],
      ["--tool=open --args={} a", "--tool takes no PATH; name the file in"],
      ["--tool=open --args={} --head=1", "--head means nothing with --tool"],
      [
        "--tool=open --tool=forge --args={}",
        "One tool can be called at a time",
      ],
      ["--tool=open --args={} --config=x", "--config holds the limits of"],
      ["--definitions=acme", "--definitions must be one of openai, anthropic"],
      ["--definitions=mcp a", "--definitions takes no PATH"],
      ["--definitions=mcp --json", "--json means nothing with --definitions"],
      ["--workspace= a", "--workspace must name a directory"],
    ] as const
  ) {
    it(`"${line}" is a mistake`, () => {
      const args = line.split(" ").filter((word) => word !== "");
      assertThrows(() => readRequest(args), UsageError, message);
    });
  }
});
