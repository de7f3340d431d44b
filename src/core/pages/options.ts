// Runtime-agnostic.

/**
 * Which part of a file a page shows: lines from `start` on (`count` of them, or
 * up to `end`), the last `tail` lines, or those `around` a line; line 1 to the
 * end if nothing is said. All of it is plain JSON.
 */
export interface PageOptions {
  /** The first line; 1 by default. */
  readonly start?: number;
  /** The most lines to show; the next page shows as many again, to the end of the file. */
  readonly count?: number;
  /** The last line to show; the pages after go up to it. */
  readonly end?: number;
  /** Shows that many of the last lines. */
  readonly tail?: number;
  /** Shows the lines around this one. */
  readonly around?: number;
  /** How many lines before it; 10 by default. */
  readonly before?: number;
  /** How many lines after it; 10 by default. */
  readonly after?: number;
  /** The most bytes of the file to show, as long as one character fits. */
  readonly maxBytes?: number;
  /** The column of the first line to begin at; columns are characters, from 1 on. */
  readonly column?: number;
  /** The most columns to show, all of one line. */
  readonly width?: number;
  /** Whether hidden characters are shown as `\u{202E}`. */
  readonly escape?: boolean;
  /** The `etag` of the page before: if its version of the file is gone, that is `CHANGED`. */
  readonly etag?: string;
}
