// Runtime-agnostic.
import {
  type AnyWords,
  coreWords,
  NamedFailure,
  ReadFileError,
  type ReadFileErrorCode,
  type ReadFileErrorOf,
  type ReadFileErrorWords,
  wordsAfter,
} from "../core/base/errors.ts";
import { takeOptions } from "../core/base/check.ts";
import { showHidden } from "../core/base/words.ts";
import type { TextPolicy } from "../core/base/selection.ts";
import { findAll, findLines, findText, readFound } from "../core/read.ts";
import type { Finder } from "../core/read.ts";
import type { TextWindow } from "../core/lines/window.ts";
import type { FileRoot } from "../core/workspace.ts";
import { CallArguments, linesOf } from "./arguments.ts";
import { type EncodingOption, noteText, takeEncoding } from "./shown_text.ts";
import { defineOpenFile } from "./open_file_definition.ts";
import { refuseMaking, takeCallOptions } from "./call.ts";
import type { CallOptions, Tool } from "./call.ts";

/** The names of failures of `open_file`. */
export type OpenFileVariant =
  | "FileNotFound"
  | "PermissionDenied"
  | "InvalidLineRange"
  | "FileTooLarge"
  | "BinaryFileNotSupported"
  | "Io";

class OpenFileFailure<Code extends ReadFileErrorCode>
  extends NamedFailure<Code> {
  readonly variant: OpenFileVariant = VARIANTS[this.code];

  override get name(): string {
    return "OpenFileError";
  }

  constructor(error: ReadFileErrorOf<Code>) {
    super(error, WORDS);
  }
}

/** A failure of `open_file`, with the tool's name for it. */
export type OpenFileError<Code extends ReadFileErrorCode = ReadFileErrorCode> =
  & ReadFileError<Code>
  & {
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
} = OpenFileFailure as never;

const VARIANTS = {
  NOT_FOUND: "FileNotFound",
  OUTSIDE_WORKSPACE: "PermissionDenied",
  POLICY_DENIED: "PermissionDenied",
  PERMISSION_DENIED: "PermissionDenied",
  RANGE_OUT_OF_BOUNDS: "InvalidLineRange",
  TOO_LARGE: "FileTooLarge",
  BINARY: "BinaryFileNotSupported",
  UNREADABLE: "Io",
  INVALID_ARGUMENT: "Io",
  NOT_A_FILE: "Io",
  SYMLINK_LOOP: "Io",
  SCAN_LIMIT: "Io",
  CHANGED: "Io",
  ABORTED: "Io",
  IO: "Io",
} satisfies Record<ReadFileErrorCode, OpenFileVariant>;

/** One sentence for three failures; the hint says which it is. */
const denied: AnyWords = (facts) => {
  const message = `permission denied: ${showHidden(facts.path)}`;
  return [message, wordsAfter("", facts).join("; ")];
};

/** The sentences of the tool, and the core's for other codes. */
const WORDS = {
  NOT_FOUND: (facts) => [
    `file not found: ${showHidden(facts.path)}`,
    wordsAfter("", facts)[1],
  ],
  OUTSIDE_WORKSPACE: denied,
  POLICY_DENIED: denied,
  PERMISSION_DENIED: denied,
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
  UNREADABLE: coreWords,
  INVALID_ARGUMENT: (facts) => {
    const { argument, problem } = facts.details;
    return argument === "path" ? coreWords(facts) : [`${argument} ${problem}`];
  },
  NOT_A_FILE: coreWords,
  SYMLINK_LOOP: coreWords,
  SCAN_LIMIT: coreWords,
  CHANGED: coreWords,
  ABORTED: coreWords,
  IO: coreWords,
} satisfies ReadFileErrorWords;

