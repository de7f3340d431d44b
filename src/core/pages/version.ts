// Runtime-agnostic.
import { ReadFileError } from "../errors.ts";
import type { FileStat } from "../port.ts";
import type { Source } from "../source.ts";
import type { TextWindow } from "../window.ts";

/** A version of a file, and the bytes of it that a page showed. */
interface Version {
  /** Stands for the file's identity, without telling it. */
  readonly file: string;
  readonly size: number;
  readonly mtimeMs: number | null;
  readonly start: number;
  readonly end: number;
  /** Stands for the bytes `[start, end)`. */
  readonly digest: string;
}

/**
 * Fails with `CHANGED` if a file that grew no longer has the line that goes on
 * where the page before ended: then it grew in the middle.
 */
export function refuseGap(
  etag: string,
  { stat, span }: TextWindow,
  path: string,
): void {
  const before = readEtag(etag)!;
  if (stat.size === before.size || span.start === before.end) return;
  throw new ReadFileError("CHANGED", path, { how: "grew" });
}

/** Writes what a page showed of which version of its file as an `etag`. */
export function writeEtag(
  { id, size, mtimeMs }: FileStat,
  { start, end }: { readonly start: number; readonly end: number },
  bytes: Uint8Array,
): string {
  const numbers = [size, wholeMs(mtimeMs), start, end].map((number) =>
    number === null ? "" : number.toString(36)
  );
  return [digestText(id ?? ""), ...numbers, digest(bytes)].join("-");
}

/** Reads an `etag`; `undefined` if it is none of ours. */
function readEtag(etag: string): Version | undefined {
  const parts =
    /^([0-9a-z]+)-([0-9a-z]+)-(-?[0-9a-z]*)-([0-9a-z]+)-([0-9a-z]+)-([0-9a-z]+)$/
      .exec(etag);
  if (parts === null) return undefined;
  const [, file, , mtimeMs, , , digest] = parts;
  const [size, start, end] = [parts[2], parts[4], parts[5]]
    .map((number) => parseInt(number!, 36)) as [number, number, number];
  // One that was made up must not ask for bytes that no page can have shown.
  if (start > end || end > size) return undefined;
  return {
    file: file!,
    size,
    mtimeMs: mtimeMs === "" ? null : parseInt(mtimeMs!, 36),
    start,
    end,
    digest: digest!,
  };
}

/**
 * Fails with `CHANGED` if the page that `etag` comes from cannot be gone on from:
 * pages of two versions must not be joined. A file that only grew is no other
 * version: what was shown of it stands where it stood.
 */
export async function checkEtag(source: Source, etag: string): Promise<void> {
  const { path, size, file: { stat } } = source;
  const before = readEtag(etag);
  if (before === undefined) {
    throw new ReadFileError("INVALID_ARGUMENT", path, {
      argument: "etag",
      problem: "is not the etag of a page",
    });
  }
  const changed = (how: "replaced" | "shrank" | "grew" | "rewritten") =>
    new ReadFileError("CHANGED", path, { how });
  if (before.file !== digestText(stat.id ?? "")) throw changed("replaced");
  if (size < before.size) throw changed("shrank");
  if (size === before.size) {
    if (wholeMs(stat.mtimeMs) !== before.mtimeMs) throw changed("rewritten");
    return;
  }
  const shown = new Uint8Array(before.end - before.start);
  await source.copy(shown, before.start);
  if (digest(shown) !== before.digest) throw changed("grew");
}

function wholeMs(mtimeMs: number | null): number | null {
  return mtimeMs === null ? null : Math.trunc(mtimeMs);
}

function digestText(text: string): string {
  return digest(new TextEncoder().encode(text));
}

/** Sixty-four bits that stand for some bytes: to notice a change, not to resist a forger. */
function digest(bytes: Uint8Array): string {
  let one = 0x811c9dc5;
  let two = 0x01000193 ^ bytes.length;
  for (const byte of bytes) {
    one = Math.imul(one ^ byte, 0x01000193);
    two = Math.imul(two ^ byte, 0x5bd1e995);
    two ^= two >>> 13;
  }
  return (one >>> 0).toString(36) + (two >>> 0).toString(36).padStart(7, "0");
}
