// Runtime-agnostic.
import type { TextWindow } from "../core/lines/window.ts";
import { escapeHidden } from "../core/pages/escape.ts";

/** How lines are shown. */
export interface ViewOptions {
  /** Whether a person looks at them: a file must not steer the terminal. */
  readonly isTerminal: boolean;
  /** Whether each has its number before it. */
  readonly numbers: boolean;
  /** Whether the numbers are dim. */
  readonly dim: boolean;
  /** Colors lines; none is added, and none is lost. */
  readonly color?:
    | ((lines: readonly string[]) => readonly string[])
    | undefined;
}

/** Shows the windows of one file, one after the other. */
export class View {
  readonly #options: ViewOptions;
  #width = 0;
  /** Whether the last line goes on in the next window. */
  #open = false;

  /** Constructs a new instance for one file. */
  constructor(options: ViewOptions) {
    this.#options = options;
  }

  /** Shows a window. In a pipe that wants no numbers, those are the very bytes. */
  show(window: TextWindow): string | Uint8Array {
    const { isTerminal, numbers, color } = this.#options;
    if (!isTerminal && !numbers) return window.bytes;
    const lines = [...window.eachLine()];
    const texts = lines.map(({ text }) =>
      isTerminal ? escapeHidden(text) : text
    );
    const shown = color?.(texts) ?? texts;
    this.#width = Math.max(
      this.#width,
      String(lines.at(-1)?.number ?? "").length,
    );
    const cut = window.nextColumn > 1;
    const rows = lines.map(({ number, ending }, index) => {
      const gutter = this.#open || !numbers ? "" : this.#gutter(number!);
      this.#open = ending === "";
      const isLast = index === lines.length - 1;
      const end = isTerminal && !(cut && isLast) ? "\n" : ending;
      return `${gutter}${shown[index]}${end}`;
    });
    this.#open = cut;
    return rows.join("");
  }

  /** What is to follow the last window: a terminal's next line begins at its edge. */
  end(): string {
    return this.#open && this.#options.isTerminal ? "\n" : "";
  }

  #gutter(number: number): string {
    const digits = String(number).padStart(this.#width);
    return this.#options.dim ? `${DIM}${digits}${PLAIN}  ` : `${digits}  `;
  }
}

const DIM = "\x1b[2m";
const PLAIN = "\x1b[0m";
