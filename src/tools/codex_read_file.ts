import { Call } from "../core/base/call.ts";
import { MAX_SCAN_BYTES } from "../core/base/limits.ts";
import {
  type AnyWords,
  ReadFileError,
  type ReadFileErrorWords,
  wordsAfter,
} from "../core/base/errors.ts";
import { isObject, type Rules, takeOptions } from "../core/base/check.ts";
import { quote, visibleJson } from "../core/base/words.ts";
import { type Page, placeOfNext } from "../core/pages/page.ts";
import type { CallContext, ReadFields } from "../core/read_options.ts";
import { readPage } from "../core/read.ts";
import { partsOf, type Workspace } from "../core/workspace.ts";
import {
  badArgument,
  CallArguments,
  countNote,
  isWhole,
  numberHint,
} from "./arguments.ts";
import { cacheLabels, noteText, numberLines } from "./shown_text.ts";
import {
  forCodes,
  frozen,
  isTooLargeFile,
  type JsonSchema,
  parametersOf,
  property,
  refuseMaking,
  takeToolContext,
  type Tool,
  type ToolDefinition,
} from "./call.ts";
import { isAbsolute, isRootOfWindows } from "../core/base/windows_paths.ts";

/** Options for {@linkcode createCodexReadFile}. */
export interface CodexReadFileOptions {
  /** Whether to answer byte for byte like the original handler, with the system's messages. */
  readonly original?: boolean;
  /** The most bytes that a call reads of a file; past them, it fails with `SCAN_LIMIT`. 4 GiB by default. */
  readonly maxScanBytes?: number;
}

const RULES: Rules<CodexReadFileOptions> = {
  original: "flag",
  maxScanBytes: { least: 0 },
};

/** What a model sends to the codex `read_file`. */
export interface CodexReadFileArguments {
  /** The file: absolute, and inside the workspace. */
  readonly file_path: string;
  /** The first line, from 1 on; 1 by default. */
  readonly offset?: number | null | undefined;
  /** The most lines; 2,000 by default. */
  readonly limit?: number | null | undefined;
  /** `"slice"`, the default, or `"indentation"`. */
  readonly mode?: "slice" | "indentation" | null | undefined;
  /** Options of the mode `"indentation"`. */
  readonly indentation?:
    | {
      /** The line to begin from; `offset` by default. */
      readonly anchor_line?: number | null | undefined;
      /** The levels to climb; 0, for all of them, by default. */
      readonly max_levels?: number | null | undefined;
      /** Whether neighbours at the outermost level are included. */
      readonly include_siblings?: boolean | null | undefined;
      /** Whether comments directly above are included; `true` by default. */
      readonly include_header?: boolean | null | undefined;
      /** The most lines, `limit` by default; `limit` holds as well. */
      readonly max_lines?: number | null | undefined;
    }
    | null
    | undefined;
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
  const { original = false, maxScanBytes = MAX_SCAN_BYTES } = takeOptions(
    options,
    RULES,
    refuse,
  );
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
        const own = { workspace, request, original };
        const call = { ...own, maxScanBytes, signal, note };
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
    insteadOf(error, { start: offset, count: limit = 200 } = {}) {
      if (!isTooLargeFile(error)) return undefined;
      const { root } = workspace;
      const above = root.endsWith("/") ? root : `${root}/`;
      const file_path = above + workspace.normalize(error.path);
      return { file_path, ...(offset !== undefined && { offset }), limit };
    },
  };
}

