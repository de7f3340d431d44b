// Runtime-agnostic.
import { quote } from "../core/base/words.ts";
import type { ListedEntry, ListOptions } from "../core/list.ts";
import type { Workspace } from "../core/workspace.ts";
import { EACH_HIDDEN } from "../core/unicode/rules.ts";
import { escapeInJson } from "../core/pages/grammar.ts";

/** How a directory is listed. */
export interface ListView {
  readonly options: ListOptions;
  readonly json: boolean;
}

/** Where a listing goes. */
interface ListOutlet {
  print(output: string): Promise<void>;
  /** Takes what is to be said on standard error. */
  complain(sentence: string): Promise<void>;
}

/** Prints all entries of a directory; tells whether all of them could be listed. */
export async function printList(
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
  return JSON.stringify(value).replace(EACH_HIDDEN, escapeInJson);
}
