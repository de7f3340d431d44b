import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import library from "../../deno.json" with { type: "json" };
import { documents } from "../support/documents.ts";
import { faultsOf, startsIn } from "../support/starts.ts";

const { version } = library;
const starts = Array.from(
  documents(),
  ([path, text]) => [path, startsIn(text)] as const,
).filter(([, found]) => found.length > 0);

describe("each command that starts us, in a directory whose files others write", () => {
  for (const [path, found] of starts) {
    it(`loads no configuration from there: ${path}`, () => {
      assertEquals(found.flatMap((words) => faultsOf(words, version)), []);
    });
  }
  it("is found in the documents", () => {
    const paths = starts.map(([path]) => path);
    for (const path of ["README.md", "docs/agents.md", "docs/cli.md"]) {
      assert(paths.includes(path), path);
    }
    for (const path of ["mcp/README.md", "mcp/mod.ts"]) {
      assert(paths.includes(path), path);
    }
  });
  for (
    const start of [
      "deno run --no-lock --node-modules-dir=none jsr:@agent-tools/read-file@V",
      "deno run --no-config --node-modules-dir=none jsr:@agent-tools/read-file@V",
      "deno run --no-config --no-lock jsr:@agent-tools/read-file@V",
      "deno run --no-config --no-lock --node-modules-dir=none jsr:@agent-tools/read-file",
      "npx @agent-tools/read-file-mcp@V DIR",
      "node node_modules/@agent-tools/read-file-mcp/read-file-mcp.js",
      "bun --tsconfig-override=/dev/null --no-env-file OWN/node_modules/@agent-tools/read-file-mcp/read-file-mcp.js",
      "bun --config=/dev/null --no-env-file OWN/node_modules/@agent-tools/read-file-mcp/read-file-mcp.js",
      "bun --config=/dev/null --tsconfig-override=/dev/null OWN/node_modules/@agent-tools/read-file-mcp/read-file-mcp.js",
      "bunx @agent-tools/read-file-mcp@V DIR",
    ]
  ) {
    it(`fails the test if it is careless: ${start}`, () => {
      const block = `\`\`\`sh\n${start.replace("V", version)}\n\`\`\`\n`;
      const [words = [], ...others] = startsIn(block);
      assertEquals(others, []);
      assertEquals(faultsOf(words, version).length, 1);
    });
  }
  it("is found in blocks of settings, and in sentences", () => {
    const settings = {
      servers: { a: { command: "deno", args: ["run", "X"] } },
    };
    const told = (text: string) =>
      startsIn(text.replaceAll("X", "jsr:@agent-tools/read-file-mcp"));
    const words = [["deno", "run", "jsr:@agent-tools/read-file-mcp"]];
    const block = (kind: string, body: string) =>
      told(`\`\`\`${kind}\n${body}\n\`\`\`\n`);
    assertEquals(block("json", JSON.stringify(settings)), words);
    assertEquals(block("json", '{ "command": ["deno", "run", "X"] }'), words);
    assertEquals(
      block("toml", '[a]\ncommand = "deno"\nargs = ["run", "X"]'),
      words,
    );
    assertEquals(block("sh", 'agent add a -- \\\n  deno run "X" # so'), words);
    assertEquals(told("Say `deno run X`."), words);
    assertEquals(told("Say `deno add X` and `npx jsr add X`."), []);
  });
});
