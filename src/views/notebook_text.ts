// Runtime-agnostic.
import type { OpenedFile } from "../core/guard/open.ts";
import { encodeText } from "../core/media/encode_text.ts";
import type { ViewRequest, ViewText } from "../core/media/view.ts";
import { ByteBlocks } from "./byte_blocks.ts";
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
    const made = book.text.end;
    if (made > MAX_TEXT_BYTES) {
      const what = "the text of its cells in bytes";
      throw tooLarge(what, made, MAX_TEXT_BYTES);
    }
    at += count;
  }
  const problem = book.end();
  if (problem !== undefined) throw fail(problem);
  const [first, { text }] = [encodeText(book.firstLine()), book];
  return {
    size: first.length + text.end,
    read(buffer, position) {
      const part = first.subarray(position, position + buffer.length);
      buffer.set(part);
      return part.length || text.read(buffer, position - first.length);
    },
  };
}

/** Makes the text of a notebook from its bytes, a chunk at a time. */
class Notebook {
  /** All lines but the first. */
  readonly text = new ByteBlocks();
  readonly #scanner = new CellScanner((part) => this.#take(part));
  #cells = 0;
  #language = "";
  #problem: string | undefined;

  /** Takes the next bytes; returns a problem, if there is one. */
  push(bytes: Uint8Array): string | undefined {
    const problem = this.#scanner.push(bytes);
    return this.#problem ?? problem;
  }

  /** Returns a problem, if there is one. */
  end(): string | undefined {
    const hasCells = this.#scanner.hasCells;
    return this.#scanner.end() ??
      (hasCells ? undefined : "it has no list of cells");
  }

  /** The first line of the text, which is known last. */
  firstLine(): string {
    const cells = this.#cells === 1 ? "1 cell" : `${this.#cells} cells`;
    const language = this.#language === "" ? "" : `, in ${this.#language}`;
    return `notebook of ${cells}${language}\n`;
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
    this.text.push(encodeText(text));
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
