import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { errorsPage } from "./errors.ts";

/** The text without formatting that `deno fmt` may change. */
function bare(text: string): string {
  return text.replace(/[\s,|-]+/g, "");
}

describe("docs/errors.md", () => {
  it("equals the output of `deno task docs:errors`", async () => {
    const page = new URL("../../docs/errors.md", import.meta.url);
    assertEquals(bare(await readFile(page, "utf8")), bare(await errorsPage()));
  });
});
