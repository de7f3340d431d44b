// Every read takes these steps, in the order of this file: `readPage` makes the
// page, `openAndRead` opens the file, `readOneVersion` makes sure that the answer
// does not mix two versions of it, `tryRead` chooses the encoding, `readAs`
// prepares the source and checks the etag, and `readContent` locates the lines
// and decodes them.
import { Call } from "./base/call.ts";
import { ownOf } from "./base/check.ts";
import { ReadFileError, refuseArgument } from "./base/errors.ts";
import type { FailureOf, ReadFileErrorCode } from "./base/errors.ts";
import { CHUNK_BYTES, LEAST_HIT_BYTES } from "./base/limits.ts";
import type { Awaitable } from "./base/port.ts";
import type { CountTokens } from "./base/tokens.ts";
import type { OpenedFile } from "./guard/open.ts";
import { isAtRest } from "./guard/proof.ts";
import { AS_UTF_8 } from "./lines/codec.ts";
import type { Encodings, ResolvedEncoding, ShownText } from "./lines/codec.ts";
import { locateBlock } from "./lines/block.ts";
import type { FileIndex } from "./lines/line_index.ts";
import { countOn, locate, mostBytes, mostCounted } from "./lines/locate.ts";
import { type LocateOptions, takeLines } from "./lines/locate.ts";
import { afterRun, bytesOf, readRun } from "./lines/run.ts";
import type { KernelPool } from "./lines/scan.ts";
import { Source } from "./lines/source.ts";
import { isLossy, joinBytes, readBinary } from "./lines/text.ts";
import { loadAll } from "./lines/unsized.ts";
import { explainBinary } from "./media/signatures.ts";
import { openView, usualViewOf, type Views } from "./media/view.ts";
import { fit, rowsToKeep } from "./pages/fit.ts";
import { makeMatcher, readHits } from "./pages/hits.ts";
import { Page, preparePage, shownText } from "./pages/page.ts";
import type { Found, Reading } from "./pages/page.ts";
import { haveSameResult, keyOf } from "./pages/readings.ts";
import type { Outcome, ReadingCache } from "./pages/readings.ts";
import { writePage } from "./pages/render.ts";
import { shorten } from "./pages/shorten.ts";
import { checkEtag, checkLast } from "./pages/etag.ts";
import { openIn, type Parts } from "./parts.ts";
import { type CallContext, rangeOf, type ReadFields } from "./read_options.ts";

/** More bytes than the characters of a text have, and than most tokens have: no more are read for each of them. */
const BYTES_A_CHAR = 4;
const BYTES_A_TOKEN = 32;
const REPLACEMENT = "\uFFFD";

/** The most bytes of a file to read for a text within limits. */
function bytesOfText(maxChars: number, maxTokens: number): number {
  return Math.min(maxChars * BYTES_A_CHAR, maxTokens * BYTES_A_TOKEN);
}

/** The most bytes of a file to read for a page within limits. */
export function bytesWithin(
  { maxBytes = Infinity, maxChars = Infinity, maxTokens = Infinity }:
    ReadFields,
): number {
  return Math.min(maxBytes, bytesOfText(maxChars, maxTokens));
}

/** Reads a page for a program, which may ask for its lines. Those of a large page are made here: a getter cannot let other work run meanwhile. */
export async function readPreparedPage(
  parts: Parts,
  call: Call,
  options: ReadFields,
  countTokens?: CountTokens,
): Promise<Page> {
  const page = await readPage(parts, call, options, countTokens);
  await preparePage(page, call);
  return page;
}

