// Runtime-agnostic.
import { ReadFileError, type ReadFileErrorCode } from "../core/base/errors.ts";
import { quote } from "../core/base/words.ts";
import type { TextPolicy } from "../core/base/policy.ts";
import { findBlock, findLines, readFound } from "../core/read.ts";
import type { TextWindow } from "../core/lines/window.ts";
import type { FileRoot } from "../core/workspace.ts";
import {
  type CodexRequest,
  codexSelection,
  takeCodexRequest,
} from "./codex_arguments.ts";
import { type CodexTabs, MAX_KEPT_BYTES, showCodexLines } from "./numbered.ts";
import type { CallOptions, Tool, ToolDefinition } from "./call.ts";

/** Whose words tell why a file could not be read. */
type CodexWords = "system" | "ours";

/** Says a failure of the core in the tool's words. */
function codexError(
  error: ReadFileError,
  words: CodexWords,
): ReadFileError {
  const message = error.is("OUTSIDE_WORKSPACE")
    ? "file_path must be inside the workspace"
    : `failed to read file: ${reasonFor(error, words)}`;
  return withMessage(error, message);
}

/** The failure of a line number that the file does not have. */
function pastTheEnd(
  path: string,
  name: "offset" | "anchor_line",
  start: number,
  totalLines: number,
): ReadFileError {
  const facts = { start, end: start, totalLines };
  const error = new ReadFileError("RANGE_OUT_OF_BOUNDS", path, facts);
  return withMessage(error, `${name} exceeds file length`);
}

function withMessage(error: ReadFileError, message: string): ReadFileError {
  const { code, path, details, cause } = error;
  const hint = HINTS[code];
  const facts = hint === undefined ? details : { hint, ...details };
  const options = cause === undefined ? { message } : { message, cause };
  return new ReadFileError(code, path, facts, options);
}

function reasonFor(error: ReadFileError, words: CodexWords): string {
  const theirs = words === "system" ? systemReason(error) : undefined;
  if (theirs !== undefined) return theirs;
  // The path is among the arguments that the model has just written.
  const start = `Cannot read ${quote(error.path)}: `;
  const { message } = error;
  return message.startsWith(start) ? message.slice(start.length) : message;
}

/** The sentence of the system, in the form Rust gives it. */
function systemReason(error: ReadFileError): string | undefined {
  if (error.is("NOT_FOUND")) {
    return error.details.reason === "missing"
      ? "No such file or directory (os error 2)"
      : "Not a directory (os error 20)";
  }
  if (error.is("NOT_A_FILE") && error.details.kind === "directory") {
    return "Is a directory (os error 21)";
  }
  if (error.is("PERMISSION_DENIED")) return "Permission denied (os error 13)";
  if (error.is("SYMLINK_LOOP")) {
    return "Too many levels of symbolic links (os error 40)";
  }
  return undefined;
}

/** What to do next, for the codes that a read for this tool can end with. */
const HINTS: { readonly [Code in ReadFileErrorCode]?: string } = {
  INVALID_ARGUMENT: "name the file by a path that the system can take",
  OUTSIDE_WORKSPACE: "name a file below the workspace's root",
  NOT_FOUND: "check the spelling, or look at what the directory holds",
  NOT_A_FILE: "name a regular file",
  PERMISSION_DENIED: "read another file: this process may not read this one",
  SYMLINK_LOOP: "name the file itself instead of a link",
  RANGE_OUT_OF_BOUNDS: "begin at a line that the file has",
  CHANGED: "read the file again",
};

/**
 * Options for {@linkcode createCodexReadFile}.
 */
export interface CodexReadFileOptions {
  /**
   * Whether to answer byte for byte as the handler that the tool was written
   * from: tabs are kept, neighbours must be asked for, a first line past the
   * end is an error, and the system tells why a file cannot be read.
   */
  readonly original?: boolean;
}

/**
 * What the tool answers.
 */
export interface CodexReadFileOutput {
  /** The lines, each as `L{number}: {text}`, joined by line feeds. */
  readonly content: string;
  /** Always `null`: there is nothing but text. */
  readonly content_items: null;
  /** Always `true`: a failure is thrown. */
  readonly success: true;
}

/** What the two ways to answer do differently. */
interface Profile {
  readonly siblings: "siblings" | "no-siblings";
  readonly pastTheEnd: "empty" | "error";
  readonly tabs: CodexTabs;
  readonly words: CodexWords;
}

const SEED: Profile = {
  siblings: "siblings",
  pastTheEnd: "empty",
  tabs: "expand",
  words: "ours",
};

const ORIGINAL: Profile = {
  siblings: "no-siblings",
  pastTheEnd: "error",
  tabs: "keep",
  words: "system",
};

