import { Call, runInSteps, STEP_ITEMS, type Steps } from "./base/call.ts";
import { type Rules, takeOptions } from "./base/check.ts";
import { ReadFileError, refuseArgument } from "./base/errors.ts";
import type { FsPort } from "./base/port.ts";
import { quote } from "./base/words.ts";
import { type Changes, compareLines, isEdit } from "./changes.ts";
import type { InexactLine, Page, PageLine } from "./pages/page.ts";
import type { Parts } from "./parts.ts";
import { readPreparedPage } from "./read.ts";
import {
  type CallContext,
  given,
  rangeOf,
  READ_RULES,
  type ReadFields,
  takeContext,
  takeReadOptions,
} from "./read_options.ts";
import { isMissing, openRevision, partsIn } from "./revisions.ts";
import { partsOf, type Workspace } from "./workspace.ts";

/** Which lines {@linkcode changesSince} compares, as in {@linkcode ReadFields}; all of them by default. */
export type ChangesOptions = Pick<
  ReadFields,
  | "start"
  | "end"
  | "count"
  | "tail"
  | "around"
  | "before"
  | "after"
  | "encoding"
  | "view"
  | "maxFileBytes"
>;

const RULES: Rules<ChangesOptions> = {
  start: READ_RULES.start,
  end: READ_RULES.end,
  count: READ_RULES.count,
  tail: READ_RULES.tail,
  around: READ_RULES.around,
  before: READ_RULES.before,
  after: READ_RULES.after,
  encoding: READ_RULES.encoding,
  view: READ_RULES.view,
  maxFileBytes: READ_RULES.maxFileBytes,
};

/** The first of some options that means nothing for a comparison; `undefined` without one. */
export function notComparable(options: object): string | undefined {
  const [name] =
    Object.entries(options).find(([name, value]) =>
      value !== undefined && !Object.hasOwn(RULES, name)
    ) ?? [];
  return name;
}

/** Whether a line is as it was. */
export function isKept({ kind }: ChangedLine): boolean {
  return kind === "same" || kind === "moved";
}

/** A line of a file, or one that it had. */
export interface ChangedLine {
  /** Whether the line is as it was, with the `"same"` number or `"moved"` to another one; `"added"`; `"changed"`, if it stands in the place of lines that are gone; or `"gone"`. */
  readonly kind: "same" | "moved" | "added" | "changed" | "gone";
  /** Its number at the revision; `null` if it was not there. */
  readonly before: number | null;
  /** Its number now. If it is gone, that of the line in its place, or else of the line that follows; at the end of the file, of the last line, and 0 if the file is empty. */
  readonly after: number;
  /** The text, without the line ending. */
  readonly text: string;
  /** The line ending; empty at the end of a file. */
  readonly ending: PageLine["ending"];
  /** Why the text does not give back the bytes, if it does not. */
  readonly inexact?: Page["inexact"][number]["reason"];
}

/** What became of some lines of a file since a revision. */
export interface ChangesSince {
  /** The file, from the root. */
  readonly path: string;
  /** The revision, as it was named. */
  readonly rev: string;
  /** The first of the lines that were asked for. */
  readonly start: number;
  /** The last one that the file has; less than `start` if it has none of them. */
  readonly end: number;
  /** The lines from `start` to `end`, and among them those that are gone from there. */
  readonly lines: readonly ChangedLine[];
  /** How many lines the file has. */
  readonly totalLines: number;
  /** How many it had; `null` if it was not there. */
  readonly totalBefore: number | null;
  /** Whether no smaller difference exists; `false` for large texts with very many changes, of which some may be unchanged. */
  readonly minimal: boolean;
  /** The ending that all lines had, if all have another one now, as where git writes its own to the disk: then lines are compared without it. Otherwise `null`. */
  readonly endingBefore: PageLine["ending"] | null;
  /** The size of the file in bytes. */
  readonly size: number;
  /** The encoding of the file. */
  readonly encoding: string;
  /** The encoding that it had; `null` if it was not there. */
  readonly encodingBefore: string | null;
  /** The view that is compared, if not the file itself. */
  readonly view: string | null;
  /** The characters that a reader does not see, in lines that are new. */
  readonly warnings: Page["warnings"];
}

/**
 * Compares lines of a file with a revision: the option `revisions` of
 * {@linkcode openWorkspace} says where those are. Both versions are read whole, up
 * to 16 MiB and 250,000 lines.
 *
 * @example Usage
 * ```ts
 * import { changesSince, memoryFs, openWorkspace, renderChanges } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * // With git: gitRevisions() of @agent-tools/read-file-git.
 * const revisions = { open: () => memoryFs({ "/repo/a.ts": "one\ntwo\n" }) };
 * const fs = memoryFs({ "/repo/a.ts": "zero\none\n2\n" });
 * const workspace = await openWorkspace("/repo", { fs, revisions });
 * const changes = await changesSince(workspace, "a.ts", "HEAD", { start: 2 });
 * assertEquals(
 *   changes.lines.map(({ kind, before, after }) => [kind, before, after]),
 *   [["moved", 1, 2], ["gone", 2, 3], ["changed", null, 3]],
 * );
 * assertEquals(renderChanges(changes), [
 *   '"a.ts": lines 2-3 of 3. Since "HEAD": 1 line is new (+), 1 is gone (-, with its old number).',
 *   "2\tone",
 *   "-2\ttwo",
 *   "+3\t2",
 *   "End of file.",
 * ].join("\n"));
 * ```
 *
 * @param rev The revision, such as `HEAD~2`.
 */
