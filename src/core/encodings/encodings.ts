// Runtime-agnostic.
import type { Encodings, Shown } from "../lines/codec.ts";
import type { NewlineKernel } from "../lines/scan.ts";
import type { Source } from "../lines/source.ts";
import { loadPart } from "../base/errno.ts";
import type { EncodingDetector } from "./detector.ts";
import { takeLabel } from "./charsets.ts";

/** Makes the detection of encodings; without a detector, legacy encodings are not detected. */
export function makeEncodings(detect?: EncodingDetector): Encodings {
  let judge: Encodings["judge"] | undefined;
  async function judgeOdd(source: Source, shown?: Shown) {
    // Most files are UTF-8: other encodings are loaded when a file needs them.
    const { judgeWith } = await loadPart(source.path, import("./judge.ts"));
    judge ??= judgeWith(detect);
    return await judge(source, shown);
  }
  return {
    check: takeLabel,
    async resolve(label, path) {
      const { resolveEncoding } = await loadPart(path, import("./judge.ts"));
      return resolveEncoding({ label, why: "asked" });
    },
    judge: (source, shown) =>
      shown === undefined || isOdd(source, shown)
        ? judgeOdd(source, shown)
        : undefined,
  };
}

const SIGN = "\uFFFD";
const ESC = 0x1b;

/** How many bytes at the end of the buffer are checked: few lines are longer. */
const NEAR_BYTES = 64 * 1024;

function hasEscape(kernel: NewlineKernel, from: number, to: number): boolean {
  const at = kernel.pair?.(from, to, ESC, ESC, 0);
  if (at !== undefined) return at >= 0;
  return kernel.buffer.subarray(from, to).includes(ESC);
}

/**
 * Whether a file may not be UTF-8: it has invalid bytes or a byte order mark,
 * or a NUL or an escape near the lines. UTF-16 has a NUL beside each line feed.
 */
function isOdd(source: Source, { text, span }: Shown): boolean {
  const { kernel, start, end, size } = source;
  if (size > 0 && text === "" || text.includes(SIGN)) return true;
  if (text.includes("\0") || text.includes("\x1b")) return true;
  const { buffer } = kernel;
  if (start === 0 && end > 1 && buffer[0]! >= 0xfe) return true;
  // The shown text was searched above, which is faster.
  const isOddIn = (from: number, to: number) =>
    from < to && (kernel.hasNul(from - start, to - start) ||
      hasEscape(kernel, from - start, to - start));
  const near = Math.max(start, end - NEAR_BYTES);
  return isOddIn(near, Math.min(span.start, end)) ||
    isOddIn(Math.max(near, span.end), end);
}