/** Reads a page: the only way from a request to lines. The options have been checked: by {@linkcode takeReadOptions}, or as the arguments of a tool. */
export async function readPage(
  parts: Parts,
  call: Call,
  asked: LocateOptions,
  countTokens?: CountTokens,
): Promise<Page> {
  const options = ownOf(asked);
  const { maxChars = Infinity, maxTokens = Infinity } = options;
  const least = options.match === undefined ? 0 : LEAST_HIT_BYTES;
  const mostShown = Math.max(least, bytesOfText(maxChars, maxTokens));
  const more = {
    ...(mostShown < Infinity && { mostShown }),
    // A tool searches directories, too.
    ...(parts.searches && { saysOtherCase: true }),
  };
  const hasMore = mostShown < Infinity || parts.searches === true;
  const isSearch = (options.match ?? options.lines) !== undefined;
  const search = isSearch ? await searchFor(options, call) : undefined;
  // Sample the clock before `stat()`; later would make a fresh change look old.
  const now = Date.now();
  const reading = await openAndRead(parts, {
    call,
    now,
    options: hasMore ? ownOf({ ...options, ...more }) : options,
    find: search ?? readLines,
    mayCache: search === undefined,
  });
  const whole = new Page(reading, options, now);
  const isBounded = options.maxLines !== undefined;
  const page = isBounded ? shortenedTo(options, whole) : whole;
  const isLimited = maxChars < Infinity || maxTokens < Infinity;
  // A tool shows the text of a page, and asks for lines only if they lost bytes: a
  // million lines take ten times the memory of their text.
  if (isLimited || page.text.includes(REPLACEMENT)) {
    await preparePage(page, call);
  }
  if (!isLimited) return page;
  const limits = { chars: maxChars, tokens: maxTokens };
  const fitted = await fit(page, limits, writePage, { countTokens, call });
  return fitted.page;
}

/** Reads the pages of a file one after the other. */
export async function* readPages(
  parts: Parts,
  path: string,
  options: ReadFields,
  { signal, countTokens }: CallContext,
): AsyncGenerator<Page, void> {
  for (let next: ReadFields | null = options; next !== null;) {
    const call = new Call(path, signal);
    const page: Page = await readPreparedPage(
      parts,
      call,
      next,
      countTokens,
    );
    yield page;
    ({ next } = page);
  }
}

/** The page with at most `maxLines` lines, where the lines were not located by it: hits and blocks. */
function shortenedTo({ maxLines = Infinity }: ReadFields, page: Page): Page {
  if (page.lineCount <= maxLines) return page;
  return shorten(page, rowsToKeep(page, maxLines));
}

/** Finds what is shown of a file, and decodes it; `at` is the byte where it begins, if that is known. */
export type Find = (
  source: Source,
  options: LocateOptions,
  at?: number,
) => Promise<Found>;

/** What is asked of a file. */
interface Request {
  readonly call: Call;
  readonly options: LocateOptions;
  /** The time, sampled before the file was opened. */
  readonly now: number;
  readonly find: Find;
  /** Whether the options alone say what is found, so that it may be cached. */
  readonly mayCache: boolean;
}

/** The search that the options ask for. */
async function searchFor(options: ReadFields, call: Call): Promise<Find> {
  const matcher = await makeMatcher(options, call);
  return (source, limits, at) => readHits(source, matcher, limits, at);
}

/** Opens the file, or its view, reads it and closes it. */
export async function openAndRead(
  parts: Parts,
  request: Request,
): Promise<Reading> {
  const { call, now } = request;
  const { path } = call;
  const { semaphore, indexes, kernels, cache, views } = parts;
  let { options } = request;
  let decoding = await decodingOf(options, path, parts.encodings);
  const slot = semaphore.acquire();
  // A call that is aborted here still gets its slot later, and then releases it.
  if (slot !== undefined) await call.wait(slot, () => semaphore.release());
  try {
    const { file: opened } = await openIn(parts, call);
    let file = opened;
    let view: string | null = null;
    try {
      // Files in `/proc` have the size 0, and content. A remote store knows the size,
      // and there a read would cost a request.
      if (file.stat.size === 0 && !file.stat.remote) {
        file = await loadAll(file, call);
      }
      if (mayHaveView(options, views)) {
        const viewed = await openView(file, call, views, options);
        ({ file, name: view } = viewed);
        // A view is text, also if the file is not.
        if (view !== null) options = ownOf({ ...options, binary: "text" });
        // A view that knows its encoding ignores the one that the call names.
        if (viewed.detection !== undefined) {
          decoding = { detection: viewed.detection };
        }
      }
      const { size } = file.stat;
      if (options.binary !== "bytes") refuseLarge(path, size, options);
      // One chunk is scanned sooner than an index is looked up.
      const index = size > CHUNK_BYTES ? indexes.of(file.stat, now) : undefined;
      const reading = await readOneVersion({
        ...request,
        options,
        file,
        view,
        views,
        kernels,
        index,
        // Views, and files of unknown size, are not cached.
        cache: file === opened && request.mayCache ? cache : undefined,
        ...decoding,
      });
      if (index !== undefined) indexes.keep(index);
      await file.close();
      return reading;
    } catch (error) {
      // A failed read may have added places to an index that was kept before. A new
      // index is dropped: it may mix two versions.
      indexes.recount(file.stat.id);
      // Best effort: keep the original error.
      await file.close().catch(() => {});
      throw error;
    }
  } finally {
    semaphore.release();
  }
}

