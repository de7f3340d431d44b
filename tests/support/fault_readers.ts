/** Every way to read the file of a {@linkcode FaultyDisk}, and the outcomes. */
import {
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  openWorkspace,
  Page,
  ReadFileError,
  type ReadOptions,
  type Tool,
  type Workspace,
} from "../../mod.ts";
import { assertEquals } from "@std/assert";
import { FAULTY_PATH, type FaultyDisk } from "./faulty_fs.ts";

/** A file to read, its replacement, and a line number that exists in both. */
export interface Sample {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** A longer replacement that shares no line with the first file. */
  readonly other: Uint8Array;
  readonly line: number;
}

/** The outcome of a read, in a form to compare. */
export interface Outcome {
  /** The code of the failure, or its message if it has no code; `null` for an answer. */
  readonly code: string | null;
  /** The answer, or the details of the failure. */
  readonly text: string;
}

/** One way to read. */
export interface Reader {
  readonly name: string;
  read(workspace: Workspace, signal?: AbortSignal): Promise<unknown>;
}

/** A file that takes one read, and files that take several chunks. */
export const SAMPLES: readonly Sample[] = [
  sample("a small file", 40, 20),
  sample("a file of 700 KiB", 60_000, 40_000),
];

function sample(name: string, count: number, line: number): Sample {
  const other = linesOf("b", count, 9);
  return { name, bytes: linesOf("a", count, 6), other, line };
}

/** Lines of two widths: a position in one file is wrong in the other. */
function linesOf(letter: string, count: number, width: number): Uint8Array {
  const lines = Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(width, "0");
    return `${" ".repeat(index % 3 * 4)}${letter}${number}\n`;
  });
  return new TextEncoder().encode(lines.join(""));
}

/** Reads that need no line of the file. */
const READS: readonly ReadOptions[] = [
  {},
  { binary: "refuse-invalid", countLines: true },
  { binary: "bytes" },
  { start: 99_999, count: 3 },
  { start: 99_998, end: 99_999, exactRange: true },
  { around: 99_999, block: true },
  { tail: 3 },
  { tail: 3, numbered: false },
  { tail: 3, keepEnd: true, maxBytes: 20 },
  { match: "9", limit: 5 },
];

/** Every way to read a file with that line. */
export function readersOf(line: number): readonly Reader[] {
  const few = { start: line, count: 3 };
  const block = { siblings: true, count: 9 };
  const path = FAULTY_PATH;
  const whole = `/ws/${FAULTY_PATH}`;
  const original = { original: true };
  return [
    ...READS.map(reading),
    ...[
      { ...few },
      { ...few, countLines: true, binary: "refuse-nul" },
      { ...few, binary: "refuse-shown" },
      { ...few, binary: "refuse-invalid", maxLineBytes: 3 },
      { ...few, maxBytes: 25 },
      { ...few, maxBytes: 3 },
      { start: line, end: line + 2, exactRange: true },
      { start: line, maxBytes: 7 },
      { start: line, maxChars: 200 },
      { start: line, column: 2, width: 3 },
      { around: line, before: 1, after: 1 },
      { around: line, block },
    ].map((options) => reading(options as ReadOptions)),
    tool("codex", createCodexReadFile, {
      file_path: whole,
      offset: line,
      limit: 3,
    }),
    tool("codex", createCodexReadFile, {
      file_path: whole,
      offset: line,
      limit: 9,
      mode: "indentation",
      indentation: { max_levels: 1 },
    }),
    tool("codex, original", (at) => createCodexReadFile(at, original), {
      file_path: whole,
      offset: line,
      mode: "indentation",
    }),
    tool("toolkit", createToolkitReadFile, {
      path,
      start_line: line,
      max_lines: 3,
    }),
    tool("forge", createForgeRead, { path, start_line: line, limit: 3 }),
    tool("forge", createForgeRead, { path, tail: 3 }),
    tool("open_file", createOpenFile, { file_path: path }),
    tool("open_file", createOpenFile, {
      file_path: path,
      start_line: line,
      end_line: line + 2,
    }),
    {
      name: "workspace.open",
      async read(workspace, signal) {
        await using file = await workspace.open(path, { signal });
        return file.stat.size;
      },
    },
  ];
}

function reading(options: ReadOptions): Reader {
  return {
    name: `read() ${JSON.stringify(options)}`,
    read: (workspace, signal) =>
      workspace.read(FAULTY_PATH, options, { signal }),
  };
}

function tool(
  name: string,
  make: (workspace: Workspace) => Tool,
  args: object,
): Reader {
  return {
    name: `${name} ${JSON.stringify(args)}`,
    read: (workspace, signal) => make(workspace).call(args, { signal }),
  };
}

/** The workspace of a disk. */
export function workspaceOn({ port }: FaultyDisk): Promise<Workspace> {
  return openWorkspace("/ws", { fs: port });
}

/** The outcome of a read; nothing is thrown. */
export async function outcomeOf(reading: Promise<unknown>): Promise<Outcome> {
  try {
    return { code: null, text: tell(await reading) };
  } catch (error) {
    if (!(error instanceof ReadFileError)) {
      return { code: `no code: ${error}`, text: "" };
    }
    return { code: error.code, text: JSON.stringify(error.details) };
  }
}

/** The outcome of a read that meets another version of the file. */
export const REWRITTEN: Outcome = {
  code: "CHANGED",
  text: '{"how":"rewritten"}',
};

/** The outcome of a read that meets a shorter file. */
export const SHRANK: Outcome = { code: "CHANGED", text: '{"how":"shrank"}' };

/** Whether two outcomes are equal. */
export function isSame(one: Outcome, other: Outcome): boolean {
  return one.code === other.code && one.text === other.text;
}

/** Fails unless two outcomes are equal; shortens long texts in the message. */
export function assertOutcome(
  outcome: Outcome,
  expected: Outcome,
  what: string,
): void {
  assertEquals(outcome.code, expected.code, what);
  if (outcome.text === expected.text) return;
  const places = Array.from(
    outcome.text,
    (char, at) => char !== expected.text[at],
  );
  const from = Math.max(0, places.indexOf(true) - 20);
  const show = ({ text }: Outcome) => text.slice(from, from + 200);
  assertEquals(show(outcome), show(expected), `${what}, from ${from} on`);
  throw new Error(`${what}: one text continues where the other ends`);
}

/** The content of an answer, without the identity of its version. */
function tell(answer: unknown): string {
  const told = JSON.stringify(
    answer,
    (key, value) => key === "etag" || key === "mtime_ms" ? undefined : value,
  );
  return answer instanceof Page ? told + answer.text + answer.bytes() : told;
}
