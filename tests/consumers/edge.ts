/** Consumer 3: a bundled worker at the edge. */
import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { moveIn } from "./bun_install.ts";
import { cacheWithBundler } from "./bundler_cache.ts";
import { runWell, type Surroundings } from "./command.ts";
import { freshFolder, worldHere, writeFiles } from "./world.ts";

/** The tools, whose bundles are measured. */
const TOOLS = [
  "createCodexReadFile",
  "createForgeRead",
  "createOpenFile",
  "createToolkitReadFile",
] as const;

const world = worldHere();
const SOURCES = `${world.home}/tests/consumers/edge_worker`;

/** Repositories with the package for npm, and with the archive as from JSR. */
const fromNpm = await moveIn("edge_npm", await npmArchive());
const fromJsr = await moveIn("edge", world.tarball);

/** The cache for the bundles of Deno. */
const cache = await cacheWithBundler(await freshFolder("edge_deno"));

interface Bundler {
  readonly name: string;
  /** Bundles a worker for the edge; returns the path of the bundle. */
  bundle(name: string, source: string): Promise<string>;
}

/** Bundles with a program in a repository. */
function bundler(
  name: string,
  repository: Surroundings,
  program: string,
  ...args: readonly string[]
): Bundler {
  return {
    name,
    async bundle(name, source) {
      const { cwd } = repository;
      await writeFiles(cwd, { [`${name}.ts`]: source });
      const output = `${cwd}/${program}/${name}.mjs`;
      const words = [...args, `${name}.ts`, "--minify", `--outfile=${output}`];
      const path = `${world.home}/node_modules/.bin/${program}`;
      await runWell(path, words, repository);
      return output;
    },
  };
}

const ESBUILD = [
  "--bundle",
  "--format=esm",
  "--conditions=workerd,worker,browser",
];

const BUNDLERS: readonly Bundler[] = [
  bundler("esbuild, from npm", fromNpm, "esbuild", ...ESBUILD),
  bundler("bun build, from npm", fromNpm, "bun", "build", "--target=browser"),
  bundler("esbuild, from JSR's archive", fromJsr, "esbuild", ...ESBUILD),
  bundler(
    "bun build, from JSR's archive",
    fromJsr,
    "bun",
    "build",
    "--target=browser",
  ),
  {
    name: "deno bundle, from JSR",
    async bundle(name, source) {
      const cwd = await freshFolder(`edge_deno_${name}`);
      await writeFiles(cwd, {
        "worker.ts": source,
        "deno.json": JSON.stringify({
          imports: {
            "@agent-tools/read-file": "jsr:@agent-tools/read-file@^0.2",
          },
        }),
      });
      const env = {
        ...Deno.env.toObject(),
        JSR_URL: world.registry,
        DENO_DIR: cache,
      };
      await runWell(Deno.execPath(), [
        "bundle",
        "--quiet",
        "--minify",
        "--platform=browser",
        "--output=worker.mjs",
        "worker.ts",
      ], { cwd, env });
      return `${cwd}/worker.mjs`;
    },
  },
];

const agent = await Deno.readTextFile(`${SOURCES}/agent.ts`);
const oneTool = await Deno.readTextFile(`${SOURCES}/one_tool.ts`);

const bundles = await Promise.all(BUNDLERS.map(async ({ name, bundle }) => {
  const path = await bundle("all", agent);
  return { name, path, text: await Deno.readTextFile(path) };
}));

/** Packs the library's package for npm. */
async function npmArchive(): Promise<string> {
  const archive = `${await freshFolder("edge_npm")}/library.tgz`;
  const pack = ["pm", "pack", `--filename=${archive}`];
  const cwd = `${world.packed}/read-file`;
  await runWell(`${world.home}/node_modules/.bin/bun`, pack, { cwd });
  return archive;
}

/** The answers of a worker in workerd, and its attempts to compile code. */
async function runWorker(path: string) {
  const stdout = await runWell("node", [`${SOURCES}/run.mjs`, path], {
    cwd: world.home,
  });
  return JSON.parse(stdout);
}

describe("a worker that tries to compile code", () => {
  it("is refused by workerd, and its attempts are recorded", async () => {
    const { answer, attempts } = await runWorker(`${SOURCES}/tries.mjs`);
    const ways = Object.keys(answer);
    for (const way of ways) {
      const refusal = way.startsWith("WebAssembly.")
        ? "CompileError"
        : "EvalError";
      assertEquals(answer[way], refusal, way);
    }
    assertEquals(attempts.length, ways.length, attempts.join());
  });
});

for (const { name, path, text } of bundles) {
  describe(`a worker bundled by ${name}`, () => {
    const running = runWorker(path);
    it("runs in workerd without a compatibility flag", async () => {
      const { answer } = await running;
      const { codex, forge, open, toolkit, large, many, outside } = answer;
      assertEquals(codex.content, "L1: one\nL2: two\nL3: three");
      assertEquals(open.content, "one\ntwo\n");
      assertMatch(forge.content, /three/);
      assertEquals(JSON.parse(toolkit.content).meta.line_count, 3);
      for (const { ok, content } of large) {
        assertMatch(`${ok} ${content}`, /true .*line/s);
      }
      assertEquals(large.length, TOOLS.length);
      assertEquals(many, 500);
      assertEquals(outside.ok, false);
    });
    it("never tries to compile code from text or bytes", async () => {
      assertEquals((await running).attempts, []);
    });
    it("contains neither the command line nor an import", () => {
      assertEquals(text.match(/Usage:|\bimport\(/g), null);
    });
  });
}

const readme = await Deno.readTextFile(`${world.home}/README.md`);
const [, example = ""] = /## At the edge\n\n```ts\n(.*?)```/s.exec(readme) ??
  [];

const [, told = ""] = /bundle\s+of\s+some\s+(\d+)\s+KiB/.exec(readme) ?? [];

describe("README's worker", () => {
  it("has its size in README", () => assertMatch(told, /^\d+$/));
});

// The report of sizes: none of them is a limit.
const worker = await Deno.readTextFile(
  await BUNDLERS[0]!.bundle("readme", example),
);
console.log(`README's worker: ${kibibytesOf(worker)}; README says ${told} KiB`);
for (const { name, text } of bundles) {
  console.log(`all tools, bundled by ${name}: ${kibibytesOf(text)}`);
}
for (const { name, bundle } of BUNDLERS.slice(0, 1)) {
  for (const tool of TOOLS) {
    const source = oneTool.replaceAll("createOpenFile", tool);
    const text = await Deno.readTextFile(await bundle(tool, source));
    console.log(`${tool}, bundled by ${name}: ${kibibytesOf(text)}`);
  }
}

function kibibytesOf(text: string): string {
  const { length } = new TextEncoder().encode(text);
  return `${(length / 1024).toFixed(1)} KiB`;
}
