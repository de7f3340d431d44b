/** Packs the MCP server as a bundle with the official program and starts it as its manifest says. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { converse, runWell } from "./command.ts";
import { freshFolder, worldHere, writeFiles } from "./world.ts";

/** The program; `deno task test:node` installs it. */
const mcpb = Deno.env.get("READ_FILE_MCPB");

const { packed } = worldHere();
const cwd = await freshFolder("mcpb");
const env = { HOME: cwd };

describe("the bundle for applications", () => {
  it("is valid, packs, and serves what its user chooses", async () => {
    const server = `${packed}/read-file-mcp`;
    if (mcpb === undefined) throw new Error("Run `deno task test:node`");
    const file = `${cwd}/read-file.mcpb`;
    const told = await runWell(mcpb, ["pack", server, file], {
      ...{ cwd, env },
    });
    assertMatch(told, /Manifest schema validation passes/);
    const bundle = `${cwd}/bundle`;
    await runWell(mcpb, ["unpack", file, bundle], { cwd, env });
    const manifest = JSON.parse(
      await Deno.readTextFile(`${bundle}/manifest.json`),
    );
    const { command, args } = manifest.server.mcp_config;
    await writeFiles(cwd, { "one/a.txt": "of one", "two/a.txt": "of two" });
    // The application puts each chosen directory in place of the setting.
    const words = args.flatMap((arg: string) =>
      arg === "${user_config.directories}"
        ? [`${cwd}/one`, `${cwd}/two`]
        : [arg.replace("${__dirname}", bundle)]
    );
    const call = (id: number, path: string) => ({
      ...{ id, method: "tools/call" },
      params: { name: "read_file", arguments: { path } },
    });
    const { stdout } = await converse(command, words, { cwd, env }, [
      {
        ...{ id: 1, method: "initialize" },
        params: {
          protocolVersion: "2025-11-25",
          capabilities: {},
          clientInfo: { name: "stranger", version: "1.0.0" },
        },
      },
      { id: 2, method: "tools/list" },
      call(3, "one/a.txt"),
      call(4, "two/a.txt"),
    ], 4);
    const answers = new Map(
      stdout.trim().split("\n").map((line) => {
        const { id, result } = JSON.parse(line);
        return [id, result];
      }),
    );
    const names = (tools: readonly { readonly name: string }[]) =>
      tools.map(({ name }) => name);
    assertEquals(names(answers.get(2).tools), names(manifest.tools));
    assertStringIncludes(JSON.stringify(answers.get(3)), "of one");
    assertStringIncludes(JSON.stringify(answers.get(4)), "of two");
  });
});
