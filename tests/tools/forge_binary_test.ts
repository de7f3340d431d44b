import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { ReadFileError } from "../../mod.ts";
import { CUTS } from "../support/cuts.ts";
import { forgeFor, noise, utf8 } from "../support/forge.ts";

describe("Read of binary files", () => {
  for (const most of CUTS) {
    describe(`in reads of ${most} bytes`, () => {
      it("T-RD-04 binary as base64", async () => {
        const bytes = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 1, 2);
        const tool = await forgeFor(bytes, { most });
        assertEquals(await tool.call({ path: "a.txt" }), {
          path: "a.txt",
          text: "[binary:base64]\niVBORwABAg==",
          data: "iVBORwABAg==",
          binary: true,
          encoding: "base64",
          truncated: false,
          start_line: null,
          end_line: null,
          total_lines: null,
          next_start_line: null,
          size: 7,
        });
      });

      it("cuts a binary file at max_file_read_bytes, and shows its size", async () => {
        const bytes = Uint8Array.of(0, 1, 2, 3, 4);
        for (const limit of [4, 5, 6]) {
          const config = { max_file_read_bytes: limit };
          const tool = await forgeFor(bytes, { most, config });
          const output = await tool.call({ path: "a.txt" });
          const data = limit < 5 ? "AAECAw==" : "AAECAwQ=";
          const header = `[binary:base64]${limit < 5 ? "[truncated]" : ""}\n`;
          assertEquals(output.text, header + data);
          assertEquals(output.data, data);
          assertEquals([output.truncated, output.size], [limit < 5, 5]);
        }
      });

      it("refuses every line argument for a binary file", async () => {
        const tool = await forgeFor("a\0b\n", { most });
        for (
          const name of ["start_line", "end_line", "limit", "head", "tail"]
        ) {
          const call = () => tool.call({ path: "a.txt", [name]: 1 });
          const error = await assertRejects(call, ReadFileError);
          assertEquals(error.code, "INVALID_ARGUMENT");
          assertEquals(
            error.message,
            "Line ranges are not supported for binary files",
          );
          assertEquals(error.details, {
            argument: name,
            problem: "cannot be used for a binary file",
          });
          assertEquals(
            error.hint,
            "leave out start_line, end_line, limit, head and tail",
          );
        }
      });

      it("distinguishes binary from text by the first 8192 bytes", async () => {
        const a = "a".repeat(8190);
        const cases: readonly [Uint8Array, boolean][] = [
          [utf8(`${a}a\0`), true],
          [utf8(`${a}aa\0`), false],
          [Uint8Array.of(...utf8(`${a}a`), 0xff), true],
          [Uint8Array.of(...utf8(`${a}aa`), 0xff), false],
          // The boundary cuts letters of two, three and four bytes.
          [utf8(`${a}aé`), false],
          [utf8(`${a}a€`), false],
          [utf8(`${a}€`), false],
          [utf8(`${a}😀`), false],
          // The end of the file cuts these letters.
          [Uint8Array.of(...utf8(`${a}`), 0xe2, 0x82), true],
          [Uint8Array.of(0x61, 0xc3), true],
          // Invalid bytes before the boundary stay invalid.
          [Uint8Array.of(...utf8(a), 0xe0, 0x80, 0x80), true],
          [Uint8Array.of(...utf8(`${a}a`), 0xe2, 0x28, 0xa1), false],
          [Uint8Array.of(0xed, 0xa0, 0x80), true],
          [Uint8Array.of(0xff, 0xfe, 0x61, 0), true],
        ];
        for (const [index, [bytes, binary]] of cases.entries()) {
          const tool = await forgeFor(bytes, { most });
          const output = await tool.call({ path: "a.txt" });
          assertEquals([index, output.binary], [index, binary]);
        }
      });
    });
  }

  it("encodes large binary files like another encoder", async () => {
    for (const length of [12_287, 12_288, 12_289, 300_001]) {
      const bytes = noise(length);
      const config = { max_file_read_bytes: 1_000_000 };
      const { data } = await (await forgeFor(bytes, { config })).call({
        path: "a.txt",
      });
      const back = Uint8Array.from(atob(data!), (unit) => unit.charCodeAt(0));
      assertEquals(back.length, length);
      assert(back.every((byte, at) => byte === bytes[at]));
      assertEquals(data!.length, Math.ceil(length / 3) * 4);
    }
  });
});
