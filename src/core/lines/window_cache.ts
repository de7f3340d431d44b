// Runtime-agnostic.
import { changeOf, type FileStat, isAtRest } from "../base/port.ts";
import { copyWindow, type TextWindow } from "./window.ts";

/** A window of one version of a file. */
interface Entry {
  readonly window: TextWindow;
  readonly bytes: number;
}

/** About how many bytes a window takes besides its text. */
const ENTRY_BYTES = 1024;

/**
 * A cache of windows by the identity and version of the file, and by a key of
 * the request; the least recently used are dropped first. A file is cached only
 * if its times will show the next change.
 */
export class WindowCache {
  readonly #mostBytes: number;
  /** The most recently used window is the last. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  /** Constructs a new instance of at most `mostBytes`. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** About how many bytes the windows take. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns a copy of the window of this version, for a path; `undefined` if it is not cached. */
  get(request: string, stat: FileStat, path: string): TextWindow | undefined {
    const key = keyOf(request, stat);
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

  /** Caches a copy of a window. Call it only if the file did not change meanwhile; `now` was sampled before `stat()`. */
  keep(request: string, window: TextWindow, now: number): void {
    const { stat, path, span, text, clipped } = window;
    const bytes = ENTRY_BYTES + span.end - span.start + 2 * text.length;
    // One window may take an eighth of the cache.
    const isLarge = bytes > this.#mostBytes / 8;
    if (isLarge || clipped || stat.id === null || !isAtRest(stat, now)) return;
    const key = keyOf(request, stat);
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

function keyOf(request: string, { id }: FileStat): string {
  return `${id} ${request}`;
}
