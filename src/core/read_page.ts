// Runtime-agnostic.
import { Call } from "./call.ts";
import { makePage, selectPage } from "./pages/make_page.ts";
import { type PageOptions, takeLimits, takeOptions } from "./pages/options.ts";
import type { Page } from "./pages/page.ts";
import { takeTurns } from "./pages/steps.ts";
import type { FileRoot, OpenOptions } from "./file_root.ts";
import { readFile } from "./read_file.ts";

/** Reads a page; `workspace.read` is the way to it. */
export async function readPage(
  workspace: FileRoot,
  path: string,
  asked: PageOptions,
  limits: OpenOptions,
): Promise<Page> {
  const options = takeOptions(path, asked);
  const { signal } = takeLimits(path, limits, ["signal"]);
  const { maxBytes = Infinity, etag } = options;
  const policy = { maxWindowBytes: maxBytes, etag, signal };
  // From before the file is looked at, or its times would prove less.
  const now = Date.now();
  const call = new Call(path, signal);
  const window = await readFile(workspace, path, selectPage(options), policy);
  return takeTurns(makePage(window, options, now), call);
}

/** Reads a page, and the ones after it, to the last. */
export async function* readPages(
  workspace: FileRoot,
  path: string,
  options: PageOptions,
  limits: OpenOptions,
): AsyncGenerator<Page, void> {
  let page = await readPage(workspace, path, options, limits);
  yield page;
  while (page.next !== null) {
    page = await readPage(workspace, path, page.next, limits);
    yield page;
  }
}
