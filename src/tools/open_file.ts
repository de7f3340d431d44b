import { Call } from "../core/base/call.ts";
import {
  argumentsOf,
  coreWords,
  ReadFileError,
  refuseArgument,
  wordsAfter,
} from "../core/base/errors.ts";
import type {
  AnyWords,
  ReadFileErrorCode,
  ReadFileErrorWords,
} from "../core/base/errors.ts";
import { isRootOfWindows } from "../core/base/windows_paths.ts";
import { showHidden } from "../core/base/words.ts";
import { refuseMistake, type Rules, takeOptions } from "../core/base/check.ts";
import type { Awaitable } from "../core/base/port.ts";
import type { Page } from "../core/pages/page.ts";
import {
  type ChangesSince,
  compareWith,
  isKept,
} from "../core/changes_since.ts";
import {
  type CallContext,
  given,
  type ReadFields,
} from "../core/read_options.ts";
import { openRevision } from "../core/revisions.ts";
import { readPage } from "../core/read.ts";
import { escapeHidden } from "../core/unicode/escape.ts";
import { partsOf } from "../core/workspace.ts";
import type { Workspace } from "../core/workspace.ts";
import { CallArguments, countNote, FROM_ZERO, takeRange } from "./arguments.ts";
import { noteText, takeEncoded } from "./shown_text.ts";
import {
  forCodes,
  frozen,
  parametersOf,
  property,
  refuseMaking,
  takeToolContext,
  type Tool,
  type ToolDefinition,
} from "./call.ts";

/** Options for {@linkcode createOpenFile}. */
export interface OpenFileOptions {
  /** The encoding of files, as a label of `TextDecoder`, or `"auto"`; UTF-8 by default. */
  readonly encoding?: string | undefined;
  /** The largest file that is opened; 1 MiB by default. */
  readonly maxFileBytes?: number;
  /** How many lines before and after a range are shown. If it is given, a model may change it by `context`. */
  readonly context?: number;
  /** Whether to write a number and a tab before each line. If it is given, a model may change it by `show_line_numbers`. */
  readonly lineNumbers?: boolean;
  /** Colors lines for a terminal, such as `highlightLines()` of `@agent-tools/read-file-highlight`, and returns as many. For text that a person sees, not for a model. Hidden characters in the lines are escaped before, so that no file controls the terminal. */
  readonly highlight?: (
    lines: readonly string[],
    path: string,
  ) => Awaitable<readonly string[]>;
}

/** What a model sends to `open_file`. */
export interface OpenFileArguments {
  /** The file, from the root. */
  readonly file_path: string;
  /** The first line, from 1 on; 1 by default. */
  readonly start_line?: number | null | undefined;
  /** The last line, inclusive; the last of the file by default. */
  readonly end_line?: number | null | undefined;
  /** How many lines before and after the range, if the option `context` is set. */
  readonly context?: number | null | undefined;
  /** Whether to write a number and a tab before each line, if the option `lineNumbers` is set. */
  readonly show_line_numbers?: boolean | null | undefined;
  /** The revision to compare with, if the workspace has revisions. */
  readonly changes?: string | null | undefined;
}

const DEFAULT_MAX_FILE_BYTES = 1_048_576;

const RULES: Rules<OpenFileOptions> = {
  maxFileBytes: { least: 0, unlimited: true },
  context: { least: 0 },
  lineNumbers: "flag",
  highlight: "function",
  encoding: "text",
};

function defineOpenFile(
  { context, lineNumbers }: OpenFileOptions,
  hasRevisions: boolean,
): ToolDefinition<"open_file"> {
  const integer = (text: string, minimum: number) =>
    property("integer", text, { minimum });
  const path = "Path of the file, relative to the workspace.";
  const around = `Lines before and after the range (default: ${context}).`;
  const end = "Last line to return, inclusive (default: the last line).";
  return frozen({
    name: "open_file",
    description:
      "Opens a text file of the workspace, or an inclusive range of its lines, with their original endings.",
    parameters: parametersOf({
      file_path: property("string", path),
      start_line: integer("First line to return, 1-indexed (default: 1).", 1),
      end_line: integer(end, 1),
      ...(context !== undefined && { context: integer(around, 0) }),
      ...(lineNumbers !== undefined && {
        show_line_numbers: property(
          "boolean",
          `Whether each line follows its number and a tab (default: ${lineNumbers}).`,
        ),
      }),
      ...(hasRevisions && {
        changes: property(
          "string",
          "Revision to compare with, such as HEAD: new lines follow a +, removed ones a -, the others a space.",
        ),
      }),
    }),
  });
}

