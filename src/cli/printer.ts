// Runtime-agnostic.
import type { Awaitable } from "../core/base/port.ts";
import { escapeHidden } from "../core/unicode/escape.ts";
import type { Page, PageOptions } from "../core/pages/page.ts";
import { toBase64 } from "../tools/shown_text.ts";
import { continuationOf } from "./target.ts";
import type { Part, Target } from "./target.ts";
import { ReadFileError } from "../core/base/errors.ts";
import { quote } from "../core/base/words.ts";
import { json as jsonOf } from "../core/pages/grammar.ts";
import type { Workspace } from "../core/workspace.ts";
import { readFile } from "../core/read.ts";
import { hostFs } from "../fs/host.ts";
import { colorLines, type Highlighter, languageOf } from "../core/color.ts";
import { loadHighlighter } from "./packages.ts";
import { foldersOf } from "./main.ts";
import type { Reporter } from "./reporter.ts";
import type { ReadRequest } from "./request.ts";
import { pageWriter, walk, type WriterOptions } from "./pages.ts";
import { asUsage, isOnePage, recheckRow, sayReceipt } from "./receipts.ts";

/** Writes a page as one line of JSON, with its bytes if the texts are not exact. */
function pageJson(page: Page): string {
  const base64 = page.exact ? null : toBase64(page.bytes());
  return `${jsonOf({ ...page, base64 })}\n`;
}

/** The most bytes read at a time; more is not faster. */
const WINDOW_BYTES = 1 << 17;
/** The most bytes on a page of JSON, by default. */
const PAGE_BYTES = 1 << 20;

/** Prints the files of one request. */
export class Printer {
  readonly #workspace: Workspace;
  readonly #request: ReadRequest;
  readonly #reporter: Reporter;
  #headings = 0;
  #highlighter: Promise<Highlighter | undefined> | undefined;

  constructor(workspace: Workspace, request: ReadRequest, reporter: Reporter) {
    this.#workspace = workspace;
    this.#request = request;
    this.#reporter = reporter;
  }

