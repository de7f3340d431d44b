import { untilAborted } from "../core/base/call.ts";
import type { FileEntry, FileStat, FsPort } from "../core/base/port.ts";
import {
  hasFunctions,
  optionalOf,
  propertyOf,
  refuseMistake,
  type Rules,
  takeOptions,
} from "../core/base/check.ts";
import {
  badAnswer,
  cancelBody,
  directory,
  failure,
  FIRST_RANGE_BYTES,
  handleOf,
  type IdleTimeout,
  idleTimeout,
  liesBelowFile,
  MAX_TIMEOUT_MS,
  openDirectory,
  plainPath,
  readAhead,
  readBody,
  USUAL_TIMEOUT_MS,
} from "./store.ts";

/** The part of a Cloudflare R2 binding that is used; `R2Bucket` has it. */
export interface R2BucketLike {
  /** Describes an object; `null` if it does not exist. */
  head(key: string): ReturnType<R2BucketLike["get"]>;
  /** Fetches bytes of an object, if the condition holds; `null` if it does not exist. */
  get(key: string, options: {
    /** The bytes to fetch. */
    readonly range: { readonly offset: number; readonly length: number };
    /** The version that they must belong to. */
    readonly onlyIf?: { readonly etagMatches: string };
  }): Promise<
    {
      /** Its name. */
      readonly key: string;
      /** The size of the whole object in bytes. */
      readonly size: number;
      /** The entity tag of its content. */
      readonly etag: string;
      /** When it was stored. */
      readonly uploaded: Date;
      /** The place of the bytes in `body`, where the store tells it. */
      readonly range?: {
        readonly offset?: number;
        readonly length?: number;
        readonly suffix?: number;
      };
      /** The requested bytes; missing if a condition did not hold. */
      readonly body?: ReadableStream<Uint8Array>;
    } | null
  >;
  /**
   * Lists objects, to list a directory or to check whether it exists. Without this
   * method, no directory can be listed, and a name is a directory if there is an
   * object with that name and a slash, or if a name below it is asked for.
   */
  list?(options: {
    /** The beginning of their names. */
    readonly prefix: string;
    /** The most objects and folders to list; R2 lists at most 1,000 at once. */
    readonly limit: number;
    /** Names that go on after it are listed as one folder. */
    readonly delimiter?: string;
    /** Where the last answer ended. */
    readonly cursor?: string;
  }): Promise<{
    /** The objects, in the order of their names. */
    readonly objects: readonly { readonly key: string }[];
    /** The beginnings of names up to the delimiter, in order. */
    readonly delimitedPrefixes?: readonly string[];
    /** Whether more objects follow. */
    readonly truncated?: boolean;
    /** Where to go on, if more objects follow. */
    readonly cursor?: string;
  }>;
}

type GetOptions = Parameters<R2BucketLike["get"]>[1];
type R2Object = NonNullable<Awaited<ReturnType<R2BucketLike["get"]>>>;
type BucketListOptions = Parameters<NonNullable<R2BucketLike["list"]>>[0];

