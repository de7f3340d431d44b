import { LruCache } from "../base/lru_cache.ts";
import { ReadFileError } from "../base/errors.ts";
import { SNIFF_BYTES } from "../base/limits.ts";
import {
  type Codec,
  type ResolvedEncoding,
  UNDETECTED,
  UTF_8,
} from "../lines/codec.ts";
import type { Encodings, FileEncoding } from "../lines/codec.ts";
import { FileIndex } from "../lines/line_index.ts";
import type { Source } from "../lines/source.ts";
import { codecOf } from "./codecs.ts";
import type { EncodingDetector } from "./encodings.ts";
import { nameOf } from "./labels.ts";
import { isUtf8 } from "../lines/text.ts";
import { detectByBytes, isIso2022jp, ISO_2022_JP } from "./detect.ts";

/** The most bytes that are checked for being mostly UTF-8. */
const MOST_CHECKED = 1024 * 1024;

/** The most bytes that a detector gets. */
const SAMPLE_BYTES = 64 * 1024;

/** How many samples of one workspace are remembered. */
const MAX_SAMPLES = 8;

/** The most runners-up that an answer names. */
const MAX_RUNNERS_UP = 3;

const NOTHING_ELSE: FileEncoding = { label: "utf-8", why: "nothing else fits" };

const REPLACEMENT = "\uFFFD";

/** Finds the codec of an encoding. */
export function resolveEncoding(encoding: FileEncoding): ResolvedEncoding {
  const codec = codecOf(encoding.label);
  return {
    encoding,
    codec,
    use(source) {
      source.encoding = encoding;
      if (codec === undefined) return;
      const { index } = source;
      source.codec = codec;
      source.feedLength = codec.feedLength;
      source.kernel = codec.kernelFor?.(source.kernel, source) ?? source.kernel;
      if (index !== undefined) source.index = indexFor(index, codec);
    },
  };
}

function indexFor(index: FileIndex, { label, feedLength }: Codec): FileIndex {
  if (index.other?.label !== label) {
    // Where a line feed is one byte, lines have the same places as in UTF-8.
    const other = feedLength === 1 ? index.copy() : new FileIndex(index.stat);
    index.other = { label, index: other };
  }
  return index.other!.index;
}

/** Makes the function that detects the encoding of a file that may not be UTF-8; without a detector, it does not detect legacy encodings. */
export function detectWith(
  detector: EncodingDetector | undefined,
): Encodings["detect"] {
  /** The encodings that were detected, by their samples as Latin-1. */
  const known = new LruCache<ResolvedEncoding>(MAX_SAMPLES);

  async function detectSample(bytes: Uint8Array, source: Source) {
    const odd = bytes.subarray(startOfSample(bytes));
    if (detector === undefined) return resolveEncoding(UNDETECTED);
    if (isMostlyUtf8(odd.subarray(0, MOST_CHECKED))) {
      return resolveEncoding(NOTHING_ELSE);
    }
    const sample = odd.slice(0, SAMPLE_BYTES);
    const key = new TextDecoder("latin1").decode(sample);
    const found = known.get(key);
    if (found !== undefined) return found;
    const likely = await ask(detector, sample, source);
    const encoding = resolveEncoding(likely ?? NOTHING_ELSE);
    known.set(key, encoding);
    return encoding;
  }

  /** Detects the encoding by the first bytes beyond ASCII, for a search that found nothing. */
  async function detectBeyondAscii(source: Source) {
    const from = await endOfAscii(source);
    const sample = await source.piece(from, from + SAMPLE_BYTES);
    if (isUtf8(sample, from + sample.length === source.size)) return undefined;
    return await detectSample(sample, source);
  }

  return async (source, shown) => {
    const { size } = source;
    const head = await source.piece(0, SNIFF_BYTES);
    const found = detectByBytes(head, head.length === size);
    if (found === undefined) {
      // Only statistics can tell; a longer sample makes them more reliable.
      const sample = await source.piece(0, SAMPLE_BYTES);
      return await detectSample(sample, source);
    }
    if (found !== UTF_8) return resolveEncoding(found);
    if (shown === undefined) return undefined;
    const isAscii = head.every((byte) => byte < 0x80);
    if (shown.isMissed && isAscii) return await detectBeyondAscii(source);
    const { text } = shown;
    const bytes = shown.bytes();
    if (isIso2022jp(bytes)) return resolveEncoding(ISO_2022_JP);
    const isLost = text.includes(REPLACEMENT) && !isUtf8(bytes);
    // A file whose beginning is UTF-8 beyond ASCII is UTF-8, whatever bytes follow.
    if (!isLost || !isAscii) return undefined;
    return await detectSample(bytes, source);
  };
}

/** Where a sample begins: some ASCII before the first byte beyond ASCII. */
function startOfSample(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  return Math.max(0, first - SAMPLE_BYTES / 2);
}

/** Asks a detector for the encoding of a sample. */
async function ask(
  detector: EncodingDetector,
  sample: Uint8Array,
  source: Source,
): Promise<FileEncoding | undefined> {
  try {
    return chooseLegacy(sample, await source.call.wait(detector(sample)));
  } catch (cause) {
    // The call was aborted.
    if (cause instanceof ReadFileError) throw cause;
    const problem = "the detector of its encoding failed";
    const details = { as: "text", problem };
    // The message of the cause may hold what a model should not see.
    throw new ReadFileError("UNREADABLE", source.path, details, {
      cause,
      hint: 'name the encoding, such as "windows-1252"',
    });
  }
}

/** Where the first byte beyond ASCII is; the size of the file if it has none. */
async function endOfAscii(source: Source): Promise<number> {
  let position = 0;
  while (position < source.size) {
    await source.load(position);
    const { kernel, start, end } = source;
    if (!kernel.isAscii?.(position - start, end - start)) {
      const bytes = source.view(position, end);
      const at = bytes.findIndex((byte) => byte >= 0x80);
      if (at >= 0) return position + at;
    }
    position = end;
  }
  return position;
}

/** Whether most bytes beyond ASCII are valid UTF-8, which is rare in other encodings. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes, { stream: true });
  const other = text.replace(/[\0-\x7f]+/g, "");
  const lost = other.split(REPLACEMENT).length - 1;
  // At least half of the characters, and at least one, must be valid.
  return Array.from(other).length >= 2 * lost && other.length > lost;
}

/** The largest share of undecodable characters in text. */
const MOST_LOST = 1 / 100;

/** Whether a sample is text in an encoding; its last character may be cut. */
function isText(sample: Uint8Array, name: string): boolean {
  const text = new TextDecoder(name).decode(sample, { stream: true });
  const lost = text.split(REPLACEMENT).length - 1;
  return lost <= text.length * MOST_LOST;
}

/** The likeliest encoding that the runtime knows and that decodes the sample to text. */
function chooseLegacy(
  sample: Uint8Array,
  likely: Awaited<ReturnType<EncodingDetector>>,
): FileEncoding | undefined {
  const names: string[] = [];
  for (const { label } of likely) {
    const name = nameOf(label);
    if (name === undefined || /^utf-|^x-user/.test(name)) continue;
    if (!names.includes(name) && isText(sample, name)) names.push(name);
  }
  const [label, ...others] = names;
  if (label === undefined) return undefined;
  const why = "statistics";
  const runnersUp = others.slice(0, MAX_RUNNERS_UP);
  return runnersUp.length > 0 ? { label, why, runnersUp } : { label, why };
}
