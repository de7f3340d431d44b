// Runtime-agnostic.
import { ReadFileError } from "../core/errors.ts";
import { quote } from "../core/quote.ts";
import { escapeHidden } from "../core/pages/escape.ts";
import type { PageOptions } from "../core/pages/options.ts";
import { writeEtag } from "../core/pages/version.ts";
import type { Workspace } from "../core/workspace.ts";
import { readFile } from "../core/read_file.ts";
import { hostFs } from "../fs/host.ts";
import { findBlock } from "./block.ts";
import {
  colorLines,
  type Highlighter,
  languageOf,
  loadHighlighter,
} from "./color.ts";
import { continuationOf } from "./continuation.ts";
import { foldersOf } from "./folders.ts";
import { pageJson, pageOptionsOf } from "./page_json.ts";
import type { ReadRequest } from "./request.ts";
import type { Shell } from "./shell.ts";
import type { Target } from "./target.ts";
import { View, type ViewOptions } from "./view.ts";
import { type Rest, Walk } from "./walk.ts";

/** The most bytes held at a time: more would be no quicker, and what was held lies about. */
const WINDOW_BYTES = 1 << 17;
/** The most bytes on a page of JSON, if nothing was said. */
const PAGE_BYTES = 1 << 20;

/** Where a printer prints. */
export interface Paper {
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
    const etag = writeEtag(block, undefined, now);
    return { start, end: start + lineCount - 1, etag };
  }
}
