// Runtime-agnostic.
import {
  ReadFileError,
  type ReadFileErrorCode,
  type ReadFileErrorDetails,
  type ReadFileErrorHint,
} from "../core/base/errors.ts";
import { hint, quote } from "../core/base/words.ts";
import type { TextPolicy } from "../core/base/policy.ts";
import { findAll, type Finder, findLines, readFound } from "../core/read.ts";
import type { FileRoot } from "../core/workspace.ts";
import {
  argument,
  type Arguments,
  badArgument,
  type CallOptions,
  takeArguments,
  textOf,
  type Tool,
  type ToolDefinition,
} from "./call.ts";

/**
 * The names that `open_file` gives to what can go wrong.
 */
export type OpenFileVariant =
  | "FileNotFound"
  | "PermissionDenied"
  | "InvalidLineRange"
  | "FileTooLarge"
  | "BinaryFileNotSupported"
  | "Io";

/**
 * A failure of `open_file`, under the name that the tool gives it.
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
export class OpenFileError<
  Code extends ReadFileErrorCode = ReadFileErrorCode,
> extends ReadFileError<Code> {
  /** The tool's own name for the failure. */
  readonly variant: OpenFileVariant;

  /**
   * Constructs a new instance from the core's.
   *
   * @param error The core's failure.
   */
  constructor(error: ReadFileError<Code>) {
    const { code, path, cause } = error;
    const hint = hintFor(error);
    const details: ReadFileErrorDetails[Code] & ReadFileErrorHint = {
      ...(hint === undefined ? {} : { hint }),
      ...error.details,
    };
    const options = cause === undefined ? {} : { cause };
    super(code, path, details, { ...options, message: messageFor(error) });
    this.variant = VARIANTS[error.code];
  }
}

const VARIANTS = {
  NOT_FOUND: "FileNotFound",
  OUTSIDE_WORKSPACE: "PermissionDenied",
  POLICY_DENIED: "PermissionDenied",
  PERMISSION_DENIED: "PermissionDenied",
  RANGE_OUT_OF_BOUNDS: "InvalidLineRange",
  TOO_LARGE: "FileTooLarge",
  BINARY: "BinaryFileNotSupported",
  INVALID_ARGUMENT: "Io",
  NOT_A_FILE: "Io",
  SYMLINK_LOOP: "Io",
  SCAN_LIMIT: "Io",
  CHANGED: "Io",
  ABORTED: "Io",
  IO: "Io",
} satisfies Record<ReadFileErrorCode, OpenFileVariant>;

/** What is the case and what to do next, where the seed's own sentence does not say it. */
function hintFor(error: ReadFileError): string | undefined {
  if (error.is("NOT_FOUND")) {
    return error.details.reason === "missing"
      ? "nothing is there; check the spelling of the path"
      : "a part of the path before the last is not a directory; check the path";
  }
  if (error.is("OUTSIDE_WORKSPACE")) {
    return "the path leads out of the workspace; name a file in it";
  }
  if (error.is("POLICY_DENIED")) {
    return "a rule does not allow it; name another file";
  }
  if (error.is("PERMISSION_DENIED")) {
    return `the ${error.details.by} does not let this process read it; name another file, or have it allowed`;
  }
  if (error.is("RANGE_OUT_OF_BOUNDS")) {
    const { totalLines } = error.details;
    return totalLines === 0
      ? "the file is empty; open it without a range"
      : `ask for lines from 1 to ${totalLines}, the first not after the last`;
  }
  if (error.is("TOO_LARGE")) {
    return "read it with a tool that shows parts of large files";
  }
  if (error.is("BINARY")) return "only UTF-8 text can be opened";
  return undefined;
}

/** The seed's sentence, where it has one, and the core's where it has none. */
function messageFor(error: ReadFileError): string {
  const { path } = error;
  if (error.is("NOT_FOUND")) return `file not found: ${path}`;
  if (VARIANTS[error.code] === "PermissionDenied") {
    return `permission denied: ${path}`;
  }
  if (error.is("RANGE_OUT_OF_BOUNDS")) {
    const { start, end, totalLines } = error.details;
    return `invalid line range ${start}..=${end} for a file with ${totalLines} lines`;
  }
  if (error.is("TOO_LARGE")) {
    return `file exceeds maximum allowed size of ${error.details.limit} bytes`;
  }
  if (error.is("BINARY")) return "binary file cannot be displayed as text";
  return error.message;
}

/**
 * Options for {@linkcode createOpenFile}.
 */
export interface OpenFileOptions {
  /** The largest file that is opened; 1 MiB by default. */
  readonly maxFileBytes?: number;
}

const DEFAULT_MAX_FILE_BYTES = 1_048_576;

