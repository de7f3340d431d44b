// Runtime-agnostic.
import { failure, failureOf } from "../directory.ts";

/**
 * The place that all requests stay within: an origin and a folder on it.
 *
 * Each name of a path becomes one segment of the URL, whatever it looks like:
 * `?`, `#` and `%` are encoded, so that no name can mean anything else; with a
 * `\` in it, nothing is ever there.
 */
export class HttpBase {
  /** What stands in the place of a user and a password in the URL, if there were some. */
  readonly authorization: string | undefined;
  readonly #origin: string;
  /** Begins and ends with a slash. */
  readonly #folder: string;
  /** A token, as stores sign them; with its question mark. */
  readonly #query: string;

  /** Constructs a new instance for a URL; a `TypeError` does not repeat it, for it may hold a token. */
  constructor(baseUrl: string | URL) {
    const url = parseUrl(String(baseUrl));
    if (url === null || !/^https?:$/.test(url.protocol)) {
      throw new TypeError(
        `Cannot read over HTTP: the base URL is not absolute; write it as "https://files.example/logs/"`,
      );
    }
    this.authorization = authorizationOf(url);
    this.#origin = url.origin;
    this.#folder = url.pathname.replace(/\/*$/, "/");
    this.#query = url.search;
  }

  /** The URL of a plain path. */
  urlOf(path: string): string {
    return this.nameOf(path) + this.#query;
  }

  /** The URL of a plain path, without what is secret in it. */
  nameOf(path: string): string {
    // To some servers it is a slash, and "..\\" a way up.
    if (path.includes("\\")) throw failure("ENOENT");
    try {
      const segments = path.slice(1).split("/").map(encodeURIComponent);
      return this.#origin + this.#folder + segments.join("/");
    } catch {
      // Half a character cannot be encoded.
      throw failure("EINVAL");
    }
  }

