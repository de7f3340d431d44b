import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { boundsFor } from "../../mcp/src/agents.ts";
import { DEFAULT_MAX_CHARS } from "../../mcp/src/command_line.ts";
import { memoryFs, openWorkspace, readerTools } from "../../mod.ts";

/** The observed limits of agents; `deno task test:agents` checks them. */
const CUTS = [
  ["codex-mcp-client", {
    maxChars: 10_240,
    maxAnswerBytes: 10_240,
    maxAnswerLines: 256,
  }],
  ["qwen-cli-mcp-client-read-file", { maxChars: 25_000, maxAnswerLines: 1000 }],
  ["gemini-cli-mcp-client", { maxChars: 40_000 }],
  ["opencode", { maxAnswerBytes: 51_200, maxAnswerLines: 2000 }],
  ["pi", { maxAnswerBytes: 20_480 }],
] as const;

describe("the bounds of an answer", () => {
  for (const [name, cut] of CUTS) {
    it(`are below the limit of ${name}, for any --max-chars`, () => {
      for (const maxChars of [1000, 20_000, 1_000_000]) {
        const bounds = boundsFor(name, maxChars);
        for (const [unit, limit] of Object.entries(cut)) {
          const bound = Number(Object(bounds)[unit]);
          assert(bound <= limit, `${unit}: ${bound}`);
        }
        assert(bounds.maxChars <= maxChars);
      }
    });
  }

  it("are those of readerTools by default", async () => {
    const [readFile] = readerTools(
      await openWorkspace("/", { fs: memoryFs({}) }),
    );
    const { maxChars } = readFile.definition.parameters.properties!;
    assertEquals(maxChars!.maximum, DEFAULT_MAX_CHARS);
  });
  it("are those of the command line for an unknown agent", () => {
    for (const name of ["", "tests", "my-codex"]) {
      assertEquals(boundsFor(name, 20_000), {
        maxChars: 20_000,
        maxAnswerBytes: 40_000,
        maxAnswerLines: 1000,
      });
    }
  });
});
