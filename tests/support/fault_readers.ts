/** Every way to read the file of a {@linkcode FaultyDisk}, and the outcomes. */
import {
  type BinaryContent,
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  openWorkspace,
  type PageOptions,
  readFile,
  ReadFileError,
  type ReadPolicy,
  type Selection,
  type TextWindow,
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

/** Every way to read a file with that line. */
export function readersOf(line: number): readonly Reader[] {
  const few = { kind: "lines", start: line, count: 3 } as const;
  const far = { kind: "lines", start: 99_999, count: 3 } as const;
  const block = { maxLevels: 1, siblings: true, header: true, count: 9 };
  const path = FAULTY_PATH;
  const whole = `/ws/${FAULTY_PATH}`;
  const original = { original: true };
  return [
    reading({ kind: "all" }),
    reading({ kind: "all" }, { binary: "reject-invalid", countAll: true }),
    reading({ kind: "all" }, { binary: "bytes" }),
    reading(few),
    reading(few, { countAll: true, binary: "reject-nul" }),
    reading(few, { binary: "reject-invalid", maxLineBytes: 3 }),
    reading(few, { maxWindowBytes: 25 }),
    reading(few, { maxWindowBytes: 3 }),
    reading(far),
    reading(far, { exactRange: true }),
    reading({ kind: "tail", count: 3 }),
    reading({ kind: "tail", count: 3 }, { countAll: true }),
    reading({ ...block, kind: "block", anchor: line }),
    reading({ ...block, kind: "block", anchor: 99_999 }),
    paging({ start: line, count: 3 }),
    paging({ start: line, maxBytes: 7 }),
    paging({ start: line, column: 2, width: 3 }),
    paging({ start: 99_999 }),
    paging({ tail: 3 }),
    paging({ around: line, before: 1, after: 1 }),
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

function reading(selection: Selection, policy: ReadPolicy = {}): Reader {
  return {
    name: `readFile ${JSON.stringify({ ...selection, ...policy })}`,
    read: (workspace, signal) =>
      readFile(workspace, FAULTY_PATH, selection, { ...policy, signal }),
  };
}

function paging(options: PageOptions): Reader {
  return {
    name: `workspace.read ${JSON.stringify(options)}`,
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
  const content = answer as TextWindow | BinaryContent;
  if (content.kind === "binary") return `${content.bytes}`;
  if (content.kind !== "text") {
    return JSON.stringify(
      answer,
      (key, value) => key === "etag" || key === "mtime_ms" ? undefined : value,
    );
  }
  const { span, start, next, column, nextColumn, totalLines } = content;
  const { cut, clipped, lineCount, text } = content;
  const place = { span, start, next, column, nextColumn, totalLines };
  return JSON.stringify({ ...place, cut, clipped, lineCount }) + text;
}
