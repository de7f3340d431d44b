import fc from "fast-check";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace, type ReadOptions } from "../../../mod.ts";
import { cutFs, CUTS } from "../../support/cuts.ts";
import { fileText } from "../../support/pages.ts";
import { SEED } from "../../support/random.ts";
import { checkRendering } from "../../support/rendered.ts";
import { shareOf, some } from "../../support/share.ts";

/** Bytes of renderings, sometimes with an invalid byte. */
const fileBytes = fc.tuple(fileText, fc.array(fc.nat(), { maxLength: 2 }))
  .map(([text, places]) => {
    const bytes = new TextEncoder().encode(text);
    for (const place of places) {
      if (bytes.length > 0) bytes[place % bytes.length] = 0xff;
    }
    return bytes;
  });

const small = fc.integer({ min: 1, max: 9 });

const options: fc.Arbitrary<ReadOptions> = fc.oneof(
  fc.record({
    start: small,
    count: small,
    maxBytes: fc.integer({ min: 1, max: 80 }),
    escape: fc.boolean(),
  }, {
    requiredKeys: [],
  }),
  fc.record({ start: small, column: small, width: small }),
  fc.record({ tail: small, numbered: fc.boolean(), escape: fc.boolean() }, {
    requiredKeys: ["tail"],
  }),
  fc.record({ around: small, before: small, after: small }),
  fc.record({ around: small, block: fc.constant(true) }),
  fc.record({
    lines: fc.uniqueArray(small, { minLength: 1, maxLength: 4 }),
    after: small,
  }),
  fc.record({ maxLineBytes: fc.integer({ min: 1, max: 20 }), count: small }),
  fc.record({ maxChars: fc.integer({ min: 1, max: 300 }) }),
  fc.record({ binary: fc.constant("bytes" as const) }),
  fc.record({
    match: fc.constantFrom("a", "\t", "Note", "End", "."),
    regex: fc.boolean(),
    before: small,
    after: small,
    limit: small,
    maxBytes: fc.integer({ min: 1, max: 200 }),
    escape: fc.boolean(),
  }, { requiredKeys: ["match"] }),
).map((options) => ({ ...options }));

describe("the pages of a file", () => {
  for (const [at, cut] of shareOf(CUTS.entries())) {
    const seed = SEED + at;
    it(`are given back by their renderings, for reads of ${cut} bytes (seed ${seed})`, async () => {
      const check = async (bytes: Uint8Array, options: ReadOptions) => {
        const fs = cutFs(memoryFs({ "/a.txt": bytes }), cut);
        const workspace = await openWorkspace("/", { fs });
        let left = 20;
        for await (const page of workspace.pages("a.txt", options)) {
          checkRendering(page);
          if (--left === 0) break;
        }
      };
      const runs = { seed, numRuns: some(300, 150) };
      await fc.assert(fc.asyncProperty(fileBytes, options, check), runs);
    });
  }
});
