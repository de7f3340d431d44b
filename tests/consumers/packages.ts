/** Consumer 4: repositories that install the packages for npm, with npm and with Bun. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { pdf } from "../support/pdfs.ts";
import { filesOf } from "./archive.ts";
import { run, runWell } from "./command.ts";
import { freshFolder, worldHere, writeFiles } from "./world.ts";

const world = worldHere();
const bin = `${world.home}/node_modules/.bin`;

const LIBRARY = "@agent-tools/read-file";
const BESIDE = ["detect", "git", "highlight", "layers", "pdf", "testing"]
  .map((end) => `${LIBRARY}-${end}`);

/** The programs that install packages. */
const INSTALLERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  npm: ["npm", "install", "--no-audit", "--no-fund"],
  bun: [`${bin}/bun`, "add"],
};

/** The other versions of Node.js are set by `deno task test:node`. */
const RUNTIMES = [
  ["node", "node"],
  ["bun", `${bin}/bun`],
  ...(Deno.env.get("READ_FILE_NODES") ?? "").split(":")
    .filter((path) => path !== "")
    .map((path) => [/node@\d+/.exec(path)?.[0] ?? path, path]),
] as const;

/** Options of the compiler, with the types of Node.js or of browsers. */
const STRICT = {
  ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false },
  ...{ noUncheckedIndexedAccess: true, noEmit: true },
  ...{ allowJs: true, checkJs: true },
};
const KINDS = {
  node: {
    ...{ module: "NodeNext", target: "ES2022", lib: ["ES2022"] },
    ...{ types: ["node"], typeRoots: [`${world.home}/node_modules/@types`] },
  },
  browser: {
    ...{ module: "Preserve", target: "ES2022", types: [] },
    lib: ["ES2022", "ESNext.Disposable", "DOM"],
  },
};

const readme = await Deno.readTextFile(`${world.home}/README.md`);
const source = await Deno.readTextFile(
  `${world.home}/tests/consumers/npm_repository/all.mjs`,
);

/** The example of README below a heading. */
function exampleBelow(heading: string): string {
  const [, text] = readme.split(`\n## ${heading}\n\n`);
  const [, code] = /^```ts\n(.*?)^```$/ms.exec(text ?? "") ?? [];
  assert(code !== undefined, heading);
  return code;
}

/** A repository with the example of README and a program that uses all packages. */
async function moveIn(name: string) {
  const cwd = await freshFolder(`packages/${name}/repository`);
  const home = await freshFolder(`packages/${name}/home`);
  await writeFiles(cwd, {
    "package.json": '{ "name": "stranger", "type": "module" }',
    "README.md": readme,
    "loop.mjs": exampleBelow("In a tool loop"),
    "worker.mts": exampleBelow("At the edge"),
    "all.mjs": source,
    "a.pdf": pdf([["of the document"]]),
    ...Object.fromEntries(
      Object.entries(KINDS).map(([kind, options]) => [
        `tsconfig.${kind}.json`,
        JSON.stringify({
          compilerOptions: { ...STRICT, ...options },
          files: ["worker.mts", "all.mjs", "loop.mjs"],
        }),
      ]),
    ),
  });
  const legacy = [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x82, 0xcc];
  await Deno.writeFile(`${cwd}/legacy.txt`, Uint8Array.from(legacy));
  const packed = new Blob(["of gzip"]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  await Deno.writeFile(`${cwd}/a.gz`, packed);
  const env = {
    HOME: home,
    NPM_CONFIG_REGISTRY: world.registry,
    BUN_INSTALL_CACHE_DIR: `${home}/cache`,
  };
  return { cwd, env };
}

/** The packages in a folder of modules. */
async function packagesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    if (name.startsWith(".")) continue;
    const inside = name.startsWith("@")
      ? (await packagesIn(`${folder}/${name}`)).map((end) => `${name}/${end}`)
      : [name];
    names.push(...inside);
  }
  return names.sort();
}

