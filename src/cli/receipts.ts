// Runtime-agnostic.
import { ReadFileError } from "../core/base/errors.ts";
import { quote } from "../core/base/words.ts";
import { json as jsonOf } from "../core/pages/grammar.ts";
import { rangeOf } from "../core/pages/notice_parts.ts";
import type { Page } from "../core/pages/page.ts";
import type { Rechecked } from "../core/recheck.ts";
import type { Workspace } from "../core/workspace.ts";
import type { OptionName, Options } from "./options.ts";
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

/** Writes the unchanged lines and the receipt of a page, for standard error. */
export function sayReceipt(
  path: string,
  { receipt, hunks }: Page,
  { receipt: isAsked }: ReadRequest,
): string {
  const kept = (hunks ?? []).flatMap((hunk) => {
    if (!("kept" in hunk)) return [];
    const [from, to] = hunk.kept;
    const now = rangeOf(hunk.start, hunk.start + to - from);
    return hunk.start === from ? now : `${now} (then ${rangeOf(from, to)})`;
  });
  const left = kept.length === 0
    ? ""
    : `Unchanged lines of ${quote(path)} are left out: ${kept.join(", ")}\n`;
  return left + (isAsked ? `Receipt of ${quote(path)}: ${receipt}\n` : "");
}

/** Turns the failure of an invalid receipt into a usage error. */
export function asUsage(error: unknown, request: ReadRequest): unknown {
  const { since, recheck } = request;
  if ((since ?? recheck) === undefined) return error;
  if (!(error instanceof ReadFileError) || !error.is("INVALID_ARGUMENT")) {
    return error;
  }
  const { argument, problem } = error.details;
  const name = since === undefined ? "--recheck" : "--since";
  return argument === "since" || argument === "receipt"
    ? new UsageError(`${name} ${problem}; ${error.hint}`)
    : error;
}

const NOT_BESIDE: readonly (readonly [OptionName, readonly OptionName[]])[] = [
  ["receipt", ["max-bytes"]],
  ["since", ["max-bytes", "indent", "recheck"]],
  [
    "recheck",
    [
      ...["max-bytes", "indent", "head", "tail", "column"] as const,
      ...["encoding", "receipt", "numbers", "no-numbers", "color"] as const,
    ],
  ],
];

/** Refuses options and targets that have no effect with a receipt, or an unexpected one. */
export function refuseBesideReceipt(
  values: Options,
  targets: readonly Target[],
): void {
  for (const [name, others] of NOT_BESIDE) {
    if (values[name] === undefined) continue;
    const other = others.find((option) => values[option] !== undefined);
    if (other !== undefined) {
      throw new UsageError(`--${name} and --${other} cannot both be; take one`);
    }
    if (name === "receipt") continue;
    if (targets.length > 1) {
      throw new UsageError(`--${name} needs one PATH; name one`);
    }
    const { part, text } = targets[0]!;
    const isWhole = Object.keys(part).length === 0;
    if (name === "recheck" && !isWhole) {
      throw new UsageError(
        `--recheck knows which lines are meant; leave them out of ${
          quote(text)
        }`,
      );
    }
    if ("match" in part) {
      throw new UsageError(
        "--since and a pattern cannot both be; take one",
      );
    }
  }
}
