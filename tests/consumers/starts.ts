/** Runs every documented start command in repositories that try to replace the programs. */
import { assert, assertStringIncludes } from "@std/assert";
import * as path from "@std/path";
import * as streams from "@std/streams";
import * as toml from "@std/toml";
import { describe, it } from "node:test";
import { documents } from "../support/documents.ts";
import { startsIn, type Words } from "../support/starts.ts";
import { converse } from "./command.ts";
import { freshFolder, worldHere, writeFiles } from "./world.ts";

const world = worldHere();
const bin = `${world.home}/node_modules/.bin`;
const folder = await freshFolder("starts");
const own = `${folder}/own`;

const { version } = JSON.parse(
  await Deno.readTextFile(`${world.home}/deno.json`),
);
const NAME = "@agent-tools/read-file-mcp";
const PROGRAM = `node_modules/${NAME}/read-file-mcp.js`;

/** A file in a legacy encoding. */
const LEGACY = "legacy.txt";

/** The text that the code of a hostile repository prints. */
const EVIL = "EVIL HAS RUN";
const SAYS_SO = `console.error(${JSON.stringify(EVIL)});\n`;

/** All imported names, so that replaced modules load without an error. */
const NAMED = Array.from(
  new Set([path, streams, toml].flatMap(Object.keys)),
  (name) => `export const ${name} = class {};\n`,
).join("");

/** A hostile repository, and an unsafe command with which its attack succeeds. */
interface Trap {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  readonly unsafe: Words;
}

const DENO = ["deno", "run", "--no-prompt", "--allow-read=DIR"];
const SERVER = [`jsr:${NAME}@${version}`, "DIR"];

const everyImport = JSON.stringify(
  Object.fromEntries(
    ["@std/path", "@std/streams", "@std/toml"].flatMap((name) => [
      [importsOf("deno.json")[name], "./evil.ts"],
      [`jsr:${name}`, "./evil.ts"],
    ]),
  ),
);

function importsOf(path: string): Record<string, string> {
  return JSON.parse(Deno.readTextFileSync(`${world.home}/${path}`)).imports;
}

/** The server loads this module for the first file in a legacy encoding. */
const evilDetector = {
  "package.json": JSON.stringify({
    ...{ name: "jschardet", version: "4.0.0", type: "module" },
    exports: "./evil.js",
  }),
  "evil.js": `${SAYS_SO}export const detectAll = () => [];\n`,
};
const EVIL_SCRIPT = `#!/bin/sh\necho ${EVIL}\n`;

const evilServer = {
  "package.json": JSON.stringify({
    ...{ name: NAME, version, bin: { "read-file-mcp": "evil.js" } },
  }),
  "evil.js": `#!/usr/bin/env node\n${SAYS_SO}`,
};

function below(path: string, files: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`${path}/${name}`, text]),
  );
}

