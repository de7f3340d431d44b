import { Call } from "./base/call.ts";
import { checkValue, copyOf, listOf, takeOptions } from "./base/check.ts";
import type { Refuse, Rules } from "./base/check.ts";
import { ReadFileError, refuseArgument } from "./base/errors.ts";
import { MAX_LIST_DEPTH, MAX_LISTED } from "./base/limits.ts";
import type { Awaitable } from "./base/port.ts";
import { quote } from "./base/words.ts";
import { listDirectory, type Listing, type ListOptions } from "./list.ts";
import {
  READ_RULES,
  type ReadFields,
  type ReadOptions,
  takeReadOptions,
} from "./read_options.ts";
import type { Page } from "./pages/page.ts";
import type { Parts } from "./parts.ts";

/** Pages to read: a part of one file, or of each file that matches a glob. */
export type PageRequest =
  & ReadOptions
  & (
    | {
      /** The file: from the root, or absolute below it. */
      readonly path: string;
      readonly glob?: never;
    }
    | {
      /** In the grammar of {@linkcode ListOptions.glob}. Files up to five levels below the directory are found; links are not followed. */
      readonly glob: string;
      /** The directory; the root by default. */
      readonly path?: string;
    }
  );

/** The answer to one of several requests. */
export type ManyAnswer =
  | {
    readonly kind: "page";
    /** The path as it was asked for. */
    readonly path: string;
    /** The page; its `next` gives what did not fit. */
    readonly page: Page;
  }
  | {
    /** The page could not be read. */
    readonly kind: "error";
    /** The path as it was asked for. */
    readonly path: string;
    /** Why, with `code` and `message`. */
    readonly error: ReadFileError;
  }
  | {
    /** The page did not fit. */
    readonly kind: "skipped";
    /** The path as it was asked for. */
    readonly path: string;
    /** The options of the call that reads it, as plain JSON. */
    readonly next: ReadOptions;
  };

type ErrorAnswer = Extract<ManyAnswer, { readonly kind: "error" }>;

/** A request for one file, and its answer so far. */
export interface Task {
  readonly path: string;
  readonly options: ReadFields;
  answer?: ManyAnswer;
}

/** What `read` gives, or its failure as an answer; an abort ends the whole call. */
export async function orError<T>(
  read: () => Awaitable<T>,
): Promise<T | ErrorAnswer> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ReadFileError) || error.is("ABORTED")) throw error;
    return { kind: "error", path: error.path, error };
  }
}

/** Makes the failure of an argument that belongs to no path. */
export function refuseTo(action: string): Refuse {
  return (argument, problem) =>
    new ReadFileError("INVALID_ARGUMENT", "", { argument, problem }, {
      words: {
        INVALID_ARGUMENT: ({ details: { argument, problem } }) => [
          `Cannot ${action}: ${argument} ${problem}`,
        ],
      },
    });
}

/** The part of one file, before it is checked. */
type FileRequest = ReadFields & { readonly path: string };

const REQUEST_RULES: Rules<FileRequest> = {
  path: "any",
  ...READ_RULES,
};

/** Checks requests, and finds the files of globs; returns a task for each file. */
export async function takeRequests(
  parts: Parts,
  requests: readonly PageRequest[],
  refuse: Refuse,
  signal: AbortSignal | undefined,
): Promise<Task[]> {
  const tasks: Task[] = [];

  /** Does a step that adds tasks; its failure is the answer of one more task. */
  async function attempt(step: () => Awaitable<void>): Promise<void> {
    const answer = await orError(step);
    if (answer === undefined) return;
    tasks.push({ path: answer.path, options: {}, answer });
  }

  function addFile(request: FileRequest, name: string): void {
    const refuseOption = refuseArgument(request.path);
    const taken = takeOptions(request, REQUEST_RULES, refuseOption);
    const { path, ...rest } = taken;
    checkValue(`${name}.path`, path, "text", refuse);
    tasks.push({ path, options: takeReadOptions(path, rest) });
  }

  /**
   * Adds the files of a glob. The failure of one of them, or of a directory, is an
   * answer among theirs. A failure of the glob itself is thrown.
   */
  async function addFiles(
    { glob, path = ".", ...options }: Partial<FileRequest> & {
      readonly glob: string;
    },
    name: string,
  ): Promise<void> {
    const list = (path: string, options: ListOptions) =>
      listDirectory(parts, path, options, signal);
    const before = tasks.length;
    const all = { glob, depth: MAX_LIST_DEPTH, limit: MAX_LISTED };
    for (let next: ListOptions | null = all; next !== null;) {
      const listing: Listing = await list(path, next);
      const above = listing.path === "." ? "" : `${listing.path}/`;
      for (const { path: below, kind } of listing.entries) {
        if (kind !== "file") continue;
        const request = { ...options, path: above + below };
        await attempt(() => addFile(request, name));
      }
      for (const { path: below } of listing.unlisted) {
        // Listing the directory itself gives the failure.
        await attempt(async () => {
          await list(above + below, {});
        });
      }
      ({ next } = listing);
    }
    if (tasks.length === before) throw noFile(glob);
  }

  const call = new Call("", signal);
  const wanted = 'an array, such as [{ path: "a.txt" }]';
  const list = listOf(requests, "requests", refuse, wanted);
  // `entries()` visits the holes of an array too, so that they are refused.
  for (const [at, one] of list.entries()) {
    await call.yieldIfDue();
    await attempt(() => {
      const name = `requests[${at}]`;
      const request = copyOf(one as PageRequest, name, refuse);
      return request.glob === undefined
        ? addFile(request, name)
        : addFiles(request, name);
    });
  }
  return tasks;
}

function noFile(glob: string): ReadFileError {
  return new ReadFileError("NOT_FOUND", glob, { reason: "missing" }, {
    words: {
      NOT_FOUND: ({ path }) => [
        `Cannot read ${quote(path)}: no file matches`,
        "check the glob, or list the directory",
      ],
    },
  });
}
