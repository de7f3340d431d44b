import { SNIFF_BYTES } from "../core/base/limits.ts";
import { detectByBytes } from "../core/encodings/detect.ts";
import type { OpenedFile } from "../core/guard/open.ts";
import { mediaOf, tellMedia } from "../core/media/signatures.ts";
import type { ViewRequest, ViewText } from "../core/media/view.ts";
import { ByteBlocks } from "./byte_blocks.ts";
import { GzipReader } from "./gzip_members.ts";
import type { GunzipOptions } from "./named_views.ts";

/** How many bytes may be decompressed at any ratio: small files often compress very well. */
const FREE_BYTES = 16 * 1024 * 1024;
/** How many bytes of the text are held in memory: of its beginning, and of the part that was read last. */
const HEAD_BYTES = 2 * 1024 * 1024;
const WINDOW_BYTES = 6 * 1024 * 1024;

/**
 * Opens the text of a compressed file, which is decompressed once to find its
 * size. To read an earlier part, it is decompressed again from its beginning.
 */
export async function openGunzip(
  file: OpenedFile,
  request: ViewRequest,
  { maxBytes, maxRatio }: Required<GunzipOptions>,
): Promise<ViewText> {
  /** The beginning of the text. */
  const first = new ByteBlocks();
  /** The part of the text that was read last. */
  const window = new ByteBlocks();
  /** Positions in the file where no member ends, as an earlier attempt showed. */
  const notEnds = new Set<number>();
  let size = 0;
  /** The current pass through the file. */
  let reader: GzipReader | undefined;

  /** Decompresses the next part of the text into the window; `undefined` at the end. */
  async function next(): Promise<Uint8Array | undefined> {
    reader ??= new GzipReader(file, request, notEnds);
    const part = await reader.next();
    if (part === undefined) return undefined;
    window.push(part);
    window.dropTo(WINDOW_BYTES);
    return part;
  }

  /** Ends the current pass. */
  async function close(): Promise<void> {
    const ended = reader;
    reader = undefined;
    window.clear();
    await ended?.close();
  }

  /** Refuses a text whose beginning has a NUL, unless it is UTF-16. */
  function refuseBinary(): void {
    const bytes = new Uint8Array(SNIFF_BYTES);
    const head = bytes.subarray(0, first.read(bytes, 0));
    if (!head.includes(0)) return;
    const found = detectByBytes(head, head.length === size);
    if (found?.label.startsWith("utf-16")) return;
    const media = mediaOf(head);
    const what = media === null ? "it holds a NUL byte" : tellMedia(media);
    throw request.fail(`what it holds is binary: ${what}`);
  }

  /** Refuses a text that is above the limits; `taken` is how many bytes of the file it takes. */
  function refuseHuge(taken: number): void {
    if (size > maxBytes) {
      const what = "its decompressed size in bytes";
      throw request.tooLarge(what, size, maxBytes);
    }
    const ratio = Math.floor(size / taken);
    if (size > FREE_BYTES && ratio > maxRatio) {
      const what = "how many times as large it becomes";
      throw request.tooLarge(what, ratio, maxRatio);
    }
  }

  try {
    for (;;) {
      const part = await next();
      if (part === undefined) break;
      const hadHead = size >= SNIFF_BYTES;
      size += part.length;
      if (first.end < HEAD_BYTES) first.push(part);
      refuseHuge(reader!.taken);
      if (!hadHead && size >= SNIFF_BYTES) refuseBinary();
    }
    if (size < SNIFF_BYTES) refuseBinary();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    isEncoded: true,
    size,
    async read(buffer, position) {
      if (position >= size) return 0;
      const held = first.read(buffer, position);
      if (held > 0) return held;
      if (position < window.start) await close();
      for (;;) {
        const count = window.read(buffer, position);
        if (count > 0) return count;
        // The text had `size` bytes before, so the file has changed.
        if (await next() === undefined) throw file.changed("rewritten");
      }
    },
    close,
  };
}
