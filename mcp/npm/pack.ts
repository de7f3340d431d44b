// Makes the package for npm, which `npx` and `bunx` run: the packages that JSR makes for npm have no `bin`. The folder is also what MCPB packs.
import { mapToJsr } from "../../tests/gate/jsr_map.ts";
import map from "../../tests/npm_std.json" with { type: "json" };
import {
  jsrLicence,
  jsrPackagesIn,
  licenceOf,
  packagesIn,
} from "./licences.ts";
import { LICENCES, manifestsOf, PROGRAM } from "./manifests.ts";

const [folder, std = "npm"] = Deno.args;
if (folder === undefined || !["npm", "jsr"].includes(std)) {
  throw new Error('Cannot pack: name a folder, and "jsr" for JSR\'s own @std');
}

const aliases = Object.entries(map.imports)
  .filter(([name]) => name.startsWith("@std/"))
  .map(([name, target]) =>
    `--alias:${name}=${target.replace(/^npm:(deno-std)@[^/]+/, "$1")}`
  );

await Deno.mkdir(folder, { recursive: true });
const bundled = new Set<string>();
const fromJsr = new Set<string>();

async function run(program: string, args: readonly string[]): Promise<string> {
  const command = new Deno.Command(program, { args: [...args] });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(decoder.decode(stderr));
  return decoder.decode(stdout);
}

/** Joins the modules of an entry with JSR's own @std: npm has a copy that others made. */
async function joinWithJsr(entry: string): Promise<string> {
  const [place, joined] = [`${folder}/map.json`, `${folder}/joined.js`];
  await Deno.writeTextFile(place, JSON.stringify({ imports: mapToJsr() }));
  const flag = `--import-map=${place}`;
  await run("deno", ["bundle", "--quiet", flag, `--output=${joined}`, entry]);
  const info = await run("deno", ["info", "--json", flag, entry]);
  jsrPackagesIn(info).forEach((name) => fromJsr.add(name));
  await Deno.remove(place);
  const text = await Deno.readTextFile(joined);
  // Otherwise what is published as JSR's would be the copy.
  if (/\/deno-std\//.test(text)) throw new Error("npm's copy of @std is in it");
  // esbuild keeps such comments: they say which packages of npm are inside.
  const marked = text.replace(/^\/\/ \S*?(?=node_modules\/)/gm, "//! ");
  await Deno.writeTextFile(joined, marked);
  return joined;
}

for (
  const [entry, file, ...flags] of [
    // One file loads faster than many.
    ["mcp/npm/start.ts", PROGRAM, "--banner:js=#!/usr/bin/env node"],
    ["pdf/mod.ts", "pdf.js"],
    ["detect/mod.ts", "detect.js"],
  ] as const
) {
  const meta = `${folder}/meta.json`;
  const source = std === "jsr" ? await joinWithJsr(entry) : entry;
  const args = [
    source,
    "--bundle",
    "--platform=node",
    "--format=esm",
    "--target=node20",
    "--legal-comments=inline",
    "--alias:@agent-tools/read-file=./mod.ts",
    ...aliases,
    ...flags,
    `--outfile=${folder}/${file}`,
    `--metafile=${meta}`,
  ];
  await run("node_modules/.bin/esbuild", args);
  const inputs = source === entry
    ? await Deno.readTextFile(meta)
    : await Deno.readTextFile(source);
  packagesIn(inputs).forEach((name) => bundled.add(name));
  await Deno.remove(meta);
  if (source !== entry) await Deno.remove(source);
}
const repository = Deno.env.get("GITHUB_REPOSITORY") ??
  "agent-tools/read-file";
for (const [name, facts] of Object.entries(manifestsOf(repository))) {
  const json = `${JSON.stringify(facts, null, 2)}\n`;
  await Deno.writeTextFile(`${folder}/${name}`, json);
}
const licences = await Promise.all([
  ...[...bundled].sort().map(licenceOf),
  ...[...fromJsr].sort().map(jsrLicence),
]);
await Deno.writeTextFile(
  `${folder}/${LICENCES}`,
  `The programs here hold code of these packages.\n\n${licences.join("\n")}`,
);
for (const name of ["README.md", "LICENSE"]) {
  await Deno.copyFile(`mcp/${name}`, `${folder}/${name}`);
}