const DEFINITION: ToolDefinition = {
  name: "open_file",
  description:
    "Opens a text file of the workspace, or an inclusive range of its lines, with their original endings.",
  parameters: {
    type: "object",
    properties: {
      file_path: {
        type: "string",
        description: "Path of the file, relative to the workspace.",
      },
      start_line: {
        type: "integer",
        minimum: 1,
        description: "First line to return, 1-indexed (default: 1).",
      },
      end_line: {
        type: "integer",
        minimum: 1,
        description: "Last line to return, inclusive (default: the last line).",
      },
    },
    required: ["file_path"],
    additionalProperties: false,
  },
};

const KNOWN = ["file_path", "start_line", "end_line"];

/**
 * Makes the `open_file` tool: a whole file, or an inclusive range of its lines,
 * exactly as they are.
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
 *
 * @param workspace The workspace whose files it opens.
 * @param options The largest file that it opens.
 * @returns The tool; its failures are {@linkcode OpenFileError}s.
 */
export function createOpenFile(
  workspace: FileRoot,
  options: OpenFileOptions = {},
): Tool<string> {
  const { maxFileBytes = DEFAULT_MAX_FILE_BYTES } = options;
  if (!Number.isSafeInteger(maxFileBytes) || maxFileBytes < 0) {
    throw new RangeError(
      `Cannot make open_file: maxFileBytes is ${maxFileBytes}, not a whole number from 0 on`,
    );
  }
  return {
    definition: DEFINITION,
    aliases: [],
    async call(args, { signal }: CallOptions = {}): Promise<string> {
      const policy: TextPolicy = {
        maxFileBytes,
        binary: "reject-invalid",
        signal,
      };
      try {
        return await openLines(workspace, takeRequest(args), policy);
      } catch (error) {
        throw error instanceof ReadFileError ? new OpenFileError(error) : error;
      }
    },
    render: (output) => output,
  };
}

interface Request {
  readonly path: string;
  readonly start: number | undefined;
  readonly end: number | undefined;
}

function takeRequest(args: unknown): Request {
  const object = takeArguments(args);
  if (object === undefined) {
    throw badArgument("", "arguments", "must be an object, or its JSON text");
  }
  const path = textOf(argument(object, "file_path"));
  for (const name of Object.keys(object)) {
    if (KNOWN.includes(name)) continue;
    const problem = `hold ${quote(name)}, which open_file does not take${
      hint(name, KNOWN)
    }`;
    throw badArgument(path, "arguments", problem);
  }
  if (path === "") {
    throw badArgument(path, "file_path", "must be a non-empty string");
  }
  const start = takeLine(object, "start_line", path);
  const end = takeLine(object, "end_line", path);
  return { path, start, end };
}

function takeLine(
  object: Arguments,
  name: string,
  path: string,
): number | undefined {
  const value = argument(object, name);
  if (value === undefined) return undefined;
  if (!Number.isInteger(value)) {
    throw badArgument(path, name, "must be an integer");
  }
  const line = value as number;
  if (line <= Number.MAX_SAFE_INTEGER) return line;
  throw badArgument(path, name, `must be at most ${Number.MAX_SAFE_INTEGER}`);
}

async function openLines(
  workspace: FileRoot,
  { path, start, end }: Request,
  policy: TextPolicy,
): Promise<string> {
  if (start === undefined && end === undefined) {
    return (await readFound(workspace, path, findAll, policy)).text;
  }
  const first = start ?? 1;
  try {
    const exact = { ...policy, exactRange: end !== undefined };
    const range = findRange(first, end);
    const window = await readFound(workspace, path, range, exact);
    if (window.lineCount > 0) return window.text;
    throw outOfBounds(path, first, end, window.totalLines!);
  } catch (error) {
    if (!(error instanceof ReadFileError) || !error.is("RANGE_OUT_OF_BOUNDS")) {
      throw error;
    }
    throw outOfBounds(path, first, end, error.details.totalLines);
  }
}

function findRange(first: number, end: number | undefined): Finder {
  const last = end ?? Number.MAX_SAFE_INTEGER;
  // No file has these lines, so that its own are counted, and the error can tell.
  const start = first >= 1 && first <= last ? first : Number.MAX_SAFE_INTEGER;
  const count = Math.max(1, last - start + 1);
  return findLines({ kind: "lines", start, count });
}

function outOfBounds(
  path: string,
  start: number,
  end: number | undefined,
  totalLines: number,
): ReadFileError<"RANGE_OUT_OF_BOUNDS"> {
  const facts = { start, end: end ?? totalLines, totalLines };
  return new ReadFileError("RANGE_OUT_OF_BOUNDS", path, facts);
}
