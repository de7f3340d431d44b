// Runtime-agnostic.
import { ReadFileError, wordsAfter } from "../core/base/errors.ts";
import type { AnyWords, ReadFileErrorWords } from "../core/base/errors.ts";
import { takeOptions } from "../core/base/check.ts";
import { quote, showHidden } from "../core/base/words.ts";
import { findBlock, findLines } from "../core/finders.ts";
import { readWith } from "../core/read.ts";
import type { TextWindow } from "../core/lines/window.ts";
import type { FileRoot } from "../core/file_root.ts";
import { countNote } from "./arguments.ts";
import {
  type CodexReadFileArguments,
  type CodexRequest,
  codexSelection,
  defineCodex,
  takeCodexRequest,
} from "./codex_arguments.ts";
import { MAX_READ_LINE_BYTES, noteText, showCodexLines } from "./shown_text.ts";
import { forCodes, frozen, refuseMaking, takeCallOptions } from "./call.ts";
import type { CallOptions, Tool } from "./call.ts";

/** Options for {@linkcode createCodexReadFile}. */
export interface CodexReadFileOptions {
  /** Whether to answer byte for byte like the original handler, with the system's messages. */
  readonly original?: boolean;
}

/** The answer of the tool. */
export interface CodexReadFileOutput {
  /** The lines, each as `L{number}: {text}`, joined by line feeds. */
  readonly content: string;
  /** Always `null`: the answer is only text. */
  readonly content_items: null;
  /** Always `true`: a failure is thrown. */
  readonly success: true;
}

/**
 * Makes the codex `read_file` tool: numbered lines, as a slice or as the block
 * that belongs to a line by its indentation.
 *
 * Its description and the original handler disagree. By default the tool
 * follows the description: neighbours are included, tabs are expanded, and a
 * first line past the end gives an empty answer. With `original`, tabs are kept,
 * neighbours must be asked for, and that first line is an error.
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
 */
export function createCodexReadFile(
  workspace: FileRoot,
  options?: CodexReadFileOptions,
): Tool<CodexReadFileOutput, CodexReadFileArguments, "read_file"> {
  const refuse = refuseMaking("read_file", workspace);
  const rules = { original: "flag" } as const;
  const { original = false } = takeOptions(options, rules, refuse);
  const definition = frozen(defineCodex(original));
  return {
    definition,
    aliases: [],
    async call(args, options): Promise<CodexReadFileOutput> {
      const { signal, note } = takeCallOptions("read_file", options);
      try {
        const request = takeCodexRequest(args, definition, original);
        for (const ignored of request.notes) note?.(ignored);
        const call = { workspace, request, original, signal, note };
        const content = await readAndTell(call);
        return { content, content_items: null, success: true };
      } catch (error) {
        const hasHint = error instanceof ReadFileError && error.hint;
        if (!original || !hasHint) throw error;
        // The answer of the original is only its message, so the hint is a note.
        note?.(error.hint);
        throw error.with({ hint: null });
      }
    },
    render: ({ content }) => content,
  };
}

interface CodexCall extends CallOptions {
  readonly workspace: FileRoot;
  readonly request: CodexRequest;
  readonly original: boolean;
}

async function readAndTell(call: CodexCall): Promise<string> {
  const { request } = call;
  // The original checks the path of a slice last.
  if (request.mode === "indentation") refuseOutside(call);
  const selection = codexSelection(request);
  const window = await readLines(call, selection);
  return window === undefined ? "" : tellLines(call, selection, window);
}

/** Refuses a path whose spelling leads outside, before anything else is checked. */
function refuseOutside({ workspace, request, original }: CodexCall): void {
  try {
    workspace.normalize(request.path);
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error;
    // Reading reports any other problem of the path.
    if (error.code !== "OUTSIDE_WORKSPACE") return;
    throw inWords(error, workspace, original);
  }
}

type CodexSelection = ReturnType<typeof codexSelection>;

