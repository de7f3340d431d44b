import { failure } from "../store.ts";

/** Two changes within this time may leave the same `Last-Modified`, if several servers with their own clocks answer. */
const CLOCK_DOUBT_MS = 60_000;
/** The same for one server, whose times are whole seconds. */
const CLOCK_GRAIN_MS = 2_000;

/** How long to wait until a later change must get another `Last-Modified`. Zero if the last change is not within two seconds of the answer, or if waiting cannot help, since the header is missing. */
export function doubtMs(headers: Headers): number {
  const age = ageOf(headers);
  return Math.abs(age) < CLOCK_GRAIN_MS ? CLOCK_GRAIN_MS - age : 0;
}

/** The time between the last change and the answer; `NaN` if it is unknown. */
function ageOf(headers: Headers): number {
  const date = headers.get("date");
  const sent = date === null ? Date.now() : Date.parse(date);
  return sent - Date.parse(headers.get("last-modified") ?? "");
}

/** The headers that identify a version of an object. */
export type HttpVersion = Readonly<ReturnType<typeof versionOf>>;

export function versionOf(headers: Headers, size: number) {
  const lastModified = headers.get("last-modified");
  // Whether a later change must have another time.
  const isSettled = ageOf(headers) >= CLOCK_DOUBT_MS;
  return { size, etag: headers.get("etag"), lastModified, isSettled };
}

/** The `ETag`, if it is a strong one. */
export function strongTag({ etag }: HttpVersion): string | null {
  return etag !== null && /^"[^"]*"$/.test(etag) ? etag : null;
}

/** The header that asks only for this version, if the version has a reliable tag or time. */
export function conditionOf(version: HttpVersion): Record<string, string> {
  const { etag, lastModified, isSettled } = version;
  const tag = strongTag(version);
  if (tag !== null) return { "if-match": tag };
  return etag === null && lastModified !== null && isSettled
    ? { "if-range": lastModified }
    : {};
}

/** Whether an answer is of that version, by its headers. */
export function isSameVersion(
  version: HttpVersion,
  { status, headers }: Response,
): boolean {
  if (headers.get("etag") !== version.etag) return false;
  // A strong tag decides alone.
  if (strongTag(version) !== null) return true;
  const modified = headers.get("last-modified");
  if (modified === version.lastModified) return true;
  // An answer to `If-Range` need not repeat the time: the server has compared it.
  const mayLackTime = status === 206 && "if-range" in conditionOf(version);
  return modified === null && mayLackTime;
}

/** Reads a `Content-Range`: the bytes `[start, end)` of `total`; `undefined` if it is incomplete. */
export function readContentRange(headers: Headers) {
  const match = /^bytes (\d+)-(\d+)\/(\d+)$/i
    .exec(headers.get("content-range") ?? "");
  if (match === null) return undefined;
  const [first = 0, last = 0, total = 0] = match.slice(1).map(Number);
  const isSound = last < total && Number.isSafeInteger(total);
  return isSound ? { start: first, end: last + 1, total } : undefined;
}

/** Reads the size from the `Content-Range` of an unsatisfied range. */
export function unsatisfiedSize(headers: Headers): number | undefined {
  const match = /^bytes \*\/(\d+)$/i.exec(headers.get("content-range") ?? "");
  return match === null ? undefined : Number(match[1]);
}

/** Reads the `Content-Length`; `undefined` if it is not a number. */
export function readLength(headers: Headers): number | undefined {
  const text = headers.get("content-length");
  if (text === null || !/^\d+$/.test(text)) return undefined;
  const length = Number(text);
  return Number.isSafeInteger(length) ? length : undefined;
}

/** Fails for a compressed answer, whose bytes are not those of the file. */
export function refuseEncoded(headers: Headers): void {
  const encoding = headers.get("content-encoding") ?? "";
  if (!/^(identity)?$/i.test(encoding.trim())) {
    throw failure("ENOTSUP", { reason: "compressed" });
  }
}
