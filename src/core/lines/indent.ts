// Runtime-agnostic.

/** The columns of one level of indentation, and of a tab. */
export const LEVEL_COLUMNS = 4;

/** How a line begins, read as far as its first character that is no white space. */
export class Lead {
  #columns = 0;
  #isLeading = true;
  #comment: boolean | undefined;

  /** The columns of blanks and tabs before its text; 0 if it has none. */
  get indent(): number {
    return this.isBlank ? 0 : this.#columns;
  }

  /** Whether the line holds nothing but white space, as far as it was read. */
  get isBlank(): boolean {
    return this.#comment === undefined;
  }

  /** Whether its text begins like a comment. */
  get isComment(): boolean {
    return this.#comment === true;
  }

  /** Begins another line, and forgets the one before. */
  begin(): void {
    this.#columns = 0;
    this.#isLeading = true;
    this.#comment = undefined;
  }

  /** Reads the line `bytes[from, to)`, or the last piece of it. */
  readToEnd(bytes: Uint8Array, from: number, to: number): void {
    this.#read(bytes, from, to, 1);
  }

  /** Reads a piece that is not the last, and tells how much of it need not come again. */
  readPiece(piece: Uint8Array): number {
    // The rest may hold half a character, or half a comment sign.
    return this.#read(piece, 0, piece.length, MOST_WIDTH);
  }

  /** Reads the white space, and what comes after it if that is as many bytes. */
  #read(
    bytes: Uint8Array,
    from: number,
    to: number,
    enough: number,
  ): number {
    let index = from;
    while (index < to) {
      const byte = bytes[index]!;
      if (byte === SPACE || byte === TAB) {
        if (this.#isLeading) this.#columns += byte === TAB ? LEVEL_COLUMNS : 1;
        index++;
        continue;
      }
      const width = whiteSpaceAt(bytes, index, to);
      if (width === 0) break;
      this.#isLeading = false;
      index += width;
    }
    if (index < to && to - index >= enough) {
      this.#comment = isCommentAt(bytes, index, to);
    }
    return index - from;
  }
}

/** The most bytes that white space, or the sign of a comment, can take. */
const MOST_WIDTH = 3;

const SPACE = 0x20;
const TAB = 0x09;
const HASH = 0x23;
const DASH = 0x2d;
const SLASH = 0x2f;

function isCommentAt(bytes: Uint8Array, index: number, to: number): boolean {
  const first = bytes[index];
  if (first === HASH) return true;
  return (first === SLASH || first === DASH) && index + 1 < to &&
    bytes[index + 1] === first;
}

/** The bytes that the white space character at `index` takes, or 0 if there is none. */
function whiteSpaceAt(bytes: Uint8Array, index: number, to: number): number {
  const first = bytes[index]!;
  if (first < 0x80) {
    return first === SPACE || (first >= 0x09 && first <= 0x0d) ? 1 : 0;
  }
  const second = index + 1 < to ? bytes[index + 1]! : 0;
  if (first === 0xc2) return second === 0x85 || second === 0xa0 ? 2 : 0;
  const third = index + 2 < to ? bytes[index + 2]! : 0;
  return WIDE_SPACES[(first << 8) | second]?.(third) ? MOST_WIDTH : 0;
}

/**
 * Unicode's White_Space beyond Latin-1, in UTF-8: the first two bytes, and which
 * third ones. `String.prototype.trim` counts U+FEFF in and U+0085 out.
 */
const WIDE_SPACES: Readonly<Record<number, (third: number) => boolean>> = {
  0xe19a: (third) => third === 0x80,
  0xe280: (third) =>
    (third >= 0x80 && third <= 0x8a) || third === 0xa8 || third === 0xa9 ||
    third === 0xaf,
  0xe281: (third) => third === 0x9f,
  0xe380: (third) => third === 0x80,
};
