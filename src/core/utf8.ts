// Runtime-agnostic.

const lossy = new TextDecoder("utf-8", { ignoreBOM: true });
const REPLACEMENT = "\uFFFD";

/** Decodes; what is no UTF-8 stands as U+FFFD, a BOM as U+FEFF. */
export function decodeLossy(bytes: Uint8Array): string {
  return lossy.decode(bytes);
}

/** Decodes; `undefined` if it is not UTF-8. */
export function decodeStrict(bytes: Uint8Array): string | undefined {
  // On Deno a strict decoder takes seven times as long, so it is asked only in doubt.
  const text = lossy.decode(bytes);
  return text.includes(REPLACEMENT) && !isStrictUtf8(bytes) ? undefined : text;
}

/** Whether the bytes are UTF-8; a character cut short at their end is no fault if more `follow`. */
export function isUtf8(
  bytes: Uint8Array,
  { follow }: { readonly follow: boolean },
): boolean {
  return !lossy.decode(bytes).includes(REPLACEMENT) ||
    isStrictUtf8(bytes, follow);
}

function isStrictUtf8(bytes: Uint8Array, stream = false): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream });
    return true;
  } catch {
    return false;
  }
}