export async function changesSince(
  workspace: Workspace,
  path: string,
  rev: string,
  options: ChangesOptions = {},
  context: CallContext = {},
): Promise<ChangesSince> {
  const fail = refuseArgument(path);
  const taken = takeReadOptions(path, takeOptions(options, RULES, fail));
  const { signal } = takeContext(path, context);
  return await readChanges(partsOf(workspace), path, rev, taken, signal);
}

/** The largest version that is compared, and its most lines. */
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_LINES = 250_000;

/** Compares lines of a file with a revision. The options have been checked. */
export async function readChanges(
  parts: Parts,
  path: string,
  rev: string,
  options: ReadFields,
  signal: AbortSignal | undefined,
): Promise<ChangesSince> {
  // First, so that an unknown revision is not taken for one without the file.
  const fs = await openRevision(parts, rev, signal);
  return await compareWith(fs, parts, path, rev, options, signal);
}

/** Compares lines of a file with the port of a revision. */
export async function compareWith(
  fs: FsPort,
  parts: Parts,
  path: string,
  rev: string,
  options: ReadFields,
  signal: AbortSignal | undefined,
): Promise<ChangesSince> {
  const { encoding, view, maxFileBytes, binary } = options;
  const all = given({ encoding, view, maxFileBytes, binary });
  const readBefore = async (): Promise<Page | undefined> => {
    try {
      const there = await partsIn(fs, parts, rev, signal);
      return await readToCompare(there, path, all, signal);
    } catch (error) {
      if (!(error instanceof ReadFileError)) throw error;
      if (isMissing(error)) return undefined;
      throw ofRevision(error, rev);
    }
  };
  let now: Page;
  try {
    now = await readToCompare(parts, path, all, signal);
  } catch (error) {
    const isGone = error instanceof ReadFileError && error.is("NOT_FOUND") &&
      await readBefore().catch(() => undefined) !== undefined;
    if (!isGone) throw error;
    const gone = `it is gone since ${quote(rev)}`;
    throw error.with({
      words: {
        NOT_FOUND: ({ path }) => [`Cannot read ${quote(path)}: ${gone}`],
      },
    });
  }
  const before = await readBefore();
  const endingBefore = otherEnding(before, now);
  const ending = endingBefore === null ? undefined : now.lines[0]!.ending;
  const call = new Call(path, signal);
  const old = await runInSteps(linesToCompare(before, ending), call);
  const fresh = await runInSteps(linesToCompare(now, undefined), call);
  const changes = await runInSteps(compareLines(old, fresh), call);
  const totalLines = now.lines.length;
  const [start, end] = comparedRange(options, totalLines);
  const steps = linesOf(changes, before, now, start, end);
  const lines = await runInSteps(steps, call);
  return {
    path: now.path,
    rev,
    start,
    end,
    lines,
    totalLines,
    totalBefore: before === undefined ? null : before.lines.length,
    minimal: changes.minimal,
    endingBefore,
    size: now.size,
    encoding: now.encoding.label,
    encodingBefore: before === undefined ? null : before.encoding.label,
    view: now.view,
    warnings: warningsOf(now, lines),
  };
}

/** The hidden characters in lines that are new. */
function warningsOf(
  { warnings }: Page,
  lines: readonly ChangedLine[],
): Page["warnings"] {
  if (warnings.length === 0) return [];
  const isNew = new Set(
    lines.filter(({ before }) => before === null).map(({ after }) => after),
  );
  return warnings.filter(({ line }) => isNew.has(line));
}

/** The failure with the version that it is about. */
function ofRevision(error: ReadFileError, rev: string): ReadFileError {
  const { code, message, hint } = error.with({ path: `${rev}:${error.path}` });
  return error.with({ words: { [code]: () => [message, hint] } });
}

async function readToCompare(
  parts: Parts,
  path: string,
  options: ReadFields,
  signal: AbortSignal | undefined,
): Promise<Page> {
  const page = await readPreparedPage(parts, new Call(path, signal), {
    binary: "refuse-shown",
    ...options,
    maxBytes: MOST_BYTES,
    maxLines: MOST_LINES,
  });
  if (page.next === null) return page;
  const what = page.view === null ? "file" : "view";
  const { size } = page;
  const details = { what, size, limit: MOST_BYTES } as const;
  const most = `${MOST_BYTES} bytes and ${MOST_LINES} lines`;
  throw new ReadFileError("TOO_LARGE", path, details, {
    words: {
      TOO_LARGE: ({ path }) => [
        `Cannot compare ${quote(path)}: it is larger than ${most}`,
        "read the lines without comparing them",
      ],
    },
  });
}

