// Runtime-agnostic.

/** How much is put together at a time: a million short strings take their room. */
const PART_LENGTH = 32 * 1024;

/** The lines whose labels are kept: a label takes as long to make as its line to find. */
const KEPT_LABELS = 4096;

/** Makes what stands before a line, by its number; what most answers need is kept. */
export function keepLabels(
  make: (number: number) => string,
): (number: number) => string {
  const kept: string[] = [];
  return (number) =>
    number < KEPT_LABELS ? kept[number] ??= make(number) : make(number);
}

/**
 * Numbers the lines of a text. Each is written by `write`, which is given it with
 * an LF, whether it ended with that or with CR LF; but the last one has none.
 */
export function numberLines(
  text: string,
  first: number,
  write: (number: number, line: string) => string,
): string {
  if (text === "") return "";
  const lines = text.replaceAll("\r\n", "\n");
  const end = lines.length - (lines.endsWith("\n") ? 1 : 0);
  let numbered = "";
  let part = "";
  let from = 0;
  for (let number = first;; number++) {
    const next = lines.indexOf("\n", from) + 1;
    if (next === 0 || next > end) {
      return numbered + part + write(number, lines.slice(from, end));
    }
    part += write(number, lines.slice(from, next));
    from = next;
    if (part.length < PART_LENGTH) continue;
    // Only what is cut is made one string of those it was put together of.
    numbered += part.slice(0, -1) + part.slice(-1);
    part = "";
  }
}
