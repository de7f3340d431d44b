// deno task docs:html: builds the API documentation of each package; a warning is an error.
import library from "../../deno.json" with { type: "json" };
import detect from "../../detect/deno.json" with { type: "json" };
import git from "../../git/deno.json" with { type: "json" };
import highlight from "../../highlight/deno.json" with { type: "json" };
import layers from "../../layers/deno.json" with { type: "json" };
import mcp from "../../mcp/deno.json" with { type: "json" };
import pdf from "../../pdf/deno.json" with { type: "json" };
import testing from "../../testing/deno.json" with { type: "json" };

const OUTPUT = ".gate/html";

const PACKAGES = [
  { name: library.name, entry: "mod.ts", folder: "read-file" },
  { name: detect.name, entry: "detect/mod.ts", folder: "read-file-detect" },
  { name: git.name, entry: "git/mod.ts", folder: "read-file-git" },
  {
    name: highlight.name,
    entry: "highlight/mod.ts",
    folder: "read-file-highlight",
  },
  { name: layers.name, entry: "layers/mod.ts", folder: "read-file-layers" },
  { name: mcp.name, entry: "mcp/mod.ts", folder: "read-file-mcp" },
  { name: pdf.name, entry: "pdf/mod.ts", folder: "read-file-pdf" },
  { name: testing.name, entry: "testing/mod.ts", folder: "read-file-testing" },
];

await Deno.mkdir(OUTPUT, { recursive: true });
for (const { name, entry, folder } of PACKAGES) {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "doc",
      "--html",
      `--name=${name}`,
      `--output=${OUTPUT}/${folder}`,
      "--import-map=tests/typed_std.json",
      entry,
    ],
    env: { NO_COLOR: "1" },
  }).output();
  const told = new TextDecoder().decode(stderr).trim();
  // Types of npm packages are not checked.
  const ours = told.split(/^(?=\S)/m)
    .filter((part) => !part.includes("/node_modules/"));
  if (code !== 0 || ours.some((part) => /warn|error/i.test(part))) {
    console.error(`${name}: ${told}`);
    Deno.exitCode = 1;
  } else console.log(`${name}: ${OUTPUT}/${folder}/index.html`);
}
