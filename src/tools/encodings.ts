// Runtime-agnostic.
import type { Refuse } from "../core/base/check.ts";
import type { TextWindow } from "../core/lines/window.ts";
import { type FileRoot, innerOf } from "../core/workspace.ts";
import type { CallOptions } from "./call.ts";

/** An option of the makers of tools. */
export interface EncodingOption {
  /**
   * The encoding of files, as a label that `TextDecoder` takes, or `"auto"` to
   * detect it; UTF-8 by default. Needs a workspace from {@linkcode
   * openWorkspace}.
   */
  readonly encoding?: string;
}

/** The encoding of a tool, as a part of its policy. */
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

/** Notes the encoding, if it is not UTF-8, and the first line with undecodable bytes; `shown` is the text that the model sees. */
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

/** Whether decoding lost bytes: then the text has more U+FFFD than the bytes. */
function isLossy({ text, bytes, encoding: { label } }: TextWindow): boolean {
  if (label !== "utf-8") return true;
  let written = 0;
  for (let at = 0; (at = bytes.indexOf(0xef, at)) >= 0; at++) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) written++;
  }
  return text.split(SIGN).length - 1 > written;
}
