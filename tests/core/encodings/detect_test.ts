import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { detectByBytes } from "../../../src/core/encodings/detect.ts";
import { utf16Of } from "../../support/encoded.ts";

const encoder = new TextEncoder();

/** Texts with characters of one to four bytes, each longer than a sample. */
const TEXTS: Readonly<Record<string, string>> = {
  ASCII: "plain words, and a line feed\n",
  German: "Größe, Maß und Übergänge: fünf Straßen\n",
  Russian: "Съешь же ещё этих мягких французских булок\n",
  Japanese: "いろはにほへと ちりぬるを、色は匂へど\n",
  Thai: "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า\n",
  emoji: "👩‍💻 writes 𝄞 and 🇯🇵\n",
  mixed: "a é 日 👍\r\n",
};

describe("detectByBytes()", () => {
  for (const [name, text] of Object.entries(TEXTS)) {
    it(`detects UTF-8 of ${name}, cut after any of 8,192 bytes`, () => {
      const bytes = encoder.encode(text.repeat(8192 / text.length + 1));
      for (let cut = 1; cut <= 8192; cut++) {
        const found = detectByBytes(bytes.subarray(0, cut), false);
        assertEquals(found?.label, "utf-8", `${cut} bytes`);
      }
    });
  }
  it("detects UTF-8 with a byte order mark, cut after any byte", () => {
    const bytes = encoder.encode("\uFEFFé");
    for (let cut = 1; cut <= bytes.length; cut++) {
      assertEquals(
        detectByBytes(bytes.subarray(0, cut), false)?.label,
        "utf-8",
      );
    }
  });
  it("does not detect UTF-8 if a whole file ends inside a character", () => {
    const bytes = encoder.encode("aé").subarray(0, 2);
    assertEquals(detectByBytes(bytes, true), undefined);
  });
  for (const big of [false, true]) {
    const label = big ? "utf-16be" : "utf-16le";
    it(`detects ${label} by its byte order mark`, () => {
      const told = detectByBytes(utf16Of("\uFEFF", big), true);
      assertEquals(told, { label, why: "byte order mark" });
    });
    for (const [name, text] of Object.entries(TEXTS)) {
      it(`detects ${label} of ${name} without a byte order mark, cut after any byte from 80 on`, () => {
        const bytes = utf16Of(text.repeat(20), big);
        for (let cut = 80; cut <= 400; cut++) {
          const told = detectByBytes(bytes.subarray(0, cut), false);
          assertEquals(told, { label, why: "zero bytes" }, `${cut} bytes`);
        }
      });
    }
  }
  const isoBytes = encoder.encode("a\x1b$B$3$s\x1b(B\n");
  it("detects ISO-2022-JP by its escapes", () => {
    const told = detectByBytes(isoBytes, true);
    assertEquals(told, { label: "iso-2022-jp", why: "escape sequences" });
  });
  const others: Readonly<Record<string, Uint8Array>> = {
    "a log with colors": encoder.encode("\x1b[31mred\x1b[0m \x1b(B\x1b[m\n"),
    "ASCII with a NUL": encoder.encode("one\0two\0three\0four\0\n"),
    "names that end in a NUL": encoder.encode("src/a.ts\0src/b.ts\0".repeat(9)),
    "an empty file": new Uint8Array(0),
    "a NUL alone": new Uint8Array(1),
    "many NULs": new Uint8Array(200),
  };
  for (const [name, bytes] of Object.entries(others)) {
    it(`detects UTF-8 for ${name}`, () => {
      assertEquals(detectByBytes(bytes, true)?.label, "utf-8");
    });
  }
  const unknown: Readonly<Record<string, Uint8Array>> = {
    "UTF-32": Uint8Array.of(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0),
    "Latin-1": Uint8Array.of(0x47, 0x72, 0xf6, 0xdf, 0x65),
    "half a byte order mark": Uint8Array.of(0xff),
    "bytes of a program": Uint8Array.from(
      { length: 400 },
      (_, at) => at * 37 % 251 % 5 === 0 ? 0 : at * 37 % 251,
    ),
  };
  for (const [name, bytes] of Object.entries(unknown)) {
    it(`needs statistics for ${name}`, () => {
      assertEquals(detectByBytes(bytes, true), undefined);
    });
  }
});
