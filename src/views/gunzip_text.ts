// Runtime-agnostic.
import { SNIFF_BYTES } from "../core/base/limits.ts";
import { detectByBytes } from "../core/encodings/tell.ts";
import type { OpenedFile } from "../core/guard/open.ts";
import { mediaOf, tellMedia } from "../core/media/signatures.ts";
import type { ViewRequest, ViewText } from "../core/media/view.ts";
import { ByteBlocks } from "./byte_blocks.ts";
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
  readonly #head = new ByteBlocks();
  readonly #window = new ByteBlocks();
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
