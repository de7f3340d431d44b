// Not at the edge: the detector comes from npm.
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { pairDetector } from "../../bench/pair_detector.ts";
import { type EncodingDetector, memoryFs, openWorkspace } from "../../mod.ts";
import { legacyDetector } from "../../detect/mod.ts";
import { encode, encodedIn } from "../support/encoded.ts";
import { type Labelled, labelledCorpus } from "./corpus.ts";
import { OTHER_SENTENCES } from "./other_texts.ts";
import { ENCODINGS } from "./texts.ts";

/** The least share of the corpus that must be detected. */
const LEAST_RIGHT = 0.98;

/** The share of texts that are decoded correctly. */
async function shareOf(
  corpus: readonly Labelled[],
  detect: EncodingDetector,
): Promise<number> {
  let right = 0;
  for (const { text, bytes } of corpus) {
    const [best] = await detect(bytes);
    if (new TextDecoder(best?.label).decode(bytes) === text) right++;
  }
  return right / corpus.length;
}

describe("pairDetector(), for comparison", () => {
  it("detects most texts with sentences that it was not trained on", async () => {
    // The library detects ISO-2022-JP without a detector.
    const corpus = labelledCorpus().filter(({ encoding }) =>
      encoding !== "iso-2022-jp"
    );
    const detect = pairDetector(OTHER_SENTENCES, ENCODINGS);
    assert(await shareOf(corpus, detect) >= LEAST_RIGHT);
  });
});

describe("legacyDetector()", () => {
  it("detects the encodings of a labelled corpus", async () => {
    const corpus = labelledCorpus();
    const encodings = new Set(corpus.map(({ encoding }) => encoding));
    assert(corpus.length >= 300 && encodings.size >= 14);
    const detect = legacyDetector();
    const wrong: string[] = [];
    for (const { language, encoding, shape, text, bytes } of corpus) {
      const fs = memoryFs({ "/ws/a": bytes });
      const workspace = await openWorkspace("/ws", { fs, detect });
      const page = await workspace.read("a");
      const shown = page.lines.map((line) => line.text + line.ending).join("");
      if (shown === text) continue;
      wrong.push(`${shape}, ${language}, ${encoding}: ${page.encoding.label}`);
    }
    const right = 1 - wrong.length / corpus.length;
    assert(right >= LEAST_RIGHT, `${right}\n${wrong.join("\n")}`);
  });
  it("detects as many texts with other sentences", async () => {
    const corpus = labelledCorpus(OTHER_SENTENCES);
    assert(await shareOf(corpus, legacyDetector()) >= LEAST_RIGHT);
  });
  it("detects the encoding of long texts that are mostly ASCII", async () => {
    const detect = legacyDetector();
    const filler = `${"const value = read(path, 1);\n".repeat(300)}`;
    const seen = new Set<string>();
    for (const { encoding, shape, text } of labelledCorpus()) {
      // One long text per encoding is enough.
      if (shape !== "paragraphs" || seen.has(encoding)) continue;
      seen.add(encoding);
      const decoder = new TextDecoder(encoding, { ignoreBOM: true });
      const lines = `${filler}${text.replaceAll("\r\n\r\n", `\r\n${filler}`)}`;
      const bytes = encode(lines.repeat(12).slice(0, 64 * 1024), encoding)!;
      const [best] = await detect(bytes.subarray(0, 64 * 1024));
      const shown = new TextDecoder(best!.label).decode(bytes);
      assertEquals(shown, decoder.decode(bytes), `${encoding}: ${best!.label}`);
    }
    assert(seen.size > 10);
  });
  it("detects the encoding from text after much ASCII", async () => {
    const text = "Это файл в старой кодировке, и сервер её узнаёт.\n";
    const russian = encodedIn(text.repeat(20), "windows-1251");
    const files = {
      "/ws/lines": "a line of plain text\n".repeat(5000),
      "/ws/line": "a,".repeat(10_000),
    };
    for (const [path, ascii] of Object.entries(files)) {
      const bytes = Uint8Array.from([
        ...new TextEncoder().encode(ascii),
        ...russian,
      ]);
      const fs = memoryFs({ [path]: bytes });
      const workspace = await openWorkspace("/ws", {
        fs,
        detect: legacyDetector(),
      });
      const { encoding, lines } = await workspace.read(path, { tail: 30 });
      assertEquals(encoding.label, "windows-1251", path);
      assertEquals(`${lines.at(-1)?.text}\n`, text);
      const whole = await workspace.read(path);
      assertEquals(whole.encoding.label, "windows-1251", path);
    }
  });
  it("is not called for a file in UTF-8 or UTF-16", async () => {
    const fs = memoryFs({ "/ws/a": "plain é\n" });
    const workspace = await openWorkspace("/ws", {
      fs,
      detect: () => Promise.reject(new Error("asked")),
    });
    assertEquals((await workspace.read("a")).encoding.label, "utf-8");
  });
});
