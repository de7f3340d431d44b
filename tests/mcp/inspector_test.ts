import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { HOME } from "../support/child.ts";
import { onDisk } from "../support/disk.ts";
import { serverCommand } from "../support/mcp.ts";

const INSPECTOR = join(HOME, "node_modules/.bin/mcp-inspector");

/** Runs the MCP Inspector's command line on a server for `folder`. */
function inspect(folder: string, options: readonly string[]) {
  // Arguments before `--` are for the Inspector, those after it for the server.
  const server = ["--", ...serverCommand([folder])];
  const args = [INSPECTOR, "--cli", ...options, ...server];
  const { stdout, stderr, status } = spawnSync("node", args, {
    encoding: "utf8",
    // It stores its own files there.
    env: { PATH: process.env.PATH, HOME: join(folder, "..") },
  });
  return { stdout, stderr, status };
}

describe("the MCP Inspector's command line", () => {
  it("lists the tools, and finds nothing to object to in their schemas", async () => {
    await using place = await onDisk([]);
    const options = ["--method", "tools/list", "--strict"];
    const { stdout, stderr, status } = inspect(place.root, options);
    const { tools } = JSON.parse(stdout);
    assertEquals(
      tools.map(({ name }: { name: string }) => name),
      ["read_file", "read_files", "list_directory"],
    );
    assertEquals([stderr, status], ["", 0]);
  });

  it("calls a tool", async () => {
    await using place = await onDisk(["ws/a.txt: one\ntwo\nthree\n"]);
    const { stdout, stderr, status } = inspect(place.root, [
      ...["--method", "tools/call", "--tool-name", "read_file"],
      ...["--tool-arg", "path=a.txt", "start=2", "count=1"],
    ]);
    const { content, isError } = JSON.parse(stdout);
    assertStringIncludes(content[0].text, "\n2\ttwo\n");
    assertStringIncludes(content[0].text, '"start":3');
    assert(isError !== true);
    assertEquals([stderr, status], ["", 0]);
  });

  it("gets a failure", async () => {
    await using place = await onDisk([]);
    const { stdout, status } = inspect(place.root, [
      ...["--method", "tools/call", "--tool-name", "read_file"],
      ...["--tool-arg", "path=../x"],
    ]);
    const { content, isError } = JSON.parse(stdout);
    assertEquals(isError, true);
    assertStringIncludes(content[0].text, "(OUTSIDE_WORKSPACE)");
    assert(status !== 0, "it ends as if all were well");
  });
});