/**
 * Makes the codex `read_file` tool: numbered lines, as a slice or as the block
 * that belongs together with a line by its indentation.
 *
 * Where its description and the handler it was written from disagree, the
 * description wins: neighbours are included by default, tabs are expanded in
 * what is shown, and a first line past the end gives an empty answer. With
 * `original`, the handler wins. It had no workspace; here, a path must be
 * absolute and inside in either case.
 *
 * @example Usage
 * ```ts
 * import { createCodexReadFile, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.py": "def f():\n    return 1\n\nf()\n" });
 * const tool = createCodexReadFile(await openWorkspace("/repo", { fs }));
 * const slice = { file_path: "/repo/a.py", offset: 2, limit: 1 };
 * assertEquals((await tool.call(slice)).content, "L2:     return 1");
 * const block = { file_path: "/repo/a.py", offset: 2, mode: "indentation" };
 * const { content } = await tool.call(block);
 * assertEquals(content, "L1: def f():\nL2:     return 1\nL3: \nL4: f()");
 * ```
 *
 * @param workspace The workspace whose files it reads.
 * @param options Whether to answer as the original does.
 * @returns The tool.
 */
export function createCodexReadFile(
  workspace: FileRoot,
  options: CodexReadFileOptions = {},
): Tool<CodexReadFileOutput> {
  const profile = options.original === true ? ORIGINAL : SEED;
  return {
    definition: define(profile),
    aliases: [],
    async call(
      args,
      { signal }: CallOptions = {},
    ): Promise<CodexReadFileOutput> {
      const request = takeCodexRequest(args);
      // Of a slice nothing is looked at before the path.
      if (request.mode === "indentation") {
        refuseOutside(workspace, request, profile);
      }
      const policy = { maxLineBytes: MAX_KEPT_BYTES, signal };
      const content = await showLines(workspace, request, profile, policy);
      return { content, content_items: null, success: true };
    },
    render: ({ content }) => content,
  };
}

/** Refuses what its spelling alone places outside, before anything else is looked at. */
function refuseOutside(
  workspace: FileRoot,
  { path }: CodexRequest,
  { words }: Profile,
): void {
  try {
    workspace.normalize(path);
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error;
    if (error.is("OUTSIDE_WORKSPACE")) throw codexError(error, words);
    // Any other fault of a path is one of reading, and comes up there.
  }
}

async function showLines(
  workspace: FileRoot,
  request: CodexRequest,
  profile: Profile,
  policy: TextPolicy,
): Promise<string> {
  const { path, offset, mode, indentation: { anchorLine } } = request;
  const selection = codexSelection(request, profile.siblings);
  const emptyIsFine = profile.pastTheEnd === "empty";
  const finder = selection.kind === "block"
    ? findBlock(selection)
    : findLines(selection);
  let window: TextWindow;
  try {
    window = await readFound(workspace, path, finder, policy);
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error;
    if (!error.is("RANGE_OUT_OF_BOUNDS")) {
      throw codexError(asAsked(error, workspace), profile.words);
    }
    if (emptyIsFine && anchorLine === undefined) return "";
    const { start, totalLines } = error.details;
    throw pastTheEnd(path, "anchor_line", start, totalLines);
  }
  // A block may be empty because all its lines are blank, which is no failure.
  if (window.lineCount > 0 || mode === "indentation" || emptyIsFine) {
    return showCodexLines(window, profile.tabs);
  }
  throw pastTheEnd(path, "offset", offset, window.totalLines!);
}

/** Suggests what can be asked for: the path must be absolute, as the one that was given. */
function asAsked(error: ReadFileError, workspace: FileRoot): ReadFileError {
  if (!error.is("NOT_FOUND")) return error;
  const { path, cause, details: { suggestions = [], ...details } } = error;
  const name = workspace.normalize(path);
  if (suggestions.length === 0 || !path.endsWith(`/${name}`)) return error;
  const above = path.slice(0, -name.length);
  return new ReadFileError("NOT_FOUND", path, {
    ...details,
    suggestions: suggestions.map((below) => above + below),
  }, { cause });
}

function define({ siblings }: Profile): ToolDefinition {
  const number = (description: string) => ({ type: "number", description });
  const boolean = (description: string) => ({ type: "boolean", description });
  return {
    name: "read_file",
    description:
      "Reads a local file with 1-indexed line numbers, supporting slice and indentation-aware block modes.",
    parameters: {
      type: "object",
      properties: {
        file_path: {
          type: "string",
          description: "Absolute path of the file, inside the workspace.",
        },
        offset: number("First line to show, counted from 1 (default: 1)."),
        limit: number("Most lines to show (default: 2000)."),
        mode: {
          type: "string",
          description:
            'Which lines to show: "slice" (default) for consecutive lines, or "indentation" for the block around a line.',
        },
        indentation: {
          type: "object",
          description: "How to choose the block in indentation mode.",
          properties: {
            anchor_line: number("Line to begin from (default: offset)."),
            max_levels: number(
              "Levels of indentation to climb; 0 for all of them (default: 0).",
            ),
            include_siblings: boolean(
              `Whether to include neighbouring blocks at the outermost level (default: ${
                siblings === "siblings"
              }).`,
            ),
            include_header: boolean(
              "Whether to include the comments directly above the block (default: true).",
            ),
            max_lines: number(
              "Most lines in the block; limit holds as well (default: limit).",
            ),
          },
          additionalProperties: false,
        },
      },
      required: ["file_path"],
      additionalProperties: false,
    },
  };
}
