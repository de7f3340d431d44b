// Runtime-agnostic.
import type { Source } from "../lines/source.ts";

/** How far a walk over the columns of a line came. */
export interface Stride {
  /** The byte where it stopped: never inside a character. */
  readonly position: number;
  /** The columns it passed. */
  readonly columns: number;
  /** Whether it stopped before the line's ending, or at the end of the file. */
  readonly ended: boolean;
}

const LF = 0x0a;
const CR = 0x0d;

/** The most bytes of one character. */
export const MAX_UNIT_BYTES = 4;

/** Goes on from `position` past at most `columns` characters of the same line. */
export async function stride(
  source: Source,
  position: number,
  columns: number,
): Promise<Stride> {
  const { size } = source;
  let passed = 0;
  while (passed < columns && position < size) {
    await source.load(position);
    const whole = source.end === size ||
      source.end - position >= MAX_UNIT_BYTES;
    // What the chunk's end cuts in half is looked at by itself.
    const bytes = whole
      ? source.view(position, source.end)
      : await source.piece(position, Math.min(size, position + MAX_UNIT_BYTES));
    const last = position + bytes.length === size
      ? bytes.length
      : bytes.length - MAX_UNIT_BYTES + 1;
    let at = 0;
    while (at < last && passed < columns) {
      if (bytes[at]! > CR && bytes[at]! < 0x80) {
        at++;
        passed++;
        continue;
      }
      if (endingAt(bytes, at) > 0) {
        return { position: position + at, columns: passed, ended: true };
      }
      at += unitLength(bytes, at);
      passed++;
    }
    position += at;
  }
  const rest = await source.piece(position, Math.min(size, position + 2));
  const ended = rest.length === 0 || endingAt(rest, 0) > 0;
  return { position, columns: passed, ended };
}

/** The bytes of the line ending at `at`, or 0 if there is none. */
export function endingAt(bytes: Uint8Array, at: number): number {
  if (bytes[at] === LF) return 1;
  return bytes[at] === CR && bytes[at + 1] === LF ? 2 : 0;
}

/**
 * The bytes of the character at `at`: one that a decoder makes one code point of,
 * be it U+FFFD for as much of a broken one as belongs together.
 */
export function unitLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0xc2 || first > 0xf4) return 1;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  // Some second bytes would spell what a shorter form, or none, can spell.
  const second = bytes[at + 1] ?? 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 1;
  for (let seen = 2; seen < length; seen++) {
    if (!continues(bytes[at + seen])) return seen;
  }
  return length;
}

function continues(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** How many characters there are in `bytes`. */
export function countUnits(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; count++) at += unitLength(bytes, at);
  return count;
}
