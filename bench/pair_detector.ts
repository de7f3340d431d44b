/** A detector of legacy encodings for comparison; it counts byte pairs in some sentences of each language. */
import type { EncodingDetector } from "../mod.ts";
import { nameOf } from "../src/core/encodings/labels.ts";
import { encode } from "../tests/support/encoded.ts";

/** Sentences by language, and the encodings of each language. */
type Texts = Readonly<Record<string, readonly string[]>>;

/** The frequencies of bytes and byte pairs of a language in an encoding. */
interface Model {
  readonly encoding: string;
  readonly bytes: Uint32Array;
  readonly pairs: Map<number, number>;
  /** The number of counted pairs with a byte beyond ASCII. */
  count: number;
}

/** The weights of a pair, of its second byte, and of any byte. */
const [PAIR, BYTE, ANY] = [0.7, 0.29, 0.01];

/** The number of bytes that the detector reads. */
const MOST_BYTES = 16 * 1024;

/** Calls `take` with each pair of bytes that contains a byte beyond ASCII. */
function eachPair(
  bytes: Uint8Array,
  take: (first: number, second: number) => void,
): void {
  // The byte before a text counts as a space.
  let first = 0x20;
  for (const second of bytes) {
    if (first >= 0x80 || second >= 0x80) take(first, second);
    first = second;
  }
}

function modelOf(encoding: string, bytes: Uint8Array): Model {
  const model: Model = {
    encoding,
    bytes: new Uint32Array(256),
    pairs: new Map(),
    count: 0,
  };
  eachPair(bytes, (first, second) => {
    const pair = first * 256 + second;
    model.pairs.set(pair, (model.pairs.get(pair) ?? 0) + 1);
    model.bytes[second]!++;
    model.count++;
  });
  return model;
}

/** The mean log probability of the pairs. */
function scoreOf(bytes: Uint8Array, { bytes: seen, pairs, count }: Model) {
  let [sum, length] = [0, 0];
  eachPair(bytes, (first, second) => {
    const before = first >= 0x80 ? seen[first]! : count;
    const pair = pairs.get(first * 256 + second) ?? 0;
    sum += Math.log(
      PAIR * Math.min(1, pair / Math.max(1, before)) +
        BYTE * seen[second]! / count + ANY / 256,
    );
    length++;
  });
  return length === 0 ? -Infinity : sum / length;
}

/** Whether bytes are valid in an encoding, and contain no control characters. */
function isText(bytes: Uint8Array, encoding: string): boolean {
  const decoder = new TextDecoder(encoding);
  const text = decoder.decode(bytes, { stream: true });
  return !/[\uFFFD\x80-\x9F]/.test(text);
}

/** Makes a detector, which is trained at its first call on sentences of each language. */
export function pairDetector(texts: Texts, encodings: Texts): EncodingDetector {
  let models: readonly Model[] | undefined;
  const train = () =>
    Object.entries(texts).flatMap(([language, sentences]) =>
      encodings[language]!.flatMap((label) => {
        const encoding = nameOf(label);
        if (
          encoding === undefined || /^(?:iso-2022-jp|utf-8)$/.test(encoding)
        ) return [];
        const bytes = encode(`${sentences.join("\n")}\n`, encoding);
        return bytes === undefined ? [] : [modelOf(encoding, bytes)];
      })
    );
  return (bytes) => {
    models ??= train();
    const sample = bytes.subarray(0, MOST_BYTES);
    const scores = new Map<string, number>();
    for (const model of models) {
      const { encoding } = model;
      const score = scoreOf(sample, model);
      if (score > (scores.get(encoding) ?? -Infinity)) {
        scores.set(encoding, score);
      }
    }
    const ranked = [...scores].filter(([encoding]) => isText(sample, encoding))
      .sort(([, one], [, other]) => other - one);
    const best = ranked[0]?.[1] ?? 0;
    return ranked.map(([label, score]) => ({
      label,
      confidence: Math.exp(score - best),
    }));
  };
}
