// What changed since a revision of git, and files as they were then.
import { ReadFileError } from "../core/base/errors.ts";
import type { FsPort } from "../core/base/port.ts";
import { quote, visibleJson } from "../core/base/words.ts";
import {
  type ChangedLine,
  type ChangesSince,
  isKept,
  notComparable,
  readChanges,
} from "../core/changes_since.ts";
import { CONTEXT, linesNear } from "../core/render_changes.ts";
import type { Revisions } from "../core/revisions.ts";
import { escapeHidden } from "../core/unicode/escape.ts";
import { partsOf } from "../core/workspace.ts";
import { loadGit } from "./packages.ts";
import type { ChosenTarget } from "./printer.ts";
import type { ReadRequest } from "./request.ts";
import { HostError, type Reporter, UsageError } from "./shell.ts";

/** The revisions of the repository that a workspace lies in; the package that reads them is loaded when it is needed. */
export class GitRevisions implements Revisions {
  readonly #reporter: Reporter;
  readonly #allow: readonly string[];
  #loaded: Promise<Revisions> | undefined;

  constructor(reporter: Reporter, allow: readonly string[]) {
    this.#reporter = reporter;
    this.#allow = allow;
  }

  /** Loads the package; fails with what to install. */
  async load(): Promise<Revisions> {
    const { fs } = this.#reporter.shell;
    const options = { allow: this.#allow, ...fs && { fs } };
    this.#loaded ??= loadGit().then((make) => make(options), (cause) => {
      const what = "@agent-tools/read-file-git could not be loaded";
      const advice = "install it beside this package";
      throw new HostError(`Cannot read revisions: ${what}; ${advice}`, {
        cause,
      });
    });
    return await this.#loaded;
  }

  /** Opens a revision. */
  async open(...args: Parameters<Revisions["open"]>): Promise<FsPort> {
    const revisions = await this.load();
    try {
      return await revisions.open(...args);
    } catch (error) {
      const isOutside = error instanceof ReadFileError &&
        error.is("OUTSIDE_WORKSPACE");
      if (!isOutside) throw error;
      const hint = "name the folder with --git-allow, if you trust it";
      throw error.with({ hint });
    }
  }
}

/** A name of a revision, and a path in it, as git writes them. It does not match a drive of Windows, or "~/" for the home directory. */
const IN_REVISION = /^(?!~)(?<rev>(?:[^:{]|\{[^}]*\})+):(?<path>[^]+)$/;
const DRIVE = /^[a-z]:[\\/]/i;

/** Takes `HEAD~2:PATH` apart; `undefined` for what cannot be one. */
export function parseRevision(
  text: string,
): { readonly rev: string; readonly path: string } | undefined {
  if (DRIVE.test(text)) return undefined;
  const { rev, path } = IN_REVISION.exec(text)?.groups ?? {};
  return rev === undefined || path === undefined ? undefined : { rev, path };
}

/** Whether a failure to open a revision says that there is none of that name. */
export function isNoRevision(error: unknown): boolean {
  return error instanceof HostError ||
    error instanceof ReadFileError &&
      (error.is("NOT_FOUND") || error.is("INVALID_ARGUMENT"));
}

/** Makes the function that prints what changed in the requested lines of each file. */
export function changesPrinterOf(
  rev: string,
  request: ReadRequest,
  reporter: Reporter,
): (target: ChosenTarget) => Promise<void> {
  const { output: { isTerminal }, styles } = reporter.shell;
  const { json } = request;
  const { numbers = isTerminal } = request;
  const print = writerOf(isTerminal, isTerminal && styles, numbers);
  let headings = 0;
  return async ({ workspace, start, path, parts }) => {
    if (start !== "") {
      const name = quote(start);
      throw new UsageError(
        `${name} means nothing with --changes, which compares files as they are; leave it out`,
      );
    }
    let hasHeading = json || request.targets.length === 1;
    for (const options of parts) {
      const wrong = notComparable(options);
      if (wrong !== undefined) {
        const name = NAMES[wrong] ?? `--${wrong}`;
        throw new UsageError(
          `${name} means nothing with --changes; leave it out`,
        );
      }
      const changes = await readChanges(
        partsOf(workspace),
        path,
        rev,
        options,
        undefined,
      );
      if (json) {
        await reporter.print(`${visibleJson(changes)}\n`);
        continue;
      }
      await reporter.warn(noteOn(changes), noteOnEndings(changes));
      if (changes.lines.every(isKept)) continue;
      if (!hasHeading) {
        hasHeading = true;
        const name = isTerminal
          ? escapeHidden(path).replaceAll("\n", "\\u{A}")
          : path;
        await reporter.print(
          `${headings++ === 0 ? "" : "\n"}==> ${name} <==\n`,
        );
      }
      await reporter.print(print(changes));
    }
  };
}

/** How options of a read are written on the command line, where that is not their own name. */
const NAMES: Readonly<Record<string, string>> = {
  match: "A search",
  regex: "A search",
  ignoreCase: "A search",
  block: "--indent",
  maxBytes: "--max-bytes",
};

/** What a text without frame does not say. */
function noteOn(
  { path, rev, lines, totalBefore, minimal }: ChangesSince,
): string | undefined {
  const names = [quote(path), quote(rev)] as const;
  if (totalBefore === null) return `${names[0]} is not in ${names[1]}`;
  if (lines.every(isKept)) return `${names[0]} is the same in ${names[1]}`;
  return minimal
    ? undefined
    : `${
      names[0]
    } differs in so many lines that some shown as changed may be the same`;
}

function noteOnEndings(
  { path, rev, endingBefore }: ChangesSince,
): string | undefined {
  if (endingBefore === null) return undefined;
  const [before, now] = endingBefore === "\n" ? ["LF", "CRLF"] : ["CRLF", "LF"];
  return `${quote(path)} ends its lines in ${now}, and in ${
    quote(rev)
  } in ${before}; this is not compared`;
}

/** The separator of grep. */
const GAP = "--";

/** Makes the function that writes changes as a diff does: signs, and three lines around them. */
function writerOf(isTerminal: boolean, styles: boolean, numbers: boolean) {
  const styled = (text: string, style: number) =>
    styles ? `\x1b[${style}m${text}\x1b[0m` : text;
  const STYLES = { same: 0, moved: 0, added: 32, changed: 32, gone: 31 };
  return ({ lines }: ChangesSince): string => {
    const near = linesNear(lines, CONTEXT);
    const width = String(Math.max(...lines.map(numberOf))).length;
    let text = "";
    let last = -1;
    for (const [at, line] of lines.entries()) {
      if (near[at] === 0) continue;
      if (at > last + 1 && last >= 0) text += `${styled(GAP, 2)}\n`;
      last = at;
      const { kind, ending } = line;
      const sign = kind === "gone" ? "-" : isKept(line) ? " " : "+";
      const digits = String(numberOf(line)).padStart(width);
      const gutter = numbers ? `${digits}  ` : "";
      const shown = isTerminal ? escapeHidden(line.text) : line.text;
      const row = `${sign}${gutter}${shown}`;
      text += isKept(line) || !styles ? row : styled(row, STYLES[kind]);
      if (ending === "") text += "\n\\ No newline at end of file\n";
      else text += isTerminal ? "\n" : ending;
    }
    return text;
  };
}

function numberOf({ kind, before, after }: ChangedLine): number {
  return kind === "gone" ? before! : after;
}