  /**
   * The path that a redirect leads to, if that is within the base and a request
   * for it would be the same; with a slash at its end if the redirect has one.
   */
  pathOf(location: string, from: string): string | undefined {
    const url = parseUrl(location, from);
    if (url === null || url.origin !== this.#origin) return undefined;
    if (url.username !== "" || url.password !== "") return undefined;
    if (url.search !== "" && url.search !== this.#query) return undefined;
    if (!url.pathname.startsWith(this.#folder)) return undefined;
    const names = url.pathname.slice(this.#folder.length).split("/");
    const decoded = names.map(nameIn);
    const isPlain = decoded.every((name, index) =>
      name !== undefined && (name !== "" || index === names.length - 1)
    );
    return isPlain ? `/${decoded.join("/")}` : undefined;
  }

  /** Whether an answer is to what was asked for, and nothing else was followed. */
  isAnswered(url: string, { redirected, url: answered }: Response): boolean {
    if (redirected) return false;
    // What stands in for `fetch` need not tell; whoever signs, adds to the query.
    return answered === "" || placeOf(answered) === placeOf(url);
  }
}

function placeOf(url: string): string | undefined {
  const parsed = parseUrl(url);
  return parsed === null ? undefined : parsed.origin + parsed.pathname;
}

/** What `URL.parse()` gives, which Node.js 20 does not have. */
function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** The name in a segment, unless a server may take it for a way up: the parser knows only some spellings. */
function nameIn(segment: string): string | undefined {
  try {
    const name = decodeURIComponent(segment);
    return /[/\\\0]/.test(name) || name === "." || name === ".."
      ? undefined
      : name;
  } catch {
    return undefined;
  }
}

/** `fetch` takes no user and password in a URL, so they go where it would have put them. */
function authorizationOf({ username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  const pair = `${decoded(username)}:${decoded(password)}`;
  const bytes = new TextEncoder().encode(pair);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What a server tells of the content behind a URL: enough to know it again. */
export interface HttpVersion {
  /** The size in bytes. */
  readonly size: number;
  /** The entity tag, as it was sent. */
  readonly etag: string | null;
  /** When the content last changed, as it was sent. */
  readonly lastModified: string | null;
  /** Whether that time is too long ago for a second change to share it. */
  readonly isSettled: boolean;
}

/** Which bytes an answer holds, and of how many. */
export interface ContentRange {
  /** The first byte. */
  readonly start: number;
  /** The byte after the last one. */
  readonly end: number;
  /** The size of all of it. */
  readonly total: number;
}

/** Two changes within it may leave the same time, by one clock or by two. */
const CLOCK_DOUBT_MS = 60_000;

/** Two changes within it may leave the same time, by the clock of one server, in whole seconds. */
const CLOCK_GRAIN_MS = 2_000;

/**
 * How long it takes until no further change can leave the version that an answer
 * tells: a file's time, and many an `ETag` with it, are in whole seconds. Zero
 * where there is no time to doubt, or it was set to one that is yet to come.
 */
export function doubtMs(headers: Headers): number {
  const age = ageOf(headers);
  return Math.abs(age) < CLOCK_GRAIN_MS ? CLOCK_GRAIN_MS - age : 0;
}

/** How long before the answer its content changed last; whoever gives no time of it has none. */
function ageOf(headers: Headers): number {
  const date = headers.get("date");
  const sent = date === null ? Date.now() : Date.parse(date);
  return sent - Date.parse(headers.get("last-modified") ?? "");
}

/** Reads what an answer tells of its content, whose size is known by now. */
export function versionOf(headers: Headers, size: number): HttpVersion {
  const lastModified = headers.get("last-modified");
  return {
    size,
    etag: headers.get("etag"),
    lastModified,
    isSettled: ageOf(headers) >= CLOCK_DOUBT_MS,
  };
}

/** The entity tag, if the same one means the same bytes. */
export function strongTag({ etag }: HttpVersion): string | null {
  return etag !== null && /^"[^"]*"$/.test(etag) ? etag : null;
}

/** The header that asks for this version, and no other, where one can be trusted to. */
export function conditionOf(
  version: HttpVersion,
): Readonly<Record<string, string>> {
  const { etag, lastModified, isSettled } = version;
  const tag = strongTag(version);
  if (tag !== null) return { "if-match": tag };
  return etag === null && lastModified !== null && isSettled
    ? { "if-range": lastModified }
    : {};
}

/** Whether an answer is of that version, as far as the server tells versions apart. */
export function isSameVersion(
  version: HttpVersion,
  { status, headers }: Response,
): boolean {
  if (headers.get("etag") !== version.etag) return false;
  if (strongTag(version) !== null) return true;
  const told = headers.get("last-modified");
  if (told !== null || version.lastModified === null) {
    return told === version.lastModified;
  }
  // A part that was asked for by its time need not repeat it.
  return status === 206 && "if-range" in conditionOf(version);
}

/** Reads a `Content-Range`; `undefined` if it does not say all. */
export function readContentRange(headers: Headers): ContentRange | undefined {
  const match = /^bytes (\d+)-(\d+)\/(\d+)$/i
    .exec(headers.get("content-range") ?? "");
  if (match === null) return undefined;
  const [first, last, total] = match.slice(1).map(Number) as [
    number,
    number,
    number,
  ];
  const isSound = last < total && Number.isSafeInteger(total);
  return isSound ? { start: first, end: last + 1, total } : undefined;
}

/** The size that an answer to an empty or unsatisfied range tells. */
export function unsatisfiedSize(headers: Headers): number | undefined {
  const match = /^bytes \*\/(\d+)$/i.exec(headers.get("content-range") ?? "");
  return match === null ? undefined : Number(match[1]);
}

/** The `Content-Length`, if it is one. */
export function readLength(headers: Headers): number | undefined {
  const text = headers.get("content-length");
  if (text === null || !/^\d+$/.test(text)) return undefined;
  const length = Number(text);
  return Number.isSafeInteger(length) ? length : undefined;
}

/** Fails for a compressed answer: its bytes are not those of the file. */
export function refuseEncoded(headers: Headers): void {
  const encoding = headers.get("content-encoding") ?? "";
  if (!/^(identity)?$/i.test(encoding.trim())) {
    throw failureOf("ENOTSUP", "compressed");
  }
}
