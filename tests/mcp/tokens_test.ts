/** The tokens that the MCP server costs, by o200k. */
import { assert } from "@std/assert";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { HOME } from "../support/child.ts";
import { onDisk } from "../support/disk.ts";
import { connect } from "../support/mcp.ts";

/** How many files of the library are counted. */
const FILES = 60;

const tokensOf = (text: string) => encode(text).length;

describe("what the MCP server costs in tokens", () => {
  it("is small for its definitions, which are in every request of an agent", async () => {
    const names = Array.from(
      { length: 8 },
      (_, at) => `${"a long name of a directory ".repeat(3)}${at}`,
    );
    await using place = await onDisk(names.map((name) => `ws/${name}/a: `));
    const roots = names.map((name) => join(place.root, name));
    const code = ["pdf", "node_modules/unpdf"].map((path) => join(HOME, path));
    // The most that is ever told.
    const args = ["--pdf", "--session", ...roots];
    await using server = await connect([place.root, ...code], { args });
    const { tools } = await server.client.listTools();
    let sum = 0;
    for (const { name, description = "", inputSchema } of tools) {
      const tokens = tokensOf(description);
      assert(tokens < 120, `${name} is described in ${tokens} tokens`);
      const parameters = inputSchema;
      sum += tokensOf(JSON.stringify({ name, description, parameters }));
    }
    assert(sum < 960, `the definitions are ${sum} tokens`);
  });

  it("is small for the greeting", async () => {
    await using place = await onDisk([]);
    await using server = await connect([place.root]);
    const greeting = tokensOf(server.client.getInstructions() ?? "");
    assert(greeting < 250, `${greeting} tokens`);
  });

  it("is at most 17 % over the raw text of 60 files of TypeScript", async () => {
    const source = join(HOME, "src");
    const all = readdirSync(source, { recursive: true }).map(String)
      .filter((path) => path.endsWith(".ts")).sort();
    assert(all.length >= FILES, `${all.length} files`);
    await using server = await connect([source]);
    let raw = 0;
    let told = 0;
    for (let count = 0; count < FILES; count++) {
      const path = all[Math.floor(count * all.length / FILES)]!;
      raw += tokensOf(readFileSync(join(source, path), "utf8"));
      told += tokensOf((await server.call({ path })).text);
    }
    const price = 100 * (told / raw - 1);
    assert(price <= 17, `${price.toFixed(1)} % over the raw text`);
  });

  it("is about 50 tokens for the frame of a page", async () => {
    await using place = await onDisk([
      `ws/a.ts: ${"let a = 1;\n".repeat(5000)}`,
    ]);
    await using server = await connect([place.root]);
    const { text } = await server.call({ path: "a.ts" });
    const rows = text.split("\n");
    const frame = tokensOf(`${rows.at(0)}\n${rows.at(-1)}`);
    assert(frame <= 50, `${frame} tokens`);
  });
});