/** The ending that all lines had, if all have another one now. */
function otherEnding(
  before: Page | undefined,
  now: Page,
): PageLine["ending"] | null {
  const [old, fresh] = [onlyEnding(before), onlyEnding(now)];
  return old !== undefined && fresh !== undefined && old !== fresh ? old : null;
}

/** The ending of all lines; the last one may have none. */
function onlyEnding(page: Page | undefined): PageLine["ending"] | undefined {
  const [{ ending: first } = { ending: "" as const }] = page?.lines ?? [];
  const { length = 0 } = page?.lines ?? [];
  const isOnly = first !== "" &&
    page!.lines.every(({ ending }, at) =>
      ending === first || ending === "" && at === length - 1
    );
  return isOnly ? first : undefined;
}

/** The lines of a page as they are compared: with another ending, if endings are not compared, and by their bytes where these are no text. */
function* linesToCompare(
  page: Page | undefined,
  ending: PageLine["ending"] | undefined,
): Steps<readonly PageLine[]> {
  const { lines = [] } = page ?? {};
  const losses = lossesOf(page);
  if (ending === undefined && losses.size === 0) return lines;
  yield;
  const raw = losses.size === 0 ? [] : rawLines(page!);
  const compared: PageLine[] = [];
  for (const line of lines) {
    if (compared.length % STEP_ITEMS === 0) yield;
    compared.push({
      ...line,
      // No text of a line has a line feed.
      text: losses.has(line.number)
        ? `\n${raw[line.number - 1] ?? line.text}`
        : line.text,
      ending: line.ending === "" ? "" : ending ?? line.ending,
    });
  }
  return compared;
}

/** The bytes of each line, one character for each; none if its encoding has other line feeds. */
function rawLines(page: Page): readonly string[] {
  if (page.view !== null || page.encoding.label.startsWith("utf-16")) return [];
  const raw = new TextDecoder("latin1").decode(page.bytes()).split("\n");
  return raw.length - page.lines.length <= 1 ? raw : [];
}

/** The first line that was asked for, and the last one that the file has. */
function comparedRange(
  options: ReadFields,
  total: number,
): readonly [start: number, end: number] {
  const { tail } = options;
  if (tail !== undefined) return [Math.max(1, total - tail + 1), total];
  const { start, count } = rangeOf(options);
  return [start, Math.min(total, start + count - 1)];
}

/** The lines of a range, and the lines that are gone from it. */
function* linesOf(
  { hunks }: Changes,
  before: Page | undefined,
  now: Page,
  start: number,
  end: number,
): Steps<ChangedLine[]> {
  const total = now.lines.length;
  const lossesNow = lossesOf(now);
  yield;
  const lossesBefore = lossesOf(before);
  const lines: ChangedLine[] = [];
  let seen = 0;
  for (const hunk of hunks) {
    if (++seen % STEP_ITEMS === 0) yield;
    if (!isEdit(hunk)) {
      const first = Math.max(start, hunk.after);
      const last = Math.min(end, hunk.after + hunk.count - 1);
      for (let after = first; after <= last; after++) {
        if (++seen % STEP_ITEMS === 0) yield;
        const line = now.lines[after - 1]!;
        const number = after - hunk.after + hunk.before;
        const numbers = { before: number, after };
        lines.push(changedLine(hunk.kind, numbers, line, lossesNow.get(after)));
      }
      continue;
    }
    const { gone, lines: fresh } = hunk;
    for (const [at, line] of gone.entries()) {
      if (++seen % STEP_ITEMS === 0) yield;
      const after = placeOfGone(hunk.after, fresh.length, at, total);
      if (after < start && total > 0 || after > end) continue;
      const { number } = line;
      const loss = lossesBefore.get(number);
      // As it was, not as it was compared.
      const old = before!.lines[number - 1]!;
      lines.push(changedLine("gone", { before: number, after }, old, loss));
    }
    const kind = gone.length > 0 ? "changed" : "added";
    for (const line of fresh) {
      if (++seen % STEP_ITEMS === 0) yield;
      const { number } = line;
      if (number < start || number > end) continue;
      const numbers = { before: null, after: number };
      const own = now.lines[number - 1]!;
      lines.push(changedLine(kind, numbers, own, lossesNow.get(number)));
    }
  }
  return lines;
}

/** The line to which the line `at` of those that are gone belongs: each line belongs to one, so that pages show it once. */
function placeOfGone(
  after: number,
  count: number,
  at: number,
  total: number,
): number {
  if (count > 0) return after + Math.min(at, count - 1);
  return Math.min(after + 1, total);
}

function changedLine(
  kind: ChangedLine["kind"],
  numbers: Pick<ChangedLine, "before" | "after">,
  { text, ending }: PageLine,
  inexact: InexactLine["reason"] | undefined,
): ChangedLine {
  const line = { kind, ...numbers, text, ending };
  return inexact === undefined ? line : { ...line, inexact };
}

/** Why lines do not give back their bytes, by number; the first reason of each. */
function lossesOf(page: Page | undefined) {
  const losses = new Map<number, InexactLine["reason"]>();
  for (const { number, reason } of page?.inexact.toReversed() ?? []) {
    losses.set(number, reason);
  }
  return losses;
}