/**
 * Makes the `open_file` tool: a whole file, or an inclusive range of its lines,
 * exactly as they are. Its failures are {@linkcode OpenFileError}s.
 *
 * @example Usage
 * ```ts
 * import { createOpenFile, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\r\ntwo\r\nthree\r\n" });
 * const tool = createOpenFile(await openWorkspace("/repo", { fs }));
 * const range = { file_path: "a.txt", start_line: 2, end_line: 2 };
 * assertEquals(await tool.call(range), "two\r\n");
 * ```
 */
export function createOpenFile(
  workspace: Workspace,
  options?: OpenFileOptions,
): Tool<string, OpenFileArguments, "open_file"> {
  const refuse = refuseMaking("open_file", workspace);
  const defaults = takeEncoded(options, RULES, refuse);
  const { maxFileBytes = DEFAULT_MAX_FILE_BYTES } = defaults;
  const { encoding = "utf-8", highlight } = defaults;
  const rules: ReadFields = {
    maxFileBytes,
    binary: "refuse-invalid",
    encoding,
    view: "raw",
  };
  const { revisions } = partsOf(workspace);
  const definition = defineOpenFile(defaults, revisions !== undefined);
  return {
    definition,
    aliases: [],
    async call(args, options): Promise<string> {
      const { signal, note } = takeToolContext("open_file", options);
      try {
        const taken = new CallArguments(args, definition.parameters);
        const asked = takeRequest(taken, defaults);
        const color = (lines: readonly string[]) =>
          colored(lines, asked.path, highlight);
        if (asked.changes !== undefined) {
          const changes = await readComparison(workspace, asked, rules, signal);
          if (changes.endingBefore !== null) note?.(ENDINGS_NOTE);
          const texts = await color(changes.lines.map(({ text }) => text));
          return writeDiff(changes, texts, asked.isNumbered);
        }
        const page = await readAsked(workspace, asked, rules, signal);
        const text = highlight === undefined && !asked.isNumbered
          ? page.text
          : writeLines(
            page,
            await color(page.lines.map(({ text }) => text)),
            asked.isNumbered,
          );
        noteText(page, text, note);
        if (text === "") note?.(countNote(0));
        return text;
      } catch (error) {
        throw error instanceof ReadFileError ? new OpenFileError(error) : error;
      }
    },
    render: (output) => output,
  };
}

/** Checks the arguments of a call; the options of the tool are the defaults. */
function takeRequest(args: CallArguments, defaults: OpenFileOptions) {
  const { context = 0, lineNumbers = false } = defaults;
  args.refuseUnknown("open_file");
  return {
    path: args.needPath(),
    start: args.integer("start_line"),
    end: args.integer("end_line"),
    // Without the option, the argument is unknown, and so refused.
    context: args.integer("context", FROM_ZERO) ?? context,
    isNumbered: args.flag("show_line_numbers") ?? lineNumbers,
    changes: takeRevision(args),
  };
}

/** The revision to compare with; without revisions, the argument is unknown, and so refused. */
function takeRevision(args: CallArguments): string | undefined {
  const rev = args.get("changes");
  if (rev === undefined || typeof rev === "string") return rev;
  throw args.bad("changes", 'must be a revision, such as "HEAD"');
}

/** Reads the whole file, or a range with the lines around it. */
async function readAsked(
  workspace: Workspace,
  { path, start, end, context }: ReturnType<typeof takeRequest>,
  rules: ReadFields,
  signal: AbortSignal | undefined,
): Promise<Page> {
  const read = (lines: ReadFields) =>
    readPage(partsOf(workspace), new Call(path, signal), {
      ...rules,
      ...lines,
    });
  if (start === undefined && end === undefined) return await read({});
  const first = start ?? 1;
  const last = end ?? Number.MAX_SAFE_INTEGER;
  const isRange = first >= 1 && first <= last;
  // The error of an impossible range names the number of lines, whatever they hold.
  const page = await read(
    isRange
      ? {
        start: first,
        end: last,
        ...(context > 0 && { before: context, after: context }),
        exactRange: end !== undefined,
      }
      : { count: 1, countLines: true, binary: "text" },
  );
  if (isRange && page.lineCount > 0) return page;
  const totalLines = page.totalLines!;
  const facts = { start: first, end: end ?? totalLines, totalLines };
  throw new ReadFileError("RANGE_OUT_OF_BOUNDS", path, facts);
}

