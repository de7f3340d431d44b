// Runtime-agnostic.
import { ReadFileError } from "../core/base/errors.ts";
import { quote } from "../core/base/words.ts";
import { json as jsonOf } from "../core/pages/grammar.ts";
import { rangeOf } from "../core/pages/notice_parts.ts";
import type { Page } from "../core/pages/page.ts";
import type { Rechecked } from "../core/recheck.ts";
import type { Workspace } from "../core/workspace.ts";
import type { Options } from "./options.ts";
import type { ReadRequest } from "./request.ts";
import { type Target, UsageError } from "./target.ts";

/** Whether a file is read as one page, so that it has one receipt. */
export function isOnePage({ since, receipt }: ReadRequest): boolean {
  return since !== undefined || receipt === true;
}

/** Compares a file with the lines of a receipt; returns one row. */
export async function recheckRow(
  workspace: Workspace,
  { path }: Target,
  receipt: string,
  { json, view }: ReadRequest,
): Promise<string> {
  const options = view === undefined ? {} : { view };
  const answer = await workspace.recheck(path, receipt, options);
  return `${json ? jsonOf(answer) : wordsOf(answer)}\n`;
}

function wordsOf(answer: Rechecked): string {
  if ("moved" in answer) {
    return `moved ${answer.moved > 0 ? "+" : ""}${answer.moved}`;
  }
  if (!("changed" in answer)) return "same" in answer ? "same" : "gone";
  const runs = answer.changed.map(([from, to]) => rangeOf(from, to));
  return `changed ${runs.join(", ")}`;
}

/** Says which lines of a page are unchanged, and its receipt, for standard error. */
export function sayReceipt(
  path: string,
  { receipt, hunks = [] }: Page,
  { receipt: isAsked }: ReadRequest,
): string[] {
  const kept = hunks.flatMap((hunk) => {
    if (!("kept" in hunk)) return [];
    const [from, to] = hunk.kept;
    const now = rangeOf(hunk.start, hunk.start + to - from);
    return hunk.start === from ? now : `${now} (then ${rangeOf(from, to)})`;
  });
  const runs = kept.join(", ");
  const left = `Unchanged lines of ${quote(path)} are left out: ${runs}`;
  return [
    ...(kept.length === 0 ? [] : [left]),
    ...(isAsked ? [`Receipt of ${quote(path)}: ${receipt}`] : []),
  ];
}

/** The option that gives a receipt. */
function optionOf({ since, recheck }: Pick<ReadRequest, "since" | "recheck">) {
  if (since !== undefined) return "--since";
  return recheck === undefined ? undefined : "--recheck";
}

/** Turns the failure of an invalid receipt into a usage error. */
export function asUsage(error: unknown, request: ReadRequest): unknown {
  const name = optionOf(request);
  if (name === undefined) return error;
  if (!(error instanceof ReadFileError) || !error.is("INVALID_ARGUMENT")) {
    return error;
  }
  const { argument, problem } = error.details;
  return argument === "since" || argument === "receipt"
    ? new UsageError(`${name} ${problem}; ${error.hint}`)
    : error;
}

/** Refuses targets that have no effect with a receipt, or an unexpected one. */
export function refuseBesideReceipt(
  { since, recheck }: Options,
  targets: readonly Target[],
): void {
  const name = optionOf({ since, recheck });
  if (name === undefined) return;
  if (targets.length > 1) {
    throw new UsageError(`${name} needs one PATH; name one`);
  }
  const { part, text } = targets[0]!;
  if (recheck !== undefined && Object.keys(part).length > 0) {
    throw new UsageError(
      `--recheck knows which lines are meant; leave them out of ${quote(text)}`,
    );
  }
  if ("match" in part) {
    throw new UsageError("--since and a pattern cannot both be; take one");
  }
}
