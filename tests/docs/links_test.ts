import { assert, assertEquals } from "@std/assert";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { documents } from "../support/documents.ts";

const HOME = new URL("../../", import.meta.url);

/** The Markdown documents, by path. */
const PAGES = new Map([
  ...documents(),
  ["examples/README.md", textOf("examples/README.md")] as const,
].filter(([path]) => path.endsWith(".md")));

function textOf(path: string): string {
  return readFileSync(new URL(path, HOME), "utf8");
}

/** The anchors of the headings, as GitHub and JSR make them. */
function anchorsOf(text: string): string[] {
  const prose = text.replaceAll(/^```[^]*?^```$/gm, "");
  return Array.from(
    prose.matchAll(/^#+ (.*)$/gm),
    ([, title = ""]) =>
      title.toLowerCase().replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
        .replaceAll(" ", "-"),
  );
}

describe("the links of each document", () => {
  for (const [path, text] of PAGES) {
    it(`lead to existing files and headings: ${path}`, () => {
      const faults: string[] = [];
      for (const [, link = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (link.startsWith("https:")) continue;
        const { pathname, hash } = new URL(link, new URL(path, HOME));
        const target = pathname.slice(HOME.pathname.length);
        if (!existsSync(new URL(target, HOME))) faults.push(link);
        else if (hash !== "") {
          const anchors = anchorsOf(PAGES.get(target) ?? textOf(target));
          if (!anchors.includes(hash.slice(1))) faults.push(link);
        }
      }
      assertEquals(faults, []);
    });
  }
  it("are numerous", () => {
    const linked = [...PAGES.values()].filter((text) => /\]\(\w/.test(text));
    assert(linked.length > 5);
  });
});
