/** The file that is written: what each version of it holds, and which bytes it held at some moment. */

/** How the writer replaces one version by the next. The size and the modification time stay the same. */
export const KINDS = [
  "rename",
  "exchange",
  "one write",
  "parts",
  "number again",
  "truncate",
] as const;

/** A way to write. */
export type Kind = typeof KINDS[number];

const LINES = 1500;
const LINE_BYTES = 64;

/** The size of every version. */
export const SIZE = LINES * LINE_BYTES;

const encoder = new TextEncoder();
const known = new Map<number, Uint8Array>();

/** The bytes of a version: each line repeats its number. */
export function contentOf(version: number): Uint8Array {
  const before = known.get(version);
  if (before !== undefined) return before;
  const word = `v${String(version).padStart(9, "0")} `;
  const lines = Array.from(
    { length: LINES },
    (_, line) => `${word.repeat(5)}${String(line + 1).padStart(8, "0")}\n`,
  );
  const bytes = encoder.encode(lines.join(""));
  known.set(version, bytes);
  if (known.size > 64) known.delete(known.keys().next().value!);
  return bytes;
}

/** Which versions the file may have had during a read. */
export interface Moment {
  /** The last version that was whole before the read. */
  readonly least: number;
  /** The last version that was begun until after it. */
  readonly most: number;
}

/** What an answer shows. */
export type Verdict = "held" | "mixed" | "old";

/** Judges the bytes that a reader gave for the file from `start` on. */
export function judge(
  kind: Kind,
  bytes: Uint8Array,
  start: number,
  { least, most }: Moment,
): Verdict {
  // A file that is being written from its beginning on has any number of bytes.
  if (bytes.length === 0 && kind === "truncate") return "held";
  // In place, the writer begins at the beginning.
  const isInPlace = kind === "one write" || kind === "parts";
  const isHeld = (version: number) => {
    const whole = sameAtEnd(bytes, contentOf(version), start);
    if (whole === bytes.length) return true;
    if (!isInPlace) return false;
    const next = sameAtStart(bytes, contentOf(version + 1), start);
    return version < most && next + whole >= bytes.length;
  };
  for (let version = least; version <= most; version++) {
    if (isHeld(version)) return "held";
  }
  for (let version = Math.max(0, least - 50); version < least; version++) {
    if (isHeld(version)) return "old";
  }
  return "mixed";
}

/** How many of the last bytes are those of the content. */
function sameAtEnd(bytes: Uint8Array, content: Uint8Array, start: number) {
  let at = bytes.length;
  while (at > 0 && bytes[at - 1] === content[start + at - 1]) at--;
  return bytes.length - at;
}

/** How many of the first bytes are those of the content. */
function sameAtStart(bytes: Uint8Array, content: Uint8Array, start: number) {
  let at = 0;
  while (at < bytes.length && bytes[at] === content[start + at]) at++;
  return at;
}
