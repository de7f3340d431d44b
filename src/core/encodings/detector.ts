// Runtime-agnostic.
import type { Awaitable } from "../base/port.ts";

/** An encoding that a detector holds for likely. */
export interface LikelyEncoding {
  /** A label that `TextDecoder` takes. */
  readonly label: string;
  /** How likely it is, from 0 to 1. */
  readonly confidence: number;
}

/**
 * Tells the encoding of bytes that are not UTF-8 by statistics. Gives the
 * encodings that they may be in, the likeliest first.
 */
export type EncodingDetector = (
  bytes: Uint8Array,
) => Awaitable<readonly LikelyEncoding[]>;

/** How legacy encodings are told. */
export interface DetectOptions {
  /**
   * Tells the encoding of files that are neither UTF-8 nor UTF-16 nor
   * ISO-2022-JP; called only for these. Without it they are read as UTF-8.
   */
  readonly detect?: EncodingDetector | undefined;
}