/** Reads the selected lines; `undefined`, with a note, if the `offset` of a block is past the end. */
async function readLines(
  { workspace, request, original, signal, note }: CodexCall,
  selection: CodexSelection,
): Promise<TextWindow | undefined> {
  const { path, offset, indentation } = request;
  const isBlock = selection.kind === "block";
  const finder = isBlock ? findBlock(selection) : findLines(selection);
  let window: TextWindow;
  try {
    const policy = { maxLineBytes: MAX_READ_LINE_BYTES, signal };
    window = await readWith(workspace, path, finder, policy);
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error;
    const isPast = error.code === "RANGE_OUT_OF_BOUNDS";
    // By default, an `offset` past the end gives an empty answer; an `anchor_line` never does.
    if (!isPast || original || indentation.anchor !== undefined) {
      throw inWords(error, workspace, original);
    }
    note?.(countNote(error.details.totalLines));
    return undefined;
  }
  const { lineCount, totalLines } = window;
  if (lineCount > 0 || isBlock || !original) return window;
  const facts = { start: offset, end: offset, totalLines: totalLines! };
  const words = wordsOf(original, "offset");
  throw new ReadFileError("RANGE_OUT_OF_BOUNDS", path, facts, { words });
}

/** Numbers the lines of a window, and notes what it does not show. */
function tellLines(
  { request: { path, limit }, original, note }: CodexCall,
  selection: CodexSelection,
  window: TextWindow,
): string {
  const { lineCount, next, totalLines } = window;
  const isBlock = selection.kind === "block";
  if (lineCount === 0) {
    note?.(isBlock ? "the lines there are blank" : countNote(totalLines!));
    return "";
  }
  const { content, cut } = showCodexLines(window, !original);
  noteText(window, content, note);
  if (cut.length > 0) note?.(`${listLines(cut)} cut to 500 bytes`);
  if (isBlock && lineCount === selection.count) {
    const count = `${lineCount} lines are the most asked for`;
    note?.(`the block may be larger: ${count}`);
  } else if (!isBlock && next !== null) {
    const args = JSON.stringify({ offset: next, limit, file_path: path });
    note?.(`more lines follow; continue with ${showHidden(args)}`);
  }
  return content;
}

/** How many of the cut lines are named. */
const MAX_NAMED = 5;

function listLines(numbers: readonly number[]): string {
  const named = numbers.slice(0, MAX_NAMED).join(", ");
  const more = numbers.length - MAX_NAMED;
  if (more > 0) return `lines ${named} and ${more} more are`;
  return numbers.length === 1 ? `line ${named} is` : `lines ${named} are`;
}

/** Rewrites a failure with absolute paths, for the root and for suggestions. */
function inWords(error: ReadFileError, workspace: FileRoot, original: boolean) {
  const words = wordsOf(original);
  if (error.code === "OUTSIDE_WORKSPACE") {
    const hint = `name a file below ${quote(workspace.root)}`;
    return error.with({ words, hint });
  }
  if (error.code !== "NOT_FOUND") return error.with({ words });
  const { path, details: { suggestions = [], ...details } } = error;
  if (suggestions.length === 0) return error.with({ words });
  const name = workspace.normalize(path);
  // The beginning of the path as given: it may spell the root in another way.
  const above = path.endsWith(`/${name}`)
    ? path.slice(0, -name.length)
    : `${workspace.root}/`.replace("//", "/");
  const whole = suggestions.map((below) => above + below);
  return error.with({ words, details: { ...details, suggestions: whole } });
}

/** The core's words after `failed to read file: `. */
const failed: AnyWords = (facts) => wordsAfter("failed to read file: ", facts);

/** The words of the tool; `first` is the argument that may be past the end. With `original`, the system's messages as Rust writes them. */
function wordsOf(original: boolean, first = "anchor_line"): ReadFileErrorWords {
  const system = (message: string): AnyWords => (facts) => {
    const [ours, hint] = failed(facts);
    return [original ? `failed to read file: ${message}` : ours, hint];
  };
  const missing = system("No such file or directory (os error 2)");
  const notBelow = system("Not a directory (os error 20)");
  const directory = system("Is a directory (os error 21)");
  return {
    ...forCodes(failed, "INVALID_ARGUMENT", "POLICY_DENIED", "TOO_LARGE"),
    ...forCodes(failed, "BINARY", "UNREADABLE", "SCAN_LIMIT", "CHANGED"),
    ...forCodes(failed, "ABORTED", "IO"),
    OUTSIDE_WORKSPACE: () => ["file_path must be inside the workspace"],
    RANGE_OUT_OF_BOUNDS: ({ details: { totalLines } }) => [
      `${first} exceeds file length`,
      countNote(totalLines),
    ],
    NOT_FOUND: (facts) =>
      (facts.details.reason === "missing" ? missing : notBelow)(facts),
    NOT_A_FILE: (facts) =>
      (facts.details.kind === "directory" ? directory : failed)(facts),
    PERMISSION_DENIED: system("Permission denied (os error 13)"),
    SYMLINK_LOOP: system("Too many levels of symbolic links (os error 40)"),
  };
}
