import { Call } from "../core/base/call.ts";
import { ReadFileError, wordsAfter } from "../core/base/errors.ts";
import type { AnyWords, ReadFileErrorWords } from "../core/base/errors.ts";
import { takeOptions } from "../core/base/check.ts";
import { quote, visibleJson } from "../core/base/words.ts";
import { type Page, placeOfNext } from "../core/pages/page.ts";
import type { CallContext, ReadFields } from "../core/read_options.ts";
import { readPage } from "../core/read.ts";
import { partsOf, type Workspace } from "../core/workspace.ts";
import { countNote } from "./arguments.ts";
import {
  codexLines,
  type CodexReadFileArguments,
  type CodexRequest,
  defineCodex,
  takeCodexRequest,
} from "./codex_arguments.ts";
import { MAX_READ_LINE_BYTES, noteText, showCodexLines } from "./shown_text.ts";
import {
  forCodes,
  frozen,
  isTooLargeFile,
  refuseMaking,
  takeToolContext,
} from "./call.ts";
import type { Tool } from "./call.ts";

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
 * const block = { file_path: "/repo/a.py", offset: 2, mode: "indentation" } as const;
 * const { content } = await tool.call(block);
 * assertEquals(content, "L1: def f():\nL2:     return 1\nL3: \nL4: f()");
 * ```
 */
export function createCodexReadFile(
  workspace: Workspace,
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
      const { signal, note } = takeToolContext("read_file", options);
      try {
        const { root } = workspace;
        const request = takeCodexRequest(args, definition, original, root);
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
    insteadOf(error) {
      if (!isTooLargeFile(error)) return undefined;
      const { root } = workspace;
      const above = root.endsWith("/") ? root : `${root}/`;
      return { file_path: above + workspace.normalize(error.path), limit: 200 };
    },
  };
}

interface CodexCall extends CallContext {
  readonly workspace: Workspace;
  readonly request: CodexRequest;
  readonly original: boolean;
}

async function readAndTell(call: CodexCall): Promise<string> {
  const { request } = call;
  // The original checks the path of a slice last.
  if (request.mode === "indentation") refuseOutside(call);
  const lines = codexLines(request);
  const page = await readSlice(call, lines);
  if (page.lineCount > 0) return tellLines(call, lines, page);
  if (page.empty === "blank lines") {
    call.note?.("the lines there are blank");
    return "";
  }
  return tellPastEnd(call, lines, page.totalLines!);
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

async function readSlice(
  { workspace, request: { path }, original, signal }: CodexCall,
  lines: ReadFields,
): Promise<Page> {
  const options = {
    ...lines,
    maxLineBytes: MAX_READ_LINE_BYTES,
    encoding: "utf-8",
    view: "raw",
  };
  try {
    return await readPage(partsOf(workspace), new Call(path, signal), options);
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error;
    throw inWords(error, workspace, original);
  }
}

/** The answer if the file lacks the line: empty by default, but an `anchor_line` past the end is always a failure. */
function tellPastEnd(
  { request: { path, indentation }, original, note }: CodexCall,
  { start, around }: ReadFields,
  totalLines: number,
): string {
  const isAnchor = around !== undefined;
  if (!original && !(isAnchor && indentation.anchor !== undefined)) {
    note?.(countNote(totalLines));
    return "";
  }
  const line = around ?? start ?? 1;
  const facts = { start: line, end: line, totalLines };
  const words = wordsOf(original, isAnchor ? "anchor_line" : "offset");
  throw new ReadFileError("RANGE_OUT_OF_BOUNDS", path, facts, { words });
}

/** Numbers the lines of a page, and notes what it does not show. */
function tellLines(
  { request: { path, limit }, original, note }: CodexCall,
  { block }: ReadFields,
  page: Page,
): string {
  const { lineCount } = page;
  const next = placeOfNext(page);
  const { content, cut } = showCodexLines(page, !original);
  noteText(page, content, note);
  if (cut.length > 0) note?.(`${listLines(cut)} cut to 500 bytes`);
  if (typeof block === "object") {
    if (lineCount === block.count) {
      const count = `${lineCount} lines are the most asked for`;
      note?.(`the block may be larger: ${count}`);
    }
  } else if (next !== null) {
    const args = { offset: next.line, limit, file_path: path };
    note?.(`more lines follow; continue with ${visibleJson(args)}`);
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
function inWords(
  error: ReadFileError,
  workspace: Workspace,
  original: boolean,
) {
  const words = wordsOf(original);
  if (error.code === "OUTSIDE_WORKSPACE") {
    const hint = `name a file below ${quote(workspace.root)}`;
    return error.with({ words, hint });
  }
  if (!error.is("NOT_FOUND")) return error.with({ words });
  const { path, details: { suggestions = [], ...details } } = error;
  if (suggestions.length === 0) return error.with({ words });
  const name = workspace.normalize(path);
  // The beginning of the path as given: it may spell the root in another way.
  const above = path.endsWith(`/${name}`)
    ? path.slice(0, -name.length)
    : `${workspace.root.replace(/\/$/, "")}/`;
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
