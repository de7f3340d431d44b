/** Consumer 2: a Bun repository that installs an archive of the package. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { filesOf } from "./archive.ts";
import { moveIn } from "./bun_install.ts";
import { run, runWell } from "./command.ts";
import { worldHere, writeFiles } from "./world.ts";

const world = worldHere();
const bin = `${world.home}/node_modules/.bin`;

const surroundings = await moveIn("bun", world.tarball);
const installed = `${surroundings.cwd}/node_modules/@agent-tools/read-file`;

/** The first line of agent.ts in the repository. */
const FIRST_LINE = "// The tools of a repository with an agent, made once.";

describe("a repository in Bun", () => {
  it("gets one manifest for all packages, as from JSR", async () => {
    const manifest = JSON.parse(
      await Deno.readTextFile(`${installed}/package.json`),
    );
    assertEquals(manifest.type, "module");
    assertEquals(manifest.exports["."].types, "./mod.d.ts");
    assertEquals(manifest.exports["."].import, "./mod.js");
    for (const name of Object.keys(manifest.dependencies)) {
      assertMatch(name, /^@jsr\/std__[a-z]+$/);
    }
  });
  it("contains no TypeScript except types", async () => {
    const paths = [...(await filesOf(installed)).keys()];
    assert(paths.includes("src/cli/main.js"));
    const raw = paths.filter((path) => /(?<!\.d)\.ts$/.test(path));
    assertEquals(raw, []);
  });
  it("has no import of a missing or uncompiled file", async () => {
    const files = await filesOf(installed);
    const decoder = new TextDecoder();
    let count = 0;
    for (const [path, bytes] of files) {
      if (!path.endsWith(".js")) continue;
      const imports = decoder.decode(bytes)
        .matchAll(/\b(?:from|import\()\s*"(\.[^"]*)"/g);
      for (const [, found = ""] of imports) {
        const { pathname } = new URL(found, `file:///${path}`);
        assertMatch(found, /\.js(on)?$/, path);
        assert(files.has(pathname.slice(1)), `${path} imports ${found}`);
        count++;
      }
    }
    assert(count > 100);
  });
  it("can run the command line", async () => {
    const command = ["node_modules/@agent-tools/read-file/mod.js"];
    const stdout = await runWell(
      `${bin}/bun`,
      [...command, "agent.ts:1-1"],
      surroundings,
    );
    assertEquals(stdout, `${FIRST_LINE}\n`);
    const missing = await run(
      `${bin}/bun`,
      [...command, "nope.ts"],
      surroundings,
    );
    assertEquals([missing.code, missing.stdout], [1, ""]);
    assertMatch(missing.stderr, /nope\.ts/);
    const version = [...command, "--version"];
    assertMatch(
      await runWell(`${bin}/bun`, version, surroundings),
      /^@agent-tools\/read-file \d+\.\d+\.\d+\n$/,
    );
  });
  it("passes its own tests of an agent with the tools", async () => {
    const { code, stderr } = await run(`${bin}/bun`, ["test"], surroundings);
    assertMatch(stderr, / 3 pass\n 0 fail\n/);
    assertEquals(code, 0);
  });
  it("type checks with strict options", async () => {
    await runWell(`${bin}/tsc`, ["--noEmit"], surroundings);
  });
  it("fails the type check for a wrong type", async () => {
    await writeFiles(surroundings.cwd, {
      "mistake/tsconfig.json": '{ "extends": "../tsconfig.json" }',
      "mistake/mistake.ts":
        'import { openWorkspace } from "@agent-tools/read-file";\n' +
        "export const workspace: string = await openWorkspace(1);\n",
    });
    const mistake = ["--noEmit", "-p", "mistake"];
    const { code, stdout } = await run(`${bin}/tsc`, mistake, surroundings);
    await Deno.remove(`${surroundings.cwd}/mistake`, { recursive: true });
    assertMatch(stdout, /'Workspace' is not assignable to type 'string'/);
    assertMatch(stdout, /'number' is not assignable/);
    assertEquals(code === 0, false);
  });
  it("shares its archive with Node.js", async () => {
    const stdout = await runWell("node", ["reads.mjs"], surroundings);
    assertEquals(JSON.parse(stdout), [
      "two\n",
      FIRST_LINE,
      FIRST_LINE,
      "OUTSIDE_WORKSPACE",
    ]);
  });
});
