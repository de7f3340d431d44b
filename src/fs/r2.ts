// Runtime-agnostic.
import { toArrayBuffer } from "@std/streams/to-array-buffer";
import type { FileEntry, FileStat, FsPort } from "../core/base/port.ts";
import {
  hasFunctions,
  propertyOf,
  refuseMistake,
  takeOptions,
} from "../core/base/check.ts";
import {
  directory,
  failure,
  FIRST_RANGE_BYTES,
  handleOf,
  liesBelowFile,
  openDirectory,
  plainPath,
  readAhead,
} from "./store.ts";

/** The part of an R2 object that is used. */
export interface R2ObjectLike {
  /** Its name. */
  readonly key: string;
  /** The size of the whole object in bytes. */
  readonly size: number;
  /** The entity tag of its content. */
  readonly etag: string;
  /** When it was stored. */
  readonly uploaded: Date;
  /** The requested bytes; missing if a condition did not hold. */
  readonly body?: ReadableStream<Uint8Array>;
}

/** The options of `get()`. */
export interface R2GetOptionsLike {
  /** The bytes to fetch. */
  readonly range: { readonly offset: number; readonly length: number };
  /** The version that they must belong to. */
  readonly onlyIf?: { readonly etagMatches: string };
}

/** The options of `list()`. */
export interface R2ListOptionsLike {
  /** The beginning of their names. */
  readonly prefix: string;
  /** The most objects and folders to list; R2 lists at most 1,000 at once. */
  readonly limit: number;
  /** Names that go on after it are listed as one folder. */
  readonly delimiter?: string;
  /** Where the last answer ended. */
  readonly cursor?: string;
}

/** The used part of an answer of `list()`. */
export interface R2ListingLike {
  /** The objects, in the order of their names. */
  readonly objects: readonly { readonly key: string }[];
  /** The beginnings of names up to the delimiter, in order. */
  readonly delimitedPrefixes?: readonly string[];
  /** Whether more objects follow. */
  readonly truncated?: boolean;
  /** Where to go on, if more objects follow. */
  readonly cursor?: string;
}

/** The part of a Cloudflare R2 binding that is used; `R2Bucket` has it. */
export interface R2BucketLike {
  /** Describes an object; `null` if it does not exist. */
  head(key: string): Promise<R2ObjectLike | null>;
  /** Fetches bytes of an object, if the condition holds; `null` if it does not exist. */
  get(key: string, options: R2GetOptionsLike): Promise<R2ObjectLike | null>;
  /**
   * Lists objects, to list a directory or to check whether it exists. Without this
   * method, no directory can be listed, and a name is a directory if there is an
   * object with that name and a slash, or if a name below it is asked for.
   */
  list?(options: R2ListOptionsLike): Promise<R2ListingLike>;
}

/** Options for {@linkcode r2Fs}. */
export interface R2Options {
  /** The folder that is `/`, such as `"logs/2024"`; the whole bucket by default. */
  readonly prefix?: string;
}

/**
 * The objects of a Cloudflare R2 bucket as files: `a/b.txt` is at `/a/b.txt`.
 *
 * A file costs one request for its stat, and one to open it, which fetches its
 * first 64 KiB; further ranges grow in a sequential read. An object that is
 * replaced while it is read fails with `CHANGED`. There are no links, and a
 * directory exists if an object below it does. Listing one costs a request for
 * 1,000 names, and one or two for each entry that is shown. An object whose name
 * has an empty part, `.` or `..` in it is neither listed nor read.
 *
 * @example Usage
 * ```ts no-assert
 * import { openWorkspace, type R2BucketLike, r2Fs, readFile } from "@agent-tools/read-file";
 *
 * const worker = {
 *   async fetch(_request: Request, env: { readonly BUCKET: R2BucketLike }) {
 *     const fs = r2Fs(env.BUCKET, { prefix: "logs" });
 *     const workspace = await openWorkspace("/", { fs });
 *     const end = await readFile(workspace, "app.log", { kind: "tail", count: 20 });
 *     return new Response(end.text);
 *   },
 * };
 * ```
 */
