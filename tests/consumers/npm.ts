/** Starts the MCP server from the npm package, with `npx`, `bunx` and `node`. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { describe, it } from "node:test";
import { packedPdf, pdf } from "../support/pdfs.ts";
import { converse, runWell } from "./command.ts";
import { freshFolder, worldHere, writeFiles } from "./world.ts";

const world = worldHere();
const bin = `${world.home}/node_modules/.bin`;

const cwd = await freshFolder("npm/repository");
await runWell(`${bin}/bun`, ["pm", "pack", `--filename=${cwd}/../server.tgz`], {
  cwd: `${world.packed}/read-file-mcp`,
});
await writeFiles(cwd, {
  "package.json": '{ "name": "stranger", "type": "module" }',
  "notes/a.txt": "one\ntwo\n",
});
await Deno.writeTextFile(`${cwd}/notes/a.pdf`, pdf([["page of a PDF"]]));
await Deno.writeFile(
  `${cwd}/notes/large.pdf`,
  packedPdf("[]", 40_000_000, "["),
);
const env = {
  HOME: `${cwd}/../home`,
  BUN_INSTALL_CACHE_DIR: `${cwd}/../cache`,
};
await runWell(`${bin}/bun`, ["add", "../server.tgz"], { cwd, env });

const NAME = "@agent-tools/read-file-mcp";
const installed = `${cwd}/node_modules/${NAME}/read-file-mcp.js`;

/** Other versions of Node.js to test; `deno task test:node` sets them. */
const nodes = (Deno.env.get("READ_FILE_NODES") ?? "").split(":").filter(
  (node) => node !== "",
);

/** The ways to start the server. */
const STARTS: readonly (readonly [string, ...string[]])[] = [
  [`${bin}/bunx`, NAME],
  [`${bin}/bunx`, "--bun", NAME],
  ["npx", "--no", "read-file-mcp"],
  ...["node", ...nodes].map((node) => [node, installed] as const),
];

/** Sends messages to a server; returns its answers by id. */
async function ask(
  [program, ...args]: readonly [string, ...string[]],
  messages: readonly object[],
): Promise<Map<number, unknown>> {
  const { stdout } = await converse(
    program,
    [...args, "notes"],
    {
      cwd,
      env: { PATH: `${bin}:${Deno.env.get("PATH")}`, ...env },
    },
    messages,
    3,
  );
  const lines = stdout.trim().split("\n");
  return new Map(lines.map((line) => {
    const { id, result } = JSON.parse(line);
    return [id, result];
  }));
}

/** How a client begins. */
const BEGINNING = [
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
];

const call = (id: number, path: string) => ({
  id,
  method: "tools/call",
  params: { name: "read_file", arguments: { path } },
});

describe("the MCP server's package for npm", () => {
  for (const start of STARTS) {
    const [program, ...args] = start.map((word) =>
      word.replace(/^.*\/(node@\d+)\/.*|^.*\//, "$1")
    );
    it(`serves only its directory: ${program} ${args.join(" ")}`, async () => {
      const answers = await ask(start, [
        ...BEGINNING,
        call(2, "a.txt"),
        call(3, "../package.json"),
      ]);
      const told = (id: number) => JSON.stringify(answers.get(id));
      assertStringIncludes(told(1), '"name":"read-file"');
      assertStringIncludes(told(2), "1\\tone");
      assertStringIncludes(told(3), "OUTSIDE_WORKSPACE");
      assertEquals(answers.size, 3);
    });
  }
  for (const node of ["node", ...nodes]) {
    const version = node.replace(/^.*\/(node@\d+)\/.*|^.*\//, "$1");
    it(`reads PDF in a worker, whose memory is limited: ${version}`, async () => {
      const answers = await ask([node, installed, "--pdf"], [
        ...BEGINNING,
        call(2, "a.pdf"),
        call(3, "large.pdf"),
      ]);
      const told = (id: number) => JSON.stringify(answers.get(id));
      assertStringIncludes(told(2), "page of a PDF");
      // Slow machines reach the other limit first.
      assertMatch(told(3), /PDF\.js takes more than (?:512 MiB|30 s)/);
    });
  }
  it("needs no other package", async () => {
    const installed = await Array.fromAsync(
      Deno.readDir(`${cwd}/node_modules/@agent-tools`),
    );
    assertEquals(installed.map(({ name }) => name), ["read-file-mcp"]);
    const modules = await Array.fromAsync(Deno.readDir(`${cwd}/node_modules`));
    const names = modules.map(({ name }) => name)
      .filter((name) => !name.startsWith("."));
    assertEquals(names, ["@agent-tools"]);
  });
  it("contains the license of each bundled package", async () => {
    const folder = installed.replace(/[^/]*$/, "");
    // Packages that only options load are in separate files.
    const names = (await Array.fromAsync(Deno.readDir(folder)))
      .filter(({ name }) => name.endsWith(".js"));
    const parts = names.map(({ name }) => Deno.readTextFile(folder + name));
    const code = (await Promise.all(parts)).join("\n");
    const licences = await Deno.readTextFile(`${folder}LICENCES.txt`);
    assertStringIncludes(licences, "===== PDF.js, within unpdf (Apache-2.0)");
    assertStringIncludes(licences, "TERMS AND CONDITIONS FOR USE");
    const inside = new Set(
      Array.from(
        code.matchAll(/^\/\/ \S*?node_modules\/((?:@[^/]+\/)?[^/]+)\//gm),
        ([, name = ""]) => name,
      ),
    );
    assert(inside.size > 1);
    const [, ...all] = licences.split("===== ");
    // The standard library is JSR's own, or npm's copy of it.
    const ofJsr = all.filter((text) => /^@std\/.* from JSR\n/.test(text));
    assertEquals(ofJsr.length > 0, !inside.has("deno-std"));
    const found = all.filter((text) => !ofJsr.includes(text));
    for (const name of inside) {
      const licence = found.find((text) => text.startsWith(`${name} `)) ?? "";
      assertMatch(
        licence,
        /Permission (is hereby granted|to use)|Apache License/,
        name,
      );
      assertMatch(licence, /Copyright/, name);
    }
    // One more for PDF.js, which is part of unpdf.
    assertEquals(found.length, inside.size + 1);
  });
  it("names its repository, which npm requires for provenance", async () => {
    const folder = installed.replace(/[^/]*$/, "");
    const { repository, publishConfig } = JSON.parse(
      await Deno.readTextFile(`${folder}package.json`),
    );
    assertMatch(
      repository.url,
      /^git\+https:\/\/github\.com\/[^/]+\/[^/]+\.git$/,
    );
    assertEquals(publishConfig.provenance, true);
  });
});
