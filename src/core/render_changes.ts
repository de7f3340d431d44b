import {
  checkValue,
  type Kind,
  refuseMistake,
  type Rules,
  takeOptions,
} from "./base/check.ts";
import {
  type ChangedLine,
  type ChangesSince,
  isKept,
} from "./changes_since.ts";
import {
  nameLines,
  nextCall,
  onOneLine,
  quotePath,
  withNotes,
} from "./pages/frame.ts";
import {
  ENDINGS,
  MARKS,
  RENDER_RULES,
  type RenderOptions,
  usualEnding,
  writeHidden,
} from "./pages/render.ts";

/** How {@linkcode renderChanges} names things, and what it leaves out. */
export interface RenderChangesOptions
  extends Pick<RenderOptions, "path" | "tool" | "notes"> {
  /** How many unchanged lines are shown around those that changed; 3 by default. */
  readonly context?: number | undefined;
  /** The arguments of the next call, as plain JSON; none by default. */
  readonly next?: object | null | undefined;
}

const { path, tool, next, notes } = RENDER_RULES;
const RULES: Rules<RenderChangesOptions> = {
  ...{ path, tool, next, notes },
  context: { least: 0 },
};

const refuse = refuseMistake("Cannot render the changes");

/**
 * Writes changes for a model, in the frame of {@linkcode renderPage}: lines that
 * are new begin with `+` and their number, lines that are gone with `-` and the
 * number that they had. Unchanged lines stand around them, without a sign; the
 * others are left out, and named.
 *
 * @example Usage
 * ```ts
 * import { changesSince, memoryFs, openWorkspace, renderChanges } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const old = memoryFs({ "/a": "one\ntwo\nthree\nfour\nfive\n" });
 * const fs = memoryFs({ "/a": "one\ntwo\nthree\nfour\n5\nsix\n" });
 * const workspace = await openWorkspace("/", { fs, revisions: { open: () => old } });
 * const changes = await changesSince(workspace, "a", "v1");
 * assertEquals(renderChanges(changes, { context: 1 }), [
 *   '"a": lines 1-6 of 6. Since "v1": 2 lines are new (+), 1 is gone (-, with its old number).',
 *   "… lines 1-3 are the same",
 *   "4\tfour",
 *   "-5\tfive",
 *   "+5\t5",
 *   "+6\tsix",
 *   "End of file.",
 * ].join("\n"));
 * ```
 *
 * @param changes What {@linkcode changesSince} gave, or what JSON kept of it.
 */
export function renderChanges(
  changes: ChangesSince,
  options?: RenderChangesOptions,
): string {
  const taken = takeOptions(options, RULES, refuse);
  checkValue("it", changes, CHANGES, refuse);
  return writeChanges(changes, taken);
}

const CHANGES: Kind = {
  wanted: "what changesSince() gives",
  fits: (value) => {
    const { lines, warnings, path, rev } = Object(value);
    return Array.isArray(lines) && Array.isArray(warnings) &&
      lines.every((line) => typeof line?.text === "string") &&
      typeof path === "string" && typeof rev === "string";
  },
};

/** How many unchanged lines are shown around those that changed, by default. */
export const CONTEXT = 3;

/** What the tools of this package limit besides. */
export interface WriteChangesOptions extends RenderChangesOptions {
  /** The last line to show; all that the changes have by default. */
  readonly end?: number;
  /** The most characters of a line. */
  readonly maxLineChars?: number;
  /** The most lines that are gone in one place. */
  readonly maxGone?: number;
}

