/** A labeled corpus: texts in many languages, in the encodings used for them. */
import { encode } from "../support/encoded.ts";
import { ENCODINGS, SENTENCES } from "./texts.ts";

/** A text in an encoding. */
export interface Labelled {
  readonly language: string;
  readonly encoding: string;
  readonly shape: string;
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** Joins sentences to files of several kinds. */
const SHAPES: Readonly<Record<string, (lines: readonly string[]) => string>> = {
  prose: (lines) => `${lines.join(" ")}\n`,
  paragraphs: (lines) => `${lines.join("\r\n\r\n")}\r\n`,
  code: (lines) =>
    lines.map((line, at) =>
      `// ${line}\nexport function step${at}(path: string) {\n  return open(path, ${at});\n}\n`
    ).join("\n"),
  log: (lines) =>
    lines.map((line, at) =>
      `2024-03-1${at} 08:0${at}:17,35${at} [main] WARN app.Reader - ${line}\n`
    ).join(""),
};

/** How many sentences each text has. */
const LENGTHS = [2, 3, 6];

/** Every text in every encoding that has all its characters. */
export function labelledCorpus(texts = SENTENCES): Labelled[] {
  const corpus: Labelled[] = [];
  for (const [language, sentences] of Object.entries(texts)) {
    for (const encoding of ENCODINGS[language]!) {
      for (const [at, [shape, write]] of Object.entries(SHAPES).entries()) {
        for (const length of LENGTHS) {
          // Each text has other sentences.
          const lines = Array.from(
            { length },
            (_, index) => sentences[(index + at + length) % sentences.length]!,
          );
          const text = write(lines);
          const bytes = encode(text, encoding);
          if (bytes === undefined) continue;
          corpus.push({ language, encoding, shape, text, bytes });
        }
      }
    }
  }
  return corpus;
}
