import type { Encodings, ShownText } from "../lines/codec.ts";
import { takeLabel } from "./labels.ts";
import type { Source } from "../lines/source.ts";
import { joinBytes } from "../lines/text.ts";
import { lazyPart } from "../base/lazy_part.ts";
import type { Awaitable } from "../base/port.ts";

const resolvePart = lazyPart(() => import("./resolve.ts"));

const LF = 0x0a;

/** Makes the detection of encodings; without a detector, legacy encodings are not detected. */
export function makeEncodings(detector?: EncodingDetector): Encodings {
  let detect: Encodings["detect"] | undefined;
  async function loadAndDetect(source: Source, shown?: ShownText) {
    // Most files are UTF-8: other encodings are loaded when a file needs them.
    const { detectWith } = await resolvePart(source.path);
    detect ??= detectWith(detector);
    return await detect(source, shown);
  }
  return {
    check: takeLabel,
    async resolve(label, path) {
      const { resolveEncoding } = await resolvePart(path);
      return resolveEncoding({ label, why: "asked" });
    },
    detect(source, shown) {
      const whole = shown && withLineBefore(source, shown);
      return whole === undefined || mayNotBeUtf8(source, whole)
        ? loadAndDetect(source, whole)
        : undefined;
    },
  };
}

/** Adds the beginning of the first line, as far as the buffer holds it: by the encoding of that beginning, the text begins at one column or another. */
function withLineBefore(source: Source, shown: ShownText): ShownText {
  const { span, column = 1 } = shown;
  const near = Math.max(source.start, span.start - NEAR_BYTES);
  if (column === 1 || near >= span.start || span.start > source.end) {
    return shown;
  }
  const before = source.view(near, span.start);
  const feed = before.lastIndexOf(LF);
  // Without a line break, it may begin inside a character.
  const from = feed >= 0 ? feed + 1 : startOfCharacter(before);
  const line = before.subarray(from);
  const text = new TextDecoder().decode(line) + shown.text;
  return { ...shown, text, bytes: () => joinBytes([line, shown.bytes()]) };
}

/** Where the first character of UTF-8 begins. */
function startOfCharacter(bytes: Uint8Array): number {
  const first = bytes.subarray(0, 4).findIndex((byte) => byte >> 6 !== 2);
  return Math.max(0, first);
}

const REPLACEMENT = "\uFFFD";
const NUL = 0x00;
const ESC = 0x1b;

/** How many of the last bytes in the buffer are searched: few lines are longer. */
const NEAR_BYTES = 64 * 1024;

/**
 * Whether a file may be in another encoding than UTF-8: the shown text is empty,
 * or it has invalid bytes, or the file begins with a byte order mark, or has a NUL
 * or an escape near the lines. UTF-16 has a NUL beside each line feed.
 */
function mayNotBeUtf8(source: Source, { text, span }: ShownText): boolean {
  const { kernel, start, end, size } = source;
  if (size > 0 && text === "") return true;
  if (text.includes(REPLACEMENT)) return true;
  if (text.includes("\0") || text.includes("\x1b")) return true;
  const { buffer } = kernel;
  if (start === 0 && end > 1 && buffer[0]! >= 0xfe) return true;
  // The shown text was searched above, which is faster.
  const hasSign = (from: number, to: number) =>
    from < to && (kernel.has(from - start, to - start, NUL) ||
      kernel.has(from - start, to - start, ESC));
  const near = Math.max(start, end - NEAR_BYTES);
  return hasSign(near, Math.min(span.start, end)) ||
    hasSign(Math.max(near, span.end), end);
}

/**
 * Detects the encoding of bytes that are not UTF-8, by statistics. Returns the
 * encodings that they may be in, the likeliest first.
 */
export type EncodingDetector = (
  bytes: Uint8Array,
) => Awaitable<
  readonly {
    /** A label that `TextDecoder` takes. */
    readonly label: string;
    /** How likely it is, from 0 to 1. */
    readonly confidence: number;
  }[]
>;
