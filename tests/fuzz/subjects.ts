/** What is fuzzed: each subject makes an input of a seed, and gives it to the library. */
import { Buffer } from "node:buffer";
import process from "node:process";
import { gzipSync } from "node:zlib";
import { openServer } from "../../mcp/src/server.ts";
import { lineReader } from "../../mcp/src/line_reader.ts";
import {
  callTool,
  gunzipView,
  memoryFs,
  notebookView,
  openWorkspace,
  type Page,
  parseForgeConfig,
  readerTools,
  ReadFileError,
  type ReadOptions,
  renderPage,
  respond,
} from "../../mod.ts";
import { legacyDetector } from "../../detect/mod.ts";
import { pdfView } from "../../pdf/mod.ts";
import { SAMPLE } from "../support/notebooks.ts";
import { packedPdf, pdf } from "../support/pdfs.ts";
import type { Random } from "../support/random.ts";

/** Gives an input to the library. Throws what the library throws without a type. */
export type Subject = (random: Random) => Promise<unknown>;

/** An input that names a fault. */
export let lastInput: unknown;

/** Called when an input is made: from then on, the library works. */
export const begin: { measure(): void } = { measure: () => {} };

/** Remembers the input, for the report of a fault; called last before the library. */
function input<Value>(value: Value): Value {
  lastInput = value instanceof Uint8Array
    ? Buffer.from(value).toString("base64")
    : value;
  begin.measure();
  return value;
}

/** How many answers were not failures. */
export const answers = { count: 0 };

/** Waits for a call; a failure with a type is an answer. */
async function answerOf<Value>(
  call: () => Promise<Value>,
  isTyped: (error: unknown) => boolean = isOwn,
): Promise<Value | undefined> {
  try {
    const answer = await call();
    answers.count++;
    return answer;
  } catch (error) {
    if (isTyped(error)) return undefined;
    throw error;
  }
}

/** Whether a failure is one of the library's own, and not what it made of a mistake in it. */
function isOwn(error: unknown): boolean {
  if (!(error instanceof ReadFileError) || error.is("IO")) return false;
  return !error.is("UNREADABLE") || (error.cause ?? null) === null;
}

/** Calls a tool; a mistake in it would be a failure without a message. */
async function callOf(
  tool: Parameters<typeof callTool>[0],
  args: object,
): Promise<void> {
  const { error } = await callTool(tool, args);
  if (error === undefined) answers.count++;
  else if (!isOwn(error)) throw error.cause ?? error;
  await respond(tool, args);
}

/** The mistakes of a program, which have a type of their own. */
const isMistake = (error: unknown) =>
  isOwn(error) ||
  (error instanceof TypeError || error instanceof RangeError ||
      error instanceof SyntaxError) &&
    /^Cannot /.test(error.message);

const encoder = new TextEncoder();
const CHARS = [
  ..."aAbz019 _-.:/\\,;\"'`(){}[]<>|*+?^$!#=&%@~\t\r\n\0",
  ..."éßſKİ中文\u{1F600}\u202E\u200B\uFEFF\u0301",
  "\uD800",
];

function text(random: Random, most: number, chars = CHARS): string {
  const length = random.below(most + 1);
  return Array.from({ length }, () => random.pick(chars)).join("");
}

/** A size: mostly small, sometimes very large. */
function size(random: Random, most: number): number {
  return random.below(Math.ceil(most ** (random.below(1000) / 999))) + 1;
}

/** Changes a text: cuts, repeats, inserts and swaps parts of it. */
function mutated(
  random: Random,
  text: string,
  tokens: readonly string[],
  most: number,
): string {
  let changed = text;
  for (let left = random.from(1, 6); left > 0; left--) {
    const at = random.below(changed.length + 1);
    const length = random.below(Math.min(200, changed.length - at) + 1);
    const part = changed.slice(at, at + length);
    const put = random.pick([
      () => "",
      () => random.pick(tokens),
      () => part.repeat(size(random, 200)),
      () => random.pick(tokens).repeat(size(random, 50_000)),
      () => part.split("").reverse().join(""),
    ])();
    changed = (changed.slice(0, at) + put + changed.slice(at + length))
      .slice(0, most);
  }
  return changed;
}

