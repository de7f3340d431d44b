import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { boundsFor, fits, sizeOf } from "../../mcp/src/bounds.ts";
import { Random, SEED } from "../support/random.ts";
import { hardRandomFile } from "../support/random_text.ts";

/** The observed limits of agents; `deno task test:agents` checks them. */
const CUTS = [
  ["codex-mcp-client", { chars: 10_240, bytes: 10_240, lines: 256 }],
  ["qwen-cli-mcp-client-read-file", {
    chars: 25_000,
    bytes: Infinity,
    lines: 1000,
  }],
  ["gemini-cli-mcp-client", {
    chars: 40_000,
    bytes: Infinity,
    lines: Infinity,
  }],
  ["opencode", { chars: Infinity, bytes: 51_200, lines: 2000 }],
] as const;

describe("the bounds of an answer", () => {
  for (const [name, cut] of CUTS) {
    it(`are below the limit of ${name}, for any --max-chars`, () => {
      for (const maxChars of [1000, 20_000, 1_000_000]) {
        const bounds = boundsFor(name, maxChars);
        assert(fits(bounds, cut), JSON.stringify(bounds));
        assert(bounds.chars <= maxChars);
      }
    });
  }

  it("are those of the command line for an unknown agent", () => {
    for (const name of ["", "tests", "my-codex"]) {
      assertEquals(boundsFor(name, 20_000), {
        chars: 20_000,
        bytes: 40_000,
        lines: 1000,
      });
    }
  });

  it(`measure texts as sent (seed ${SEED})`, () => {
    const random = new Random(SEED);
    for (let count = 0; count < 100; count++) {
      const recipe = { bytes: random.below(2000), endings: 9, broken: 9 };
      const text = new TextDecoder().decode(hardRandomFile(random, recipe));
      assertEquals(sizeOf(text), {
        chars: text.length,
        bytes: new TextEncoder().encode(text).length,
        lines: text.split("\n").length,
      });
    }
  });
});
