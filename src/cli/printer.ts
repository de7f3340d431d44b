// Runtime-agnostic.
import type { TextWindow } from "../core/lines/window.ts";
import { escapeHidden } from "../core/unicode/escape.ts";
import { EACH_HIDDEN } from "../core/unicode/rules.ts";
import type { Page, PageOptions } from "../core/pages/page.ts";
import { toBase64 } from "../tools/numbered.ts";
import {
  type BlockPart,
  continuationOf,
  findBlock,
  type Part,
  type Shell,
  type Target,
} from "./target.ts";
import { ReadFileError } from "../core/base/errors.ts";
import { doAtOnce } from "../core/base/call.ts";
import { quote } from "../core/base/words.ts";
import { writeEtag } from "../core/pages/version.ts";
import type { Workspace } from "../core/workspace.ts";
import { readFile } from "../core/read.ts";
import { hostFs } from "../fs/host.ts";
import {
  colorLines,
  type Highlighter,
  languageOf,
  loadHighlighter,
} from "./color.ts";
import { foldersOf } from "./main.ts";
import type { ReadRequest } from "./request.ts";
import { type Rest, Walk } from "./walk.ts";

/** How lines are shown. */
interface ViewOptions {
  /** Whether a person looks at them: a file must not steer the terminal. */
  readonly isTerminal: boolean;
  /** Whether each has its number before it. */
  readonly numbers: boolean;
  /** Whether the numbers are dim. */
  readonly dim: boolean;
  /** Colors lines; none is added, and none is lost. */
  readonly color?:
    | ((lines: readonly string[]) => readonly string[])
    | undefined;
}

/** Shows the windows of one file, one after the other. */
class View {
  readonly #options: ViewOptions;
  #width = 0;
  /** Whether the last line goes on in the next window. */
  #open = false;

  /** Constructs a new instance for one file. */
  constructor(options: ViewOptions) {
    this.#options = options;
  }

  /** Shows a window. In a pipe that wants no numbers, those are the very bytes. */
  show(window: TextWindow): string | Uint8Array {
    const { isTerminal, numbers, color } = this.#options;
    if (!isTerminal && !numbers) return window.bytes;
    const lines = [...window.eachLine()];
    const texts = lines.map(({ text }) =>
      isTerminal ? escapeHidden(text) : text
    );
    const shown = color?.(texts) ?? texts;
    this.#width = Math.max(
      this.#width,
      String(lines.at(-1)?.number ?? "").length,
    );
    const cut = window.nextColumn > 1;
    const rows = lines.map(({ number, ending }, index) => {
      const gutter = this.#open || !numbers ? "" : this.#gutter(number!);
      this.#open = ending === "";
      const isLast = index === lines.length - 1;
      const end = isTerminal && !(cut && isLast) ? "\n" : ending;
      return `${gutter}${shown[index]}${end}`;
    });
    this.#open = cut;
    return rows.join("");
  }

  /** What is to follow the last window: a terminal's next line begins at its edge. */
  end(): string {
    return this.#open && this.#options.isTerminal ? "\n" : "";
  }

  #gutter(number: number): string {
    const digits = String(number).padStart(this.#width);
    return this.#options.dim ? `${DIM}${digits}${PLAIN}  ` : `${digits}  `;
  }
}

const DIM = "\x1b[2m";
const PLAIN = "\x1b[0m";

/** Which page a part of a file is; a block is a part only once it is found. */
function pageOptionsOf(
  part: Exclude<Part, BlockPart>,
  column: number,
): PageOptions {
  const from = column === 1 ? {} : { column };
  switch (part.kind) {
    case "all":
      return from;
    case "lines": {
      const { start, end } = part;
      return { start, ...from, ...(end === undefined ? {} : { end }) };
    }
    case "head":
      return { ...from, end: part.count };
    case "tail":
      return { tail: part.count };
    case "around": {
      const { line: around, margin } = part;
      return { around, before: margin, after: margin };
    }
  }
}

/**
 * Writes a page as one line of JSON. Its texts and endings are its bytes; where
 * they are not, the bytes stand beside them, so that nothing is lost. What a
 * reader would not see is written as an escape, which says the same in JSON.
 */
function pageJson(page: Page): string {
  const base64 = page.exact ? null : toBase64(page.bytes());
  const json = JSON.stringify({ ...page, base64 });
  return `${json.replace(EACH_HIDDEN, escapeInJson)}\n`;
}

/** Writes a character as JSON's escapes, one for each half of a pair. */
function escapeInJson(character: string): string {
  let escapes = "";
  for (let index = 0; index < character.length; index++) {
    const code = character.charCodeAt(index).toString(16).padStart(4, "0");
    escapes += `\\u${code}`;
  }
  return escapes;
}

/** The most bytes held at a time: more would be no quicker, and what was held lies about. */
const WINDOW_BYTES = 1 << 17;
/** The most bytes on a page of JSON, if nothing was said. */
const PAGE_BYTES = 1 << 20;

/** Where a printer prints. */
interface Paper {
  /** Writes to standard output. */
  print(output: string | Uint8Array): Promise<void>;
  /** Writes to standard error. */
  complain(message: string): Promise<void>;
}

