import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace, type Page } from "../../../mod.ts";

/** The page of a file with this text. */
async function pageOf(text: string): Promise<Page> {
  const fs = memoryFs({ "/ws/a": text });
  return await (await openWorkspace("/ws", { fs })).read("a");
}

/** What a page says about its lines, numbered from `first` on. */
function saidOf(page: Page, first: number) {
  const shift = <T extends { readonly number: number }>(line: T) => ({
    ...line,
    number: line.number - first + 1,
  });
  return {
    lines: page.lines.slice(first - 1).map(shift),
    inexact: page.inexact.map(shift),
    warnings: page.warnings.map(({ line, ...warning }) => ({
      ...warning,
      line: line - first + 1,
    })),
  };
}

describe("a page of ASCII says the same as one with a non-ASCII letter", () => {
  const texts = [
    "",
    "\n",
    "a\nb",
    "a\r\nb\r\n",
    "a\r\nb\n",
    "a\rb\r\n",
    "a\r\r\nb\n",
    "\r\n\r\n",
    "a\r\nb\r",
    "\t a \n~\n",
  ];
  for (let byte = 0; byte < 0x80; byte++) {
    const character = String.fromCharCode(byte);
    texts.push(`a${character}b\nc${character}\n`);
  }
  for (const text of texts) {
    it(JSON.stringify(text), async () => {
      // A letter beyond ASCII avoids the fast path.
      const other = await pageOf(`\u00e9\n${text}`);
      assertEquals(saidOf(await pageOf(text), 1), saidOf(other, 2));
    });
  }
});