function mutatedBytes(random: Random, bytes: Uint8Array): Uint8Array {
  let changed = Buffer.from(bytes);
  for (let left = random.below(8); left > 0; left--) {
    const at = random.below(changed.length || 1);
    const kind = random.below(5);
    if (kind === 0) changed[at] = random.below(256);
    else if (kind === 1) changed = changed.subarray(0, at);
    else if (kind === 2) changed = Buffer.concat([changed, changed]);
    else if (kind === 3) {
      changed = Buffer.concat([changed.subarray(0, at), changed]);
    } else changed.subarray(at, at + size(random, 100)).fill(random.below(256));
  }
  return new Uint8Array(changed);
}

/** The most lines that are rendered: that is done at once, and takes as long as it has lines. */
const MAX_RENDERED = 10_000;

function shown(page: Page): string {
  return page.lineCount <= MAX_RENDERED ? renderPage(page) : "";
}

// Patterns.

const ATOMS = [
  ..."abz.019 ",
  ...["\\d", "\\w", "\\s", "\\b", "\\B", "^", "$", "[a-z]", "[^a]", "\\S"],
  ...["\\u0041", "\\x41", "\\p{L}", "é", "ß", "中", "()", "(?:)", "\\n", "."],
  ...["[\\d\\s]", "(?i)", "(?=a)", "\\1", "[[:alpha:]]", "[]", "\\"],
];
const REPEATS = [
  "*",
  "+",
  "?",
  "{2}",
  "{0,9}",
  "{1000}",
  "{999,}",
  "*?",
  "{0}",
];

function pattern(random: Random, depth = 0): string {
  let made = "";
  for (let left = random.from(1, 5); left > 0; left--) {
    made += depth < 6 && random.below(3) === 0
      ? `${random.pick(["(", "(?:"])}${pattern(random, depth + 1)})`
      : random.pick(ATOMS);
    if (random.below(3) === 0) made += random.pick(REPEATS);
    if (random.below(6) === 0) made += "|";
  }
  return made;
}

/** A text with lines of all lengths, and many that nearly match. */
function content(random: Random, most: number): string {
  const pieces = [
    "a",
    "b",
    "z",
    "0",
    "aaaa",
    "ab",
    " ",
    "\n",
    "\r\n",
    "é",
    "中",
  ];
  const unit = Array.from(
    { length: random.from(1, 30) },
    () => random.pick(pieces),
  ).join("");
  return unit.repeat(Math.ceil(size(random, most) / unit.length));
}

async function patterns(random: Random): Promise<unknown> {
  const fs = memoryFs({ "/a.txt": content(random, 2_000_000) });
  const match = input(
    random.below(4) === 0
      ? mutated(random, pattern(random), [...ATOMS, ...REPEATS], 5000)
      : pattern(random),
  );
  const workspace = await openWorkspace("/", { fs });
  const regex = random.below(8) > 0;
  const ignoreCase = random.below(2) === 0;
  const wholeLines = random.below(4) === 0;
  const options = {
    ...{ match, regex, ignoreCase, wholeLines },
    limit: random.pick([1, 100, 100_000]),
  };
  // A pattern of 1,000 steps takes 45 µs a byte: then the signal must end the search.
  const signal = AbortSignal.timeout(10_000);
  const isTyped = (error: unknown) => isOwn(error) || error === signal.reason;
  return await answerOf(
    () => workspace.read("a.txt", options, { signal }),
    isTyped,
  );
}

// Globs.

const GLOBS = [
  ...["*", "**", "/", "?", "{a,b}", "{", "}", ",", "[a-z]", "[!a]", "[", "]"],
  ...[
    "a",
    "b",
    ".env",
    "..",
    ".",
    "!",
    "\\",
    "é",
    "ß",
    "*.ts",
    "+(a)",
    "{1..9}",
  ],
];