/** The text of changes. */
export function writeChanges(
  changes: ChangesSince,
  options: WriteChangesOptions = {},
): string {
  const { path = changes.path, tool = "read_file", notes = [] } = options;
  const { next = null, end = changes.end } = options;
  const shown = changes.lines.filter(({ after }) => after <= end);
  const usual = usualEnding(fresh(shown.length > 0 ? shown : changes.lines));
  // The first line says that all are the same.
  const changed = shown.every(isKept) ? [] : shown;
  const { rows, marks } = writeChangedRows(changed, usual, changes, options);
  const head = [
    `${quotePath(path)}: ${writeRange(changes, end)}.`,
    next !== null && "More follows.",
    whatChanged(changes, shown),
    changes.view !== null && `Shown as ${changes.view}.`,
    sentenceOnEncoding(changes),
    sentenceOnEndings(usual, changes),
    ...Object.entries(MARKS)
      .map(([mark, sentence]) => marks.has(mark) && sentence),
    !changes.minimal &&
    "They differ in so many lines that some shown as changed may be the same.",
    writeHidden(
      changes.warnings,
      new Set(
        changes.warnings.map(({ line }) => line).filter((at) => at <= end),
      ),
    ),
  ].filter((sentence) => sentence !== false).map(onOneLine).join(" ");
  const isEnd = end >= changes.totalLines;
  const last = next !== null
    ? nextCall(tool, next)
    : isEnd
    ? "End of file."
    : "End of what was asked for; the file goes on.";
  return [withNotes(head, notes), ...rows, last].join("\n");
}

/** The lines of a file, without those that are gone. */
function fresh(lines: readonly ChangedLine[]): readonly ChangedLine[] {
  const now = lines.filter(({ kind }) => kind !== "gone");
  return now.length > 0 ? now : lines;
}

/** The rows, and all marks in them. */
function writeChangedRows(
  lines: readonly ChangedLine[],
  usual: string,
  { start, endingBefore }: ChangesSince,
  options: WriteChangesOptions,
) {
  const { context = CONTEXT, maxGone = Infinity } = options;
  const marks = new Set<string>();
  const rows: string[] = [];
  const near = linesNear(lines, context);
  let left = 0;
  const nameLeft = (next: number) => {
    if (left > 0) {
      const names = nameLines([[next - left, next - 1]]);
      rows.push(`… ${names} ${left === 1 ? "is" : "are"} the same`);
    }
    left = 0;
  };
  let gone = 0;
  let after = start - 1;
  for (const [at, line] of lines.entries()) {
    const { kind } = line;
    gone = kind === "gone" ? gone + 1 : 0;
    if (near[at] === 0) left++;
    else {
      nameLeft(after + 1);
      if (gone <= maxGone) {
        const ending = kind === "gone" && endingBefore || usual;
        const clip = clipOf(lines, at, options);
        rows.push(writeRow(line, ending, marks, clip));
      }
      if (gone > maxGone && lines[at + 1]?.kind !== "gone") {
        const more = gone - maxGone;
        const what = more === 1 ? "line that is" : "lines that are";
        rows.push(`… ${more} more ${what} gone not shown`);
      }
    }
    if (kind !== "gone") ({ after } = line);
  }
  nameLeft(after + 1);
  return { rows, marks };
}

/** 1 for each line that changed, and for the lines around it. */
export function linesNear(
  lines: readonly ChangedLine[],
  context: number,
): Uint8Array {
  const near = new Uint8Array(lines.length);
  let shownTo = 0;
  for (const [at, line] of lines.entries()) {
    if (isKept(line)) continue;
    const end = Math.min(lines.length, at + context + 1);
    near.fill(1, Math.max(shownTo, at - context), end);
    shownTo = end;
  }
  return near;
}

const SIGNS = { same: "", moved: "", added: "+", changed: "+", gone: "-" };

function writeRow(
  { kind, before, after, text, ending, inexact }: ChangedLine,
  usual: string,
  marks: Set<string>,
  { from, most }: LineSlice,
): string {
  const own: string[] = [];
  if (ending !== usual) {
    own.push(ending === "" ? "no newline" : ENDINGS[ending]);
  }
  // The cuts may divide surrogate pairs.
  const part = text.slice(from, from + most)
    .replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  const shown = onOneLine(part);
  if (shown !== part) own.push("esc");
  if (inexact !== undefined && inexact !== "escaped") own.push(inexact);
  const isClipped = from + most < text.length;
  if (isClipped && !own.includes("clipped")) own.push("clipped");
  own.forEach((mark) => marks.add(mark));
  const number = kind === "gone" ? before : after;
  const column = from === 0
    ? ""
    : `:${1 + Array.from(text.slice(0, from)).length}`;
  const name = `${SIGNS[kind]}${number}${column}`;
  return `${[name, ...own].join(" ")}\t${shown}`;
}