  /** Prints the requested part of a file. */
  async show(target: Target): Promise<void> {
    const { json, workspace, recheck } = this.#request;
    try {
      if (recheck !== undefined) {
        const row = await recheckRow(
          this.#workspace,
          target,
          recheck,
          this.#request,
        );
        return await this.#reporter.print(row);
      }
      const rest = json
        ? await this.#walk(target, PAGE_BYTES, pageJson)
        : await this.#showLines(target);
      if (rest === undefined) return;
      const { fs = hostFs(), errors: { isTerminal }, program } =
        this.#reporter.shell;
      const words = program(await foldersOf(workspace, fs));
      await this.#reporter.warn(
        continuationOf(this.#request, target, rest, words, isTerminal),
      );
    } catch (error) {
      throw asUsage(error, this.#request);
    }
  }

  async #showLines(target: Target): Promise<PageOptions | undefined> {
    const { path } = target;
    const { view = "raw" } = this.#request;
    const isRaw = this.#reporter.shell.output.isTerminal && view === "raw";
    if (isRaw) await this.#refuseBinary(path);
    const options = await this.#writerOptions(path);
    const writer = pageWriter(options);
    const reported = new Set<string>();
    // The heading is printed with the first page: a file that cannot be read has none.
    let heading: string | undefined;
    const rest = await this.#walk(target, WINDOW_BYTES, async (page) => {
      if (heading === undefined) {
        refuseNothing(page, target.part);
        if (page.empty === "no hit") await this.#reporter.warn(noHit(target));
        heading = this.#takeHeading(path);
        await this.#reporter.print(heading);
      }
      if (options.isText) await this.#reportText(path, page, reported);
      if (isOnePage(this.#request)) {
        for (const sentence of sayReceipt(path, page, this.#request)) {
          await this.#reporter.warn(sentence);
        }
      }
      return writer.write(page);
    });
    await this.#reporter.print(
      heading === undefined ? this.#takeHeading(path) : writer.end(),
    );
    return rest;
  }

  /** Reports the encoding and undecodable bytes, once for a file. */
  async #reportText(path: string, page: Page, reported: Set<string>) {
    const { label, why, runnersUp = [] } = page.encoding;
    const others = ["", ...runnersUp].join(", ").replace(",", "; or");
    const lost = page.inexact.find(({ reason }) =>
      reason === "not UTF-8" || reason === "undecodable"
    );
    const isAsked = why === "asked" || why === "as on the page before";
    const sentences = {
      encoding: label === "utf-8" || isAsked
        ? undefined
        : `${quote(path)} is read as ${label} (${why}${others})`,
      lost: lost &&
        `${
          quote(path)
        } has bytes that are not ${label}, from line ${lost.number} on: they are shown as U+FFFD`,
    };
    for (const [name, sentence] of Object.entries(sentences)) {
      if (sentence === undefined || reported.has(name)) continue;
      reported.add(name);
      await this.#reporter.warn(sentence);
    }
  }

  #walk(
    { path, part }: Target,
    most: number,
    write: (page: Page) => Awaitable<string | Uint8Array>,
  ): Promise<PageOptions | undefined> {
    const { column, maxBytes, json, encoding, view, since } = this.#request;
    // With a limit, JSON is one page; a receipt is of one page too.
    const oneOrMost = isOnePage(this.#request) ? Infinity : most;
    const limits = { maxBytes, pageBytes: json && maxBytes || oneOrMost };
    const from = {
      ...part,
      ...(column !== 1 && { column }),
      ...(encoding !== undefined && { encoding }),
      ...(view !== undefined && { view }),
      ...(since !== undefined && { since }),
    };
    const print = async (page: Page) =>
      await this.#reporter.print(await write(page));
    return walk(this.#workspace, path, from, limits, print);
  }

  /** Returns a heading like that of `head`, if there are several files. */
  #takeHeading(path: string): string {
    if (this.#request.targets.length === 1) return "";
    // A line break in a name could forge a line.
    const name = this.#reporter.shell.output.isTerminal
      ? escapeHidden(path).replaceAll("\n", "\\u{A}")
      : path;
    return `${this.#headings++ === 0 ? "" : "\n"}==> ${name} <==\n`;
  }

  async #writerOptions(path: string): Promise<WriterOptions> {
    const { output: { isTerminal }, styles } = this.#reporter.shell;
    const { numbers = isTerminal, color: wanted, encoding } = this.#request;
    const dim = isTerminal && styles;
    const isText = isTerminal || numbers || encoding !== undefined;
    const options = { isTerminal, numbers, isText, dim };
    const highlighter = wanted && dim ? await this.#load() : undefined;
    const language = highlighter && languageOf(path, highlighter);
    if (language === undefined) return options;
    const color = (lines: readonly string[]) =>
      colorLines(lines, language, highlighter!);
    return { ...options, color };
  }

  /** Loads the highlighter once; `undefined` if it cannot be loaded. */
  #load(): Promise<Highlighter | undefined> {
    return this.#highlighter ??= loadHighlighter().catch(async () => {
      await this.#reporter.warn(
        "Cannot color: highlight.js could not be loaded; install it beside this package, or leave --color out",
      );
      return undefined;
    });
  }

  async #refuseBinary(path: string): Promise<void> {
    const one = { kind: "page", start: 1, column: 1, count: 1 } as const;
    const { encoding = "auto" } = this.#request;
    const policy = { binary: "reject-nul", encoding } as const;
    try {
      await readFile(this.#workspace, path, { ...one, width: 1 }, policy);
    } catch (error) {
      if (!(error instanceof ReadFileError) || !error.is("BINARY")) throw error;
      const { media } = error.details;
      const isGzip = media?.type === "application/gzip";
      throw error.with({
        ...(isGzip && { hint: "it is gzip data; add --view=gunzip" }),
        words: {
          BINARY: ({ path: name }) => [
            `Cannot show ${
              quote(name)
            } on a terminal: it is binary: it holds a NUL byte`,
            "pipe it to where its bytes are wanted",
          ],
        },
      });
    }
  }
}

/** The sentence if nothing was found. */
function noHit({ path, part }: Target): string {
  const { match = "" } = part as PageOptions;
  return `No line of ${quote(path)} matches ${quote(match)}`;
}

/** Refuses lines that the file does not have; the first or last lines of an empty file are allowed. */
function refuseNothing({ path, empty, totalLines }: Page, part: Part): void {
  if ("indent" in part || empty === null || totalLines === null) return;
  const start = part.start ?? part.around;
  if (start === undefined || empty === "past the last column") return;
  if (empty === "no hit") return;
  const facts = { start, end: part.end ?? start, totalLines };
  throw new ReadFileError("RANGE_OUT_OF_BOUNDS", path, facts);
}
