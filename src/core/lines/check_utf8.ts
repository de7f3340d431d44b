// Runtime-agnostic.
import { ReadFileError } from "../errors.ts";
import type { Awaitable } from "../port.ts";
import type { Source } from "./source.ts";
import { isUtf8 } from "./utf8.ts";

/** `BINARY` if the bytes `[position, end)` are not UTF-8. */
export function checkUtf8(
  source: Source,
  position: number,
  end: number,
): Awaitable<void> {
  if (position < source.start || end > source.end) {
    return checkParts(source, position, end);
  }
  const { kernel, start } = source;
  if (kernel.isAscii?.(position - start, end - start)) return;
  const isText = isUtf8(source.view(position, end), { follow: false });
  if (!isText) throw notUtf8(source);
}

/** The same of what has to be loaded. */
async function checkParts(
  source: Source,
  position: number,
  end: number,
): Promise<void> {
  const strict = new TextDecoder("utf-8", { fatal: true });
  while (position < end) {
    await source.load(position);
    const to = Math.min(source.end, end);
    try {
      strict.decode(source.view(position, to), { stream: to < end });
    } catch {
      throw notUtf8(source);
    }
    position = to;
  }
}

/** The failure of a file that is no text. */
export function notUtf8({ path }: Source): ReadFileError<"BINARY"> {
  return new ReadFileError("BINARY", path, { sign: "utf-8" });
}
