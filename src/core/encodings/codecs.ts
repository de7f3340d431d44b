// Runtime-agnostic.
import type { Charset, Codec } from "../lines/codec.ts";
import { doubleByteCodec, SHAPES } from "./double_byte.ts";
import { iso2022jpCodec } from "./iso_2022_jp.ts";
import { readerOf } from "./reader.ts";
import { singleByteCodec } from "./single_byte.ts";
import { utf16Codec } from "./utf16.ts";

/** The codecs that were made, by name. Calls may share them: they hold only tables, which take some milliseconds to make. */
const codecs = /* @__PURE__ */ new Map<string, Codec>();

/** Returns the codec of an encoding that the runtime knows; `undefined` for UTF-8. */
export function codecOf(name: string): Codec | undefined {
  if (name === "utf-8") return undefined;
  const known = codecs.get(name);
  if (known !== undefined) return known;
  const codec = readerOf(makeCharset(name));
  codecs.set(name, codec);
  return codec;
}

function makeCharset(name: string): Charset {
  if (name === "utf-16le" || name === "utf-16be") return utf16Codec(name);
  if (name === "iso-2022-jp") return iso2022jpCodec();
  const shape = SHAPES[name];
  return shape === undefined
    ? singleByteCodec(name)
    : doubleByteCodec(name, shape);
}
