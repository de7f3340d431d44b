// Runtime-agnostic.
import { Call, takeTurns } from "./base/call.ts";
import { findMatch } from "./find_match.ts";
import { type AskedView, openView, type Views } from "./media/view.ts";
import { makePage } from "./pages/make.ts";
import { type Page, type PageOptions, takePageOptions } from "./pages/page.ts";
import { selectHits, selectPage } from "./pages/select.ts";
import {
  checked,
  type Finder,
  findNextPage,
  findPage,
  readFound,
} from "./read.ts";
import { readSince } from "./since.ts";
import {
  type FileRoot,
  innerOf,
  type OpenOptions,
  takeLimits,
} from "./workspace.ts";

const NO_VIEWS: Views = { usual: [], named: [] };

/** Lets a finder read a view of the file, if the call names one, or one is usual. */
export function viewing(
  workspace: FileRoot,
  finder: Finder,
  asked: AskedView,
  note: (name: string | null) => void = () => {},
): Finder {
  const { views = NO_VIEWS } = innerOf(workspace);
  return {
    ...finder,
    async open(file, call) {
      const viewed = await openView(file, call, views, asked);
      note(viewed.name);
      return viewed.file;
    },
  };
}

/** Reads a page; `workspace.read` is the way to it. */
export async function readPage(
  workspace: FileRoot,
  path: string,
  asked: PageOptions,
  limits: OpenOptions,
): Promise<Page> {
  const options = takePageOptions(path, asked);
  const { signal } = takeLimits(path, limits);
  if (options.since !== undefined) {
    const read = (other: PageOptions) =>
      readPage(workspace, path, other, limits);
    return await readSince(workspace, path, options, signal, read);
  }
  const { maxBytes = Infinity, encoding = "auto", etag, end } = options;
  // Sample the clock before `stat()`; later would make a fresh change look old.
  const now = Date.now();
  const hits = selectHits(options);
  const selection = selectPage(options);
  const finder = hits !== undefined
    ? checked(findMatch(hits, path), etag)
    : etag === undefined
    ? findPage(selection)
    : findNextPage(selection, etag, end);
  let { view } = options;
  const viewer = viewing(workspace, finder, options, (name) => {
    view = name ?? view;
  });
  const policy = { maxWindowBytes: maxBytes, encoding, signal };
  const window = await readFound(workspace, path, viewer, policy);
  const told = view === undefined ? options : { ...options, view };
  return takeTurns(makePage(window, told, now), new Call(path, signal));
}

/** Reads a page, and the ones after it, to the last. */
export async function* readPages(
  workspace: FileRoot,
  path: string,
  options: PageOptions,
  limits: OpenOptions,
): AsyncGenerator<Page, void> {
  for (let next: PageOptions | null = options; next !== null;) {
    const page: Page = await readPage(workspace, path, next, limits);
    yield page;
    ({ next } = page);
  }
}
