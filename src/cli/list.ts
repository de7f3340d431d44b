import { ReadFileError } from "../core/base/errors.ts";
import { quote, visibleJson } from "../core/base/words.ts";
import type { ListedEntry, ListOptions } from "../core/list.ts";
import type { Workspace } from "../core/workspace.ts";
import type { ListRequest } from "./request.ts";
import { type Reporter, UsageError } from "./shell.ts";

/** Makes the function that prints what each directory holds. */
export function listerOf(
  workspace: Workspace,
  { options, json }: ListRequest,
  reporter: Reporter,
): (path: string) => Promise<void> {
  const write: (entry: ListedEntry) => string = json ? visibleJson : rowOf;
  return async (path) => {
    /** Why names were left out. */
    const reasons = new Set<string>();
    try {
      for (let next: ListOptions | null = options; next !== null;) {
        const page = await workspace.list(path, next);
        const above = page.path === "." ? "" : `${page.path}/`;
        const rows = page.entries.map((entry) =>
          `${write({ ...entry, path: above + entry.path })}\n`
        );
        await reporter.print(rows.join(""));
        for (const why of page.omitted) reasons.add(why);
        for (const { path, code } of page.unlisted) {
          await reporter.fail(`Cannot list ${quote(above + path)}: ${code}`);
        }
        next = page.next;
      }
    } catch (error) {
      if (!(error instanceof ReadFileError)) throw error;
      if (!error.is("INVALID_ARGUMENT")) throw error;
      const { argument, problem } = error.details;
      const isOption = argument === "depth" || argument === "glob";
      throw isOption ? new UsageError(`--${argument} ${problem}`) : error;
    }
    const notes = Array.from(
      reasons,
      (why) => `Left out: names that are ${why}`,
    );
    await reporter.warn(...notes.sort());
  };
}

/** Writes an entry as exactly one line. */
function rowOf({ path, kind, special, size }: ListedEntry): string {
  const quoted = visibleJson(path);
  const isPlain = quoted === `"${path}"` && path.trim() === path;
  const kinds = {
    file: size,
    directory: "dir",
    symlink: "link",
    other: special ?? kind,
  };
  return `${kinds[kind]}\t${isPlain ? path : quoted}`;
}