interface CodexCall extends CallContext {
  readonly workspace: Workspace;
  readonly request: CodexRequest;
  readonly original: boolean;
  readonly maxScanBytes: number;
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
  { workspace, request: { path }, original, maxScanBytes, signal }: CodexCall,
  lines: ReadFields,
): Promise<Page> {
  const options = {
    ...lines,
    maxLineBytes: MAX_READ_LINE_BYTES,
    encoding: "utf-8",
    view: "raw",
  };
  try {
    const call = new Call(path, signal, maxScanBytes);
    return await readPage(partsOf(workspace), call, options);
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
    ...forCodes(failed, "BINARY", "UNREADABLE", "CHANGED", "ABORTED", "IO"),
    SCAN_LIMIT: (facts) => [
      failed(facts)[0],
      "ask for earlier lines, or ask the user for a larger maxScanBytes",
    ],
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

/** The arguments of a call, checked as far as possible without the workspace. */
type CodexRequest = ReturnType<typeof takeCodexRequest>;

/** Takes the arguments, in the fixed order of their checks, for a workspace with this root; the original leaves siblings out by default. */
function takeCodexRequest(
  given: unknown,
  tool: ToolDefinition,
  original: boolean,
  root: string,
) {
  const args = new CallArguments(given, tool.parameters, unparsed);
  const { path } = args;
  if (typeof args.get("file_path") !== "string") {
    throw args.bad("file_path", "must be a string", args.pathHint);
  }
  const offset = takeCount(args, "offset") ?? 1;
  const limit = takeCount(args, "limit") ?? 2000;
  const mode = args.get("mode") ?? "slice";
  if (mode !== "slice" && mode !== "indentation") {
    throw args.bad("mode", 'must be "slice" or "indentation"');
  }
  const inner = takeInner(args, tool.parameters);
  const indentation = {
    anchor: takeCount(inner, "anchor_line"),
    levels: takeCount(inner, "max_levels") ?? 0,
    siblings: inner.flag("include_siblings") ?? !original,
    header: inner.flag("include_header") ?? true,
    maxLines: takeCount(inner, "max_lines"),
  };
  // The original ignores unknown arguments; they are noted.
  const notes = [
    ...args.notesOnUnknown(),
    ...inner.notesOnUnknown("indentation."),
  ];
  if (offset === 0) throw notFromOne(path, "offset");
  if (limit === 0) throw notAboveZero(path, "limit");
  if (!isAbsolute(path, root)) {
    const start = isRootOfWindows(root) ? "its drive or server" : "/";
    const hint = `name the file by its whole path, from ${start} on`;
    throw badArgument(path, "file_path", "must be an absolute path", hint);
  }
  return { path, offset, limit, mode, indentation, notes };
}

/** The lines of a request, as the reader takes them. */
function codexLines(
  { path, offset, limit, mode, indentation }: CodexRequest,
): ReadFields {
  if (mode === "slice") return { start: offset, count: limit };
  const { anchor = offset, maxLines = limit, ...block } = indentation;
  if (anchor === 0) throw notFromOne(path, "anchor_line");
  if (maxLines === 0) throw notAboveZero(path, "max_lines");
  const count = Math.min(limit, maxLines);
  return { around: anchor, block: { ...block, count } };
}

/** The arguments within `indentation`. */
function takeInner(args: CallArguments, { properties }: JsonSchema) {
  const given = args.get("indentation") ?? {};
  // JSON text is accepted only for all arguments, not for a part of them.
  if (!isObject(given)) throw args.bad("indentation", "must be an object");
  const schema = properties!.indentation!;
  return new CallArguments(given, schema, unparsed, args.path);
}

function takeCount(args: CallArguments, name: string): number | undefined {
  const value = args.get(name);
  if (value === undefined) return undefined;
  // Larger numbers mean the same: no file has so many lines.
  if (isWhole(value, 0)) return Math.min(value, Number.MAX_SAFE_INTEGER);
  throw args.bad(name, "must be a non-negative integer", numberHint(value));
}

function unparsed(
  path: string,
  argument: string,
  problem: string,
  hint = "call the tool again with arguments that follow its schema",
): ReadFileError {
  const message = `failed to parse function arguments: ${argument} ${problem}`;
  return badArgument(path, argument, problem, hint, message);
}

function notFromOne(path: string, name: string): ReadFileError {
  const hint = "the first line is line 1";
  return badArgument(path, name, "must be a 1-indexed line number", hint);
}

function notAboveZero(path: string, name: string): ReadFileError {
  const hint = `ask for at least one line, or leave ${name} out`;
  return badArgument(path, name, "must be greater than zero", hint);
}

/** Defines the tool; the original leaves siblings out by default. */
function defineCodex(original: boolean): ToolDefinition<"read_file"> {
  const number = (description: string) => property("number", description);
  const boolean = (description: string) => property("boolean", description);
  const path = "Absolute path of the file, inside the workspace.";
  const max = "Most lines in the block; limit holds as well (default: limit).";
  return {
    name: "read_file",
    description:
      "Reads a local file with 1-indexed line numbers, supporting slice and indentation-aware block modes.",
    parameters: parametersOf({
      file_path: property("string", path),
      offset: number("First line to show, counted from 1 (default: 1)."),
      limit: number(
        "Most lines to show (default: 2000), each cut at 500 bytes; notes say what was cut.",
      ),
      mode: property(
        "string",
        'Which lines to show: "slice" (default) for consecutive lines, or "indentation" for the block around a line.',
      ),
      indentation: {
        type: "object",
        description: "How to choose the block in indentation mode.",
        properties: {
          anchor_line: number("Line to begin from (default: offset)."),
          max_levels: number(
            "Levels of indentation to climb; 0 for all of them (default: 0).",
          ),
          include_siblings: boolean(
            `Whether to include neighbouring blocks at the outermost level (default: ${!original}).`,
          ),
          include_header: boolean(
            "Whether to include the comments directly above the block (default: true).",
          ),
          max_lines: number(max),
        },
        additionalProperties: false,
      },
    }),
  };
}

/** The most bytes of UTF-8 to show of a line. */
const MAX_SHOWN_LINE_BYTES = 500;

/** How many bytes of a line to read: decoded text is never shorter than its bytes, and only the last three bytes may decode differently than in the whole line. */
const MAX_READ_LINE_BYTES = MAX_SHOWN_LINE_BYTES + 3;

const TAB_COLUMNS = 4;

const encoder = new TextEncoder();
const encoded = new Uint8Array(MAX_SHOWN_LINE_BYTES);

const codexLabelOf = cacheLabels((number) => `L${number}: `);

/** Numbers lines for codex, and returns the numbers of the cut lines. */
function showCodexLines({ text, firstLine }: Page, expands: boolean) {
  const hasTabs = expands && text.includes("\t");
  const cut: number[] = [];
  const content = numberLines(text, firstLine!, (number, line) => {
    const whole = hasTabs ? expandTabs(line) : line;
    const shown = cutShown(whole);
    if (shown.length < whole.length) cut.push(number);
    return codexLabelOf(number) + shown;
  });
  return { content, cut };
}

/** Cuts a line between two characters, to at most `MAX_SHOWN_LINE_BYTES`. */
function cutShown(text: string): string {
  // A code unit takes at most three bytes, so most lines need not be encoded.
  if (text.length * 3 <= MAX_SHOWN_LINE_BYTES) return text;
  const ending = text.endsWith("\n") ? "\n" : "";
  const line = text.slice(0, text.length - ending.length);
  return line.slice(0, encoder.encodeInto(line, encoded).read) + ending;
}

function expandTabs(text: string): string {
  if (!text.includes("\t")) return text;
  let expanded = "";
  let column = 0;
  for (const character of text) {
    const isTab = character === "\t";
    const width = isTab ? TAB_COLUMNS - column % TAB_COLUMNS : 1;
    expanded += isTab ? " ".repeat(width) : character;
    column += width;
  }
  return expanded;
}
