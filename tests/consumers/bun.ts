/** The second user: a repository in Bun, which installs an archive. */
import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { moveIn } from "./bun_install.ts";
import { run, runWell } from "./command.ts";
import { worldHere, writeFiles } from "./world.ts";

const world = worldHere();
const bin = `${world.home}/node_modules/.bin`;

const surroundings = await moveIn("bun");

describe("a repository in Bun", () => {
  it("gets what JSR would give it: no TypeScript to compile", async () => {
    const folder = `${surroundings.cwd}/node_modules/@agent-tools/read-file`;
    const manifest = JSON.parse(
      await Deno.readTextFile(`${folder}/package.json`),
    );
    assertEquals(manifest.type, "module");
    assertEquals(manifest.exports["."].types, "./mod.d.ts");
    assertEquals(manifest.exports["."].import, "./mod.js");
    for (const name of Object.keys(manifest.dependencies)) {
      assertMatch(name, /^@jsr\/std__[a-z]+$/);
    }
  });
  it("tests its agent with the tools", async () => {
    const { code, stderr } = await run(`${bin}/bun`, ["test"], surroundings);
    assertMatch(stderr, / 3 pass\n 0 fail\n/);
    assertEquals(code, 0);
  });
  it("has strict types", async () => {
    await runWell(`${bin}/tsc`, ["--noEmit"], surroundings);
  });
  it("would hear of a mistake in its types", async () => {
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
      "// What a repository with an agent in it has: its tools, made once.",
    ]);
  });
});