async function globs(random: Random): Promise<unknown> {
  const glob = () => {
    const made = Array.from(
      { length: random.from(1, 12) },
      () => random.pick(GLOBS),
    ).join("");
    return random.below(4) === 0 ? mutated(random, made, GLOBS, 5000) : made;
  };
  const deny = [glob(), glob()];
  const [listed, asked] = [glob(), glob()];
  const names = ["a", "b", ".env", "a b", "é", "x".repeat(200), "a/b/a/b/a.ts"];
  const fs = memoryFs(
    Object.fromEntries(names.map((name) => [`/ws/d/${name}1`, "text"])),
  );
  input([...deny, listed, asked]);
  const workspace = await answerOf(
    () => openWorkspace("/ws", { fs, deny }),
    isMistake,
  );
  const open = workspace ?? await openWorkspace("/ws", { fs });
  await answerOf(() => open.list(".", { glob: listed, depth: 5 }));
  await answerOf(() => open.readMany([{ glob: asked }]));
  return await answerOf(() => open.read("d/a1"));
}

// Messages of MCP.

const WORDS = [
  ...[
    '"',
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "null",
    "1e999",
    "-0",
    "true",
    "\\u0000",
  ],
  ...['"id"', '"method"', '"params"', '"arguments"', '"__proto__"', '"path"'],
  ...['"tools/call"', '"ping"', '"read_file"', '"a.txt"', "\n", "\uFFFD", "💥"],
  ...['{"jsonrpc":"2.0","id":1,"method":"ping"}', '"_meta"', "[[[[", '{"a":'],
];

function message(random: Random): string {
  const name = random.pick(["read_file", "read_files", "list_directory", "x"]);
  const path = random.pick(["a.txt", "/ws/a.txt", "a.txt:1-2", ".", "\0", ""]);
  const call = random.pick<object>([
    { path },
    { path, tail: random.below(9), maxChars: random.below(999) },
    { path: ".", match: random.pick(["o", text(random, 9)]), from: path },
    { path: ".", after: text(random, 9), limit: random.below(3), times: true },
    { files: [path, { path, start: random.below(9) }] },
    { path, match: text(random, 9), regex: true },
    { path, depth: 5, glob: text(random, 9) },
    { path, start: random.below(99) - 9, count: 1e308, [text(random, 3)]: 1 },
  ]);
  const method = random.below(2) === 0 ? "tools/call" : random.pick([
    ...["initialize", "tools/list", "ping", "x"],
    ...["notifications/initialized", "notifications/cancelled"],
  ]);
  const params = method === "initialize"
    ? { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: {} }
    : { name, arguments: call, requestId: random.below(9) };
  const others = random.pick<unknown>(["a", null, undefined, {}]);
  const id = random.below(4) === 0 ? others : random.below(9);
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

/** What begins a conversation. */
const GREETING = JSON.stringify({
  jsonrpc: "2.0",
  id: "hello",
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "fuzz", version: "1" },
  },
});

async function messages(random: Random): Promise<void> {
  const fs = memoryFs({ "/ws/a.txt": "one\ntwo\nthree\n", "/ws/d/b": "x" });
  /** What the server says about mistakes in it; clients are told nothing. */
  const mistakes: string[] = [];
  const log = (message: string) => {
    if (/ failed: |could not be read/.test(message)) mistakes.push(message);
  };
  const connect = await openServer({ directories: ["/ws"], fs, log });
  const lines = Array.from({ length: random.from(1, 8) }, () => {
    const line = message(random);
    return random.below(3) > 0 ? line : mutated(random, line, WORDS, 4_000_000);
  });
  if (random.below(8) > 0) lines.unshift(GREETING);
  const bytes = encoder.encode(`${lines.join("\n")}\n`);
  input(lines);
  const peer = {
    send: ({ result }: Readonly<Record<string, unknown>>) => {
      const { content, isError } = Object(result);
      JSON.stringify(result);
      if (content !== undefined && isError !== true) answers.count++;
    },
    log,
    isBehind: () => false,
  };
  const connection = connect(peer);
  const take = lineReader(peer, (message) => connection.take(message));
  for (let at = 0; at < bytes.length;) {
    const end = at + size(random, 100_000);
    take(bytes.subarray(at, end));
    at = end;
    await new Promise((resolve) => setImmediate(resolve));
  }
  connection.endSubscriptions();
  await connection.idle();
  connection.close();
  if (mistakes.length > 0) throw new Error(mistakes.join("\n"));
}

