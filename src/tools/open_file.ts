// Runtime-agnostic.
import {
  coreWords,
  failureClass,
  ReadFileError,
  refuseArgument,
  wordsAfter,
} from "../core/base/errors.ts";
import type {
  AnyWords,
  ReadFileErrorCode,
  ReadFileErrorWords,
} from "../core/base/errors.ts";
import { showHidden } from "../core/base/words.ts";
import { isA, type Rules, takeOptions } from "../core/base/check.ts";
import type { TextPolicy } from "../core/base/selection.ts";
import { findAll, findLines, withBinaryKind } from "../core/finders.ts";
import type { Finder } from "../core/finders.ts";
import { readWith } from "../core/read.ts";
import type { TextWindow } from "../core/lines/window.ts";
import type { FileRoot, OpenOptions } from "../core/file_root.ts";
import { CallArguments, countNote, FROM_ZERO, takeRange } from "./arguments.ts";
import { type EncodingOption, noteText, takeEncoded } from "./shown_text.ts";
import {
  forCodes,
  frozen,
  parametersOf,
  property,
  refuseMaking,
  takeCallOptions,
  type Tool,
  type ToolDefinition,
} from "./call.ts";
import type { LineRange } from "./toolkit.ts";

/** Options for {@linkcode createOpenFile}. */
export interface OpenFileOptions extends EncodingOption {
  /** The largest file that is opened; 1 MiB by default. */
  readonly maxFileBytes?: number;
  /** How many lines before and after a range are shown. If it is given, a model may change it by `context`. */
  readonly context?: number;
  /** Whether to write a number and a tab before each line. If it is given, a model may change it by `show_line_numbers`. */
  readonly lineNumbers?: boolean;
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
}

const DEFAULT_MAX_FILE_BYTES = 1_048_576;

const RULES: Rules<OpenFileOptions> = {
  maxFileBytes: { least: 0, unlimited: true },
  context: { least: 0 },
  lineNumbers: "flag",
  encoding: "text",
};

