// Runtime-agnostic.
import { SNIFF_BYTES } from "../core/base/limits.ts";
import { detectByBytes } from "../core/encodings/tell.ts";
import type { OpenedFile } from "../core/guard/open.ts";
import { mediaOf, tellMedia } from "../core/media/signatures.ts";
import type { ViewRequest, ViewText } from "../core/media/view.ts";
import { GzipMembers } from "./gzip_members.ts";

/** How many bytes may be decompressed at any ratio: small files often compress very well. */
const FREE_BYTES = 16 * 1024 * 1024;

/** How many bytes of the text are held in memory: its beginning, and the part that was read last. */
const HEAD_BYTES = 2 * 1024 * 1024;
const WINDOW_BYTES = 6 * 1024 * 1024;

export interface GunzipLimits {
  readonly maxBytes: number;
  /** How many times as large as the file, past the first 16 MiB. */
  readonly maxRatio: number;
}

/** Opens the text of a compressed file. */
export async function openGunzip(
  file: OpenedFile,
  request: ViewRequest,
  limits: GunzipLimits,
): Promise<ViewText> {
  const text = new GunzipText(file, request, limits);
  await text.measure();
  return text;
}

/** The text of a compressed file. To read an earlier part, it is decompressed again from its beginning. */
class GunzipText implements ViewText {
  readonly isEncoded = true;
  readonly #file: OpenedFile;
  readonly #request: ViewRequest;
  readonly #limits: GunzipLimits;
  #size = 0;
  readonly #head = new Parts();
  readonly #window = new Parts();
  readonly #notEnds = new Set<number>();
  #members: GzipMembers | undefined;

  constructor(file: OpenedFile, request: ViewRequest, limits: GunzipLimits) {
    this.#file = file;
    this.#request = request;
    this.#limits = limits;
  }

  get size(): number {
    return this.#size;
  }

  /** Decompresses the whole file once, to find the size of the text. */
  async measure(): Promise<void> {
    try {
      let isChecked = false;
      for (let part; (part = await this.#next()) !== undefined;) {
        this.#size += part.length;
        if (this.#head.end < HEAD_BYTES) this.#head.push(part);
        this.#refuseHuge();
        if (isChecked || this.#size < SNIFF_BYTES) continue;
        this.#refuseBinary();
        isChecked = true;
      }
      if (!isChecked) this.#refuseBinary();
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async read(buffer: Uint8Array, position: number): Promise<number> {
    if (position >= this.#size) return 0;
    const held = this.#head.read(buffer, position);
    if (held > 0) return held;
    if (position < this.#window.start) await this.close();
    for (;;) {
      const count = this.#window.read(buffer, position);
      if (count > 0) return count;
      // Its size is known, so the file has changed.
      if (await this.#next() === undefined) {
        throw this.#file.changed("rewritten");
      }
    }
  }

  /** Ends the current pass. */
  async close(): Promise<void> {
    const members = this.#members;
    this.#members = undefined;
    this.#window.clear();
    await members?.close();
  }

  /** Decompresses the next part; `undefined` at the end. */
  async #next(): Promise<Uint8Array | undefined> {
    const [file, request] = [this.#file, this.#request];
    this.#members ??= new GzipMembers(file, request, this.#notEnds);
    const part = await this.#members.next();
    if (part === undefined) return undefined;
    this.#window.push(part);
    this.#window.dropTo(WINDOW_BYTES);
    return part;
  }

  /** Refuses a text whose beginning has a NUL, unless it is UTF-16. */
  #refuseBinary(): void {
    const bytes = new Uint8Array(SNIFF_BYTES);
    const head = bytes.subarray(0, this.#head.read(bytes, 0));
    if (!head.includes(0)) return;
    const { label } = detectByBytes(head, head.length === this.#size);
    if (label?.startsWith("utf-16")) return;
    const media = mediaOf(head);
    const what = media === null ? "it holds a NUL byte" : tellMedia(media);
    throw this.#request.fail(`what it holds is binary: ${what}`);
  }

  #refuseHuge(): void {
    const { maxBytes, maxRatio } = this.#limits;
    if (this.#size > maxBytes) {
      const what = "its decompressed size in bytes";
      throw this.#request.tooLarge(what, this.#size, maxBytes);
    }
    const ratio = Math.floor(this.#size / this.#members!.taken);
    if (this.#size > FREE_BYTES && ratio > maxRatio) {
      const what = "how many times as large it becomes";
      throw this.#request.tooLarge(what, ratio, maxRatio);
    }
  }
}

/** The size of blocks, into which parts are copied: there may be millions of small parts. */
const BLOCK_BYTES = 64 * 1024;

/** Consecutive parts of a text. */
class Parts {
  /** Blocks to use again. */
  readonly #free: Uint8Array[] = [];
  #blocks: { readonly bytes: Uint8Array; length: number }[] = [];
  /** Where they begin in the text. */
  start = 0;
  end = 0;

  push(part: Uint8Array): void {
    for (let at = 0; at < part.length;) {
      let last = this.#blocks.at(-1);
      if (last === undefined || last.length === BLOCK_BYTES) {
        const bytes = this.#free.pop() ?? new Uint8Array(BLOCK_BYTES);
        last = { bytes, length: 0 };
        this.#blocks.push(last);
      }
      const piece = part.subarray(at, at + BLOCK_BYTES - last.length);
      last.bytes.set(piece, last.length);
      last.length += piece.length;
      at += piece.length;
    }
    this.end += part.length;
  }

  clear(): void {
    this.dropTo(-Infinity);
    this.start = this.end = 0;
  }

  /** Drops the first blocks, as long as `least` bytes remain. */
  dropTo(least: number): void {
    let count = 0;
    for (const { bytes, length } of this.#blocks) {
      if (this.end - this.start - length < least) break;
      this.start += length;
      this.#free.push(bytes);
      count++;
    }
    if (count > 0) this.#blocks.splice(0, count);
  }

  /** Reads from the block at a position; `0` if it is not in memory. */
  read(buffer: Uint8Array, position: number): number {
    if (position < this.start || position >= this.end) return 0;
    let from = this.start;
    for (const { bytes, length } of this.#blocks) {
      if (position < from + length) {
        const held = bytes.subarray(position - from, length);
        const wanted = held.subarray(0, buffer.length);
        buffer.set(wanted);
        return wanted.length;
      }
      from += length;
    }
    return 0;
  }
}