function refuseLarge(
  path: string,
  size: number,
  { maxFileBytes: limit = Infinity }: ReadFields,
): void {
  if (size <= limit) return;
  const details = { what: "file", size, limit } as const;
  throw new ReadFileError("TOO_LARGE", path, details);
}

/** Whether the file may be shown by a view: one that the options name, or one that shows such files by default. */
function mayHaveView({ view, pages }: ReadFields, { usual }: Views): boolean {
  if (pages !== undefined) return true;
  return view === undefined ? usual.length > 0 : view !== "raw";
}

/** How bytes become text: in the encoding that the call names, or in the detected one; without both, in UTF-8. */
interface Decoding {
  readonly encoding?: ResolvedEncoding;
  readonly detection?: Encodings;
}

function decodingOf(
  { encoding: label }: ReadFields,
  path: string,
  encodings: Encodings,
): Awaitable<Decoding> {
  if (label === "utf-8") return { encoding: AS_UTF_8 };
  if (label === undefined) return { detection: encodings };
  const name = encodings.check(label, refuseArgument(path));
  if (name === "auto") return { detection: encodings };
  return encodings.resolve(name, path).then((encoding) => ({ encoding }));
}

/** An open file, and how it is read. */
export interface ReadContext extends Decoding, Request {
  readonly file: OpenedFile;
  /** The name of the view that the file is; `null` for the file itself. */
  readonly view: string | null;
  readonly views: Views;
  readonly kernels: KernelPool;
  readonly index: FileIndex | undefined;
  readonly cache: ReadingCache | undefined;
}

/**
 * Reads one version of the file; fails with `CHANGED` if the answer may mix two.
 * If the file grew, or only its times changed, its stat does not show whether it
 * was appended to, renamed or overwritten. So it is read once more, up to its
 * size at opening, and both answers must be equal. If the file was just written,
 * its times may not show another write: so what is shown is compared once more.
 */
async function readOneVersion(context: ReadContext): Promise<Reading> {
  const { file, call, cache, options } = context;
  // The cache has answers of the version that `stat()` described at opening.
  if (cache !== undefined && options.etag === undefined) {
    const cached = cache.recall(keyOf(file.stat, options), file);
    if (cached !== undefined) return cached;
  }
  const first = await tryRead(context);
  if (await file.checkUnchanged() === "same") {
    if ("reading" in first && !first.isCached) {
      if (mayChangeUnseen(context) && !await isStillThere(context, first)) {
        throw file.changed("rewritten");
      }
      // A page that continues another has its key: its number is that of the etag.
      const key = keyOf(file.stat, options, first.at);
      cache?.remember(key, first.reading, context.now);
    }
  } else {
    // The index and the cache may be of another version.
    const fresh = { ...context, index: undefined, cache: undefined };
    const second = await tryRead(fresh);
    if (!await haveSameResult(first, second, call)) {
      throw file.changed("rewritten");
    }
  }
  if ("failure" in first) throw first.failure;
  return first.reading;
}

/** Whether a write during the read may leave size and times as they are: those of a disk have steps, and a program may set the mtime back. A remote store compares versions itself, and a view compares its file. */
function mayChangeUnseen({ file: { stat }, view, now }: ReadContext): boolean {
  return view === null && stat.mtimeMs !== null && stat.remote !== true &&
    !isAtRest(stat, now);
}

/** Whether the shown bytes are still in the file. */
async function isStillThere(
  context: ReadContext,
  first: { readonly reading: Reading },
): Promise<boolean> {
  const { file, call } = context;
  const { runs, binary } = first.reading;
  if (runs.some(({ clips }) => clips.length > 0)) {
    // Not all bytes of the lines are known.
    const second = await tryRead({ ...context, index: undefined });
    return await haveSameResult(first, second, call);
  }
  const parts = binary === undefined
    ? runs.map((run) => ({ start: run.start, bytes: bytesOf(run) }))
    : [{ start: 0, bytes: binary }];
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (const { start, bytes } of parts) {
    for (let at = 0; at < bytes.length;) {
      const yielding = call.yieldIfDue();
      if (yielding !== undefined) await yielding;
      const into = buffer.subarray(0, bytes.length - at);
      const count = await file.read(into, start + at);
      if (count === 0) return false;
      for (let byte = 0; byte < count; byte++) {
        if (buffer[byte] !== bytes[at + byte]) return false;
      }
      at += count;
    }
  }
  return true;
}