export function r2Fs(bucket: R2BucketLike, options: R2Options = {}): FsPort {
  const { prefix } = takeOptions(options, { prefix: "text" }, refuse);
  const folder = readPrefix(prefix);
  if (!hasFunctions(bucket, ["head", "get"])) {
    const problem =
      "has no head() and get(); pass a binding, such as env.BUCKET";
    throw refuse("it", problem);
  }
  const keyOf = (path: string) => folder + path.slice(1);
  const head = (key: string) => ask(() => bucket.head(key));
  const isFile = async (path: string) => await head(keyOf(path)) !== null;

  async function look(path: string): Promise<FileStat> {
    if (path === "/") return directory(path);
    const key = keyOf(path);
    const object = await head(key);
    if (object !== null) return describe(object);
    if (await hasBelow(key)) return directory(path);
    throw failure(await liesBelowFile(path, isFile) ? "ENOTDIR" : "ENOENT");
  }

  async function hasBelow(key: string): Promise<boolean> {
    const prefix = `${key}/`;
    if (bucket.list === undefined) return await head(prefix) !== null;
    const { objects } = await ask(() => bucket.list!({ prefix, limit: 1 }));
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
    if (isEmpty && (await look(plain)).kind !== "directory") {
      throw failure("ENOTDIR");
    }
  }

  /** All answers of the bucket for a listing. */
  async function* listings(first: R2ListOptionsLike, signal?: AbortSignal) {
    let options: R2ListOptionsLike = { ...first, delimiter: "/" };
    for (;;) {
      signal?.throwIfAborted();
      const page = await ask(() => bucket.list!(options));
      yield page;
      const { truncated, cursor } = page;
      if (truncated !== true) return;
      // The next request would give the same page.
      const isStuck = cursor === undefined || cursor === options.cursor;
      if (isStuck) throw failure("EIO");
      options = { ...options, cursor };
    }
  }

  /** Fetches the description of an object and its first bytes. */
  async function fetchFirst(key: string): Promise<R2ObjectLike | null> {
    const range = { offset: 0, length: FIRST_RANGE_BYTES };
    try {
      return await ask(() => bucket.get(key, { range }));
    } catch (error) {
      // An empty object has no ranges.
      const object = await head(key);
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
    lstat(path, role) {
      const plain = plainPath(path);
      return role === "way" ? directory(plain) : look(plain);
    },
    async readLink(path) {
      if (bucket.list !== undefined) await look(plainPath(path));
      throw failure("EINVAL");
    },
    async open(path) {
      const plain = plainPath(path);
      const object = plain === "/" ? null : await fetchFirst(keyOf(plain));
      if (object === null) {
        const stat = await look(plain);
        // The object was created meanwhile.
        if (stat.kind !== "directory") throw failure("ESTALE");
        return openDirectory(plain, stat);
      }
      const { key, etag, size } = object;
      const onlyIf = { etagMatches: etag };
      const fetchPart = async (offset: number, length: number) => {
        const options = { range: { offset, length }, onlyIf };
        const part = await ask(() => bucket.get(key, options));
        if (part?.body !== undefined && part.etag === etag) {
          return await bodyOf(part);
        }
        await part?.body?.cancel();
        throw failure("ESTALE");
      };
      const read = readAhead(size, fetchPart, await bodyOf(object));
      return handleOf(plain, describe(object), read);
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

const MOST_LISTED = 1000;
/** A name that no path can have. */
const NOT_A_NAME = /^\.{0,2}$|\0/;
const refuse = /* @__PURE__ */ refuseMistake("Cannot read an R2 bucket");

/** The prefix with one slash at its end. */
function readPrefix(prefix = ""): string {
  if (prefix === "") return "";
  const folder = prefix.replace(/\/$/, "");
  const isPlain = folder !== "" && plainPath(folder) === `/${folder}`;
  if (isPlain) return `${folder}/`;
  const problem = 'is not a folder; write it as "logs/2024"';
  throw refuse(`the prefix ${JSON.stringify(prefix)}`, problem);
}

function describe({ key, size, etag, uploaded }: R2ObjectLike): FileStat {
  const mtimeMs = uploaded.getTime();
  // By key, not by path: with other prefixes, the object has other paths.
  const id = `${etag} ${key}`;
  const times = { mtimeMs, ctimeMs: mtimeMs };
  return { kind: "file", size, ...times, id, remote: true };
}

async function bodyOf({ body }: R2ObjectLike) {
  if (body === undefined) return new Uint8Array(0);
  return new Uint8Array(await ask(() => toArrayBuffer(body)));
}

/** Calls the binding; its error becomes one with a code. */
async function ask<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (cause) {
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