const TRAPS: readonly Trap[] = [
  {
    what: "an import map in deno.json",
    files: {
      "deno.json": `{ "imports": ${everyImport} }`,
      "evil.ts": SAYS_SO + NAMED,
    },
    unsafe: [...DENO, ...SERVER],
  },
  {
    what: "scopes in deno.jsonc",
    files: {
      "deno.jsonc":
        `{ "scopes": { "${world.registry}": ${everyImport} } } // so`,
      "evil.ts": SAYS_SO + NAMED,
    },
    unsafe: [...DENO, ...SERVER],
  },
  {
    what: "a workspace member with the name of our package",
    files: {
      "deno.json": '{ "workspace": ["./evil"] }',
      "evil/deno.json": JSON.stringify({
        name: NAME,
        version,
        exports: "./evil.ts",
      }),
      "evil/evil.ts": SAYS_SO,
    },
    unsafe: [...DENO, ...SERVER],
  },
  {
    what: "a link to a package with the name of our package",
    files: {
      "deno.json": '{ "links": ["./evil"] }',
      "evil/deno.json": JSON.stringify({
        name: NAME,
        version,
        exports: "./evil.ts",
      }),
      "evil/evil.ts": SAYS_SO,
    },
    unsafe: [...DENO, ...SERVER],
  },
  {
    what: "imports of a package.json",
    files: {
      "package.json": '{ "dependencies": { "jschardet": "*" } }',
      ...below("node_modules/jschardet", evilDetector),
    },
    unsafe: [...DENO, ...SERVER],
  },
  {
    what: "our own package in node_modules",
    files: {
      "package.json": "{}",
      ...below(`node_modules/${NAME}`, evilServer),
      "node_modules/.bin/read-file-mcp": EVIL_SCRIPT,
    },
    unsafe: ["npx", "--yes", `${NAME}@${version}`, "DIR"],
  },
  {
    what: "a node in node_modules/.bin",
    files: { "package.json": "{}", "node_modules/.bin/node": EVIL_SCRIPT },
    unsafe: [
      "npx",
      "--yes",
      "--prefix",
      `${folder}/home`,
      `${NAME}@${version}`,
      "DIR",
    ],
  },
  {
    what: "a node in node_modules/.bin for bunx",
    files: { "package.json": "{}", "node_modules/.bin/node": EVIL_SCRIPT },
    unsafe: ["bunx", `${NAME}@${version}`, "DIR"],
  },
  {
    what: "options for Node.js in .npmrc",
    files: {
      "package.json": "{}",
      ".npmrc": "node-options=--require=./evil.cjs\n",
      "evil.cjs": SAYS_SO,
    },
    unsafe: ["npx", "--yes", `${NAME}@${version}`, "DIR"],
  },
  {
    what: "a preload in bunfig.toml",
    files: { "bunfig.toml": 'preload = ["./evil.cjs"]\n', "evil.cjs": SAYS_SO },
    unsafe: ["bun", `OWN/${PROGRAM}`, "DIR"],
  },
  ...["tsconfig.json", "jsconfig.json"].map((name) => ({
    what: `paths in ${name}`,
    files: {
      [name]: '{ "compilerOptions": { "paths": { "*": ["./evil.ts"] } } }',
      "evil.ts": SAYS_SO,
    },
    unsafe: ["bun", "--config=/dev/null", `OWN/${PROGRAM}`, "DIR"],
  })),
  {
    what: "a preload for bunx",
    files: { "bunfig.toml": 'preload = ["./evil.cjs"]\n', "evil.cjs": SAYS_SO },
    unsafe: ["bunx", "--bun", `${NAME}@${version}`, "DIR"],
  },
];

/** Settings of the user, which take precedence over those of a repository. */
await writeFiles(`${folder}/home`, {
  ".npmrc": `registry=${world.registry}\n`,
  ".bunfig.toml": `[install]\nregistry = "${world.registry}"\n`,
});

const env = {
  PATH: `${bin}:${Deno.env.get("PATH")}`,
  HOME: `${folder}/home`,
  JSR_URL: world.registry,
  NPM_CONFIG_REGISTRY: world.registry,
  DENO_DIR: `${folder}/deno`,
  BUN_INSTALL_CACHE_DIR: `${folder}/cache`,
  NO_COLOR: "1",
};
// The user's settings name the registry; otherwise .npmrc would have no effect.
const { NPM_CONFIG_REGISTRY: _, ...npmEnv } = env;

const INITIALIZE = {
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "stranger", version: "1.0.0" },
  },
};

/** Reads a file in a legacy encoding. */
const READ_LEGACY = {
  id: 2,
  method: "tools/call",
  params: { name: "read_file", arguments: { path: LEGACY } },
};

/** The expected output of the server and of the command line. */
const ANSWERS = ['"name":"read-file"', "read\nread", "main\nmain"] as const;

