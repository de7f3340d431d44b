import { didYouMean, type Refuse } from "../base/check.ts";
import { quote } from "../base/words.ts";

/** The names of WHATWG's encodings, and common other ones, to suggest. */
const ENCODING_NAMES =
  "utf-8 ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 x-mac-cyrillic gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr utf-16be utf-16le utf-16 latin1 iso-8859-1 iso-8859-9 ascii cp866 cp1250 cp1251 cp1252 gb2312 sjis ms932 x-user-defined"
    .split(" ");

/** The name of the encoding of a label; `undefined` if the runtime does not know it. */
export function nameOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** Checks a label; returns the name of its encoding, or `"auto"`. */
export function takeLabel(label: string, refuse: Refuse): string {
  // Most calls: no decoder is made only to check this name.
  if (label === "utf-8") return label;
  const name = label === "auto" ? label : nameOf(label);
  if (name !== undefined) return name;
  const given = quote(label);
  if (ENCODING_NAMES.includes(label.trim().toLowerCase())) {
    const problem = `${given} is an encoding that this runtime cannot decode`;
    throw refuse("encoding", problem);
  }
  const nearest = didYouMean(label.toLowerCase(), ["auto", ...ENCODING_NAMES]);
  const kinds =
    'must be "auto" or the label of an encoding, such as "shift_jis"';
  throw refuse("encoding", `${kinds}, not ${given}${nearest}`);
}