/** Options for {@linkcode createOpenFile}. */
export interface OpenFileOptions extends EncodingOption {
  /** The largest file that is opened; 1 MiB by default. */
  readonly maxFileBytes?: number;
  /** How many lines before and after a range are shown. If it is given, a model may change it by `context`. */
  readonly context?: number;
  /** Whether each line follows its number and a tab. If it is given, a model may change it by `show_line_numbers`. */
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
  /** Whether each line follows its number, if the option `lineNumbers` is set. */
  readonly show_line_numbers?: boolean | null | undefined;
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
  const rules = {
    maxFileBytes: { least: 0, unlimited: true },
    context: { least: 0 },
    lineNumbers: "flag",
    encoding: "text",
  } as const;
  const refuse = refuseMaking("open_file", workspace);
  const view = takeOptions<OpenFileOptions>(options, rules, refuse);
  const { maxFileBytes = 1_048_576 } = view;
  const encoding = takeEncoding(workspace, view.encoding, refuse);
  const definition = defineOpenFile(view);
  return {
    definition,
    aliases: [],
    async call(args, options): Promise<string> {
      const { signal, note } = takeCallOptions(options, "open_file");
      try {
        const taken = new CallArguments(args, definition.parameters);
        const policy = {
          maxFileBytes,
          binary: "reject-invalid",
          ...encoding,
          signal,
        } as const;
        const shown = { ...view, note };
        const text = await openLines(workspace, taken, policy, shown);
        if (text === "") note?.(linesOf(0));
        return text;
      } catch (error) {
        throw error instanceof ReadFileError ? new OpenFileError(error) : error;
      }
    },
    render: (output) => output,
  };
}

async function openLines(
  workspace: FileRoot,
  args: CallArguments,
  policy: TextPolicy,
  view: OpenFileOptions & Pick<CallOptions, "note">,
): Promise<string> {
  const { path } = args;
  args.refuseUnknown("open_file");
  args.needPath();
  const start = args.integer("start_line");
  const end = args.integer("end_line");
  const context = view.context === undefined
    ? 0
    : args.integer("context", CONTEXT) ?? view.context;
  const isNumbered = view.lineNumbers === undefined
    ? false
    : args.flag("show_line_numbers", "must be true or false") ??
      view.lineNumbers;
  const show = (window: TextWindow) => {
    const text = isNumbered ? numbered(window) : window.text;
    noteText(window, text, view.note);
    return text;
  };
  if (start === undefined && end === undefined) {
    const all = findText(findAll);
    return show(await readFound(workspace, path, all, policy));
  }
  const first = start ?? 1;
  try {
    const exact = { ...policy, exactRange: end !== undefined };
    const range = findRange(first, end);
    const window = await readFound(workspace, path, range, exact);
    if (window.lineCount > 0) {
      if (context === 0) return show(window);
      const before = Math.max(1, first - context);
      const after = (end ?? first + window.lineCount - 1) + context;
      const wide = findRange(before, Math.min(after, Number.MAX_SAFE_INTEGER));
      return show(await readFound(workspace, path, wide, policy));
    }
    const details = {
      start: first,
      end: first,
      totalLines: window.totalLines!,
    };
    throw new ReadFileError("RANGE_OUT_OF_BOUNDS", path, details);
  } catch (error) {
    if (!(error instanceof ReadFileError) || !error.is("RANGE_OUT_OF_BOUNDS")) {
      throw error;
    }
    const { totalLines } = error.details;
    const details = { start: first, end: end ?? totalLines, totalLines };
    throw error.with({ details });
  }
}

const CONTEXT = { problem: "must be an integer >= 0", least: 0 } as const;

/** Writes each line after its number and a tab, with its own ending. */
function numbered(window: TextWindow): string {
  let text = "";
  for (const { number, text: line, ending } of window.eachLine()) {
    text += `${number}\t${line}${ending}`;
  }
  return text;
}

function findRange(first: number, end: number | undefined): Finder {
  const last = end ?? Number.MAX_SAFE_INTEGER;
  // For a wrong range, read past the end: the failure then has the number of lines.
  const start = first >= 1 && first <= last ? first : Number.MAX_SAFE_INTEGER;
  const count = Math.max(1, last - start + 1);
  return findText(findLines({ kind: "lines", start, count }));
}
