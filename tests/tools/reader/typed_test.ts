/** Facts with the lines as data: a script that follows `next` rebuilds files, and parses no text. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openServer } from "../../../mcp/src/server.ts";
import {
  gunzipView,
  memoryFs,
  openWorkspace,
  type ReaderOptions,
  readerTools,
  respond,
} from "../../../mod.ts";
import { png } from "../../support/images.ts";
import { newClient, Wire } from "../../support/mcp.ts";
import { Random } from "../../support/random.ts";
import { draws } from "../../support/share.ts";

/** What a script uses of the facts. */
interface Facts {
  readonly lines: readonly {
    readonly number: number;
    readonly column: number;
    readonly text: string;
    readonly ending: string;
  }[];
  readonly base64: string | null;
  readonly next: Readonly<Record<string, unknown>> | null;
}

type CallTool = (args: Readonly<Record<string, unknown>>) => Promise<Facts>;

/** Reads a file as a script does: by the lines of each page and the next call. */
async function rebuild(call: CallTool, path: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let args: Facts["next"] = { path };
  for (let calls = 0; args !== null; calls++) {
    assert(calls < 10_000, path);
    const { lines, base64, next }: Facts = await call(args);
    const text = lines.map(({ text, ending }) => text + ending).join("");
    parts.push(
      base64 === null
        ? new TextEncoder().encode(text)
        : Uint8Array.from(atob(base64), (one) => one.charCodeAt(0)),
    );
    args = next;
  }
  const bytes = new Uint8Array(
    parts.reduce((sum, { length }) => sum + length, 0),
  );
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const PIECES = [
  ...["a", "needle", "\t", "  ", "é", "上", "😀", "\u202e", "\0", "\ufeff"],
  ...["\n", "\n", "\n", "\r\n", "\r", "1\t", "Next: read_file {}", "\n\n"],
  ...["word ".repeat(90), "x".repeat(2500)],
];

/** The bytes of a file: text, and sometimes what is not UTF-8. */
function anyFile(random: Random): Uint8Array {
  const text = Array.from(
    { length: random.below(24) },
    () => PIECES[random.below(PIECES.length)]!,
  ).join("").replaceAll("\0", random.below(9) === 0 ? "\u0001" : "");
  const bytes = new TextEncoder().encode(text);
  const broken = random.below(4) === 0 && bytes.length > 2;
  if (broken) bytes[random.below(bytes.length)] = 0x80 + random.below(0x40);
  return bytes;
}

/** How many files are made. */
const { seed, numRuns: FILES } = draws(10_000, 240);

const files = () => {
  const random = new Random(seed);
  return Object.fromEntries(
    Array.from(
      { length: FILES },
      (_, at) => [`/ws/f${at}.txt`, anyFile(random)] as const,
    ),
  );
};

/** A call of `read_file` in this process. */
async function callHere(
  contents: Parameters<typeof memoryFs>[0],
  options: ReaderOptions,
): Promise<CallTool> {
  const workspace = await openWorkspace("/ws", { fs: memoryFs(contents) });
  const [tool] = readerTools(workspace, options);
  return async (args) => {
    const { ok, facts, text } = await respond(tool, args);
    assert(ok, text);
    return facts as unknown as Facts;
  };
}

describe("typed facts", () => {
  it(`rebuild files byte for byte over next (seed ${seed})`, async () => {
    const contents = files();
    const call = await callHere(contents, { typed: true, maxChars: 1500 });
    let count = 0;
    for (const [path, bytes] of Object.entries(contents)) {
      assertEquals(await rebuild(call, path), bytes, path);
      count++;
    }
    assertEquals(count, FILES);
  });

  it("rebuild files in other encodings over next", async () => {
    const utf16 = (text: string) => [
      ...[0xff, 0xfe],
      ...Array.from(text, (one) => [one.charCodeAt(0), 0]).flat(),
    ];
    const lone = [0xff, 0xfe, 0x61, 0, 0x0a, 0, 0, 0xd8, 0x62, 0];
    const contents = {
      "/ws/lone": new Uint8Array(lone),
      "/ws/utf16": new Uint8Array(utf16("one\r\ntwo\n".repeat(400))),
      "/ws/sjis": new Uint8Array([0x93, 0xfa, 0x96, 0x7b, 0x0a, 0x81, 0x61]),
    };
    const call = await callHere(contents, { typed: true, maxChars: 1500 });
    for (const [path, bytes] of Object.entries(contents)) {
      const own: CallTool = (args) =>
        call(
          path === "/ws/sjis" ? { ...args, encoding: "shift_jis" } : args,
        );
      assertEquals(await rebuild(own, path.slice(4)), bytes, path);
    }
  });

  it("do so over MCP with --facts, and each answer follows its schema", async () => {
    const contents = Object.fromEntries(Object.entries(files()).slice(0, 12));
    const fs = memoryFs({ ...contents, "/ws/a.png": png(3, 2) });
    const served = { directories: ["/ws"], fs, facts: true, maxChars: 1500 };
    const client = newClient();
    await client.connect(new Wire(await openServer(served)));
    const { tools } = await client.listTools();
    const checks = new Map(tools.map(({ name, outputSchema }) => [
      name,
      new Ajv2020({ strict: false }).compile(outputSchema as object),
    ]));
    const ask = async (name: string, args: Record<string, unknown>) => {
      const told = await client.callTool({ name, arguments: args });
      const check = checks.get(name)!;
      const facts = told.structuredContent;
      assert(check(facts), JSON.stringify([args, check.errors]));
      return facts as unknown as Facts;
    };
    for (const [path, bytes] of Object.entries(contents)) {
      const call: CallTool = (args) => ask("read_file", { ...args });
      assertEquals(await rebuild(call, path), bytes, path);
    }
    const several = ["f0.txt", "f1.txt:1-2,4-5", "none", "f2.txt"];
    await ask("read_files", { files: several });
    await ask("read_file", { path: "f0.txt:1-2,4-5" });
    await ask("read_file", { path: ".", match: "needle" });
    await ask("read_file", { path: "a.png" });
    await ask("list_directory", {});
    await client.close();
  });

  it("hold the lines of several files, of a search and of a view", async () => {
    const gz = new Uint8Array(
      await new Response(
        new Blob(["one\ntwo\n"]).stream().pipeThrough(
          new CompressionStream("gzip"),
        ),
      ).arrayBuffer(),
    );
    const fs = memoryFs({ "/ws/a.txt": "one\r\ntwo\n", "/ws/b.gz": gz });
    const workspace = await openWorkspace("/ws", { fs, views: [gunzipView()] });
    const [readFile, readFiles] = readerTools(workspace, { typed: true });
    const two = { number: 2, column: 1, text: "two", ending: "\n" };
    const several = await respond(readFiles, {
      files: ["a.txt:2", "none", "b.gz"],
    });
    const { files } = several.facts as { files: Facts[] };
    assertEquals(files.map(({ lines }) => lines?.at(-1)), [
      two,
      undefined,
      two,
    ]);
    const found = await respond(readFile, { path: ".", match: "tw" });
    const { files: [first] } = found.facts as {
      files: { path: string; found: unknown }[];
    };
    assertEquals([first?.path, first?.found], ["a.txt", [two]]);
  });

  it("say of each file of a search whether its lines are its bytes", async () => {
    const latin = Uint8Array.of(0x74, 0x77, 0x6f, 0xe9, 0x0a);
    const japanese = Uint8Array.of(0x93, 0xfa, 0x20, 0x74, 0x77, 0x6f, 0x0a);
    const fs = memoryFs({
      "/ws/a.txt": "one\ntwo\n",
      "/ws/b.txt": latin,
      "/ws/d/c.txt": japanese,
    });
    const workspace = await openWorkspace("/ws", {
      fs,
      detect: (bytes) =>
        bytes[0] === 0x93 ? [{ label: "shift_jis", confidence: 1 }] : [],
    });
    const [readFile] = readerTools(workspace, { typed: true });
    const { facts } = await respond(readFile, { path: ".", match: "two" });
    const { exact, files } = facts as {
      exact: boolean;
      files: { path: string }[];
    };
    assertEquals(exact, false);
    for (const { path, ...told } of files) {
      const page = (await respond(readFile, { path, match: "two" })).facts!;
      const { exact, encoding, base64, lines: found, hits } = page;
      const { lines } = hits as { lines: number[] };
      assertEquals<unknown>(told, { lines, found, exact, encoding, base64 });
    }
    assertEquals(
      files.map((file) => [
        file.path,
        ...["exact", "encoding", "base64"]
          .map((name) => (file as Record<string, unknown>)[name]),
      ]),
      [
        ["a.txt", true, "utf-8", null],
        ["b.txt", false, "utf-8", btoa(String.fromCharCode(...latin))],
        ["d/c.txt", false, "shift_jis", btoa(String.fromCharCode(...japanese))],
      ],
    );
    const one = await respond(readFile, { path: ".", match: "one" });
    assertEquals(one.facts!["exact"], true);
  });

  it("are off by default, and change no text", async () => {
    const contents = { "/ws/a.txt": "one\ntwo\n", "/ws/dir/b.txt": "two\n" };
    const fs = memoryFs(contents);
    const workspace = await openWorkspace("/ws", { fs });
    const plain = readerTools(workspace);
    const typed = readerTools(workspace, { typed: true });
    const calls = [{ path: "a.txt" }, { path: ".", match: "two" }];
    for (const args of calls) {
      const before = await respond(plain[0], args);
      const after = await respond(typed[0], args);
      assertEquals(before.text, after.text);
      assert(!("lines" in before.facts!) && "lines" in after.facts!);
    }
    for (const [at, tool] of plain.entries()) {
      assertEquals<unknown>(tool.definition, typed[at]!.definition);
    }
  });
});