for (const [name, [installer, ...words]] of Object.entries(INSTALLERS)) {
  const repository = await moveIn(name);
  const { cwd } = repository;
  await runWell(installer, [...words, LIBRARY], repository);
  const alone = await packagesIn(`${cwd}/node_modules`);
  await runWell(installer, [...words, ...BESIDE], repository);
  const installed = `${cwd}/node_modules/${LIBRARY}`;

  describe(`the packages, installed by ${name}`, () => {
    it("are the library without a dependency, and others that share it", async () => {
      assertEquals(alone, [LIBRARY]);
      const all = await packagesIn(`${cwd}/node_modules`);
      const others = ["highlight.js", "jschardet", "unpdf"];
      assertEquals(all, [LIBRARY, ...BESIDE, ...others].sort());
    });
    for (const [runtime, program] of RUNTIMES) {
      it(`run README's loop: ${runtime}`, async () => {
        const stdout = await runWell(program, ["loop.mjs"], repository);
        assertMatch(stdout, /name: "?'?read_file/);
        assertMatch(stdout, /^"README\.md": lines 1-3 of \d+\./m);
      });
      it(`run a program with all packages: ${runtime}`, async () => {
        const stdout = await runWell(program, ["all.mjs"], repository);
        const { document, ...rest } = JSON.parse(stdout);
        assertMatch(document, /of the document/);
        assertEquals(rest, {
          failure: "NOT_FOUND",
          layered: "typed",
          encoding: "shift_jis",
          colored: "\x1b[35mconst\x1b[0m a = \x1b[33m1\x1b[0m;\n",
          gzipped: "of gzip",
        });
      });
      it(`run the command line: ${runtime}`, async () => {
        const line = [`${installed}/cli.js`, "loop.mjs:1"];
        const [first] = exampleBelow("In a tool loop").split("\n");
        const stdout = await runWell(program, line, repository);
        assertEquals(stdout, `${first}\n`);
        const missing = [`${installed}/cli.js`, "nope.ts"];
        const { code, stderr } = await run(program, missing, repository);
        assertEquals(code, 1);
        assertMatch(stderr, /nope\.ts/);
      });
    }
    for (const kind of Object.keys(KINDS)) {
      it(`have types that compile strictly, with those of ${kind}`, async () => {
        const project = ["--project", `tsconfig.${kind}.json`];
        await runWell(`${bin}/tsc`, project, repository);
      });
    }
  });
}

describe("a package for npm", () => {
  const { version } = JSON.parse(
    Deno.readTextFileSync(`${world.home}/deno.json`),
  );
  it("has the version of all, and what npm wants for provenance", async () => {
    for (const name of [LIBRARY, ...BESIDE]) {
      const folder = `${world.packed}/${name.replace(/.*\//, "")}`;
      const manifest = JSON.parse(
        await Deno.readTextFile(`${folder}/package.json`),
      );
      assertEquals([manifest.name, manifest.version], [name, version]);
      assert(manifest.description.length > 40, name);
      assertMatch(manifest.repository.url, /^git\+https:\/\/github\.com\//);
      assertEquals(manifest.publishConfig.provenance, true);
    }
  });
  it("has the licence of @std, which the library contains", async () => {
    const text = await Deno.readTextFile(
      `${world.packed}/read-file/LICENCES.txt`,
    );
    assertMatch(text, /^===== (deno-std \S+|@std\/path \S+) \(MIT\)/m);
    assertMatch(text, /Permission is hereby granted/);
  });
  it("holds no TypeScript but declarations, and no path of this machine", async () => {
    for (const name of [LIBRARY, ...BESIDE]) {
      const folder = `${world.packed}/${name.replace(/.*\//, "")}`;
      for (const [path, bytes] of await filesOf(folder)) {
        assert(/(\.js|\.d\.ts|\.md|\.json|\.txt|^LICENSE)$/.test(path), path);
        const text = new TextDecoder().decode(bytes);
        assert(!text.includes(world.home), `${name}/${path}`);
      }
    }
  });
  it("is refused where an older one already lies", async () => {
    const again = ["task", "--quiet", "pack", world.packed];
    const { code, stderr } = await run(Deno.execPath(), again, {
      cwd: world.home,
      env: { DENO_DIR: `${world.folder}/deno` },
    });
    assertEquals(code, 1);
    assertMatch(stderr, /exists/);
  });
});
