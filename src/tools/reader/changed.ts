import { Call } from "../../core/base/call.ts";
import { ReadFileError } from "../../core/base/errors.ts";
import { type ChangesSince, compareWith } from "../../core/changes_since.ts";
import { shortPath } from "../../core/pages/frame.ts";
import { writeChanges } from "../../core/render_changes.ts";
import { openRevision } from "../../core/revisions.ts";
import { takeReadOptions } from "../../core/read_options.ts";
import { partsOf } from "../../core/workspace.ts";
import { fits, sizeOf } from "./bounds.ts";
import { readOrLookAlike } from "./look_alike.ts";
import { type PageCall, withHint } from "./page_call.ts";
import type { PlainAnswer } from "./tool_plan.ts";
import { factsOfHidden } from "./schema.ts";
import type { Json } from "../../core/base/check.ts";

/** Compares the lines of a call with a revision. */
export async function readChanged(
  call: PageCall,
  rev: string,
): Promise<ChangesSince> {
  const { root, path, asked, roots, encoding, signal } = call;
  const { maxTokens: _, ...options } = call.options;
  const taken = takeReadOptions(path, {
    ...encoding !== undefined && { encoding },
    ...options,
  });
  const parts = partsOf(root.workspace);
  // Its failure is not about the path.
  const fs = await openRevision(parts, rev, signal);
  return await roots.at(asked, async () => {
    try {
      return await readOrLookAlike(
        call,
        ({ path }) => compareWith(fs, parts, path, rev, taken, signal),
      );
    } catch (error) {
      if (!(error instanceof ReadFileError)) throw error;
      throw withHint(error, call);
    }
  });
}

/** If not even the changes of one line fit, lines of more than this part of an answer are clipped. */
const LINE_SHARE = 10;

/** Shows as many of the changes as fit into the bounds of the call. */
export async function fitChanges(
  changes: ChangesSince,
  call: PageCall,
): Promise<PlainAnswer> {
  const { root, roots, bounds, notes, countTokens, signal } = call;
  const turns = new Call(changes.path, signal);
  const { maxTokens = Infinity } = call.options;
  const path = roots.show(root, changes.path);
  const { start, end: last } = changes;
  const first = Math.min(start, last);
  const write = async (
    end: number,
    limits: Parameters<typeof writeChanges>[1],
  ) => {
    await turns.yieldThenCheck();
    const next = end < last ? nextChanges(path, end, changes, call) : null;
    const text = writeChanges(changes, { path, next, notes, end, ...limits });
    const isWithin = fits(sizeOf(text), bounds) &&
      (maxTokens === Infinity || countTokens(text) <= maxTokens);
    return {
      text,
      isWithin,
      facts: factsOf(changes, path, end, next, call.typed),
    };
  };
  const most = mostLines(changes, bounds.lines);
  const all = most < last ? undefined : await write(last, {});
  if (all?.isWithin) return all;
  let best = await write(first, {});
  // The last line that fits: a text with more of them is longer.
  let [least, tooMany] = [first, most + 1];
  while (best.isWithin && least + 1 < tooMany) {
    const end = (least + tooMany) >> 1;
    const tried = await write(end, {});
    if (tried.isWithin) [least, best] = [end, tried];
    else tooMany = end;
  }
  // Not even the first line fits, with all that is gone from there.
  const maxLineChars = Math.floor(bounds.chars / LINE_SHARE);
  for (let maxGone = bounds.lines; !best.isWithin && maxGone > 0;) {
    maxGone >>= 1;
    const limits = {
      maxGone,
      maxLineChars: Math.min(maxLineChars, 20 * maxGone),
    };
    best = await write(first, limits);
  }
  return best;
}

/** The last line up to which at most so many lines are shown, or one more. */
function mostLines({ lines, end }: ChangesSince, most: number): number {
  let left = most;
  for (const { kind, after } of lines) {
    if (kind === "same" || kind === "moved") continue;
    if (left-- === 0) return after;
  }
  return end;
}

/** The next call, with the arguments of this one that still apply. */
function nextChanges(
  path: string,
  end: number,
  { rev, end: last, totalLines }: ChangesSince,
  { options: { encoding, view, maxTokens }, maxChars }: PageCall,
): Json {
  // JSON leaves out what is undefined.
  return {
    ...shortPath(path),
    start: end + 1,
    end: last < totalLines ? last : undefined,
    changes: rev,
    encoding,
    view,
    maxTokens,
    maxChars,
  };
}

/** The facts of the lines that are compared; which of them changed is only in the text. */
function factsOf(
  { start, totalLines, size, encoding, view, warnings }: ChangesSince,
  path: string,
  end: number,
  next: Json | null,
  typed: boolean,
): Json {
  const isEmpty = end < start;
  return {
    path,
    firstLine: isEmpty ? null : start,
    lastLine: isEmpty ? null : end,
    totalLines,
    next,
    hits: null,
    // The text has lines that are not of the file, and leaves out others.
    ...{ shown: { start: 0, end: 0 }, exact: false },
    ...{ size, encoding, view, image: null },
    empty: totalLines === 0 ? "empty file" : isEmpty ? "past the end" : null,
    ...(typed && { lines: [], base64: null }),
    ...factsOfHidden(warnings.filter(({ line }) => line <= end)),
  };
}
