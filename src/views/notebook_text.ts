// Runtime-agnostic.
import type { OpenedFile } from "../core/guard/open.ts";
import {
  encodeText,
  LOST_BYTE,
  wellFormedParts,
} from "../core/media/encode_text.ts";
import type { ViewRequest, ViewText } from "../core/media/view.ts";
import { CellScanner, type NotebookPart } from "./cell_scanner.ts";
import { oneLine, tellCell, tellLargeCell } from "./cells.ts";

/** The most bytes of text of a notebook, which are held in memory. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/** How many bytes of the file are read at a time. */
const CHUNK_BYTES = 64 * 1024;

export async function openNotebook(
  file: OpenedFile,
  { breathe, fail, tooLarge }: ViewRequest,
): Promise<ViewText> {
  const book = new Notebook();
  const { size } = file.stat;
  const chunk = new Uint8Array(Math.min(CHUNK_BYTES, size));
  for (let at = 0; at < size;) {
    await breathe();
    const count = await file.read(chunk.subarray(0, size - at), at);
    if (count === 0) throw file.changed("shrank");
    const problem = book.push(chunk.subarray(0, count));
    if (problem !== undefined) throw fail(problem);
    const made = book.text.size;
    if (made > MAX_TEXT_BYTES) {
      const what = "the text of its cells in bytes";
      throw tooLarge(what, made, MAX_TEXT_BYTES);
    }
    at += count;
  }
  const problem = book.end();
  if (problem !== undefined) throw fail(problem);
  return book.text;
}

/** Makes the text of a notebook from its bytes, a chunk at a time. */
class Notebook {
  readonly text = new TextBlocks();
  readonly #scanner = new CellScanner((part) => this.#take(part));
  #cells = 0;
  #language = "";
  #problem: string | undefined;

  /** Takes the next bytes; returns a problem, if there is one. */
  push(bytes: Uint8Array): string | undefined {
    const problem = this.#scanner.push(bytes);
    return this.#problem ?? problem;
  }

  /** Writes the first line, which is known last; returns a problem, if there is one. */
  end(): string | undefined {
    const problem = this.#scanner.end();
    if (problem !== undefined) return problem;
    if (!this.#scanner.hasCells) return "it has no list of cells";
    const cells = this.#cells === 1 ? "1 cell" : `${this.#cells} cells`;
    const language = this.#language === "" ? "" : `, in ${this.#language}`;
    this.text.begin(`notebook of ${cells}${language}\n`);
    return undefined;
  }

  #take({ kind, json, bytes }: NotebookPart): void {
    const value = json === null ? null : this.#parse(json, kind);
    if (kind === "metadata") {
      const { language_info, kernelspec } = Object(value);
      const language = Object(language_info).name ??
        Object(kernelspec).language;
      if (typeof language === "string") this.#language = oneLine(language);
      return;
    }
    const number = ++this.#cells;
    const text = value === null
      ? tellLargeCell(number, bytes)
      : tellCell(value, number);
    this.text.add(text);
  }

  #parse(json: string, kind: string): Record<string, unknown> | null {
    try {
      return JSON.parse(json);
    } catch {
      const where = kind === "cell"
        ? `cell ${this.#cells + 1}`
        : "its metadata";
      this.#problem ??= `it is not JSON in ${where}`;
      return {};
    }
  }
}

const BLOCK_BYTES = 65_536;

/** The most bytes of UTF-8 for a code unit of UTF-16. */
const UNIT_BYTES = 3;

/** A growing text, kept as blocks of UTF-8: one array would be copied as it grows. */
export class TextBlocks implements ViewText {
  readonly #blocks: Uint8Array[] = [];
  readonly #starts: number[] = [];
  readonly #encoder = new TextEncoder();
  #block = new Uint8Array(BLOCK_BYTES);
  #used = 0;
  #before = 0;

  /** How many bytes it has. */
  get size(): number {
    return this.#before + this.#used;
  }

  /** Adds text. Lone surrogates become a byte that is not UTF-8. */
  add(text: string): void {
    for (const [at, part] of wellFormedParts(text).entries()) {
      if (at > 0) this.#addLost();
      this.#encode(part);
    }
  }

  #addLost(): void {
    if (this.#used === this.#block.length) this.#finish();
    this.#block[this.#used++] = LOST_BYTE;
  }

  #encode(text: string): void {
    // Encode now: concatenated strings would stay in memory until they are flattened.
    for (let from = 0; from < text.length;) {
      if (this.#block.length - this.#used < UNIT_BYTES + 1) this.#finish();
      const room = this.#block.subarray(this.#used);
      const { read, written } = this.#encoder.encodeInto(
        from === 0 ? text : text.slice(from),
        room,
      );
      from += read;
      this.#used += written;
    }
  }

  /** Adds text at the beginning. */
  begin(text: string): void {
    this.#finish();
    const block = encodeText(text);
    const starts = this.#starts.map((start) => start + block.length);
    this.#starts.splice(0, Infinity, 0, ...starts);
    this.#blocks.unshift(block);
    this.#before += block.length;
  }

  #finish(): void {
    if (this.#used === 0) return;
    this.#starts.push(this.#before);
    this.#blocks.push(this.#block.subarray(0, this.#used));
    this.#before += this.#used;
    this.#block = new Uint8Array(BLOCK_BYTES);
    this.#used = 0;
  }

  /** Reads into `buffer`, from one block. */
  read(buffer: Uint8Array, position: number): number {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#starts[middle]! <= position) low = middle + 1;
      else high = middle;
    }
    const block = this.#blocks[low - 1];
    if (block === undefined) return 0;
    const from = position - this.#starts[low - 1]!;
    const part = block.subarray(from, from + buffer.length);
    buffer.set(part);
    return part.length;
  }
}
