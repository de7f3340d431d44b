/** What catalogues, applications and editors know of the server. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { manifestsOf } from "../../mcp/npm/manifests.ts";
import { DEFAULT_MAX_CHARS } from "../../mcp/src/command_line.ts";
import { openServer, VERSION } from "../../mcp/src/server.ts";
import { memoryFs } from "../../mod.ts";

type Json = Readonly<Record<string, unknown>>;

const read = (path: string) =>
  readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const made = manifestsOf("owner/name");
const fileOf = (name: string): Json => Object(made[name]);

describe("server.json, for the registry of MCP", () => {
  const server = fileOf("server.json");
  it("has the name that the package on npm has, and the owner's", () => {
    assertEquals(server.name, "io.github.owner/name");
    assertEquals(fileOf("package.json").mcpName, server.name);
    // The pattern of the registry.
    assertMatch(String(server.name), /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  });
  it("keeps to the lengths of the registry, and names one version", () => {
    for (const field of ["title", "description"]) {
      const { length } = String(server[field]);
      assert(length >= 1 && length <= 100, `${field}: ${length}`);
    }
    const [{ identifier, version, transport, packageArguments }, ...others] =
      Object(server.packages);
    assertEquals(others, []);
    assertEquals(identifier, fileOf("package.json").name);
    assertEquals([version, server.version], [VERSION, VERSION]);
    assertEquals(transport, { type: "stdio" });
    // The registry wants a value or a hint of each positional argument.
    assertEquals(packageArguments[0].valueHint, "DIR");
    const { url, source } = Object(server.repository);
    assertEquals([url, source], ["https://github.com/owner/name", "github"]);
  });
});

describe("manifest.json, for bundles", () => {
  it("starts the program with the chosen directories, and names its tools", async () => {
    const { version, server, tools, user_config } = Object(
      fileOf("manifest.json"),
    );
    assertEquals(version, VERSION);
    const { "read-file-mcp": program } = Object(fileOf("package.json").bin);
    assertEquals(server.entry_point, program);
    assertEquals(server.mcp_config.args, [
      `\${__dirname}/${program}`,
      "${user_config.directories}",
    ]);
    assertEquals(user_config.directories.multiple, true);
    const fs = memoryFs({ "/ws/a.txt": "" });
    const maxChars = DEFAULT_MAX_CHARS;
    const serve = await openServer({ directories: ["/ws"], fs, maxChars });
    const sent: Json[] = [];
    const connection = serve({ send: (one) => void sent.push(one), log() {} });
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "tests", version: "1" },
    };
    connection.take({ id: 1, method: "initialize", params });
    connection.take({ id: 2, method: "tools/list", params: {} });
    await connection.idle();
    const listed = Object(sent.find(({ id }) => id === 2)?.result).tools;
    assertEquals(
      tools.map(({ name }: Json) => name),
      listed.map(({ name }: Json) => name),
    );
  });
});

describe("the Dockerfile", () => {
  const lines = read("mcp/Dockerfile").trimEnd().split("\n");
  const steps = lines.filter((line) => !line.startsWith("#"));
  it("installs this version, and runs it as nobody, in ten lines", () => {
    assert(lines.length <= 10, `${lines.length} lines`);
    assertEquals(steps.map((line) => line.split(" ")[0]), [
      ...["FROM", "RUN", "USER", "WORKDIR", "ENTRYPOINT"],
    ]);
    assertMatch(steps[0]!, /^FROM node:\d+-alpine$/);
    const name = `@agent-tools/read-file-mcp@${VERSION}`;
    assert(steps[1]!.endsWith(` --ignore-scripts ${name}`), steps[1]);
    assertEquals(steps[2], "USER nobody");
    // Without a shell, so that a signal reaches the server.
    const entry = JSON.parse(steps[4]!.slice("ENTRYPOINT ".length));
    assertEquals(entry, ["read-file-mcp", "/workspace"]);
  });
  it("is said to see its workspace read-only, and no network", () => {
    const run =
      "docker run -i --rm --network none --read-only -v DIR:/workspace:ro IMAGE";
    assertEquals(lines[0], `# ${run}`);
    assert(read("docs/agents.md").includes(run));
  });
});

describe("the links that install the server in an editor", () => {
  const docs = read("docs/agents.md");
  const [, command = ""] = /claude mcp add read-file -- ([^`]*?)\n```/
    .exec(docs) ?? [];
  const words = command.replace(/\\\n/g, "").split(/\s+/)
    .map((word) => word.replace("DIR", "${workspaceFolder}"));
  const configOf = (host: string) => {
    const [, link = ""] = new RegExp(`\\((https://${host}/[^)]*)\\)`)
      .exec(docs) ?? [];
    const { searchParams } = new URL(link);
    assertEquals(searchParams.get("name"), "read-file");
    return searchParams.get("config") ?? "";
  };
  const expected = { command: words[0], args: words.slice(1) };
  it("start it as the command for agents does, in VS Code", () => {
    const config = JSON.parse(configOf("insiders.vscode.dev"));
    assertEquals(config, { type: "stdio", ...expected });
  });
  it("start it as the command for agents does, in Cursor", () => {
    assertEquals(JSON.parse(atob(configOf("cursor.com"))), expected);
  });
});
