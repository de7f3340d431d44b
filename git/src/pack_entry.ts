import type { OpenedFile } from "@agent-tools/read-file";
import { hexAt, type ObjectType, TYPES } from "./hash.ts";
import { readExactly } from "./reading.ts";

const OFS_DELTA = 6;
const REF_DELTA = 7;

/** What stands before the compressed data of an entry of a pack. */
export interface EntryHead {
  /** `undefined` for a delta. */
  readonly type: ObjectType | undefined;
  /** The size of what is compressed. */
  readonly size: number;
  /** How many bytes before a delta its base begins, or the name of the base. */
  readonly base: number | string | undefined;
  /** How many bytes it takes. */
  readonly length: number;
}

/** Reads the beginning of an entry; `undefined` if it is broken. `nameBytes` is the length of a name. */
export function readEntryHead(
  bytes: Uint8Array,
  nameBytes: number,
): EntryHead | undefined {
  let at = 0;
  // Past the end, a byte of zero ends each number; the length then is too large.
  const next = () => bytes[at++] ?? 0;
  let byte = next();
  const number = (byte >> 4) & 7;
  let size = byte & 15;
  for (let scale = 16; byte >= 0x80; scale *= 128) {
    byte = next();
    size += (byte & 0x7f) * scale;
    if (size > Number.MAX_SAFE_INTEGER) return undefined;
  }
  let base: number | string | undefined;
  if (number === OFS_DELTA) {
    byte = next();
    base = byte & 0x7f;
    while (byte >= 0x80) {
      byte = next();
      base = (base + 1) * 128 + (byte & 0x7f);
      if (base > Number.MAX_SAFE_INTEGER) return undefined;
    }
    if (base === 0) return undefined;
  } else if (number === REF_DELTA) {
    if (at + nameBytes > bytes.length) return undefined;
    base = hexAt(bytes, at, nameBytes);
    at += nameBytes;
  }
  const type = TYPES[number] || undefined;
  const isKnown = type !== undefined || base !== undefined;
  if (!isKnown || at > bytes.length) return undefined;
  return { type, size, base, length: at };
}

/** How much is read of an entry: most entries fit. */
const FIRST_BYTES = 4096;
/** How much is read before it, at most: bases lie shortly before their deltas. */
const MOST_BACK_BYTES = 60 * 1024;

/** Reads the first bytes of the entries of a chain. */
export class EntryStarts {
  readonly #pack: OpenedFile;
  /** Where the last entry ends. */
  readonly end: number;
  #start = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  /** How much is read before the next entry: more with each read, since most chains are short. */
  #back = 0;

  constructor(pack: OpenedFile, end: number) {
    this.#pack = pack;
    this.end = end;
  }

  /** The first bytes of the entry at `offset`, if they have been read. */
  held(offset: number): Uint8Array | undefined {
    const from = offset - this.#start;
    const to = Math.min(offset + FIRST_BYTES, this.end) - this.#start;
    const isHeld = from >= 0 && to <= this.#bytes.length;
    return isHeld ? this.#bytes.subarray(from, to) : undefined;
  }

  /** Reads the first bytes of the entry at `offset`. */
  async read(offset: number): Promise<Uint8Array> {
    const next = Math.min(offset + FIRST_BYTES, this.end);
    this.#start = Math.max(0, offset - this.#back);
    this.#back = Math.min(MOST_BACK_BYTES, 2 * this.#back + FIRST_BYTES);
    const length = next - this.#start;
    this.#bytes = await readExactly(this.#pack, this.#start, length);
    return this.#bytes.subarray(offset - this.#start);
  }
}