/** Options for {@linkcode r2Fs}. */
export interface R2Options {
  /** The folder that is `/`, such as `"logs/2024"`; the whole bucket by default. */
  readonly prefix?: string;
  /** How long the bucket may take to answer, or to send the next 64 KiB or the rest, in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number;
}

/**
 * The objects of a Cloudflare R2 bucket as files: `a/b.txt` is at `/a/b.txt`.
 *
 * A file costs one request for its stat, and one to open it, which fetches its
 * first 64 KiB; further ranges grow in a sequential read. An object that is
 * replaced while it is read fails with `CHANGED`. A store that ignores ranges, or
 * sends another one, fails with `IO`: at most one byte more than asked for is kept,
 * and the rest is cancelled. There are no links, and a
 * directory exists if an object below it does. Listing one costs a request for
 * 1,000 names, and one or two for each entry that is shown. An object whose name
 * has an empty part, `.` or `..` in it is neither listed nor read.
 *
 * @example Usage
 * ```ts no-assert
 * import { openWorkspace, type R2BucketLike, r2Fs } from "@agent-tools/read-file";
 *
 * const worker = {
 *   async fetch(_request: Request, env: { readonly BUCKET: R2BucketLike }) {
 *     const fs = r2Fs(env.BUCKET, { prefix: "logs" });
 *     const workspace = await openWorkspace("/", { fs });
 *     const end = await workspace.read("app.log", { tail: 20 });
 *     return new Response(end.text);
 *   },
 * };
 * ```
 */
export function r2Fs(bucket: R2BucketLike, options: R2Options = {}): FsPort {
  const { prefix, timeoutMs = USUAL_TIMEOUT_MS } = takeOptions(
    options,
    OPTIONS,
    refuse,
  );
  const folder = readPrefix(prefix);
  if (!hasFunctions(bucket, ["head", "get"])) {
    const problem =
      "has no head() and get(); pass a binding, such as env.BUCKET";
    throw refuse("it", problem);
  }
  const keyOf = (path: string) => folder + path.slice(1);

  /** Does work that ends with `signal`, or if too little arrives for too long. */
  async function inTime<T>(
    work: (timeout: IdleTimeout) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const timeout = idleTimeout(timeoutMs, signal);
    try {
      return await work(timeout);
    } finally {
      timeout.end();
    }
  }

  const ask = <T>(
    question: () => Promise<T>,
    signal?: AbortSignal,
    discard?: (late: T) => void,
  ) => inTime(({ signal }) => askBucket(question, signal, discard), signal);
  const take = (object: R2Object, range: AskedRange, signal?: AbortSignal) =>
    inTime((timeout) => takeBytes(object, range, timeout), signal);
  const head = (key: string, signal?: AbortSignal) =>
    ask(() => bucket.head(key), signal);
  const get = (key: string, options: GetOptions, signal?: AbortSignal) =>
    ask(() => bucket.get(key, options), signal, cancelBody);

  async function look(path: string, signal?: AbortSignal): Promise<FileStat> {
    if (path === "/") return directory(path);
    const key = keyOf(path);
    const object = await head(key, signal);
    if (object !== null) return statOf(object);
    if (await hasBelow(key, signal)) return directory(path);
    const isFile = async (above: string) =>
      await head(keyOf(above), signal) !== null;
    throw failure(await liesBelowFile(path, isFile) ? "ENOTDIR" : "ENOENT");
  }

  async function hasBelow(key: string, signal?: AbortSignal): Promise<boolean> {
    const prefix = `${key}/`;
    if (bucket.list === undefined) return await head(prefix, signal) !== null;
    const options = { prefix, limit: 1 };
    const { objects } = await ask(() => bucket.list!(options), signal);
    return objects.length > 0;
  }

  /** Lists a directory, in batches of one request each. */
  async function* list(path: string, most: number, signal?: AbortSignal) {
    const plain = plainPath(path);
    const prefix = plain === "/" ? folder : `${keyOf(plain)}/`;
    const limit = Math.min(most, MOST_LISTED);
    let isEmpty = true;
    let hiding: ReadonlySet<string> = new Set();
    for await (const page of listings({ prefix, limit }, signal)) {
      const { objects, delimitedPrefixes = [] } = page;
      const files = objects.map(({ key }) => key.slice(prefix.length));
      const folders = delimitedPrefixes.map((key) =>
        key.slice(prefix.length, -1)
      );
      // A binding that ignores the delimiter would give no folders.
      if (files.some((name) => name.includes("/"))) throw failure("ENOSYS");
      isEmpty &&= files.length === 0 && folders.length === 0;
      hiding = mayHide(hiding, files, folders);
      const entries: FileEntry[] = files.map((name) => ({
        name,
        kind: "file",
      }));
      for (const name of folders) {
        if (!hiding.has(name)) entries.push({ name, kind: "directory" });
      }
      yield entries.filter(({ name }) => !NOT_A_NAME.test(name));
    }
    if (isEmpty && (await look(plain, signal)).kind !== "directory") {
      throw failure("ENOTDIR");
    }
  }

  /** All answers of the bucket for a listing. */
  async function* listings(first: BucketListOptions, signal?: AbortSignal) {
    let options: BucketListOptions = { ...first, delimiter: "/" };
    let empty = 0;
    for (;;) {
      const page = await ask(() => bucket.list!(options), signal);
      yield page;
      const { objects, delimitedPrefixes = [], truncated, cursor } = page;
      if (truncated !== true) return;
      const isEmpty = objects.length === 0 && delimitedPrefixes.length === 0;
      empty = isEmpty ? empty + 1 : 0;
      // The next request would give the same page.
      const isStuck = cursor === undefined || cursor === options.cursor;
      if (isStuck || empty >= MOST_EMPTY_PAGES) throw failure("EIO");
      options = { ...options, cursor };
    }
  }

  /** Fetches the description of an object, with a body that begins with its first bytes. */
  async function fetchFirst(key: string, signal?: AbortSignal) {
    try {
      return await get(key, { range: FIRST_RANGE }, signal);
    } catch (error) {
      // An empty object has no ranges.
      const object = await head(key, signal);
      if (object?.size !== 0) throw error;
      return object;
    }
  }

  return {
    async realPath(path) {
      const plain = plainPath(path);
      // Without list(), every directory is assumed to exist.
      if (bucket.list !== undefined) await look(plain);
      return plain;
    },
    lstat(path, role, signal) {
      const plain = plainPath(path);
      return role === "way" ? directory(plain) : look(plain, signal);
    },
    async readLink(path, signal) {
      if (bucket.list !== undefined) await look(plainPath(path), signal);
      throw failure("EINVAL");
    },
    async open(path, signal) {
      const plain = plainPath(path);
      const object = plain === "/"
        ? null
        : await fetchFirst(keyOf(plain), signal);
      if (object === null) {
        const stat = await look(plain, signal);
        // The object was created meanwhile.
        if (stat.kind !== "directory") throw failure("ESTALE");
        return openDirectory(plain, stat);
      }
      const { key, etag, size } = object;
      const first: Uint8Array | undefined = object.body === undefined
        ? undefined
        : await take(object, { ...FIRST_RANGE, size }, signal);
      const closing = new AbortController();
      const onlyIf = { etagMatches: etag };
      const fetchPart = async (offset: number, length: number) => {
        const range = { offset, length };
        const part = await get(key, { range, onlyIf }, closing.signal);
        if (part?.body !== undefined && part.etag === etag) {
          return await take(part, { ...range, size }, closing.signal);
        }
        cancelBody(part);
        throw failure("ESTALE");
      };
      const read = readAhead(size, fetchPart, first);
      return {
        ...handleOf(plain, statOf(object), read),
        close: () => closing.abort(failure("ECANCELED")),
      };
    },
    ...(bucket.list !== undefined && { list }),
  };
}

/**
 * The files that may hide a folder of this page or of a later one. A file "a"
 * hides the folder "a/", which may come some pages later. In a listing, all names
 * between them begin with "a". So a file of an earlier page can hide a folder only
 * if this page begins with its name.
 */
function mayHide(
  earlier: ReadonlySet<string>,
  files: readonly string[],
  folders: readonly string[],
): ReadonlySet<string> {
  const firsts = [files[0], folders[0]];
  const isNear = (name: string) =>
    firsts.some((first) => first?.startsWith(name));
  return new Set([...[...earlier].filter(isNear), ...files]);
}

const OPTIONS: Rules<R2Options> = {
  prefix: "text",
  timeoutMs: { least: 1, most: MAX_TIMEOUT_MS },
};
const MOST_LISTED = 1000;
/** How many pages without a name may follow each other: a faulty store could send them for ever. */
const MOST_EMPTY_PAGES = 1000;
const FIRST_RANGE = { offset: 0, length: FIRST_RANGE_BYTES };
/** A name that no path can have. */
const NOT_A_NAME = /^\.{0,2}$|\0/;
const refuse = refuseMistake("Cannot read an R2 bucket");

/** The prefix with one slash at its end. */
function readPrefix(prefix = ""): string {
  if (prefix === "") return "";
  const folder = prefix.replace(/\/$/, "");
  const isPlain = folder !== "" && plainPath(folder) === `/${folder}`;
  if (isPlain) return `${folder}/`;
  const problem = 'is not a folder; write it as "logs/2024"';
  throw refuse(`the prefix ${JSON.stringify(prefix)}`, problem);
}

function statOf({ key, size, etag, uploaded }: R2Object): FileStat {
  const mtimeMs = uploaded.getTime();
  // By key, not by path: with other prefixes, the object has other paths.
  const id = `${etag} ${key}`;
  const times = { mtimeMs, ctimeMs: mtimeMs };
  return { kind: "file", size, ...times, id, remote: true };
}

/** What was asked of an object of `size` bytes. */
interface AskedRange {
  readonly offset: number;
  readonly length: number;
  readonly size: number;
}

/** Takes the asked bytes out of an answer; fails if it holds others. */
async function takeBytes(
  object: R2Object,
  { offset, length, size }: AskedRange,
  timeout: IdleTimeout,
): Promise<Uint8Array> {
  const wanted = Math.min(length, size - offset);
  const range = optionalOf(object, "range") ?? {};
  const from = optionalOf(range, "offset") ?? offset;
  const sent = optionalOf(range, "length") ?? wanted;
  // Its size can only differ with its etag, which a store may leave as it was.
  const isStale = !Object.is(object.size, size);
  const isOther = from !== offset || sent !== wanted || !(wanted >= 0);
  if (isStale || isOther) {
    cancelBody(object);
    throw isStale ? failure("ESTALE") : badAnswer();
  }
  // One byte more, to notice a store that ignores ranges.
  const most = wanted + 1;
  const { body } = object;
  const bytes = await readBody(body, most, timeout);
  timeout.signal.throwIfAborted();
  if (bytes.length > wanted) throw badAnswer();
  // The connection broke.
  if (bytes.length < wanted) throw failure("EIO");
  return bytes;
}

/** Calls the binding; its error becomes one with a code. An abort of `signal` ends the wait; a later answer goes to `discard`. */
async function askBucket<T>(
  question: () => Promise<T>,
  signal: AbortSignal,
  discard?: (late: T) => void,
): Promise<T> {
  signal.throwIfAborted();
  try {
    const asking = Promise.resolve(question());
    return await untilAborted(asking, signal, discard);
  } catch (cause) {
    signal.throwIfAborted();
    const message = String(propertyOf(cause, "message"));
    // R2 puts its own number at the end.
    const [, number = ""] = /\((\d+)\)\s*$/.exec(message) ?? [];
    throw failure(CODES[number] ?? "EIO", { cause });
  }
}

/** The codes by R2's numbers; `EIO` for all others. */
const CODES: Readonly<Record<string, string>> = {
  "10003": "EACCES",
  "10020": "ENAMETOOLONG",
  // The range does not exist, since the object became shorter.
  "10039": "ESTALE",
};
