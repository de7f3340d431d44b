/** Whoever starts the MCP server by `bunx`. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { runWell } from "./command.ts";
import { freshFolder, worldHere, writeFiles } from "./world.ts";

const world = worldHere();
const bin = `${world.home}/node_modules/.bin`;

const cwd = await freshFolder("bunx/repository");
const packed = `${cwd}/../packed`;
await runWell(
  Deno.execPath(),
  ["task", "--quiet", "npm:mcp", packed],
  { cwd: world.home, env: { DENO_DIR: `${cwd}/../deno` } },
);
await runWell(`${bin}/bun`, ["pm", "pack", "--filename=../server.tgz"], {
  cwd: packed,
});
await writeFiles(cwd, {
  "package.json": '{ "name": "stranger", "type": "module" }',
  "notes/a.txt": "one\ntwo\n",
});
const env = {
  HOME: `${cwd}/../home`,
  BUN_INSTALL_CACHE_DIR: `${cwd}/../cache`,
};
await runWell(`${bin}/bun`, ["add", "../server.tgz"], { cwd, env });

/** Says some messages to a server, and gives its answers by their ids. */
async function ask(messages: readonly object[]): Promise<Map<number, unknown>> {
  const child = new Deno.Command(`${bin}/bunx`, {
    args: ["@agent-tools/read-file-mcp", "notes"],
    cwd,
    clearEnv: true,
    env: { PATH: `${bin}:${Deno.env.get("PATH")}`, ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const text = messages.map((message) =>
    `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`
  ).join("");
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { stdout } = await child.output();
  const lines = new TextDecoder().decode(stdout).trim().split("\n");
  return new Map(lines.map((line) => {
    const { id, result } = JSON.parse(line);
    return [id, result];
  }));
}

describe("bunx @agent-tools/read-file-mcp", () => {
  it("serves the directory that it is given, and no other", async () => {
    const call = (id: number, path: string) => ({
      id,
      method: "tools/call",
      params: { name: "read_file", arguments: { path } },
    });
    const answers = await ask([
      {
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "stranger", version: "1.0.0" },
        },
      },
      { method: "notifications/initialized" },
      call(2, "a.txt"),
      call(3, "../package.json"),
    ]);
    assertStringIncludes(JSON.stringify(answers.get(1)), '"name":"read-file"');
    assertStringIncludes(JSON.stringify(answers.get(2)), "1\\tone");
    assertStringIncludes(JSON.stringify(answers.get(3)), "OUTSIDE_WORKSPACE");
    assertEquals(answers.size, 3);
  });
  it("needs nothing installed beside it", async () => {
    const installed = await Array.fromAsync(
      Deno.readDir(`${cwd}/node_modules/@agent-tools`),
    );
    assertEquals(installed.map(({ name }) => name), ["read-file-mcp"]);
    const modules = await Array.fromAsync(Deno.readDir(`${cwd}/node_modules`));
    const names = modules.map(({ name }) => name)
      .filter((name) => !name.startsWith("."));
    assertEquals(names, ["@agent-tools"]);
  });
});
