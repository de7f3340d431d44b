import type { Page } from "../core/pages/page.ts";
import { type Refuse, type Rules, takeOptions } from "../core/base/check.ts";
import type { CallContext } from "../core/read_options.ts";
import { takeLabel } from "../core/encodings/labels.ts";

/** The length at which the lines of a part are joined: a million short strings take much memory. */
const PART_LENGTH = 32 * 1024;

/** For how many lines labels are cached: making a label takes as long as finding its line. */
const CACHED_LABELS = 4096;

/** Makes the label of a line, by its number; the first ones are cached. */
export function cacheLabels(
  make: (number: number) => string,
): (number: number) => string {
  const cache: string[] = [];
  return (number) =>
    number < CACHED_LABELS ? cache[number] ??= make(number) : make(number);
}

/** Writes the lines of a text, joined by LF. */
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
    // The engine joins the concatenated strings when it slices them.
    numbered += part.slice(0, -1) + part.slice(-1);
    part = "";
  }
}

/** A multiple of three, so that only the last part is padded. */
const PART_BYTES = 12_288;

export function toBase64(bytes: Uint8Array): string {
  let base64 = "";
  for (let from = 0; from < bytes.length; from += PART_BYTES) {
    const part = bytes.subarray(from, from + PART_BYTES);
    base64 += btoa(String.fromCharCode(...part));
  }
  return base64;
}

/** Checks the options of a tool. */
export function takeEncoded<
  Options extends { readonly encoding?: string | undefined },
>(
  options: Options | undefined,
  rules: Rules<Options>,
  refuse: Refuse,
): Options {
  const taken = takeOptions(options, rules, refuse);
  if (taken.encoding !== undefined) takeLabel(taken.encoding, refuse);
  return taken;
}

/** Notes the encoding, if it is not UTF-8, and the first line with undecodable bytes; `shown` is the text that the model sees. */
export function noteText(
  page: Page,
  shown: string,
  note: CallContext["note"],
): void {
  const { label, why } = page.encoding;
  if (label !== "utf-8") note?.(`the file was read as ${label} (${why})`);
  if (note === undefined || !shown.includes("\uFFFD")) return;
  const lost = page.inexact.find(({ reason }) =>
    reason === "not UTF-8" || reason === "undecodable"
  );
  if (lost === undefined) return;
  const { number } = lost;
  const name = label === "utf-8" ? "UTF-8" : label;
  // Lines that were not counted have negative numbers.
  const place = number < 0 ? "" : ` from line ${number} on`;
  note(`bytes that are not ${name} are shown as U+FFFD${place}`);
}
