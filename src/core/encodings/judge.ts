// Runtime-agnostic.
import { SNIFF_BYTES } from "../base/limits.ts";
import type {
  Codec,
  Encodings,
  FileEncoding,
  ResolvedEncoding,
} from "../lines/codec.ts";
import { FileIndex } from "../lines/line_index.ts";
import type { Source } from "../lines/source.ts";
import type { EncodingDetector } from "./detector.ts";
import { charsetOf, nameOf } from "./charsets.ts";
import { isIso2022jp, isUtf8, tellBytes } from "./tell.ts";
import { readerOf } from "./reader.ts";

/** The codecs made so far. */
const codecs = /* @__PURE__ */ new Map<string, Codec>();

/** What reads the encoding of a name that the runtime knows; `undefined` for UTF-8. */
export function codecOf(name: string): Codec | undefined {
  const charset = charsetOf(name);
  if (charset === undefined) return undefined;
  const known = codecs.get(name);
  if (known !== undefined) return known;
  const codec = readerOf(charset);
  codecs.set(name, codec);
  return codec;
}

/** The most bytes that are judged by how much of them is UTF-8. */
const MOST_JUDGED = 1024 * 1024;

/** The most bytes that a detector gets. */
const SAMPLE_BYTES = 64 * 1024;

/** How many samples of one workspace are remembered. */
const MAX_SAMPLES = 8;

/** How many runners-up are named. */
const MAX_RUNNERS_UP = 3;

const NOTHING_ELSE: FileEncoding = {
  label: "utf-8",
  why: "nothing else fits",
};

const ISO_2022_JP: FileEncoding = {
  label: "iso-2022-jp",
  why: "escape sequences",
};

const SIGN = "\uFFFD";

/** An encoding, with what reads it. */
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
      source.feed = codec.feed;
      source.kernel = codec.kernelFor(source.kernel, source);
      if (index !== undefined) source.index = indexFor(index, codec);
    },
  };
}

/** The index of a file in an encoding. */
function indexFor(index: FileIndex, { label, feed }: Codec): FileIndex {
  if (index.other?.label !== label) {
    const other = feed === 1 ? index.copy() : new FileIndex(index.stat);
    index.other = { label, index: other };
  }
  return index.other!.index;
}

/** What a sample was told to be. */
interface Known {
  readonly sample: Uint8Array;
  readonly told: ResolvedEncoding;
}

/** Makes what judges a file in which something speaks against UTF-8; without a detector, legacy encodings are not told. */
export function judgeWith(
  detect: EncodingDetector | undefined,
): Encodings["judge"] {
  /** The latest last. */
  let known: readonly Known[] = [];

  async function tellSample(
    bytes: Uint8Array,
    source: Source,
  ): Promise<ResolvedEncoding> {
    if (detect === undefined || isMostlyUtf8(bytes.subarray(0, MOST_JUDGED))) {
      return resolveEncoding(NOTHING_ELSE);
    }
    const sample = bytes.slice(0, SAMPLE_BYTES);
    const found = known.find((one) => isSame(one.sample, sample));
    if (found !== undefined) return found.told;
    const likely = tellLegacy(sample, await source.wait(detect(sample)));
    const told = resolveEncoding(likely ?? NOTHING_ELSE);
    known = [...known, { sample, told }].slice(-MAX_SAMPLES);
    return told;
  }

  return async (source, shown) => {
    const { size, kernel } = source;
    const head = await source.piece(0, Math.min(size, SNIFF_BYTES));
    const { label, why } = tellBytes(head, head.length === size);
    if (label !== undefined && label !== "utf-8") {
      return resolveEncoding({ label, why });
    }
    if (label === undefined) {
      // A longer sample tells more.
      const most = Math.min(size, SAMPLE_BYTES, kernel.buffer.length);
      return await tellSample(await source.piece(0, most), source);
    }
    if (shown === undefined) return undefined;
    const { text, bytes } = shown;
    if (isIso2022jp(bytes)) return resolveEncoding(ISO_2022_JP);
    const isLost = text.includes(SIGN) && !isUtf8(bytes, true);
    // A file that begins in UTF-8 goes on in it, whatever else it holds.
    if (!isLost || head.some((byte) => byte >= 0x80)) return undefined;
    return await tellSample(bytes, source);
  };
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length &&
    one.every((byte, at) => byte === other[at]);
}

/** Whether more of what is not ASCII is UTF-8 than is not, which is rare in other encodings. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes, { stream: true });
  const other = text.replace(/[\0-\x7f]+/g, "");
  const lost = other.split(SIGN).length - 1;
  return Array.from(other).length >= 2 * lost && other.length > lost;
}

/** The share of characters that may be none. */
const MOST_LOST = 1 / 100;

/** Whether a sample, the last character of which may be cut, decodes. */
function isText(sample: Uint8Array, name: string): boolean {
  const text = new TextDecoder(name).decode(sample, { stream: true });
  const lost = text.split("\uFFFD").length - 1;
  return lost <= text.length * MOST_LOST;
}

/** The likeliest encoding that the runtime knows and in which the sample is text. */
function tellLegacy(
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
  const runnersUp = others.slice(0, MAX_RUNNERS_UP);
  return {
    label,
    why: "statistics",
    ...(runnersUp.length > 0 && { runnersUp }),
  };
}
