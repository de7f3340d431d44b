// Runtime-agnostic.
import { quote } from "../core/base/words.ts";
import { json as jsonOf } from "../core/pages/grammar.ts";
import { rangeOf } from "../core/pages/notice_parts.ts";
import type { Page } from "../core/pages/page.ts";
import type { Rechecked } from "../core/recheck.ts";
import type { Workspace } from "../core/workspace.ts";
import type { Options } from "./options.ts";
import type { ReadRequest } from "./request.ts";
import { defined, type Target, UsageError } from "./target.ts";

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
  const answer = await workspace.recheck(path, receipt, defined({ view }));
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

/** Says which lines of a page are unchanged, and its receipt. */
export function receiptsOf(
  path: string,
  { receipt, hunks = [] }: Page,
  { receipt: isAsked }: ReadRequest,
): readonly (string | undefined)[] {
  const kept = hunks.flatMap((hunk) => {
    if (!("kept" in hunk)) return [];
    const [from, to] = hunk.kept;
    const now = rangeOf(hunk.start, hunk.start + to - from);
    return hunk.start === from ? now : `${now} (then ${rangeOf(from, to)})`;
  });
  const name = quote(path);
  return [
    kept[0] && `Unchanged lines of ${name} are left out: ${kept.join(", ")}`,
    isAsked ? `Receipt of ${name}: ${receipt}` : undefined,
  ];
}

/** Refuses targets that have no effect with a receipt, or an unexpected one. */
export function refuseBesideReceipt(
  { since, recheck }: Options,
  targets: readonly Target[],
): void {
  if (since === undefined && recheck === undefined) return;
  const name = since === undefined ? "--recheck" : "--since";
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
