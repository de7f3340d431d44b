// Runtime-agnostic.
import type { ReadFileError } from "./errors.ts";
import type { FileRoot, OpenOptions } from "./file_root.ts";
import type { PageOptions } from "./pages/options.ts";
import type { Page } from "./pages/page.ts";

/**
 * One of several pages to read: a path, and which part of that file.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, type PageRequest } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.ts": "export {};\n", "/notes/todo.md": "first\nlast\n" });
 * const notes = await openWorkspace("/notes", { fs });
 * const requests: PageRequest[] = [{ path: "a.ts" }, {
 *   path: "todo.md",
 *   tail: 1,
 *   workspace: notes,
 * }];
 * const answers = await (await openWorkspace("/repo", { fs })).readMany(requests);
 * assertEquals(answers.map((answer) => answer.kind === "page" && answer.page.size), [11, 11]);
 * ```
 */
export interface PageRequest extends PageOptions {
  /** The path: from the root, or absolute below it. */
  readonly path: string;
  /** Where it is read, if not in the workspace that is asked. */
  readonly workspace?: FileRoot;
}

/**
 * Options for {@linkcode Workspace.readMany}.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, type ReadManyOptions } from "@agent-tools/read-file";
 * import { assert } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.log": "a\n".repeat(99), "/repo/b.log": "b\n".repeat(99) });
 * const workspace = await openWorkspace("/repo", { fs });
 * const room: ReadManyOptions = { maxBytes: 40 };
 * const answers = await workspace.readMany([{ path: "a.log" }, { path: "b.log" }], room);
 * const shown = answers.map((answer) =>
 *   answer.kind === "page" ? answer.page.bytes().length : 0
 * );
 * assert(shown.every((bytes) => bytes > 0 && bytes <= 20));
 * ```
 */
export interface ReadManyOptions extends OpenOptions {
  /** The most bytes to show of all files together; no limit by default. */
  readonly maxBytes?: number | undefined;
}

/**
 * A page that was read.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, type PageAnswer } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const workspace = await openWorkspace("/repo", {
 *   fs: memoryFs({ "/repo/a.txt": "one\ntwo\n" }),
 * });
 * const answers = await workspace.readMany([{ path: "none" }, { path: "a.txt", count: 1 }]);
 * const pages = answers.filter((answer): answer is PageAnswer => answer.kind === "page");
 * assertEquals(pages.map(({ path, page }) => [path, page.next?.start]), [["a.txt", 2]]);
 * ```
 */
export interface PageAnswer {
  /** Always `"page"`. */
  readonly kind: "page";
  /** The path as it was asked for. */
  readonly path: string;
  /** The page; what did not fit follows by its own `next`. */
  readonly page: Page;
}

/**
 * A page that could not be read.
 *
 * @example Usage
 * ```ts
 * import { type ErrorAnswer, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const explain = ({ path, error }: ErrorAnswer) => `${path}: ${error.code}`;
 * const workspace = await openWorkspace("/repo", { fs: memoryFs({ "/repo/src/a.ts": "" }) });
 * const [answer] = await workspace.readMany([{ path: "src" }]);
 * assert(answer?.kind === "error");
 * assertEquals(explain(answer), "src: NOT_A_FILE");
 * ```
 */
export interface ErrorAnswer {
  /** Always `"error"`. */
  readonly kind: "error";
  /** The path as it was asked for. */
  readonly path: string;
  /** Why, with `code` and `message`. */
  readonly error: ReadFileError;
}

/**
 * A page for which there was no room.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, type SkippedAnswer } from "@agent-tools/read-file";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const workspace = await openWorkspace("/", {
 *   fs: memoryFs({ "/a": "aaaaaaaa", "/b": "bbbbbbbb" }),
 * });
 * const readLater = ({ path, next }: SkippedAnswer) => workspace.read(path, next);
 * const [, answer] = await workspace.readMany([{ path: "a" }, { path: "b" }], { maxBytes: 4 });
 * assert(answer?.kind === "skipped");
 * assertEquals((await readLater(answer)).lines[0]?.text, "bbbb");
 * ```
 */
export interface SkippedAnswer {
  /** Always `"skipped"`. */
  readonly kind: "skipped";
  /** The path as it was asked for. */
  readonly path: string;
  /** The options of the call that reads it, as plain JSON. */
  readonly next: PageOptions;
}

/**
 * What became of one of several pages.
 *
 * @example Usage
 * ```ts
 * import { type ManyAnswer, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * function tell(answer: ManyAnswer): string {
 *   if (answer.kind === "page") return `${answer.path} has ${answer.page.totalLines} lines`;
 *   return answer.kind === "error" ? answer.error.message : `${answer.path} found no room`;
 * }
 *
 * const workspace = await openWorkspace("/repo", {
 *   fs: memoryFs({ "/repo/a.txt": "one\ntwo" }),
 * });
 * const answers = await workspace.readMany([{ path: "a.txt" }]);
 * assertEquals(answers.map(tell), ["a.txt has 2 lines"]);
 * ```
 */
export type ManyAnswer = PageAnswer | ErrorAnswer | SkippedAnswer;
