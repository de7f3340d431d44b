// Runtime-agnostic.
import type { Awaitable } from "../base/port.ts";

/** An encoding that a file may be in. */
export interface LikelyEncoding {
  /** A label that `TextDecoder` takes. */
  readonly label: string;
  /** How likely it is, from 0 to 1. */
  readonly confidence: number;
}

/**
 * Detects the encoding of bytes that are not UTF-8, by statistics. Returns the
 * encodings that they may be in, the likeliest first.
 */
export type EncodingDetector = (
  bytes: Uint8Array,
) => Awaitable<readonly LikelyEncoding[]>;

/** How legacy encodings are detected. */
export interface DetectOptions {
  /**
   * Detects the encoding of files that are neither UTF-8 nor UTF-16 nor
   * ISO-2022-JP. Without it, such files are read as UTF-8.
   */
  readonly detect?: EncodingDetector | undefined;
}