/** Reads the whole file, or a range with the lines around it, and compares it. */
async function readComparison(
  workspace: Workspace,
  asked: ReturnType<typeof takeRequest>,
  rules: ReadFields,
  signal: AbortSignal | undefined,
): Promise<ChangesSince> {
  const { path, start = 1, end, context, changes: rev = "" } = asked;
  const first = Math.max(1, start - context);
  const last = end === undefined ? undefined : end + context;
  const parts = partsOf(workspace);
  const fs = await openRevision(parts, rev, signal).catch((error) => {
    throw wrongRevision(error, path);
  });
  const lines = given({ ...rules, start: first, end: last });
  const changes = await compareWith(fs, parts, path, rev, lines, signal);
  const { totalLines } = changes;
  const isRange = (asked.start ?? asked.end) !== undefined;
  const isThere = start >= 1 && start <= (end ?? totalLines) &&
    (end ?? start) <= totalLines;
  if (!isRange || isThere) return changes;
  const facts = { start, end: end ?? totalLines, totalLines };
  throw new ReadFileError("RANGE_OUT_OF_BOUNDS", path, facts);
}

const ENDINGS_NOTE = "line endings differ everywhere, and are not compared";

/** Writes lines that are compared as a diff does. */
function writeDiff(
  { lines }: ChangesSince,
  texts: readonly string[],
  isNumbered: boolean,
): string {
  return lines.map((line, at) => {
    const { kind, before, after, ending } = line;
    const isGone = kind === "gone";
    const sign = isGone ? "-" : isKept(line) ? " " : "+";
    const number = isNumbered ? `${isGone ? before : after}\t` : "";
    const close = ending === "" ? "\n\\ No newline at end of file\n" : ending;
    return `${sign}${number}${texts[at]}${close}`;
  }).join("");
}

/** Colors lines, if a function for that is given. */
async function colored(
  lines: readonly string[],
  path: string,
  highlight: OpenFileOptions["highlight"],
): Promise<readonly string[]> {
  if (highlight === undefined) return lines;
  const shown = await highlight(lines.map(escapeHidden), path);
  const isRight = Array.isArray(shown) && shown.length === lines.length &&
    shown.every((line) => typeof line === "string");
  if (isRight) return shown;
  const refuse = refuseMistake("Cannot color the lines");
  throw refuse("highlight", "must give as many strings as it gets");
}

/** The failure of a revision that cannot be opened: it is about an argument, not about the file. */
function wrongRevision(error: unknown, path: string): unknown {
  if (!(error instanceof ReadFileError) || error.is("ABORTED")) return error;
  const problem = `cannot be used: ${error.message}`;
  const details = { argument: "changes", problem };
  const { hint = null } = error;
  return new ReadFileError("INVALID_ARGUMENT", path, details, { hint });
}

/** Writes lines, perhaps a number and a tab before each; a line keeps its own ending. */
function writeLines(
  { lines }: Page,
  texts: readonly string[],
  isNumbered: boolean,
): string {
  return lines.map(({ number, ending }, at) =>
    `${isNumbered ? `${number}\t` : ""}${texts[at]}${ending}`
  ).join("");
}

/**
 * Opens a text file, or an inclusive range of its lines, exactly as they are: the
 * `open_file` tool for a program.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openFile, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\r\ntwo\r\nthree\r\n" });
 * const workspace = await openWorkspace("/repo", { fs });
 * assertEquals(await openFile(workspace, "a.txt", { start: 2, end: 2 }), "two\r\n");
 * assertEquals(await openFile(workspace, new URL("file:///repo/a.txt"), { start: 3 }), "three\r\n");
 * ```
 *
 * @param path A path from the root, or absolute below it, or a `file:` URL of such a path.
 * @throws {OpenFileError} If it cannot be opened, or has no such lines.
 */
export async function openFile(
  workspace: Workspace,
  path: string | URL,
  range?: {
    /** The first line, from 1 on; 1 by default. */
    readonly start?: number | null | undefined;
    /** The last line, inclusive; the last of the file by default. */
    readonly end?: number | null | undefined;
  } | null,
  options: OpenFileOptions & Pick<CallContext, "signal"> = {},
): Promise<string> {
  const refuse = refuseArgument(path);
  const rules = { ...RULES, signal: "signal" } as const;
  const { signal, ...rest } = takeOptions(options, rules, refuse);
  const tool = createOpenFile(workspace, rest);
  const file_path = pathFrom(path, workspace);
  const { start, end } = takeRange(file_path, range, ["start", "end"]);
  const args = { file_path, start_line: start, end_line: end };
  // Cast, since the tool checks the types of the lines.
  return await tool.call(args as never, { signal });
}

