import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { describe, it } from "node:test";
import {
  isRendered,
  memoryFs,
  openWorkspace,
  type Page,
  type PageOptions,
  parsePage,
  renderPage,
} from "../../../mod.ts";
import { cutFs, CUTS } from "../../support/cuts.ts";
import { fileText } from "../../support/pages.ts";
import { SEED } from "../../support/random.ts";
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

const options: fc.Arbitrary<PageOptions> = fc.oneof(
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
).map((options) => ({ ...options }));

describe("the pages of a file", () => {
  for (const [at, cut] of shareOf(CUTS.entries())) {
    const seed = SEED + at;
    it(`can be restored from their renderings, for reads of ${cut} bytes (seed ${seed})`, async () => {
      const check = async (bytes: Uint8Array, options: PageOptions) => {
        const fs = cutFs(memoryFs({ "/a.txt": bytes }), cut);
        const workspace = await openWorkspace("/", { fs });
        let left = 20;
        for await (const page of workspace.pages("a.txt", options)) {
          checkPage(page);
          if (--left === 0) break;
        }
      };
      const runs = { seed, numRuns: some(300, 150) };
      await fc.assert(fc.asyncProperty(fileBytes, options, check), runs);
    });
  }
});

function checkPage(page: Page): void {
  const text = renderPage(page);
  assert(isRendered(text), text);
  const { bytes: parsedBytes, receipt: parsedReceipt, ...parsed } = parsePage(
    text,
  );
  const { bytes, receipt, ...facts } = page;
  assertEquals(parsed, facts);
  const isUtf8 = page.inexact.every(({ reason }) => reason === "escaped");
  // The notice omits facts that follow from the lines.
  assert(!isUtf8 || !text.split("\n").at(-1)!.includes(" Also {"), text);
  assertEquals(parsedBytes(), isUtf8 ? bytes() : null);
  const isTold = isUtf8 && page.lines.length > 0;
  assertEquals(parsedReceipt, isTold ? receipt : null);
}
