// Runtime-agnostic.
import type { Awaitable } from "../core/base/port.ts";
import { escapeHidden } from "../core/unicode/escape.ts";
import type { Page, PageOptions } from "../core/pages/page.ts";
import { toBase64 } from "../tools/shown_text.ts";
import { continuationOf, defined, type Part, type Target } from "./target.ts";
import { ReadFileError } from "../core/base/errors.ts";
import { quote } from "../core/base/words.ts";
import { json as jsonOf } from "../core/pages/grammar.ts";
import type { Workspace } from "../core/workspace.ts";
import { readFile } from "../core/read.ts";
import { type Highlight, loadHighlight } from "./packages.ts";
import type { Reporter } from "./reporter.ts";
import type { ReadRequest } from "./request.ts";
import { pageWriter, walk } from "./pages.ts";

/** Writes a page as one line of JSON, with its bytes if the texts are not exact. */
function pageJson(page: Page): string {
  const base64 = page.exact ? null : toBase64(page.bytes());
  return `${jsonOf({ ...page, base64 })}\n`;
}

/** The most bytes read at a time; more is not faster. */
const WINDOW_BYTES = 1 << 17;
/** The most bytes on a page of JSON, by default. */
const PAGE_BYTES = 1 << 20;

/** Makes the function that prints the requested part of each file. */
export function printerOf(
  workspace: Workspace,
  request: ReadRequest,
  reporter: Reporter,
): (target: Target) => Promise<void> {
  const { output: { isTerminal }, styles } = reporter.shell;
  const { encoding, json, maxBytes, view } = request;
  const { numbers = isTerminal } = request;
  const dim = isTerminal && styles;
  const isText = isTerminal || numbers || encoding !== undefined;
  const column = request.column > 1 ? request.column : undefined;
  let headings = 0;
  let highlight: Promise<Highlight | undefined> | undefined;

  /** Returns a heading like that of `head`, if there are several files. */
  function takeHeading(path: string): string {
    if (request.targets.length === 1) return "";
    // A line break in a name could forge a line.
    const name = isTerminal
      ? escapeHidden(path).replaceAll("\n", "\\u{A}")
      : path;
    return `${headings++ === 0 ? "" : "\n"}==> ${name} <==\n`;
  }

  /** Loads the highlighter once; `undefined` if it cannot be loaded. */
  function load(): Promise<Highlight | undefined> {
    return highlight ??= loadHighlight().catch(async () => {
      await reporter.warn(
        "Cannot color: @agent-tools/read-file-highlight could not be loaded; install it beside this package, or leave --color out",
      );
      return undefined;
    });
  }

  function print(
    { path, part }: Target,
    usualBytes: number,
    write: (page: Page) => Awaitable<string | Uint8Array>,
  ): Promise<PageOptions | undefined> {
    // With a limit, JSON is one page.
    const isOnePage = json && maxBytes !== undefined;
    const pageBytes = isOnePage ? maxBytes : usualBytes;
    const limits = { maxBytes, pageBytes };
    const from = { ...part, ...defined({ column, encoding, view }) };
    const show = async (page: Page) => await reporter.print(await write(page));
    return walk(workspace, path, from, limits, show);
  }

  async function printLines(target: Target): Promise<PageOptions | undefined> {
    const { path } = target;
    const isRaw = view === undefined || view === "raw";
    if (isTerminal && isRaw) await refuseBinary(workspace, path, encoding);
    const loaded = request.color && dim ? await load() : undefined;
    const color = (lines: readonly string[]) => loaded?.(lines, path) ?? lines;
    const writer = pageWriter(isTerminal, numbers, dim, color);
    let hasPage = false;
    let lost: string | undefined;
    const rest = await print(target, WINDOW_BYTES, async (page) => {
      if (!hasPage) {
        hasPage = true;
        refuseMissing(page, target.part);
        if (page.empty === "no hit") await reporter.warn(noHit(target));
        // Printed only now: a file that cannot be read has no heading.
        await reporter.print(takeHeading(path));
        if (isText) await reporter.warn(encodingOf(path, page));
      }
      if (isText && lost === undefined) {
        lost = lostOf(path, page);
        await reporter.warn(lost);
      }
      return isText ? writer.write(page) : page.bytes();
    });
    // A block of only blank lines has no page.
    await reporter.print(hasPage ? writer.end() : takeHeading(path));
    return rest;
  }

  return async (target) => {
    const rest = json
      ? await print(target, PAGE_BYTES, pageJson)
      : await printLines(target);
    if (rest === undefined) return;
    await reporter.warn(continuationOf(request, target, rest));
  };
}

/** The sentence about an encoding that was detected, if it is not UTF-8. */
function encodingOf(path: string, { encoding }: Page): string | undefined {
  const { label, why, runnersUp = [] } = encoding;
  const isKnown = why === "asked" || why === "as on the page before";
  if (label === "utf-8" || isKnown) return undefined;
  const others = runnersUp.length === 0 ? "" : `; or ${runnersUp.join(", ")}`;
  return `${quote(path)} is read as ${label} (${why}${others})`;
}

/** The sentence about the first bytes that could not be decoded. */
function lostOf(path: string, { encoding, inexact }: Page): string | undefined {
  const lost = inexact.find(({ reason }) =>
    reason === "not UTF-8" || reason === "undecodable"
  );
  if (lost === undefined) return undefined;
  const lines = `not ${encoding.label}, from line ${lost.number} on`;
  return `${quote(path)} has bytes that are ${lines}: they are shown as U+FFFD`;
}

async function refuseBinary(
  workspace: Workspace,
  path: string,
  encoding = "auto",
): Promise<void> {
  const first = { kind: "page", start: 1, column: 1 } as const;
  const policy = { binary: "reject-nul", encoding } as const;
  try {
    await readFile(workspace, path, { ...first, count: 1, width: 1 }, policy);
  } catch (error) {
    if (!(error instanceof ReadFileError) || !error.is("BINARY")) throw error;
    const isGzip = error.details.media?.type === "application/gzip";
    const what = `Cannot show ${quote(path)} on a terminal`;
    throw error.with({
      ...(isGzip && { hint: "it is gzip data; add --view=gunzip" }),
      words: {
        BINARY: () => [
          `${what}: it is binary: it holds a NUL byte`,
          "pipe it to where its bytes are wanted",
        ],
      },
    });
  }
}

function noHit({ path, part }: Target): string {
  const { match = "" } = part as PageOptions;
  return `No line of ${quote(path)} matches ${quote(match)}`;
}

/** Refuses lines that the file does not have; the first or last lines of an empty file are allowed. */
function refuseMissing({ path, empty, totalLines }: Page, part: Part): void {
  if ("indent" in part || empty === null || totalLines === null) return;
  const start = part.start ?? part.around;
  if (start === undefined || empty === "past the last column") return;
  if (empty === "no hit") return;
  const facts = { start, end: part.end ?? start, totalLines };
  throw new ReadFileError("RANGE_OUT_OF_BOUNDS", path, facts);
}
