// Runtime-agnostic.
import { changeOf, type FileStat, isAtRest } from "../base/port.ts";
import { copyWindow, type TextWindow } from "./window.ts";

/** A window of one version of a file. */
interface Entry {
  readonly window: TextWindow;
  readonly bytes: number;
}

/** About what a window costs beside its text. */
const ENTRY_BYTES = 1024;

/**
 * Windows of files at rest that were read recently, by identity, version and what
 * was asked for; the least recently used are dropped first. A file that may change
 * unseen is never kept.
 */
export class WindowCache {
  readonly #mostBytes: number;
  /** The most recently used last. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  /** Constructs a new instance of at most so many bytes. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** How much memory the windows take, about. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A copy of the window of this version, for a path; `undefined` if it is not kept. */
  get(asked: string, stat: FileStat, path: string): TextWindow | undefined {
    const key = keyOf(asked, stat);
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (changeOf(entry.window.stat, stat) !== "same") {
      this.#bytes -= entry.bytes;
      return undefined;
    }
    this.#entries.set(key, entry);
    return copyWindow(entry.window, path, stat);
  }

  /** Keeps a copy of a window, once it is known that the file did not change meanwhile; `now` was sampled before `stat()`. */
  keep(asked: string, window: TextWindow, now: number): void {
    const { stat, path, span, text, clipped } = window;
    const bytes = ENTRY_BYTES + span.end - span.start + 2 * text.length;
    // One window may take an eighth.
    const isLarge = bytes > this.#mostBytes / 8;
    if (isLarge || clipped || stat.id === null || !isAtRest(stat, now)) return;
    const key = keyOf(asked, stat);
    this.#drop(key);
    this.#entries.set(key, { window: copyWindow(window, path, stat), bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}

function keyOf(asked: string, { id }: FileStat): string {
  return `${id} ${asked}`;
}
