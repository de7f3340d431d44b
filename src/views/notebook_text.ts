import { runInSteps } from "../core/base/call.ts";
import type { OpenedFile } from "../core/guard/open.ts";
import { readerOf } from "../core/lines/unsized.ts";
import { encodeText, fill } from "../core/media/view.ts";
import type { ViewRequest, ViewText } from "../core/media/view.ts";
import { ByteBlocks } from "./byte_blocks.ts";
import { CellScanner, type NotebookPart } from "./cell_scanner.ts";
import { oneLine, tellCell, tellLargeCell } from "./cells.ts";

/** The most bytes of text of a notebook, which are held in memory. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

/** Makes the text of a notebook from its bytes, a chunk at a time. */
export async function openNotebook(
  file: OpenedFile,
  { yieldIfDue, fail, tooLarge }: ViewRequest,
): Promise<ViewText> {
  /** All lines but the first, which is known last. */
  const text = new ByteBlocks();
  let cells = 0;
  let language = "";

  function parse(json: string, where: string): Record<string, unknown> {
    try {
      return JSON.parse(json);
    } catch {
      throw fail(`it is not JSON in ${where}`);
    }
  }

  /** The parts that the scanner has found, and that are not yet told. */
  let found: NotebookPart[] = [];

  async function take(part: NotebookPart): Promise<void> {
    const { kind, json } = part;
    if (kind === "metadata") {
      const book = json === null ? {} : parse(json, "its metadata");
      const { language_info, kernelspec } = Object(book);
      const name = Object(language_info).name ?? Object(kernelspec).language;
      if (typeof name === "string") language = oneLine(name);
      return;
    }
    const number = ++cells;
    if (json === null) {
      return text.push(encodeText(tellLargeCell(number, part)));
    }
    const cell = parse(json, `cell ${number}`);
    await yieldIfDue();
    const told = await runInSteps(tellCell(cell, number), { yieldIfDue });
    text.push(encodeText(told));
  }

  const { size } = file.stat;
  const scanner = new CellScanner(size, (part) => found.push(part), fail);
  const chunk = new Uint8Array(Math.min(CHUNK_BYTES, size));
  for (let at = 0; at < size;) {
    await yieldIfDue();
    const bytes = chunk.subarray(0, size - at);
    await fill(bytes, file, at);
    scanner.push(bytes);
    for (const part of found) {
      await take(part);
      await yieldIfDue();
    }
    found = [];
    if (text.end > MAX_TEXT_BYTES) {
      const what = "the text of its cells in bytes";
      throw tooLarge(what, text.end, MAX_TEXT_BYTES);
    }
    at += bytes.length;
  }
  scanner.end();
  const count = cells === 1 ? "1 cell" : `${cells} cells`;
  const named = language === "" ? "" : `, in ${language}`;
  const first = encodeText(`notebook of ${count}${named}\n`);
  const readFirst = readerOf(first);
  return {
    size: first.length + text.end,
    read: (buffer, position) =>
      readFirst(buffer, position) ||
      text.read(buffer, position - first.length),
  };
}
