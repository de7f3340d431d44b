// Runtime-agnostic.

const lossy = new TextDecoder("utf-8", { ignoreBOM: true });
const REPLACEMENT = "\uFFFD";

/** Decodes; what is no UTF-8 stands as U+FFFD, a BOM as U+FEFF. */
export function decodeLossy(bytes: Uint8Array): string {
  return lossy.decode(bytes);
}

/** Whether a text that was decoded has surely lost nothing. */
export function isExact(text: string): boolean {
  return !text.includes(REPLACEMENT);
}

/** Decodes; `undefined` if it is not UTF-8. */
export function decodeStrict(bytes: Uint8Array): string | undefined {
  // On Deno a strict decoder takes seven times as long, so it is asked only in doubt.
  const text = lossy.decode(bytes);
  return isExact(text) || isStrictUtf8(bytes) ? text : undefined;
}

/** Whether the bytes are UTF-8; a character cut short at their end is no fault if more `follow`. */
export function isUtf8(
  bytes: Uint8Array,
  { follow }: { readonly follow: boolean },
): boolean {
  return isExact(lossy.decode(bytes)) || isStrictUtf8(bytes, follow);
}

function isStrictUtf8(bytes: Uint8Array, stream = false): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream });
    return true;
  } catch {
    return false;
  }
}