// Files of other kinds.

const JSON_WORDS = [
  ...['"', "{", "}", "[", "]", ":", ",", "null", "1", "\\n", "\\u0000", "[]"],
  ...[
    '"cells"',
    '"source"',
    '"outputs"',
    '"text/plain"',
    '"data"',
    "{},",
    "1,",
  ],
  ...['"cell_type":"code",', '"cell_type":', '"name":', '["', '",'],
];

async function viewOf(
  random: Random,
  name: string,
  bytes: string | Uint8Array,
  view: ReturnType<typeof notebookView>,
): Promise<unknown> {
  const fs = memoryFs({ [`/${name}`]: bytes });
  const workspace = await openWorkspace("/", { fs, views: [view] });
  const options = random.pick<ReadOptions>([
    ...[{}, { tail: 3 }, { start: 5, count: 9 }, { match: "e" }],
    ...[{ view: view.name }, { view: view.name, maxScanBytes: 1e6 }],
  ]);
  return await answerOf(async () =>
    shown(await workspace.read(name, { maxBytes: 200_000, ...options }))
  );
}

function notebooks(random: Random): Promise<unknown> {
  const whole = input(mutated(random, SAMPLE, JSON_WORDS, 2_000_000));
  return viewOf(random, "a.ipynb", whole, notebookView());
}

function gzips(random: Random): Promise<unknown> {
  const unit = text(random, 40);
  const whole = Buffer.from(unit.repeat(size(random, 1_000_000)));
  const bytes = input(mutatedBytes(random, gzipSync(whole)));
  return viewOf(random, "a.gz", bytes, gunzipView());
}

function pdfs(random: Random): Promise<unknown> {
  const whole = random.below(3) === 0
    ? packedPdf(
      random.pick([
        "q Q ",
        "[]",
        "(a) Tj ",
        "BT ET ",
        "<<>> ",
        "1 0 0 1 0 0 cm ",
      ]),
      size(random, 300_000),
      random.pick(["", "[", "(", "<<"]),
    )
    : encoder.encode(
      mutated(random, pdf([[text(random, 40)], [text(random, 40)], []]), [
        ...["obj", "endobj", "stream", "<<", ">>", "[", "]", "R", "1 0 R"],
        ...[
          "/Kids[2 0 R]",
          "/Length 999999999",
          "/Filter/FlateDecode",
          "%%EOF",
        ],
        ...["/Type/ObjStm", "/Count -1", "/Prev 0", "xref", "/Encrypt<<>>"],
      ], 1_000_000),
    );
  return viewOf(random, "a.pdf", input(mutatedBytes(random, whole)), pdfView());
}

// Encodings, etags, places and TOML.

const LABELS = [
  ...["utf-8", "utf-16le", "utf-16be", "shift_jis", "euc-jp", "iso-2022-jp"],
  ...[
    "big5",
    "gbk",
    "gb18030",
    "euc-kr",
    "windows-1252",
    "koi8-r",
    "x",
    "ibm866",
  ],
];

async function encodings(random: Random): Promise<unknown> {
  const unit = random.pick([
    () => Array.from({ length: random.from(1, 9) }, () => random.below(256)),
    () => [0x1b, 0x24, 0x42, random.below(256), random.below(256)],
    () => [0xff, 0xfe, random.below(256), random.below(256)],
    () => [random.from(0x81, 0xfe), random.from(0x30, 0xfe), 10],
    () => [0xd8, random.below(256), 0xdc, random.below(256)],
    () => [0x81, 0x30, 0x81, random.from(0x30, 0x39)],
  ])();
  const bytes = new Uint8Array(size(random, 1_000_000));
  for (let at = 0; at < bytes.length; at++) bytes[at] = unit[at % unit.length]!;
  const fs = memoryFs({ "/a.txt": mutatedBytes(random, bytes) });
  const detect = legacyDetector();
  const workspace = await openWorkspace("/", { fs, detect });
  const encoding = random.pick([undefined, ...LABELS]);
  const place = random.pick<ReadOptions>([
    ...[{}, { start: 2, column: random.from(1, 5000) }, { tail: 3 }],
    ...[{ match: text(random, 3) }, { match: ".", regex: true, limit: 9 }],
    ...[{ around: 3 }, { start: 1, width: 30 }],
    { binary: "refuse-invalid" },
  ]);
  const options = input({
    ...{ maxBytes: random.pick([10, 1000, 200_000]), ...place },
    ...(encoding && { encoding }),
  });
  const page = await answerOf(() => workspace.read("a.txt", options));
  if (page?.next) {
    const { next } = page;
    await answerOf(() => workspace.read("a.txt", next));
  }
  return page && shown(page);
}