function defineOpenFile(
  { context, lineNumbers }: OpenFileOptions,
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
  workspace: FileRoot,
  options?: OpenFileOptions,
): Tool<string, OpenFileArguments, "open_file"> {
  const refuse = refuseMaking("open_file", workspace);
  const defaults = takeEncoded(workspace, options, RULES, refuse);
  const { maxFileBytes = DEFAULT_MAX_FILE_BYTES, encoding } = defaults;
  const policy = { maxFileBytes, binary: "reject-invalid", encoding } as const;
  const definition = defineOpenFile(defaults);
  return {
    definition,
    aliases: [],
    async call(args, options): Promise<string> {
      const { signal, note } = takeCallOptions("open_file", options);
      try {
        const taken = new CallArguments(args, definition.parameters);
        const asked = takeRequest(taken, defaults);
        const window = await readLines(workspace, asked, { ...policy, signal });
        const text = asked.isNumbered ? numbered(window) : window.text;
        noteText(window, text, note);
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
  };
}

/** Reads the whole file, or a range with the lines around it. */
async function readLines(
  workspace: FileRoot,
  { path, start, end, context }: ReturnType<typeof takeRequest>,
  policy: TextPolicy,
): Promise<TextWindow> {
  if (start === undefined && end === undefined) {
    return await readWith(workspace, path, withBinaryKind(findAll), policy);
  }
  const first = start ?? 1;
  const last = end ?? Number.MAX_SAFE_INTEGER;
  const isRange = first >= 1 && first <= last;
  const finder = isRange ? findRange(first, last) : findPastEnd();
  // First, read exactly the range, which fails if lines of it are missing.
  const exact = { ...policy, exactRange: isRange && end !== undefined };
  const window = await readWith(workspace, path, finder, exact);
  const { lineCount } = window;
  if (lineCount === 0) {
    const totalLines = window.totalLines!;
    const facts = { start: first, end: end ?? totalLines, totalLines };
    throw new ReadFileError("RANGE_OUT_OF_BOUNDS", path, facts);
  }
  if (context === 0) return window;
  // Then read it again with the lines around it, of which there may be fewer.
  const before = Math.max(1, first - context);
  const after = (end ?? first + lineCount - 1) + context;
  const wide = findRange(before, Math.min(after, Number.MAX_SAFE_INTEGER));
  return await readWith(workspace, path, wide, policy);
}

/** Writes a number and a tab before each line; the line keeps its own ending. */
function numbered(window: TextWindow): string {
  return Array.from(
    window.eachLine(),
    ({ number, text, ending }) => `${number}\t${text}${ending}`,
  ).join("");
}

function findRange(first: number, last: number): Finder {
  const count = last - first + 1;
  return withBinaryKind(findLines({ kind: "lines", start: first, count }));
}

/** Starts after every line: nothing is found, but all lines are counted, and the error can name the total. */
function findPastEnd(): Finder {
  return findRange(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
}

/** Options for {@linkcode openFile}. */
export interface OpenFileCallOptions extends OpenFileOptions, OpenOptions {}

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
  workspace: FileRoot,
  path: string | URL,
  range?: LineRange | null,
  options: OpenFileCallOptions = {},
): Promise<string> {
  const refuse = refuseArgument(path);
  const rules = { ...RULES, signal: "signal" } as const;
  const { signal, ...rest } = takeOptions(options, rules, refuse);
  const tool = createOpenFile(workspace, rest);
  const file_path = pathFrom(path);
  const { start, end } = takeRange(file_path, range, ["start", "end"]);
  const args = { file_path, start_line: start, end_line: end };
  // Cast, since the tool checks the types of the lines.
  return await tool.call(args as never, { signal });
}

/** The path of a `file:` URL; a string is a path already. */
function pathFrom(path: string | URL): string {
  if (typeof path === "string") return path;
  const refuse = refuseArgument("");
  const problem = "must be a string, or a file: URL without a host";
  const isPlain = isA(path, URL) && path.protocol === "file:" &&
    path.host + path.search + path.hash === "";
  if (!isPlain) throw refuse("path", problem);
  const { pathname } = path;
  try {
    // An escaped slash would be part of a name.
    if (!/%2f/i.test(pathname)) return decodeURIComponent(pathname);
  } catch {
    // The escaped bytes are not UTF-8.
  }
  throw refuse("path", "must be a file: URL whose escapes are UTF-8");
}

/** The names of failures of `open_file`. */
export type OpenFileVariant =
  | "FileNotFound"
  | "PermissionDenied"
  | "InvalidLineRange"
  | "FileTooLarge"
  | "BinaryFileNotSupported"
  | "Io";

/** A failure of `open_file`, with the tool's name for it. */
export type OpenFileError = ReadFileError & {
  /** The tool's own name for the failure. */
  readonly variant: OpenFileVariant;
};

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
export const OpenFileError: {
  readonly prototype: OpenFileError;
  new (error: ReadFileError): OpenFileError;
} = /* @__PURE__ */ failureClass("OpenFileError", "variant", variants, words);

function variants(): Record<ReadFileErrorCode, OpenFileVariant> {
  return {
    NOT_FOUND: "FileNotFound",
    ...forCodes("PermissionDenied", "OUTSIDE_WORKSPACE", "POLICY_DENIED"),
    PERMISSION_DENIED: "PermissionDenied",
    RANGE_OUT_OF_BOUNDS: "InvalidLineRange",
    TOO_LARGE: "FileTooLarge",
    BINARY: "BinaryFileNotSupported",
    ...forCodes("Io", "UNREADABLE", "INVALID_ARGUMENT", "NOT_A_FILE"),
    ...forCodes("Io", "SYMLINK_LOOP", "SCAN_LIMIT", "CHANGED", "ABORTED", "IO"),
  };
}

/** One sentence for three failures. The hint holds what the core says: which failure it is, and what to do next. */
const denied: AnyWords = (facts) => {
  const [what, hint] = wordsAfter("", facts);
  return [`permission denied: ${showHidden(facts.path)}`, `${what}; ${hint}`];
};

function words(): ReadFileErrorWords {
  return {
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
      "read it with a tool that shows parts of large files",
    ],
    BINARY: () => [
      "binary file cannot be displayed as text",
      "only UTF-8 text can be opened",
    ],
    INVALID_ARGUMENT: (facts) => {
      const { argument, problem } = facts.details;
      if (argument === "path") return coreWords(facts);
      return [`${argument} ${problem}`];
    },
  };
}