/** Tries to read in the encoding that the call names; without one, in the detected encoding. */
async function tryRead(context: ReadContext): Promise<Outcome> {
  const { encoding, detection, index } = context;
  if (detection === undefined) return await readAs(encoding, context);
  if (index?.encoding !== undefined) {
    return await readAs(index.encoding, context);
  }
  // Most files are UTF-8; if the read shows another encoding, read again in that one.
  const outcome = await readAs(undefined, context, detection);
  const { detected } = outcome;
  if (detected === undefined) return outcome;
  if (index !== undefined) index.encoding = detected;
  return isNotUtf8(detected) ? await readAs(detected, context) : outcome;
}

/** Whether the file has another encoding than UTF-8, so that it must be read again. */
function isNotUtf8(detected: ResolvedEncoding | undefined): boolean {
  return detected?.codec !== undefined;
}

/** Reads in one encoding: UTF-8 if it is `undefined`. With `detection`, the outcome says which encoding the file has. */
async function readAs(
  encoding: ResolvedEncoding | undefined,
  context: ReadContext,
  detection?: Encodings,
): Promise<Outcome> {
  const { file, call, options, kernels, index, cache } = context;
  // Making a kernel may take a millisecond.
  const yielding = call.yieldIfDue();
  if (yielding !== undefined) await yielding;
  const kernel = kernels.take(file.stat.size);
  const source = new Source(file, kernel, call, index);
  encoding?.use(source);
  try {
    let at: number | undefined;
    const { etag } = options;
    if (etag !== undefined) {
      const isOther = async () => isNotUtf8(await detection?.detect(source));
      const wanted = wantedOf(options);
      at = await checkEtag(source, etag, wanted, options, isOther);
      const key = keyOf(file.stat, options, at);
      const cached = cache?.recall(key, file);
      if (cached !== undefined) return { reading: cached, isCached: true };
    }
    return { ...await readContent(source, at, context, detection), at };
  } catch (error) {
    return await outcomeOfError(error, source, context, detection);
  } finally {
    // A read that an abort left pending may still write into the buffer.
    if (!source.isReading) kernels.give(kernel);
  }
}

/** Where the page begins that is asked for, and how much of it is shown at most, for the check of an etag. */
function wantedOf(options: ReadFields) {
  const { match, lines, tail, start = 1, column = 1 } = options;
  const isRange = (match ?? lines ?? tail) === undefined;
  return isRange
    ? rangeOf(options)
    : { start, column, width: undefined, around: undefined };
}

/** Reads the lines that the options ask for, or the bytes of a binary file. */
async function readContent(
  source: Source,
  at: number | undefined,
  context: ReadContext,
  detection: Encodings | undefined,
): Promise<Outcome> {
  const { options, file: { path, stat }, view } = context;
  const { encoding } = source;
  const facts = { path, stat, view, encoding, binary: undefined };
  const { binary } = options;
  if (binary === "bytes" || binary === "refuse-nul") {
    const bytes = await readBinary(source, options);
    if (bytes !== undefined) {
      const content = { runs: [], total: null, next: null, binary: bytes };
      // Bytes that are not UTF-8 may be text in another encoding.
      const detected = await detection?.detect(source);
      return { reading: { ...facts, ...content }, detected };
    }
    if (binary === "bytes") refuseLarge(source.path, stat.size, options);
  }
  const found = await context.find(source, options, at);
  let reading: Reading = { ...facts, ...found };
  const detected = await detection?.detect(source, shownIn(reading));
  if (detected !== undefined) {
    reading = { ...reading, encoding: detected.encoding };
    // In another encoding the file is read again.
    if (isNotUtf8(detected)) return { reading, detected };
  }
  if (binary === "refuse-shown" && looksBinary(reading)) {
    await readBinary(source, options);
  }
  if (reading.total === null && options.countLines) {
    const total = await countRest(source, reading, options);
    reading = { ...reading, total };
  }
  return { reading, detected };
}

