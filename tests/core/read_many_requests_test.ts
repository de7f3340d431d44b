/** Requests for lines that other tools have found, for globs, and for hits. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  boundTokens,
  type ManyAnswer,
  memoryFs,
  openWorkspace,
  type Page,
  type ReadOptions,
  renderPage,
  type Workspace,
} from "../../mod.ts";
import { Random, SEED } from "../support/random.ts";
import { checkRendering } from "../support/rendered.ts";

const textOf = (page: Page) =>
  page.lines.map(({ text, ending }) => text + ending).join("");

const numbersOf = (page: Page) => page.lines.map(({ number }) => number);

/** Follows an answer to its last page. */
async function follow(
  workspace: Workspace,
  answer: ManyAnswer,
): Promise<Page[]> {
  const pages: Page[] = [];
  let next: ReadOptions | null = null;
  if (answer.kind === "page") {
    pages.push(answer.page);
    ({ next } = answer.page);
  } else if (answer.kind === "skipped") ({ next } = answer);
  while (next !== null) {
    const page = await workspace.read(answer.path, next);
    pages.push(page);
    ({ next } = page);
  }
  return pages;
}

describe("a request for lines that another tool has found", () => {
  it("shows the lines of hits, and the lines around them, once", async () => {
    const random = new Random(SEED);
    for (let round = 0; round < 150; round++) {
      const total = random.from(1, 60);
      const content = Array.from(
        { length: total },
        (_, at) => `${"x".repeat(random.below(90))} line ${at + 1}\n`,
      ).join("");
      const workspace = await openWorkspace("/", {
        fs: memoryFs({ "/a": content, "/b": content }),
      });
      const hits = Array.from({ length: random.from(1, 8) }, () => ({
        path: random.pick(["a", "b"]),
        line: random.from(1, 70),
      }));
      const before = random.below(4);
      const after = random.below(4);
      const maxBytes = random.pick([Infinity, 400, 90, 9]);
      const paths = [...new Set(hits.map(({ path }) => path))];
      const requests = paths.map((path) => {
        const own = hits.filter((hit) => hit.path === path);
        return { path, lines: own.map(({ line }) => line), before, after };
      });
      const answers = await workspace.readMany(requests, { maxBytes });
      assertEquals(answers.map(({ path }) => path), paths);
      for (const answer of answers) {
        const pages = await follow(workspace, answer);
        const lines = hits.filter(({ path }) => path === answer.path)
          .map(({ line }) => line).filter((line) => line <= total);
        // A line that was cut goes on on the next page.
        const found = pages.flatMap(({ hits }) => hits!.lines)
          .filter((line, at, all) => line !== all[at - 1]);
        const wanted = [...new Set(lines)].sort((one, two) => one - two);
        assertEquals(found, wanted);
        for (const page of pages) checkRendering(page);
        if (maxBytes < Infinity || wanted.length === 0) continue;
        const [page] = pages;
        const shown = new Set<number>();
        for (const line of wanted) {
          for (let at = line - before; at <= line + after; at++) {
            if (at >= 1 && at <= total) shown.add(at);
          }
        }
        const some = [...shown].sort((one, two) => one - two);
        const isWhole = page!.lines.length === total;
        if (!isWhole) assertEquals(numbersOf(page!), some);
        else assertEquals(page!.hits?.gaps, []);
      }
    }
  });

  it("shows a whole file if its windows cover it", async () => {
    const content = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    const fs = memoryFs({ "/a": content, "/b": content.repeat(99) });
    const workspace = await openWorkspace("/", { fs });
    const lines = [1, 9];
    const [small, large] = await workspace.readMany([
      { path: "a", lines },
      { path: "b", lines },
    ]);
    assert(small?.kind === "page");
    assertEquals(textOf(small.page), content);
    assertEquals(small.page.hits?.lines, [1, 9]);
    assert(large?.kind === "page");
    assertEquals(numbersOf(large.page), [1, 9]);
  });
});

