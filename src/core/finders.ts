// Runtime-agnostic.
import type { Call } from "./base/call.ts";
import { lazyPart } from "./base/errno.ts";
import type { ReadFileError } from "./base/errors.ts";
import type {
  BlockSelection,
  LineSelection,
  PageSelection,
  ReadPolicy,
  Selection,
} from "./base/selection.ts";
import type { OpenedFile } from "./guard/open.ts";
import { locateAll, locateLines, locateTail } from "./lines/locate.ts";
import type { Lines, Span } from "./lines/locate.ts";
import type { Source } from "./lines/source.ts";
import { readWindow, type TextWindow } from "./lines/window.ts";
import type { Viewed } from "./media/view.ts";
import type { HitSelection } from "./pages/hits.ts";
import { locatePage } from "./pages/locate_page.ts";
import {
  checkEtag,
  settle as compareRest,
  type Version,
} from "./pages/version.ts";

const blockPart = /* @__PURE__ */ lazyPart(() => import("./lines/block.ts"));
const hitsPart = /* @__PURE__ */ lazyPart(() => import("./pages/hits.ts"));
const signaturesPart = /* @__PURE__ */ lazyPart(() =>
  import("./media/signatures.ts")
);

/** Reads the lines of one selection. Most need only `read`; the functions are called in this order. Each kind of finder is made by its own function, so that bundles tree-shake the others. */
export interface Finder {
  /** Opens a view, which is read instead of the file; it may know its encoding. */
  readonly open?: (file: OpenedFile, call: Call) => Promise<Viewed>;
  /** Checks the version of the file before anything is located. */
  readonly check?: (source: Source, policy: ReadPolicy) => Promise<unknown>;
  /** Locates the lines, and decodes them. */
  readonly read: (source: Source, policy: ReadPolicy) => Promise<TextWindow>;
  /** Completes a check that `check` postponed until the window is known. */
  readonly settle?: (source: Source, window: TextWindow) => Promise<void>;
  /** Adds details to a failure that follows from the content. */
  readonly explain?: (
    failure: ReadFileError,
    source: Source,
  ) => Promise<ReadFileError>;
  /** Makes the cache key: all that the answer depends on besides the file and the policy. Without a key, nothing is cached. Call it after `check`, which may forbid the cache. */
  readonly key?: () => string | undefined;
}

/** Locates consecutive lines. */
type Locate = (source: Source, policy: ReadPolicy) => Promise<Span>;

/** Makes the `read` of consecutive lines; `keepsBytes` says whether their bytes are needed besides their text. */
export function readLocated(
  locate: Locate,
  keepsBytes = false,
): Finder["read"] {
  return async (source, policy) => {
    const span = await locate(source, policy);
    return await readWindow(source, span, policy, keepsBytes);
  };
}

/** A finder of a selection, which is plain JSON. */
function finderOf(selection: object, locate: Locate): Finder {
  return { read: readLocated(locate), key: () => JSON.stringify(selection) };
}

export const findAll: Finder = /* @__PURE__ */ finderOf(
  { kind: "all" },
  locateAll,
);

export function findLines(lines: Lines): Finder {
  return finderOf(
    lines,
    (source, policy) => locateLines(source, lines, policy),
  );
}

/** Finds whole lines by their numbers, from either end. */
export function findByNumber(selection: LineSelection): Finder {
  if (selection.kind === "all") return findAll;
  if (selection.kind === "lines") return findLines(selection);
  return finderOf(
    selection,
    (source, policy) => locateTail(source, selection, policy),
  );
}

/** Finds the lines around an anchor, by indentation. */
export function findBlock(block: BlockSelection): Finder {
  return finderOf(block, async (source) => {
    const { locateBlock } = await blockPart(source.path);
    return await locateBlock(source, block);
  });
}

/**
 * Finds lines, from a column of the first one, as many as fit. With the `etag`
 * of an earlier page, checks that the file is still that version. `lastLine` is
 * the last line that the caller will ask for in this series of pages: the page
 * that reaches it makes the postponed check.
 */
export function findPage(
  page: PageSelection,
  etag?: string,
  lastLine = Infinity,
): Finder {
  let pending: Version | undefined;
  const checks: Partial<Finder> = etag === undefined ? {} : {
    async check(source, policy) {
      pending = await checkEtag(source, etag, page, policy);
    },
    async settle(source, { next }) {
      const isLast = next === null || next > lastLine;
      if (pending !== undefined && isLast) await compareRest(source, pending);
    },
  };
  return {
    ...checks,
    // While the check is pending, the window may mix two versions.
    key: () => pending === undefined ? JSON.stringify(page) : undefined,
    // While the check is pending, the page begins at the byte where the earlier pages
    // ended.
    read: readLocated(
      (source, policy) => locatePage(source, page, policy, pending?.end),
      true,
    ),
  };
}

/** Finds the lines that match, or that have the given numbers, and lines around them. With `etag`, checks that the file is still that version. */
export async function findMatch(
  selection: HitSelection,
  path: string,
  etag?: string,
): Promise<Finder> {
  const hits = await hitsPart(path);
  const finder: Finder = hits.hitsFinder(selection, path);
  if (etag === undefined) return finder;
  return { ...finder, check: (source) => checkEtag(source, etag) };
}

/** The same finder, whose failure for a binary file names the kind of file. */
export function withBinaryKind(finder: Finder): Finder {
  return {
    ...finder,
    async explain(failure, source) {
      if (!failure.is("BINARY")) return failure;
      const { explainBinary } = await signaturesPart(source.path);
      return await explainBinary(failure, source);
    },
  };
}

/** Makes the finder of any selection. */
export async function finderFor(
  selection: Selection,
  path: string,
): Promise<Finder> {
  switch (selection.kind) {
    case "page":
      return findPage(selection);
    case "block":
      return findBlock(selection);
    case "match":
      return await findMatch(selection, path);
    default:
      return findByNumber(selection);
  }
}
