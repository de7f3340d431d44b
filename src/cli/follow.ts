// Goes on with what is appended to a file.
import { ReadFileError } from "../core/base/errors.ts";
import type { Awaitable } from "../core/base/port.ts";
import { quote } from "../core/base/words.ts";
import type { Page } from "../core/pages/page.ts";
import { given } from "../core/read_options.ts";
import type { ReadFields, ReadOptions } from "../core/read_options.ts";
import type { Workspace } from "../core/workspace.ts";
import type { Reporter } from "./shell.ts";

/** How often the file is looked at. */
const FOLLOW_MS = 500;
/** The most bytes on a page of text; more is not faster. */
export const PAGE_BYTES = 1 << 17;

interface FollowedFile {
  readonly workspace: Workspace;
  readonly path: string;
  readonly encoding: string | undefined;
}

/**
 * Prints what is appended after a page, until the shell ends it. A file that was
 * replaced, cut off or rewritten is printed from its beginning, and that is said.
 */
export async function follow(
  { workspace, path, encoding }: FollowedFile,
  last: Page,
  reporter: Reporter,
  write: (page: Page) => Awaitable<string | Uint8Array>,
): Promise<void> {
  let from = after(last, {});
  let isGone = false;
  while (await reporter.shell.pause(FOLLOW_MS)) {
    for (let isMore = true; isMore;) {
      try {
        const options = given({ ...from, encoding, maxBytes: PAGE_BYTES });
        const page = await workspace.read(path, options as ReadOptions);
        await reporter.print(await write(page));
        from = after(page, from);
        isMore = page.next !== null;
        isGone = false;
      } catch (error) {
        if (!(error instanceof ReadFileError)) throw error;
        if (error.is("CHANGED")) {
          // One that changes all the time is looked at again after a pause.
          isMore = from.etag !== undefined;
          if (isMore) {
            const what = HOW[error.details.how];
            await reporter.warn(
              `${quote(path)} was ${what}; it is shown from its beginning`,
            );
          }
          from = {};
        } else if (error.is("NOT_FOUND")) {
          if (!isGone) await reporter.warn(`${quote(path)} is gone; waiting`);
          isGone = true;
          isMore = false;
        } else throw error;
      }
    }
  }
}

const HOW = {
  replaced: "replaced by another file",
  shrank: "cut off",
  rewritten: "rewritten",
  grew: "rewritten",
  path: "moved during the read",
} as const;

/** Where the file goes on after a page; one without lines leaves it where it was, and proves less than the one before. */
function after({ lines, etag }: Page, from: ReadFields): ReadFields {
  const line = lines.at(-1);
  if (line === undefined) return { etag, ...from };
  const { number, column, text, ending } = line;
  if (ending !== "") return { start: number + 1, etag };
  const passed = Array.from(text).length;
  return { start: number, column: column + passed, etag };
}
