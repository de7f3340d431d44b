// Runtime-agnostic.
import type { Charset } from "../lines/codec.ts";
import { doubleByteCodec, SHAPES } from "./double_byte.ts";
import { iso2022jpCodec } from "./iso_2022_jp.ts";
import { singleByteCodec } from "./single_byte.ts";
import { utf16Codec } from "./utf16.ts";

/** The charsets made so far. They hold nothing but tables, which take some milliseconds to make. */
const charsets = /* @__PURE__ */ new Map<string, Charset>();

/** The charset of a name that the runtime knows; `undefined` for UTF-8. */
export function charsetOf(name: string): Charset | undefined {
  if (name === "utf-8") return undefined;
  const known = charsets.get(name);
  if (known !== undefined) return known;
  const charset = makeCharset(name);
  charsets.set(name, charset);
  return charset;
}

function makeCharset(name: string): Charset {
  if (name === "utf-16le" || name === "utf-16be") return utf16Codec(name);
  if (name === "iso-2022-jp") return iso2022jpCodec();
  const shape = SHAPES[name];
  return shape === undefined
    ? singleByteCodec(name)
    : doubleByteCodec(name, shape);
}
