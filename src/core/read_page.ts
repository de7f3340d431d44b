// Runtime-agnostic.
import { Call, runInSteps } from "./base/call.ts";
import { type Rules, takeOptions } from "./base/check.ts";
import { refuseArgument } from "./base/errors.ts";
import { lazyPart } from "./base/errno.ts";
import type { CountTokens } from "./cost.ts";
import type { ViewChoice, Views } from "./media/view.ts";
import { makePage } from "./pages/make.ts";
import { selectPage, takePageOptions } from "./pages/page.ts";
import type { Page, PageOptions } from "./pages/page.ts";
import { type Finder, findMatch, findPage } from "./finders.ts";
import { readWith } from "./read.ts";
import { type FileRoot, internalsOf, type OpenOptions } from "./file_root.ts";

const costPart = /* @__PURE__ */ lazyPart(() => import("./cost.ts"));
const recheckPart = /* @__PURE__ */ lazyPart(() => import("./recheck.ts"));
const viewPart = /* @__PURE__ */ lazyPart(() => import("./media/view.ts"));

/** Options for every call that reads pages. */
export interface ReadLimits extends OpenOptions {
  /** Counts the tokens of a text; {@linkcode boundTokens} by default. */
  readonly countTokens?: CountTokens | undefined;
}

const READ_LIMITS: Rules<ReadLimits> = {
  signal: "signal",
  countTokens: "function",
};

/** Checks and copies the limits of a call. */
export function takeReadLimits(path: string, limits: ReadLimits): ReadLimits {
  return takeOptions(limits, READ_LIMITS, refuseArgument(path));
}

const NO_VIEWS: Views = { usual: [], named: [] };

/** The same finder, which reads a view of the file, if the call names one, or one is the default; `note` gets the name of the view. */
export function withView(
  workspace: FileRoot,
  finder: Finder,
  choice: ViewChoice,
  note: (name: string | null) => void = () => {},
): Finder {
  const { views = NO_VIEWS } = internalsOf(workspace);
  const { view, pages } = choice;
  const isRaw = view === undefined ? views.usual.length === 0 : view === "raw";
  if (isRaw && pages === undefined) return finder;
  return {
    ...finder,
    async open(file, call) {
      const { openView } = await viewPart(file.path);
      const viewed = await openView(file, call, views, choice);
      note(viewed.name);
      return viewed;
    },
  };
}

/** Reads a page, for `workspace.read`. */
export async function readPage(
  workspace: FileRoot,
  path: string,
  input: PageOptions,
  limits: ReadLimits,
): Promise<Page> {
  const options = takePageOptions(path, input);
  const { signal, countTokens } = takeReadLimits(path, limits);
  const read = (other: PageOptions) =>
    readPage(workspace, path, other, { signal });
  if (options.maxTokens !== undefined) {
    const { fitTokens } = await costPart(path);
    const call = new Call(path, signal);
    return await fitTokens(options, countTokens, read, call);
  }
  if (options.since !== undefined) {
    const { readSince } = await recheckPart(path);
    return await readSince(workspace, path, options, signal, read);
  }
  const { maxBytes = Infinity, encoding = "auto", etag, end } = options;
  // Sample the clock before `stat()`; later would make a fresh change look old.
  const now = Date.now();
  const isOfHits = (options.match ?? options.lines) !== undefined;
  // With a `limit`, the search ends there, so that the hits after it are not counted. A
  // page with an `etag` follows another one, which has counted the hits.
  const counts = options.limit === undefined && etag === undefined;
  const finder = isOfHits
    ? await findMatch({ ...options, counts }, path, etag)
    : findPage(selectPage(options), etag, end);
  let { view } = options;
  const viewFinder = withView(workspace, finder, options, (name) => {
    view = name ?? view;
  });
  const policy = { maxWindowBytes: maxBytes, encoding, signal };
  const window = await readWith(workspace, path, viewFinder, policy);
  const optionsWithView = view === undefined ? options : { ...options, view };
  return runInSteps(
    makePage(window, optionsWithView, now),
    new Call(path, signal),
  );
}

export async function* readPages(
  workspace: FileRoot,
  path: string,
  options: PageOptions,
  limits: ReadLimits,
): AsyncGenerator<Page, void> {
  for (let next: PageOptions | null = options; next !== null;) {
    const page: Page = await readPage(workspace, path, next, limits);
    yield page;
    ({ next } = page);
  }
}