/** The path of a `file:` URL; a string is a path already. On Windows, a host is a server. */
function pathFrom(path: string | URL, { root }: Workspace): string {
  if (typeof path === "string") return path;
  const refuse = refuseArgument("");
  const problem = "must be a string, or a file: URL without a host";
  const isPlain = path instanceof URL && path.protocol === "file:" &&
    path.search + path.hash === "" &&
    (path.host === "" || isRootOfWindows(root));
  if (!isPlain) throw refuse("path", problem);
  const { host, pathname } = path;
  const start = host === "" ? "" : `//${host}`;
  try {
    // An escaped slash would be part of a name.
    if (!/%2f/i.test(pathname)) return start + decodeURIComponent(pathname);
  } catch {
    // The escaped bytes are not UTF-8.
  }
  throw refuse("path", "must be a file: URL whose escapes are UTF-8");
}

/**
 * A failure of `open_file`, with the tool's name for it.
 *
 * @example Usage
 * ```ts
 * import { createOpenFile, memoryFs, OpenFileError, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals, assertRejects } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\n" });
 * const tool = createOpenFile(await openWorkspace("/repo", { fs }));
 * const range = { file_path: "a.txt", start_line: 2, end_line: 3 };
 * const error = await assertRejects(() => tool.call(range), OpenFileError);
 * assertEquals(error.variant, "InvalidLineRange");
 * assertEquals(error.message, "invalid line range 2..=3 for a file with 2 lines");
 * ```
 */
export class OpenFileError extends ReadFileError {
  /** The name of the class, which test libraries print. */
  static override readonly name: string = "OpenFileError";

  /** The tool's own name for the failure. */
  readonly variant:
    | "FileNotFound"
    | "PermissionDenied"
    | "InvalidLineRange"
    | "FileTooLarge"
    | "BinaryFileNotSupported"
    | "Io";

  /** Always `"OpenFileError"`. */
  override get name(): string {
    return "OpenFileError";
  }

  /** Constructs a new instance. */
  constructor(error: ReadFileError) {
    super(...argumentsOf(error, { words: WORDS }));
    this.variant = VARIANTS[error.code];
  }

  /** Makes the same error for another path, with other facts or another hint. */
  override with(
    changes: Parameters<ReadFileError["with"]>[0],
  ): OpenFileError {
    return new OpenFileError(super.with(changes));
  }
}

const VARIANTS: Record<ReadFileErrorCode, OpenFileError["variant"]> = {
  NOT_FOUND: "FileNotFound",
  ...forCodes("PermissionDenied", "OUTSIDE_WORKSPACE", "POLICY_DENIED"),
  PERMISSION_DENIED: "PermissionDenied",
  RANGE_OUT_OF_BOUNDS: "InvalidLineRange",
  TOO_LARGE: "FileTooLarge",
  BINARY: "BinaryFileNotSupported",
  ...forCodes("Io", "UNREADABLE", "INVALID_ARGUMENT", "NOT_A_FILE"),
  ...forCodes("Io", "SYMLINK_LOOP", "SCAN_LIMIT", "CHANGED", "ABORTED", "IO"),
};

/** One sentence for three failures. The hint holds what the core says: which failure it is, and what to do next. */
const denied: AnyWords = (facts) => {
  const [what, hint] = wordsAfter("", facts);
  return [`permission denied: ${showHidden(facts.path)}`, `${what}; ${hint}`];
};

const WORDS: ReadFileErrorWords = {
  ...forCodes(denied, "OUTSIDE_WORKSPACE", "POLICY_DENIED"),
  PERMISSION_DENIED: denied,
  ...forCodes(coreWords, "UNREADABLE", "NOT_A_FILE", "SYMLINK_LOOP"),
  ...forCodes(coreWords, "SCAN_LIMIT", "CHANGED", "ABORTED", "IO"),
  NOT_FOUND(facts) {
    const [, hint] = coreWords(facts);
    return [`file not found: ${showHidden(facts.path)}`, hint];
  },
  RANGE_OUT_OF_BOUNDS: ({ details: { start, end, totalLines } }) => [
    `invalid line range ${start}..=${end} for a file with ${totalLines} lines`,
    totalLines === 0
      ? "the file is empty; open it without a range"
      : `ask for lines from 1 to ${totalLines}, the first not after the last`,
  ],
  TOO_LARGE: ({ details: { limit } }) => [
    `file exceeds maximum allowed size of ${limit} bytes`,
    "this tool opens no part of it; ask the user for one that does, such as read_file of readerTools, or for a larger maxFileBytes",
  ],
  BINARY: () => [
    "binary file cannot be displayed as text",
    "this tool opens only UTF-8 text; ask the user for one that shows bytes, such as Read of createForgeRead",
  ],
  INVALID_ARGUMENT: (facts) => {
    const { argument, problem } = facts.details;
    if (argument === "path") return coreWords(facts);
    return [`${argument} ${problem}`];
  },
};
