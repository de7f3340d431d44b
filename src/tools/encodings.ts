// Runtime-agnostic.
import type { Refuse } from "../core/base/check.ts";
import type { TextWindow } from "../core/lines/window.ts";
import { type FileRoot, innerOf } from "../core/workspace.ts";
import type { CallOptions } from "./call.ts";

/** An option of the makers of tools. */
export interface EncodingOption {
  /**
   * The encoding of files, as a label that `TextDecoder` takes, or `"auto"`: told
   * by their bytes. UTF-8 if it is not given. Needs a workspace that
   * {@linkcode openWorkspace} opened.
   */
  readonly encoding?: string;
}

/** The encoding that a tool reads in, as a part of its policy. */
export function takeEncoding(
  workspace: FileRoot,
  encoding: string | undefined,
  refuse: Refuse,
): EncodingOption {
  if (encoding === undefined) return {};
  const { encodings } = innerOf(workspace);
  if (encodings === undefined) {
    throw refuse("encoding", "needs a workspace that openWorkspace() opened");
  }
  encodings.check(encoding, refuse);
  return { encoding };
}

const SIGN = "\uFFFD";

/** Notes the encoding, if it is not UTF-8, and the first line in which bytes are no text; `shown` is what a model sees of them. */
export function noteText(
  window: TextWindow,
  shown: string,
  note: CallOptions["note"],
): void {
  const { label, why } = window.encoding;
  if (label !== "utf-8") note?.(`the file was read as ${label} (${why})`);
  if (note === undefined || !shown.includes(SIGN) || !isLossy(window)) return;
  const { number } = window.lines.find(({ text }) => text.includes(SIGN))!;
  const from = number === null ? "" : ` from line ${number} on`;
  const name = label === "utf-8" ? "UTF-8" : label;
  note(`bytes that are not ${name} are shown as U+FFFD${from}`);
}

/** Whether there are more signs of lost bytes in the text than the bytes hold. */
function isLossy({ text, bytes, encoding: { label } }: TextWindow): boolean {
  if (label !== "utf-8") return true;
  let written = 0;
  for (let at = 0; (at = bytes.indexOf(0xef, at)) >= 0; at++) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) written++;
  }
  return text.split(SIGN).length - 1 > written;
}
