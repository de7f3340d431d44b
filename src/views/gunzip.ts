// Runtime-agnostic.
import type { OpenedFile } from "../core/guard/open.ts";
import { refuseMistake, type Rules, takeOptions } from "../core/base/check.ts";
import { tellMedia } from "../core/media/explain.ts";
import { mediaOf } from "../core/media/signatures.ts";
import type { View, ViewRequest, ViewText } from "../core/media/view.ts";
import { GzipMembers } from "./gzip_members.ts";

/** Options for {@linkcode gunzipView}. */
export interface GunzipOptions {
  /** The most bytes that a file may become; 256 MiB by default. */
  readonly maxBytes?: number;
  /** How many times as large it may become, past the first 16 MiB; 200 by default. */
  readonly maxRatio?: number;
}

const RULES: Rules<GunzipOptions> = {
  maxBytes: { least: 1 },
  maxRatio: { least: 1 },
};

/** What may be decompressed at any ratio: little files are often much smaller. */
const FREE_BYTES = 16 * 1024 * 1024;

/** How much of the text is held in memory: its beginning, and what was read last. */
const HEAD_BYTES = 2 * 1024 * 1024;
const WINDOW_BYTES = 6 * 1024 * 1024;

/** How many of the first bytes tell whether it is text. */
const SNIFF_BYTES = 8192;

/**
 * A view of files that gzip has compressed: the text in them. It is decompressed
 * as it is read, so memory does not grow with it. `"gunzip"` is its name.
 *
 * @example Usage
 * ```ts
 * import { gunzipView, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const packed = new Blob(["one\ntwo\n"]).stream()
 *   .pipeThrough(new CompressionStream("gzip"));
 * const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
 * const fs = memoryFs({ "/repo/app.log.1.gz": bytes });
 * const workspace = await openWorkspace("/repo", { fs, views: [gunzipView()] });
 * const page = await workspace.read("app.log.1.gz", { tail: 1 });
 * assertEquals([page.view, page.lines[0]?.text], ["gunzip", "two"]);
 * ```
 */
export function gunzipView(options: GunzipOptions = {}): View {
  const refuse = refuseMistake("Cannot make a view of gzip");
  const { maxBytes = 256 * 1024 * 1024, maxRatio = 200 } = takeOptions(
    options,
    RULES,
    refuse,
  );
  return {
    name: "gunzip",
    matches: ({ media }) => media?.type === "application/gzip",
    async open(file, request) {
      const text = new GunzipText(file, request, { maxBytes, maxRatio });
      await text.measure();
      return text;
    },
  };
}

type Limits = Required<GunzipOptions>;

/** The text of a compressed file, decompressed from its beginning whenever an earlier part is wanted. */
class GunzipText implements ViewText {
  readonly #file: OpenedFile;
  readonly #request: ViewRequest;
  readonly #limits: Limits;
  #size = 0;
  readonly #head = new Parts();
  #window = new Parts();
  readonly #notEnds = new Set<number>();
  #members: GzipMembers | undefined;

  constructor(file: OpenedFile, request: ViewRequest, limits: Limits) {
    this.#file = file;
    this.#request = request;
    this.#limits = limits;
  }

  get size(): number {
    return this.#size;
  }

  /** Decompresses all of it once, to know its size. */
  async measure(): Promise<void> {
    try {
      for (let part; (part = await this.#next()) !== undefined;) {
        if (this.#size < SNIFF_BYTES) this.#refuseBinary(part);
        this.#size += part.length;
        if (this.#head.end < HEAD_BYTES) this.#head.push(part);
        this.#refuseHuge();
      }
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

  /** Ends the present pass. */
  async close(): Promise<void> {
    const members = this.#members;
    this.#members = undefined;
    this.#window = new Parts();
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

  #refuseBinary(part: Uint8Array): void {
    if (!part.subarray(0, SNIFF_BYTES - this.#size).includes(0)) return;
    const media = this.#size === 0 ? mediaOf(part) : null;
    // It is text all the same.
    if (media?.type.startsWith("text/")) return;
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

/** Parts of a text that follow each other. */
class Parts {
  #parts: Uint8Array[] = [];
  /** Where they begin in the text. */
  start = 0;
  /** Where they end. */
  end = 0;

  push(part: Uint8Array): void {
    this.#parts.push(part);
    this.end += part.length;
  }

  /** Drops the first parts, as long as so many bytes remain. */
  dropTo(least: number): void {
    let count = 0;
    for (const { length } of this.#parts) {
      if (this.end - this.start - length < least) break;
      this.start += length;
      count++;
    }
    this.#parts.splice(0, count);
  }

  /** Reads from the part at a position; `0` if it is not held. */
  read(buffer: Uint8Array, position: number): number {
    if (position < this.start || position >= this.end) return 0;
    let from = this.start;
    for (const part of this.#parts) {
      if (position < from + part.length) {
        const held = part.subarray(position - from);
        const some = held.subarray(0, buffer.length);
        buffer.set(some);
        return some.length;
      }
      from += part.length;
    }
    return 0;
  }
}
