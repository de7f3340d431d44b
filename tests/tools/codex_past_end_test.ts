import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  CODEX_FILES as FILES,
  codexOn,
  failureOf,
  PROFILES,
  rangeOf,
  sentenceOf,
} from "../support/codex.ts";

/** Numbers larger than the lines of any file. */
const VERY_LARGE = ["9007199254740992", "18446744073709551615", "1e300"];

describe("codex read_file past the end", () => {
  for (
    const [file, path] of [["a file of three lines", "/ws/a.txt"], [
      "an empty file",
      "/ws/empty.txt",
    ]]
  ) {
    const offset = path === "/ws/a.txt" ? 4 : 1;
    const slice = { file_path: path, offset };
    const block = { ...slice, mode: "indentation" };
    const anchored = { ...block, indentation: { anchor_line: offset } };

    it(`shows no lines of ${file} as a slice, without an error`, async () => {
      const tool = await codexOn(FILES);
      assertEquals((await tool.call(slice)).content, "");
    });

    it(`refuses ${file} as a slice, in the original profile`, async () => {
      const tool = await codexOn(FILES, { original: true });
      const error = await failureOf(tool, slice);
      assertEquals(error.message, "offset exceeds file length");
      assertEquals(error.code, "RANGE_OUT_OF_BOUNDS");
      assertEquals(error.details, {
        start: offset,
        end: offset,
        totalLines: offset - 1,
      });
    });

    it(`shows no lines of ${file} around an offset, without an error`, async () => {
      const tool = await codexOn(FILES);
      assertEquals((await tool.call(block)).content, "");
    });

    it(`refuses ${file} around an offset, in the original profile`, async () => {
      const tool = await codexOn(FILES, { original: true });
      const sentence = "anchor_line exceeds file length";
      assertEquals(await sentenceOf(tool, block), sentence);
    });

    for (const [name, options] of PROFILES) {
      it(`refuses ${file} around an anchor${name}`, async () => {
        const error = await failureOf(await codexOn(FILES, options), anchored);
        assertEquals(error.message, "anchor_line exceeds file length");
        assertEquals(error.code, "RANGE_OUT_OF_BOUNDS");
      });
    }
  }

  for (const number of VERY_LARGE) {
    it(`treats an offset of ${number} as very large`, async () => {
      const text = `{"file_path":"/ws/a.txt","offset":${number}}`;
      assertEquals((await (await codexOn(FILES)).call(text)).content, "");
    });

    it(`treats a limit of ${number} as very large`, async () => {
      const text = `{"file_path":"/ws/a.txt","limit":${number}}`;
      const { content } = await (await codexOn(FILES)).call(text);
      assertEquals(rangeOf(content), "1-3");
    });

    it(`treats ${number} as very large in indentation mode`, async () => {
      const tool = await codexOn(FILES);
      const ask = (inner: string) =>
        `{"file_path":"/ws/a.txt","limit":${number},"mode":"indentation","indentation":${inner}}`;
      const { content } = await tool.call(
        ask(`{"max_levels":${number},"max_lines":${number}}`),
      );
      assertEquals(rangeOf(content), "1-3");
      const past = ask(`{"anchor_line":${number}}`);
      const sentence = "anchor_line exceeds file length";
      assertEquals(await sentenceOf(tool, past), sentence);
    });
  }
});
