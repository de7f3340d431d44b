import { assert, assertEquals, assertMatch } from "@std/assert";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, it } from "node:test";
import { connect } from "../support/mcp.ts";

const HOME = new URL("../../", import.meta.url);

/** The largest number of lines of the README. */
const MAX_LINES = 150;

/** The largest number of rows of its bench table. */
const MAX_BENCH_ROWS = 4;

function textOf(path: string): string {
  return readFileSync(new URL(path, HOME), "utf8");
}

/** The rows of the tables in a section, without headers. */
function rowsOf(section: string): string[] {
  return section.split("\n").filter((line) => line.startsWith("| ")).slice(2);
}

const readme = textOf("README.md");

describe("README.md", () => {
  it("is at most 150 lines", () => {
    assert(readme.trimEnd().split("\n").length <= MAX_LINES);
  });
  it("names an existing test, or the bench, for each guarantee", () => {
    const [, section = ""] = readme.split("## What it guarantees");
    const rows = rowsOf(section.split("\n## ")[0]!);
    assert(rows.length > 5);
    for (const row of rows) {
      const shown = row.split("|").at(-2)!.trim();
      const [, path] = /^`(tests\/.*_test\.ts)`$/.exec(shown) ?? [];
      if (path === undefined) assertMatch(shown, /^the bench: /);
      else assert(existsSync(new URL(path, HOME)), path);
    }
  });
  it("shows a page as the MCP server sends it to a model", async () => {
    const [, shown = ""] = /```text\n([^]*?)\n```/.exec(readme) ?? [];
    const folder = fileURLToPath(new URL("examples/files", HOME));
    await using server = await connect([folder]);
    const { text } = await server.call({ path: "add.ts", start: 2, count: 2 });
    // The path and the version of the file depend on this machine.
    const bare = (text: string) =>
      text.replaceAll("src/add.ts", "add.ts").replace(/"etag":"\w+"/, "");
    assertEquals(bare(shown), bare(text));
  });
  it("shows a few rows of the bench", () => {
    const [, table = ""] =
      /<!-- bench -->([^]*)<!-- \/bench -->/.exec(readme) ??
        [];
    const rows = rowsOf(table);
    assert(rows.length > 0 && rows.length <= MAX_BENCH_ROWS, `${rows.length}`);
  });
  it("links to every page in docs", () => {
    const missing = readdirSync(new URL("docs/", HOME))
      .filter((name) => name.endsWith(".md"))
      .filter((name) => !readme.includes(`(docs/${name})`));
    assertEquals(missing, []);
  });
});

describe("docs/design.md", () => {
  it("names each folder of the library", () => {
    const text = textOf("docs/design.md");
    const foldersIn = (path: string) =>
      readdirSync(new URL(path, HOME), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name);
    const folders = [
      ...foldersIn("src/"),
      ...foldersIn("src/core/").map((name) => `core/${name}`),
    ];
    assertEquals(folders.filter((name) => !text.includes(`\`${name}\``)), []);
  });
});

describe("CONTRIBUTING.md and docs/design.md", () => {
  for (const path of ["CONTRIBUTING.md", "docs/design.md"]) {
    it(`name files and folders that exist: ${path}`, () => {
      const named = Array.from(
        textOf(path).matchAll(/`([a-z_]+\/[\w/.]*)`/g),
        ([, name = ""]) => name,
      );
      const isThere = (name: string) =>
        ["", "src/"].some((at) => existsSync(new URL(at + name, HOME)));
      assert(named.length > 9);
      assertEquals(named.filter((name) => !isThere(name)), []);
    });
  }
});

describe("each page in docs", () => {
  for (
    const name of readdirSync(new URL("docs/", HOME))
      .filter((name) => name.endsWith(".md"))
  ) {
    it(`opens with an example: ${name}`, () => {
      const [opening = ""] = textOf(`docs/${name}`).split(/^(?:##|\|) /m);
      assertMatch(opening, /^```(ts|sh)\n/m);
    });
  }
});
