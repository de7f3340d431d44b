// Runtime-agnostic.
import { escapeHidden } from "../core/unicode/rules.ts";
import type { Page } from "../core/pages/page.ts";

/** How lines are shown. */
export interface ViewOptions {
  /** Whether hidden characters are escaped: a file must not control the terminal. */
  readonly isTerminal: boolean;
  readonly numbers: boolean;
  /** Whether to show the text instead of the bytes of the file. */
  readonly isText: boolean;
  /** Whether the numbers are dim. */
  readonly dim: boolean;
  /** Colors lines; returns as many. */
  readonly color?: (lines: readonly string[]) => readonly string[];
}

/** Shows the pages of one file. */
export class View {
  readonly #options: ViewOptions;
  #width = 0;
  /** Whether the last line continues on the next page. */
  #open = false;
  /** The number of the last line. */
  #last = 0;

  constructor(options: ViewOptions) {
    this.#options = options;
  }

  /** Writes a page; in a pipe and without numbers, its bytes. */
  show(page: Page): string | Uint8Array {
    const { isTerminal, numbers, isText, color } = this.#options;
    if (!isText) return page.bytes();
    const { lines, next } = page;
    const texts = lines.map(({ text }) =>
      isTerminal ? escapeHidden(text) : text
    );
    const shown = color?.(texts) ?? texts;
    const { length } = String(lines.at(-1)?.number ?? "");
    this.#width = Math.max(this.#width, length);
    const cut = next?.column !== undefined;
    const rows = lines.map(({ number, ending }, index) => {
      const gutter = this.#open || !numbers ? "" : this.#gutter(number);
      // The separator of grep. Lines of a file cannot look like it, since all have numbers.
      const isApart = this.#last > 0 && number > this.#last + 1;
      const gap = isApart && numbers ? `${this.#dimmed("--")}\n` : "";
      this.#last = number;
      this.#open = ending === "";
      const isLast = index === lines.length - 1;
      const end = isTerminal && !(cut && isLast) ? "\n" : ending;
      return `${gap}${gutter}${shown[index]}${end}`;
    });
    this.#open = cut;
    return rows.join("");
  }

  /** Returns the line break that a terminal needs after the last page. */
  end(): string {
    return this.#open && this.#options.isTerminal ? "\n" : "";
  }

  #gutter(number: number): string {
    const digits = String(number).padStart(this.#width);
    return `${this.#dimmed(digits)}  `;
  }

  #dimmed(text: string): string {
    return this.#options.dim ? `${DIM}${text}${PLAIN}` : text;
  }
}

const DIM = "\x1b[2m";
const PLAIN = "\x1b[0m";
