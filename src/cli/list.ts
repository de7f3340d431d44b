// Runtime-agnostic.
import { ReadFileError } from "../core/base/errors.ts";
import { quote } from "../core/base/words.ts";
import type { ListedEntry, ListOptions } from "../core/list.ts";
import type { Workspace } from "../core/workspace.ts";
import { hiddenPatterns } from "../core/unicode/rules.ts";
import { escapeInJson } from "../core/pages/grammar.ts";
import type { ListRequest } from "./request.ts";
import { UsageError } from "./target.ts";

/** How a directory is listed. */
export interface ListView {
  readonly options: ListOptions;
  readonly json: boolean;
}

/** Where a listing goes. */
interface ListOutlet {
  print(output: string): Promise<void>;
  /** Takes what is to be said on standard error. */
  complain(what: string | Error): Promise<void>;
}

/** Prints all entries of directories; tells whether all of them could be listed. */
export async function printLists(
  workspace: Workspace,
  { paths, view }: Pick<ListRequest, "paths" | "view">,
  outlet: ListOutlet,
): Promise<boolean> {
  let isWhole = true;
  for (const path of paths) {
    try {
      if (!await printList(workspace, path, view, outlet)) isWhole = false;
    } catch (error) {
      if (!(error instanceof ReadFileError)) throw error;
      if (error.code === "INVALID_ARGUMENT") {
        const { argument, problem } = error.details;
        const isOption = argument === "depth" || argument === "glob";
        if (isOption) throw new UsageError(`--${argument} ${problem}`);
      }
      // One that fails does not keep the others from being listed.
      isWhole = false;
      await outlet.complain(error);
    }
  }
  return isWhole;
}

async function printList(
  workspace: Workspace,
  path: string,
  { options, json }: ListView,
  { print, complain }: ListOutlet,
): Promise<boolean> {
  const omitted = new Set<string>();
  let isWhole = true;
  for (let next: ListOptions | null = options; next !== null;) {
    const page = await workspace.list(path, next);
    const above = page.path === "." ? "" : `${page.path}/`;
    const write = json ? jsonOf : rowOf;
    const rows = page.entries.map((entry) =>
      `${write({ ...entry, path: above + entry.path })}\n`
    );
    await print(rows.join(""));
    for (const why of page.omitted) omitted.add(why);
    for (const { path, code } of page.unlisted) {
      isWhole = false;
      await complain(`Cannot list ${quote(above + path)}: ${code}`);
    }
    next = page.next;
  }
  if (omitted.has("denied")) await complain("Left out: names that are denied");
  if (omitted.has("not Unicode")) {
    await complain("Left out: names that are not Unicode");
  }
  return isWhole;
}

/** One entry is one line, whatever its name is. */
function rowOf({ path, kind, size }: ListedEntry): string {
  const quoted = inJson(path);
  const isPlain = quoted === `"${path}"` && path.trim() === path;
  const what = {
    file: size,
    directory: "dir",
    symlink: "link",
    other: "other",
  };
  return `${what[kind]}\t${isPlain ? path : quoted}`;
}

function jsonOf(entry: ListedEntry): string {
  return inJson(entry);
}

function inJson(value: unknown): string {
  return JSON.stringify(value).replace(hiddenPatterns().each, escapeInJson);
}
