// Runtime-agnostic.
import type { Refuse } from "../base/check.ts";
import { type Encodings, type Told, UTF_8 } from "../lines/codec.ts";
import type { Source } from "../lines/source.ts";
import { codecOf } from "./codecs.ts";
import type { EncodingDetector } from "./detector.ts";
import { nameOf, takeLabel } from "./labels.ts";
import { isUtf8, tellBytes } from "./tell.ts";
import { SNIFF_BYTES } from "../base/limits.ts";

/** The most bytes that a detector gets. */
const SAMPLE_BYTES = 64 * 1024;

/** How many samples of one workspace are remembered. */
const MAX_SAMPLES = 8;

/** How many runners-up are named. */
const MAX_RUNNERS_UP = 3;

/** UTF-8 whose first bytes are ASCII: others may follow. */
const ASCII: Told = { encoding: UTF_8, isOpen: true };
const VALID: Told = { encoding: UTF_8 };
const NOTHING_ELSE: Told = {
  encoding: { label: "utf-8", why: "nothing else fits" },
};

/** What a sample was told to be. */
interface Known {
  readonly sample: Uint8Array;
  readonly told: Told;
}

/** Makes what tells encodings; without a detector, legacy ones are not told. */
export function makeEncodings(detect?: EncodingDetector): Encodings {
  /** The latest last. */
  let known: readonly Known[] = [];

  async function tellSample(bytes: Uint8Array): Promise<Told> {
    if (detect === undefined) return NOTHING_ELSE;
    const sample = bytes.slice(0, SAMPLE_BYTES);
    const found = known.find((one) => isSame(one.sample, sample));
    if (found !== undefined) return found.told;
    const told = tellLegacy(sample, await detect(sample)) ?? NOTHING_ELSE;
    known = [...known, { sample, told }].slice(-MAX_SAMPLES);
    return told;
  }

  return {
    take(asked: string, refuse: Refuse): Told | undefined {
      const label = takeLabel(asked, refuse);
      if (label === "auto") return undefined;
      return { encoding: { label, why: "asked" }, codec: codecOf(label) };
    },
    async tellBy({ text, bytes }) {
      if (!text.includes("\uFFFD") || isUtf8(bytes, true)) return undefined;
      return await tellSample(bytes);
    },
    async tell(source) {
      const { size, kernel } = source;
      const loading = source.loadHead(SNIFF_BYTES);
      if (loading !== undefined) await loading;
      const length = Math.min(size, SNIFF_BYTES);
      const head = source.view(0, length);
      // Most files are ASCII at the beginning.
      const isAscii = kernel.isAscii?.(0, length) ?? isPlain(head);
      if (isAscii && !kernel.hasNul(0, length) && !head.includes(ESC)) {
        return ASCII;
      }
      const { label, why } = tellBytes(head, length === size);
      if (label === "utf-8") return isAscii ? ASCII : VALID;
      if (label !== undefined) {
        return { encoding: { label, why }, codec: codecOf(label) };
      }
      // A longer sample tells more, and mostly the buffer has it already.
      const most = Math.min(size, SAMPLE_BYTES, kernel.buffer.length);
      await source.loadHead(most);
      return await tellSample(source.view(0, Math.min(source.end, most)));
    },
  };
}

const ESC = 0x1b;

function isPlain(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at]! >= 0x80) return false;
  }
  return true;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length &&
    one.every((byte, at) => byte === other[at]);
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
): Told | undefined {
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
    encoding: {
      label,
      why: "statistics",
      ...(runnersUp.length > 0 && { runnersUp }),
    },
    codec: codecOf(label),
  };
}