/** The characters of a line that are shown. */
interface LineSlice {
  readonly from: number;
  readonly most: number;
}

/** Of a long line, the part from shortly before the first difference from the line that it stands for. */
function clipOf(
  lines: readonly ChangedLine[],
  at: number,
  { maxLineChars = Infinity }: WriteChangesOptions,
): LineSlice {
  const { kind, text } = lines[at]!;
  const all = { from: 0, most: maxLineChars };
  if (text.length <= maxLineChars) return all;
  if (kind !== "gone" && kind !== "changed") return all;
  let gone = at;
  while (gone > 0 && isReplaced(lines[gone - 1]!)) gone--;
  let fresh = gone;
  while (lines[fresh]?.kind === "gone") fresh++;
  const other = kind === "gone" ? fresh + at - gone : gone + at - fresh;
  const isPaired = kind === "gone"
    ? lines[other]?.kind === "changed"
    : other < fresh;
  if (!isPaired) return all;
  const rival = lines[other]!.text;
  let same = 0;
  while (same < text.length && text[same] === rival[same]) same++;
  const from = same - Math.floor(maxLineChars / 4);
  return { from: Math.max(0, from), most: maxLineChars };
}

const isReplaced = ({ kind }: ChangedLine) =>
  kind === "gone" || kind === "changed";

/** Which lines of how many. */
function writeRange(
  { start, totalLines }: ChangesSince,
  end: number,
): string {
  if (totalLines === 0) return "an empty file";
  if (end >= start) return `${nameLines([[start, end]])} of ${totalLines}`;
  return `nothing, past the last line of ${totalLines}`;
}

/** What changed in the lines that are shown. */
function whatChanged(
  { rev, totalBefore }: ChangesSince,
  lines: readonly ChangedLine[],
): string {
  const name = quotePath(rev);
  if (totalBefore === null) return `It is not in ${name}: all lines are new.`;
  const count = (sign: string) =>
    lines.filter(({ kind }) => SIGNS[kind] === sign).length;
  const [added, gone] = [count("+"), count("-")];
  const are = (count: number, word: string) =>
    `${count} ${word}${count === 1 ? "is" : "are"}`;
  if (added + gone === 0) return `The same in ${name}${numbersBefore(lines)}.`;
  const news = added > 0 &&
    `${are(added, added === 1 ? "line " : "lines ")} new (+)`;
  const noun = news ? "" : gone === 1 ? "line " : "lines ";
  const old = gone === 1 ? "its old number" : "their old numbers";
  const went = gone > 0 && `${are(gone, noun)} gone (-, with ${old})`;
  return `Since ${name}: ${[news, went].filter(Boolean).join(", ")}.`;
}

/** The numbers that lines had, if these are others. */
function numbersBefore(lines: readonly ChangedLine[]): string {
  const [first] = lines;
  const last = lines.at(-1);
  if (first?.kind !== "moved" || last?.kind !== "moved") return "";
  return `, as ${nameLines([[first.before!, last.before!]])}`;
}

function sentenceOnEndings(
  usual: "\n" | "\r\n",
  { endingBefore }: ChangesSince,
): string | false {
  const now = `Lines end in ${ENDINGS[usual]}`;
  if (endingBefore !== null) {
    return `${now}, before in ${ENDINGS[endingBefore]}; this is not compared.`;
  }
  return usual === "\r\n" && `${now}.`;
}

function sentenceOnEncoding(
  { encoding, encodingBefore }: ChangesSince,
): string | false {
  const isOther = encodingBefore !== null && encodingBefore !== encoding;
  if (encoding === "utf-8" && !isOther) return false;
  return isOther
    ? `In ${encoding}, before in ${encodingBefore}.`
    : `In ${encoding}.`;
}