/** Runs a command in a folder, and returns its output. */
async function play(
  words: Words,
  repository: string,
  cwd = repository,
): Promise<string> {
  const [program = "", ...args] = words.map((word) =>
    word.replace(/DIR|\$\{workspaceFolder\}/, repository).replace(/^OWN/, own)
  );
  const isDeno = program === "deno";
  const { stdout, stderr } = await converse(
    isDeno ? Deno.execPath() : program,
    args,
    { cwd, env: isDeno ? env : npmEnv },
    [INITIALIZE, READ_LEGACY],
    2,
  );
  return stdout + stderr;
}

const starts = new Map(
  [...documents().values()].flatMap(startsIn)
    .map((words) => [words.join(" "), words]),
);

const installs = ["npm", "install", "--prefix", "OWN"].concat(
  [NAME, "@agent-tools/read-file"].map((name) => `${name}@${version}`),
);
// Install inside a repository with all traps for npm.
const trapped = `${folder}/installing`;
for (const { files } of TRAPS) await writeFiles(trapped, files);
const installed = await play(installs, trapped);

describe("the server, installed from inside a hostile repository", () => {
  it("contains no code of the repository", async () => {
    assert(!installed.includes(EVIL), installed);
    const text = await Deno.readTextFile(`${own}/${PROGRAM}`);
    assert(!text.includes(EVIL));
  });
});

/** The files to read in a repository. */
const READ = {
  "README.md": "read\n".repeat(20),
  "src/main.ts": "main\n".repeat(150),
};

/** Writes the files to read, and other files. */
async function writeRepository(
  folder: string,
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  await writeFiles(folder, { ...files, ...READ });
  const bytes = Uint8Array.from(
    "na\xefve caf\xe9\n",
    (char) => char.charCodeAt(0),
  );
  await Deno.writeFile(`${folder}/${LEGACY}`, bytes);
}

function assertOurs(said: string): void {
  assert(!said.includes(EVIL), said);
  assert(ANSWERS.some((answer) => said.includes(answer)), said);
}

describe("a repository with all of these traps", () => {
  const ready = writeRepository(trapped);
  it("replaces nothing if npx is started elsewhere", async () => {
    await ready;
    const npx = ["npx", "--yes", `${NAME}@${version}`, "DIR"];
    assertOurs(await play(npx, trapped, `${folder}/home`));
  });
  for (const [line, words] of starts) {
    it(`replaces nothing: ${line}`, async () => {
      await ready;
      assertOurs(await play(words, trapped));
    });
  }
});

describe("a hostile repository", () => {
  for (const [at, { what, files, unsafe }] of TRAPS.entries()) {
    const cwd = `${folder}/repository${at}`;
    const ready = writeRepository(cwd, files);
    it(`replaces a program that is started with an unsafe command: ${what}`, async () => {
      await ready;
      assertStringIncludes(await play(unsafe, cwd), EVIL);
    });
    for (const [line, words] of starts) {
      // Settings for Deno do not affect other programs.
      if ((words[0] === "deno") !== (unsafe[0] === "deno")) continue;
      it(`replaces nothing with ${what}: ${line}`, async () => {
        await ready;
        assertOurs(await play(words, cwd));
      });
    }
  }
});

describe("a server with a replaced module that behaves the same", () => {
  it("warns", async () => {
    const cwd = `${folder}/replaced`;
    const range = importsOf("deno.json")["@std/toml"]!;
    await writeFiles(cwd, {
      "deno.json": `{ "imports": { "${range}": "./toml.js" } }`,
      "toml.js": "export const parse = () => ({});\n",
    });
    const said = await play([...DENO, ...SERVER], cwd);
    assertStringIncludes(said, `not safe: ${range} is taken from file://`);
    const line = [...DENO, `jsr:@agent-tools/read-file@${version}`, "toml.js"];
    assertStringIncludes(
      await play(line, cwd),
      `Not safe: ${range} is taken from file://`,
    );
    const careful = starts.values().find(([runner]) => runner === "deno")!;
    assert(!(await play(careful, cwd)).includes("ot safe"));
  });
  it("warns if it is installed in the served directory", async () => {
    assertStringIncludes(
      await play(["node", `OWN/${PROGRAM}`, own], folder),
      "not safe: this server is taken from",
    );
  });
});