/** Reads lines that are asked for by their numbers, from the end of the file, or by their indentation. */
async function readLines(
  source: Source,
  options: LocateOptions,
  at?: number,
): Promise<Found> {
  const { block, around } = options;
  if (!block || around === undefined) {
    const known = at === undefined ? null : source.index?.total ?? null;
    const span = await locate(source, options, at);
    if (known !== null) checkLast(source, span, known);
    const run = await readRun(source, span, options);
    const next = afterRun(run, source.size);
    // Lines that are appended later are not part of a tail.
    const last = options.tail === undefined ? undefined : span.total!;
    return { runs: [run], total: span.total, next, last };
  }
  let span = await locateBlock(source, around, block);
  const { start: position, end, line, lines, total } = span;
  const last = line! + lines! - 1;
  const most = mostBytes(options);
  if (end - position > most) {
    const from = { position, line: line!, column: 1 };
    span = await takeLines(source, from, lines!, position + most);
  }
  const run = await readRun(source, span, options);
  return { runs: [run], total, next: afterRun(run, source.size), last };
}

/** The shown text, by which an encoding is detected. */
function shownIn(reading: Reading): ShownText {
  const { runs, isMissed = false } = reading;
  const [first] = runs;
  const { size } = reading.stat;
  return {
    isMissed,
    column: first?.column ?? 1,
    span: { start: first?.start ?? size, end: runs.at(-1)?.end ?? size },
    text: shownText(reading),
    bytes: () => joinBytes(runs.map(bytesOf)),
  };
}

function looksBinary({ runs, stat: { size }, encoding }: Reading): boolean {
  if (!runs.some(({ start, end }) => end > start)) return size > 0;
  return runs.some((run) =>
    run.text.includes("\0") || isLossy(run.text, bytesOf(run), encoding)
  );
}

/** Counts the lines of the whole file from the end of the page on, if the options ask for it. */
async function countRest(
  source: Source,
  { runs, stat: { size } }: Reading,
  { countLines, maxScanBytes = Infinity }: ReadFields,
): Promise<number | null> {
  const last = runs.at(-1);
  if (last === undefined || last.line === null) return null;
  if (size > Math.min(mostCounted(countLines), maxScanBytes)) return null;
  const { end, line, lines, endColumn } = last;
  if (end === size && endColumn === 1) return null;
  source.expectRest();
  const passed = line - 1 + lines - (endColumn > 1 ? 1 : 0);
  return await countOn(source, { position: end, passed });
}

/** The outcome of an error that may follow from the content; throws any other. */
async function outcomeOfError(
  error: unknown,
  source: Source,
  context: ReadContext,
  detection: Encodings | undefined,
): Promise<Outcome> {
  if (!(error instanceof ReadFileError)) {
    // A check of our own failed, such as that of a run. A read that mixes two versions
    // can cause this, so it is an outcome. `readOneVersion` throws the error if the file
    // did not change, or if a second read fails in the same way.
    return { failure: error, detected: await detection?.detect(source) };
  }
  if (!FOLLOWS_FROM_CONTENT[error.code]) throw error;
  // A file that is too large is so in every encoding.
  const isLarge = error.is("TOO_LARGE") && error.details.what === "file";
  const detected = isLarge ? undefined : await detection?.detect(source);
  const failure = error.is("BINARY")
    ? await explained(error, source, context)
    : error;
  return { failure, detected };
}

/** Which failures follow from the content of a file. */
const FOLLOWS_FROM_CONTENT: Record<ReadFileErrorCode, boolean> = {
  BINARY: true,
  TOO_LARGE: true,
  UNREADABLE: true,
  RANGE_OUT_OF_BOUNDS: true,
  SCAN_LIMIT: true,
  INVALID_ARGUMENT: false,
  OUTSIDE_WORKSPACE: false,
  POLICY_DENIED: false,
  NOT_FOUND: false,
  NOT_A_FILE: false,
  PERMISSION_DENIED: false,
  SYMLINK_LOOP: false,
  CHANGED: false,
  ABORTED: false,
  IO: false,
};

/** Adds the kind of a binary file, and how to read it. */
async function explained(
  failure: FailureOf<"BINARY">,
  source: Source,
  { options: { view, binary }, views, call }: ReadContext,
): Promise<ReadFileError> {
  const told = await explainBinary(failure, source);
  const mayLeaveOut = view === "raw" && binary === "refuse-shown";
  if (!mayLeaveOut || views.usual.length === 0) return told;
  // The view that the file has by default may show it as text.
  const usual = await usualViewOf(source.file, call, views);
  if (usual === null) return told;
  return told.with({ hint: `leave view out to read it as ${usual}` });
}
