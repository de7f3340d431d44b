// Makes the package for npm, which `npx` and `bunx` run: the packages that JSR makes for npm have no `bin`.
import map from "../../tests/npm_std.json" with { type: "json" };
import server from "../deno.json" with { type: "json" };

const [folder] = Deno.args;
if (folder === undefined) {
  throw new Error("Cannot pack: name a folder for the package");
}

/** One file with all that it needs: there is nothing to install beside it. */
const PROGRAM = "read-file-mcp.js";

const manifest = {
  name: server.name,
  version: server.version,
  license: server.license,
  description: "An MCP server that reads files for agents",
  type: "module",
  bin: { "read-file-mcp": PROGRAM },
  files: [PROGRAM],
  engines: { node: ">=20.16", bun: ">=1.4" },
  publishConfig: { access: "public", provenance: true },
};

const aliases = Object.entries(map.imports)
  .filter(([name]) => name.startsWith("@std/"))
  .map(([name, target]) =>
    `--alias:${name}=${target.replace(/^npm:(deno-std)@[^/]+/, "$1")}`
  );

await Deno.mkdir(folder, { recursive: true });
const { success, stderr } = await new Deno.Command(
  "node_modules/.bin/esbuild",
  {
    args: [
      "mcp/npm/start.ts",
      "--bundle",
      "--platform=node",
      "--format=esm",
      "--target=node20",
      "--banner:js=#!/usr/bin/env node",
      "--alias:@agent-tools/read-file=./mod.ts",
      ...aliases,
      `--outfile=${folder}/${PROGRAM}`,
    ],
  },
).output();
if (!success) throw new Error(new TextDecoder().decode(stderr));
await Deno.writeTextFile(
  `${folder}/package.json`,
  `${JSON.stringify(manifest, null, 2)}\n`,
);
for (const name of ["README.md", "LICENSE"]) {
  await Deno.copyFile(`mcp/${name}`, `${folder}/${name}`);
}