/** Prints the files of one request. */
export class Printer {
  readonly #workspace: Workspace;
  readonly #request: ReadRequest;
  readonly #shell: Shell;
  readonly #paper: Paper;
  #headings = 0;
  #highlighter: Promise<Highlighter | undefined> | undefined;

  /** Constructs a new instance for one request. */
  constructor(
    workspace: Workspace,
    request: ReadRequest,
    shell: Shell,
    paper: Paper,
  ) {
    this.#workspace = workspace;
    this.#request = request;
    this.#shell = shell;
    this.#paper = paper;
  }

  /** Prints what is wanted of a file. */
  async show(target: Target): Promise<void> {
    const rest = this.#request.json
      ? await this.#showPages(target)
      : await this.#showLines(target);
    if (rest === undefined) return;
    const { fs = hostFs(), errors: { isTerminal } } = this.#shell;
    const folders = await foldersOf(this.#request.workspace, fs);
    const program = this.#shell.program(folders);
    const writing = { program, isTerminal };
    await this.#paper.complain(
      continuationOf(this.#request, target, rest, writing),
    );
  }

  async #showLines(target: Target): Promise<Rest | undefined> {
    const { isTerminal } = this.#shell.output;
    const { column, maxBytes } = this.#request;
    const { path } = target;
    if (isTerminal) await this.#refuseBinary(path);
    const options = { column, maxBytes, windowBytes: WINDOW_BYTES };
    const walk = new Walk(this.#workspace, target, options);
    const view = new View(await this.#viewOptions(path));
    // One that cannot be read at all has no heading.
    let isHeaded = false;
    for await (const window of walk.windows()) {
      if (!isHeaded) await this.#paper.print(this.#takeHeading(path));
      isHeaded = true;
      await this.#paper.print(view.show(window));
    }
    await this.#paper.print(isHeaded ? view.end() : this.#takeHeading(path));
    return walk.rest;
  }

  /** As `head` has it: only where there are several files, and an empty line between them. */
  #takeHeading(path: string): string {
    if (this.#request.targets.length === 1) return "";
    // A line break in a name would make a line of its own, and it could say anything.
    const name = this.#shell.output.isTerminal
      ? escapeHidden(path).replaceAll("\n", "\\u{A}")
      : path;
    return `${this.#headings++ === 0 ? "" : "\n"}==> ${name} <==\n`;
  }

  async #viewOptions(path: string): Promise<ViewOptions> {
    const { output: { isTerminal }, styles } = this.#shell;
    const { numbers = isTerminal, color } = this.#request;
    const wantsColor = color && isTerminal && styles;
    const dim = isTerminal && styles;
    const options = { isTerminal, numbers, dim };
    const highlighter = wantsColor ? await this.#load() : undefined;
    if (highlighter === undefined) return options;
    const language = languageOf(path, highlighter);
    if (language === undefined) return options;
    return {
      ...options,
      color: (lines) => colorLines(lines, language, highlighter),
    };
  }

  /** Loads the highlighter, once; without it there are no colors, and the reading goes on. */
  #load(): Promise<Highlighter | undefined> {
    return this.#highlighter ??= loadHighlighter().catch(async () => {
      await this.#paper.complain(
        "Cannot color: highlight.js could not be loaded; install it beside this package, or leave --color out\n",
      );
      return undefined;
    });
  }

  async #refuseBinary(path: string): Promise<void> {
    const one = {
      kind: "page",
      start: 1,
      column: 1,
      count: 1,
      width: 1,
    } as const;
    try {
      await readFile(this.#workspace, path, one, { binary: "reject-nul" });
    } catch (error) {
      if (!(error instanceof ReadFileError) || !error.is("BINARY")) throw error;
      const message = `Cannot show ${
        quote(path)
      } on a terminal: it is binary: it holds a NUL byte; pipe it to where its bytes are wanted`;
      throw new ReadFileError("BINARY", path, error.details, { message });
    }
  }

  async #showPages(target: Target): Promise<Rest | undefined> {
    const { maxBytes } = this.#request;
    const { path } = target;
    const options = await this.#pageOptions(target);
    if (options === undefined) return undefined;
    if (maxBytes === undefined) {
      const walk = { ...options, maxBytes: PAGE_BYTES };
      for await (const page of this.#workspace.pages(path, walk)) {
        await this.#paper.print(pageJson(page));
      }
      return undefined;
    }
    const page = await this.#workspace.read(path, { ...options, maxBytes });
    await this.#paper.print(pageJson(page));
    if (page.next === null) return undefined;
    const { start = 1, column = 1, end } = page.next;
    return { start, column, end };
  }

  /** Which page is wanted; none of a block that is nothing but blank lines. */
  async #pageOptions(
    { path, part }: Target,
  ): Promise<PageOptions | undefined> {
    if (part.kind !== "block") return pageOptionsOf(part, this.#request.column);
    const now = Date.now();
    const block = await findBlock(this.#workspace, path, part);
    const { start, lineCount } = block;
    if (start === null || lineCount === 0) return undefined;
    // The page is of the version that the block was found in, or there is none.
    const { etag } = doAtOnce(writeEtag(block, undefined, now));
    return { start, end: start + lineCount - 1, etag };
  }
}
