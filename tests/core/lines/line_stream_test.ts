import { assertEquals } from "@std/assert";
import { TextLineStream } from "@std/streams";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace } from "../../../mod.ts";
import { cutFs, CUTS } from "../../support/cuts.ts";
import { Random, SEED } from "../../support/random.ts";

/** The lines of a text, split by an independent implementation. */
async function streamed(text: string): Promise<string[]> {
  const lines = ReadableStream.from([text]).pipeThrough(new TextLineStream());
  return await Array.fromAsync(lines);
}

describe("read()", () => {
  for (const most of CUTS) {
    it(`finds the lines that TextLineStream finds (reads of ${most})`, async () => {
      const random = new Random(SEED + most);
      const parts = [
        "a",
        "é",
        "\n",
        "\r\n",
        "\n\n",
        " ",
        "\u2028",
        "x".repeat(99),
      ];
      for (let round = 0; round < 100; round++) {
        const length = random.below(20);
        const text = Array.from({ length }, () => random.pick(parts)).join("");
        const fs = cutFs(memoryFs({ "/ws/a.txt": text }), most);
        const workspace = await openWorkspace("/ws", { fs });
        const { lines } = await workspace.read("a.txt");
        const texts = lines.map((line) => line.text);
        assertEquals(
          texts,
          await streamed(text),
          JSON.stringify({ SEED, text }),
        );
      }
    });
  }
});
