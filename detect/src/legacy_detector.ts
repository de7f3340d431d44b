import type { EncodingDetector } from "@agent-tools/read-file";

/** An encoding, and how likely it is. */
type LikelyEncoding = Awaited<ReturnType<EncodingDetector>>[number];

/** The used part of jschardet. */
interface Jschardet {
  detectAll(bytes: Uint8Array): readonly {
    readonly encoding: string | null;
    readonly confidence: number;
  }[];
}

/** Names in jschardet that are not labels of WHATWG encodings. */
const LABELS: Readonly<Record<string, string>> = {
  "big5-hkscs": "big5",
  "big5hkscs": "big5",
  "cp874": "windows-874",
  "cp932": "shift_jis",
  "cp949": "euc-kr",
  "euc-jis-2004": "euc-jp",
  "iso-2022-jp-2": "iso-2022-jp",
  "iso2022-jp-2": "iso-2022-jp",
  "maccyrillic": "x-mac-cyrillic",
  "macroman": "macintosh",
  "shift-jis-2004": "shift_jis",
  "shift_jis_2004": "shift_jis",
  "uhc": "euc-kr",
};

/** Rare encodings: an equally likely common encoding takes precedence. */
const SELDOM = /^iso-?8859-(?:3|4|10|16)$/;

/** The largest difference of confidence that counts as equal. */
const AS_LIKELY = 0.01;

/** How many bytes jschardet gets: it copies them several times. */
const SAMPLE_BYTES = 16 * 1024;

/** How many of the first bytes are passed on unfiltered: HTML may name its encoding there. */
const HEAD_BYTES = 1024;

/** How many bytes of a later line are passed on before the first one that is not ASCII. */
const LEAD_BYTES = 1024;

/**
 * Makes a detector of legacy encodings, to open a workspace with.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { legacyDetector } from "@agent-tools/read-file-detect";
 * import { assertEquals } from "@std/assert";
 *
 * // "Это файл в старой кодировке, и сервер её узнаёт." in windows-1251.
 * const bytes = Uint8Array.fromBase64(
 *   "3fLuIPTg6esg4iDx8uDw7ukg6u7k6PDu4urlLCDoIPHl8OLl8CDluCDz5+3guPIuCg==",
 * );
 * const fs = memoryFs({ "/repo/old.txt": bytes });
 * const workspace = await openWorkspace("/repo", { fs, detect: legacyDetector() });
 * const { encoding, lines } = await workspace.read("old.txt");
 * assertEquals(encoding.label, "windows-1251");
 * assertEquals(lines[0]?.text, "Это файл в старой кодировке, и сервер её узнаёт.");
 * ```
 */
export function legacyDetector(): EncodingDetector {
  return async (bytes) => {
    // Loaded only if a file needs it, since most are UTF-8.
    const jschardet: Jschardet = await import("jschardet");
    return rank(jschardet.detectAll(sampleOf(bytes)));
  };
}

/** The first bytes, and later lines that are not ASCII: other lines do not help the statistics. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= HEAD_BYTES) return bytes;
  const sample = new Uint8Array(SAMPLE_BYTES);
  let from = bytes.lastIndexOf(LF, HEAD_BYTES) + 1;
  sample.set(bytes.subarray(0, from));
  let length = from;
  while (from < bytes.length && length < sample.length) {
    const feed = bytes.indexOf(LF, from);
    const end = feed < 0 ? bytes.length : feed + 1;
    const at = bytes.subarray(from, end)
      .findIndex((byte) => byte >= 0x80 || byte === ESC);
    if (at >= 0) {
      // A long line may begin with a long part in ASCII.
      const start = Math.max(from, from + at - LEAD_BYTES);
      const line = bytes.subarray(start, Math.min(end, start + SAMPLE_BYTES));
      sample.set(line.subarray(0, sample.length - length), length);
      length = Math.min(sample.length, length + line.length);
    }
    from = end;
  }
  return sample.subarray(0, length);
}

const LF = 0x0a;
const ESC = 0x1b;

/** The found encodings by the labels of WHATWG, the likeliest first. */
function rank(
  found: ReturnType<Jschardet["detectAll"]>,
): readonly LikelyEncoding[] {
  const likely = found.flatMap(({ encoding, confidence }) => {
    if (encoding === null) return [];
    const name = encoding.toLowerCase();
    return [{ label: LABELS[name] ?? name, confidence }];
  });
  const best = likely[0]?.confidence ?? 0;
  const isSeldom = ({ label, confidence }: LikelyEncoding) =>
    SELDOM.test(label) && best - confidence <= AS_LIKELY;
  return [
    ...likely.filter((one) => !isSeldom(one)),
    ...likely.filter(isSeldom),
  ];
}