async function etags(random: Random): Promise<unknown> {
  const text = "one\ntwo\nthree\n".repeat(100);
  const fs = memoryFs({ "/a.txt": text, "/b.txt": text, "/d/c.txt": text });
  const workspace = await openWorkspace("/", { fs });
  const { next } = await workspace.read("a.txt", { count: 9 });
  const { etag = "", ...options } = next!;
  const changed = input(mutated(random, etag, CHARS, 100_000));
  await answerOf(() => workspace.read("a.txt", { ...options, etag: changed }));
  const listing = await workspace.list(".", { limit: 1 });
  const after = mutated(random, listing.next?.after ?? "", CHARS, 100_000);
  await answerOf(() => workspace.list(".", { after }));
  const [readFile, , listDirectory] = readerTools(workspace);
  await callOf(listDirectory, { after });
  await callOf(readFile, { path: ".", match: "o", from: after });
  return await callOf(readFile, { path: "a.txt", start: 9, etag: changed });
}

const PLACES = [
  ...["a.txt", ":", ",", "/", "-", "+", "1", "20", "9999999999999999999", "i"],
  ...["#L1", "#L1-L9", "file://", "%41", "(", ")", ":1:2", "/o/", "L", "C:\\"],
];

async function places(random: Random): Promise<unknown> {
  const fs = memoryFs({ "/ws/a.txt": "one\ntwo\nthree\n", "/ws/a:1": "x\n" });
  const workspace = await openWorkspace("/ws", { fs });
  const tools = readerTools(workspace);
  const place = () => {
    const made = `a.txt:${
      Array.from({ length: random.from(0, 9) }, () => random.pick(PLACES))
        .join("")
    }`;
    return random.below(3) > 0 ? made : mutated(random, made, PLACES, 100_000);
  };
  const other = place();
  const path = input(place());
  await callOf(tools[0], { path });
  return await callOf(tools[1], { files: [path, other] });
}

const TOML = [
  ...[
    "=",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    '"',
    "'",
    '"""',
    "'''",
    "\n",
    ".",
    ",",
  ],
  ...["a", "tools", "read_file", "max_scan_bytes", "1_000", "0x", "1979-05-27"],
  ...[
    "\\u0041",
    "true",
    "inf",
    "nan",
    "#",
    "1e9",
    "__proto__",
    "a.b.c=1\n",
    "[a]\n",
  ],
];

async function tomls(random: Random): Promise<unknown> {
  const whole = "[tools.read_file]\nmax_scan_bytes = 1_048_576\na = [1, 2]\n";
  const toml = input(mutated(random, whole, TOML, 70_000));
  return await answerOf(
    // deno-lint-ignore require-await -- What it throws is the answer.
    async () => parseForgeConfig(toml),
    isMistake,
  );
}

const left: Uint8Array[] = [];

/** Shows each fault: it keeps the event loop, takes memory, leaves some behind, and fails without a type. */
function control(): Promise<unknown> {
  left.push(new Uint8Array(20 * 2 ** 20).fill(1));
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < 120_000);
  const bytes = new Uint8Array(128 * 2 ** 20).fill(1);
  throw new TypeError(`a mistake in ${bytes.length}`);
}

/** All subjects, by name. */
export const SUBJECTS: Readonly<Record<string, Subject>> = {
  control,
  patterns,
  globs,
  messages,
  notebooks,
  gzips,
  pdfs,
  encodings,
  etags,
  places,
  tomls,
};