describe("workspace.readMany()", () => {
  const files = {
    "/src/a.ts": "a\n",
    "/src/deep/b.ts": "bb\n".repeat(40),
    "/src/deep/c.md": "c\n",
    "/src/key.pem": "secret\n",
  };

  it("reads the files that globs match, each file once and separately", async () => {
    const workspace = await openWorkspace("/", {
      fs: memoryFs(files),
      deny: ["**/*.pem"],
    });
    const answers = await workspace.readMany([
      { glob: "*.ts" },
      { path: "src/deep/c.md" },
      { glob: "deep/*", path: "src", end: 1 },
      { glob: "*.pem" },
      { glob: "*.none" },
      { glob: "*", path: "none" },
    ]);
    assertEquals(
      answers.map((it) =>
        it.kind === "error"
          ? `${it.error.code} ${it.path}`
          : `${it.kind} ${it.path}`
      ),
      [
        "page src/a.ts",
        "page src/deep/b.ts",
        "page src/deep/c.md",
        "page src/deep/b.ts",
        "page src/deep/c.md",
        "NOT_FOUND *.pem",
        "NOT_FOUND *.none",
        "NOT_FOUND none",
      ],
    );
    const [, , , first] = answers;
    assert(first?.kind === "page");
    assertEquals(textOf(first.page), "bb\n");
  });

  it("names every file that maxFiles skips", async () => {
    const workspace = await openWorkspace("/", { fs: memoryFs(files) });
    const asked = [{ glob: "*.ts" }, { path: "src/deep/c.md", start: 1 }];
    const answers = await workspace.readMany(asked, { maxFiles: 1 });
    assertEquals(answers.map(({ kind }) => kind), [
      "page",
      "skipped",
      "skipped",
    ]);
    const rest = await Promise.all(
      answers.slice(1).map((answer) => follow(workspace, answer)),
    );
    assertEquals(rest.map(([page]) => textOf(page!)), [
      "bb\n".repeat(40),
      "c\n",
    ]);
  });

  it("shares a budget of tokens, and loses no byte", async () => {
    const random = new Random(SEED + 3);
    for (let round = 0; round < 40; round++) {
      const texts = Array.from(
        { length: random.from(1, 5) },
        () => "const value = compute();\n".repeat(random.below(40)),
      );
      const fs = memoryFs(Object.fromEntries(
        texts.map((text, at) => [`/f${at}`, text]),
      ));
      const workspace = await openWorkspace("/", { fs });
      const maxTokens = random.from(300, 1_500);
      const maxBytes = random.pick([Infinity, 900]);
      const answers = await workspace.readMany([{ glob: "f*" }], {
        maxTokens,
        maxBytes,
      });
      let tokens = 0;
      for (const [at, answer] of answers.entries()) {
        if (answer.kind === "page") {
          tokens += boundTokens(renderPage(answer.page));
        }
        const pages = await follow(workspace, answer);
        assertEquals(pages.map(textOf).join(""), texts[at]);
      }
      assert(tokens <= maxTokens, `${tokens} > ${maxTokens}`);
    }
  });

  it("searches each of several files", async () => {
    const text = "TODO\nb\n".repeat(30);
    const fs = memoryFs({ "/a": text, "/b": text });
    const workspace = await openWorkspace("/", { fs });
    const asked = [{ glob: "*", match: "TODO" }];
    const answers = await workspace.readMany(asked, { maxBytes: 60 });
    for (const answer of answers) {
      const pages = await follow(workspace, answer);
      const lines = pages.flatMap(({ hits }) => hits!.lines);
      assertEquals(lines.length, 30);
    }
    const shown = answers.map((it) =>
      it.kind === "page" ? it.page.bytes().length : 0
    );
    assert(shown.reduce((sum, it) => sum + it) <= 60);
  });
});
