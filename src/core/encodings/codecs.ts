// Runtime-agnostic.
import type { Codec } from "../lines/codec.ts";
import { charsetOf } from "./charsets.ts";
import { readerOf } from "./reader.ts";

/** The codecs made so far. */
const codecs = /* @__PURE__ */ new Map<string, Codec>();

/** What reads the encoding of a name that the runtime knows; `undefined` for UTF-8. */
export function codecOf(name: string): Codec | undefined {
  const charset = charsetOf(name);
  if (charset === undefined) return undefined;
  const known = codecs.get(name);
  if (known !== undefined) return known;
  const codec = readerOf(charset);
  codecs.set(name, codec);
  return codec;
}
