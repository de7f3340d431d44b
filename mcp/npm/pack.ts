// Makes the package for npm, which `npx` and `bunx` run: the packages that JSR makes for npm have no `bin`.
import map from "../../tests/npm_std.json" with { type: "json" };
import { licenceOf, packagesIn } from "./licences.ts";
import server from "../deno.json" with { type: "json" };

const [folder] = Deno.args;
if (folder === undefined) {
  throw new Error("Cannot pack: name a folder for the package");
}

/** The program, in one file. The packages that it loads only when needed are in files beside it. */
const PROGRAM = "read-file-mcp.js";

/** The licences of the packages in these files. */
const LICENCES = "LICENCES.txt";

const manifest = {
  name: server.name,
  version: server.version,
  license: server.license,
  description: "An MCP server that reads files for agents",
  type: "module",
  bin: { "read-file-mcp": PROGRAM },
  files: ["*.js", LICENCES],
  // npm refuses provenance if this is missing, or is not the repository of the
  // workflow.
  repository: {
    type: "git",
    url: `git+https://github.com/${
      Deno.env.get("GITHUB_REPOSITORY") ?? "agent-tools/read-file"
    }.git`,
    directory: "mcp",
  },
  engines: { node: ">=20.16", bun: ">=1.4" },
  publishConfig: { access: "public", provenance: true },
};

const aliases = Object.entries(map.imports)
  .filter(([name]) => name.startsWith("@std/"))
  .map(([name, target]) =>
    `--alias:${name}=${target.replace(/^npm:(deno-std)@[^/]+/, "$1")}`
  );

await Deno.mkdir(folder, { recursive: true });
const bundled = new Set<string>();
for (
  const [entry, file, ...flags] of [
    // One file loads faster than many.
    ["mcp/npm/start.ts", PROGRAM, "--banner:js=#!/usr/bin/env node"],
    ["pdf/mod.ts", "pdf.js"],
    ["detect/mod.ts", "detect.js"],
  ] as const
) {
  const meta = `${folder}/meta.json`;
  const args = [
    entry,
    "--bundle",
    "--platform=node",
    "--format=esm",
    "--target=node20",
    "--alias:@agent-tools/read-file=./mod.ts",
    ...aliases,
    ...flags,
    `--outfile=${folder}/${file}`,
    `--metafile=${meta}`,
  ];
  const esbuild = new Deno.Command("node_modules/.bin/esbuild", { args });
  const { success, stderr } = await esbuild.output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  const packages = packagesIn(await Deno.readTextFile(meta));
  packages.forEach((name) => bundled.add(name));
  await Deno.remove(meta);
}
const json = `${JSON.stringify(manifest, null, 2)}\n`;
await Deno.writeTextFile(`${folder}/package.json`, json);
const licences = await Promise.all([...bundled].sort().map(licenceOf));
await Deno.writeTextFile(
  `${folder}/${LICENCES}`,
  `The programs here hold code of these packages.\n\n${licences.join("\n")}`,
);
for (const name of ["README.md", "LICENSE"]) {
  await Deno.copyFile(`mcp/${name}`, `${folder}/${name}`);
}
