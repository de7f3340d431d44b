// Makes the packages for npm, from the same sources and with the same version as those of JSR: `DIR/read-file` is the library, `DIR/read-file-git` one of the packages beside it, `DIR/read-file-mcp` the server.
import { basename } from "node:path";
import library from "../deno.json" with { type: "json" };
import { manifestsOf, PROGRAM } from "../mcp/npm/manifests.ts";
import { MEMBERS } from "../tests/gate/package_copy.ts";
import { Bundler, type Std } from "./bundle.ts";
import { copyDeclarations, declare } from "./declarations.ts";

/** What `deno.json` says of a package. */
interface Config {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly imports: Readonly<Record<string, string>>;
}

/** Modules of the library that get files of their own: bundlers drop a file that is not needed, but not every statement of a larger one. Without them, README's worker is a sixth larger. */
const SEPARATE = [
  "src/core/guard/secret_files.ts",
  "src/tools/forge_config.ts",
  "src/tools/open_file.ts",
  "src/tools/reader/reader_tools.ts",
  "src/tools/secure_tool.ts",
  "src/tools/tool_catalog.ts",
  "src/tools/toolkit.ts",
  "src/tools/toolkit_read_file.ts",
];

const [folder, std = "npm"] = Deno.args;
if (folder === undefined || !["npm", "jsr"].includes(std)) {
  throw new Error('Cannot pack: name a folder, and "jsr" for JSR\'s own @std');
}
const repository = Deno.env.get("GITHUB_REPOSITORY") ??
  "agent-tools/read-file";

// A folder that exists may hold files of another version.
await Deno.mkdir(folder);
const work = await Deno.makeTempDir();
try {
  const bundler = await Bundler.open(std as Std, work);
  const libraries = [".", ...MEMBERS.filter((name) => name !== "mcp")];
  const entries = libraries.map((name) => `${name}/mod.ts`);
  const declared = declare(entries, `${work}/types`);
  await packServer(bundler, `${folder}/read-file-mcp`);
  for (const from of libraries) {
    await packLibrary(bundler, from, placeOf(from));
  }
  await declared;
  for (const from of libraries) {
    await copyDeclarations(`${work}/types/${from}`, `${placeOf(from)}/types`);
  }
} finally {
  await Deno.remove(work, { recursive: true });
}

function placeOf(from: string): string {
  return `${folder}/read-file${from === "." ? "" : `-${from}`}`;
}

/** Packs the library, or a package beside it. */
async function packLibrary(
  bundler: Bundler,
  from: string,
  to: string,
): Promise<void> {
  const isLibrary = from === ".";
  // Entries that share code, and parts that are loaded later, are files of their own.
  const entries = [
    `${from}/mod.ts`,
    ...isLibrary ? ["npm/cli.ts", ...SEPARATE] : [],
  ];
  await bundler.bundle(entries, to, [
    "--splitting",
    "--platform=neutral",
    "--packages=external",
    "--entry-names=[name]",
    "--chunk-names=parts/[hash]",
  ]);
  if (isLibrary) {
    // Their code is in parts, which these files only export.
    for (const path of SEPARATE) {
      await Deno.remove(`${to}/${basename(path, ".ts")}.js`);
    }
    const program = `${to}/cli.js`;
    const text = await Deno.readTextFile(program);
    await Deno.writeTextFile(program, `#!/usr/bin/env node\n${text}`);
  }
  const config: Config = JSON.parse(
    await Deno.readTextFile(`${from}/deno.json`),
  );
  const code = await Deno.readTextFile(`${from}/mod.ts`);
  const manifest = manifestOf(config, descriptionIn(code), from);
  await writeJson(`${to}/package.json`, manifest);
  await copyAround(from, to);
}

function manifestOf(config: Config, description: string, from: string): object {
  const { name, version, license, imports } = config;
  const isLibrary = from === ".";
  const packages = Object.values(imports).flatMap((source) => {
    const [, kind, other, range] = /^(npm|jsr):(.+)@(.+)$/.exec(source) ?? [];
    return kind === "npm" ? [[other, range]] : [];
  });
  return {
    ...{ name, version, license, description },
    type: "module",
    main: "mod.js",
    types: "types/mod.d.ts",
    exports: {
      ".": { types: "./types/mod.d.ts", default: "./mod.js" },
      "./package.json": "./package.json",
    },
    ...isLibrary ? { bin: { "read-file": "cli.js" } } : {
      dependencies: Object.fromEntries(packages),
      // A second copy would have classes of its own: an error would not be a
      // `ReadFileError` of the other.
      peerDependencies: { [library.name]: `^${version}` },
    },
    sideEffects: false,
    repository: {
      ...{ type: "git", url: `git+https://github.com/${repository}.git` },
      ...isLibrary ? {} : { directory: from },
    },
    // PDF.js wants the newer Node.js.
    engines: { node: from === "pdf" ? ">=22" : ">=20.16", bun: ">=1.4" },
    publishConfig: { access: "public", provenance: true },
  };
}

/** The first sentence of a module's comment, as JSR shows it. */
function descriptionIn(code: string): string {
  const [, text = ""] = /^\/\*\*\n([^]*?\.)\n/.exec(code) ?? [];
  return text.replaceAll(/^ \* ?/gm, "").replaceAll("\n", " ");
}

/** Packs the server, which `npx` and `bunx` run: the packages that JSR makes for npm have no `bin`. The folder is also what MCPB packs. */
async function packServer(bundler: Bundler, to: string): Promise<void> {
  await bundler.bundle(
    [
      // One file loads faster than many; the other packages are loaded only if they are used.
      `${PROGRAM.replace(/\.js$/, "")}=mcp/npm/start.ts`,
      "pdf=mcp/npm/pdf.ts",
      "detect=detect/mod.ts",
    ],
    to,
    [
      "--platform=node",
      `--alias:${library.name}=./mod.ts`,
    ],
  );
  // What it throws must be of the library of the program, not of a copy.
  await bundler.bundle(["git=git/mod.ts"], `${to}/parts`, [
    "--platform=node",
    `--alias:${library.name}=./mcp/npm/library.ts`,
  ]);
  await Deno.rename(`${to}/parts/git.js`, `${to}/git.js`);
  await Deno.remove(`${to}/parts`, { recursive: true });
  const program = `${to}/${PROGRAM}`;
  const text = await Deno.readTextFile(program);
  await Deno.writeTextFile(program, `#!/usr/bin/env node\n${text}`);
  for (const [name, facts] of Object.entries(manifestsOf(repository))) {
    await writeJson(`${to}/${name}`, facts);
  }
  await copyAround("mcp", to);
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await Deno.writeTextFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

async function copyAround(from: string, to: string): Promise<void> {
  for (const name of ["README.md", "LICENSE"]) {
    await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}
