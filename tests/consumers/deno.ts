/** Consumer 1: a Deno script that imports from JSR. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
} from "@std/assert";
import { describe, it } from "node:test";
import { run, runWell } from "./command.ts";
import { freshFolder, worldHere, writeFiles } from "./world.ts";

const world = worldHere();

/** All strict compiler options. */
const STRICT = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noFallthroughCasesInSwitch: true,
    noImplicitOverride: true,
    noImplicitReturns: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    // Deno's own declarations contain a contradiction under these options.
    skipLibCheck: true,
  },
};

/** A folder with the consumer's script, one with files to read, and an empty cache. */
async function moveIn(name: string, script = "agent.ts") {
  const home = await freshFolder(name);
  const workspace = `${home}/workspace`;
  await writeFiles(home, {
    "workspace/notes.txt": "one\ntwo\nthree\n",
    "secret.txt": "no",
    "deno.json": JSON.stringify(STRICT),
    [script]: await Deno.readTextFile(
      `${world.home}/tests/consumers/deno_script/${script}`,
    ),
  });
  const env = { JSR_URL: world.registry, DENO_DIR: `${home}/cache` };
  return { workspace, surroundings: { cwd: home, env } };
}

describe("the release", () => {
  it("consists of the files that the dry run lists", () => {
    assert(world.listed.includes("src/core/read.ts"));
    assertEquals(world.published.toSorted(), world.listed.toSorted());
  });
  it("imports @std only as JSR does", async () => {
    const imports: string[] = [];
    for (const path of world.published.filter((path) => path.endsWith(".ts"))) {
      const text = await Deno.readTextFile(`${world.release}/${path}`);
      const from = /^(?:import .*|export .*|\} )from "([^."][^"]*)"/gm;
      imports.push(...Array.from(text.matchAll(from), ([, found]) => found!));
    }
    assert(imports.length > 0);
    for (const found of imports) {
      assertMatch(found, /^jsr:\/?@std\/[a-z]+@\^\d+\.\d+\.\d+(\/[a-z/-]+)?$/);
    }
  });
});

describe("a script in Deno", () => {
  it("calls all four tools with permission to read only its workspace", async () => {
    const { workspace, surroundings } = await moveIn("script");
    const stdout = await runWell(Deno.execPath(), [
      "run",
      "--quiet",
      "--no-prompt",
      `--allow-read=${workspace}`,
      "agent.ts",
      workspace,
    ], surroundings);
    const { codex, toolkit, forge, open, outside } = JSON.parse(stdout);
    const [note, ...notes] = codex.notes;
    assertEquals([codex.ok, codex.content, notes], [true, "L2: two", []]);
    assertMatch(note, /^more lines follow; continue with /);
    assertEquals([open.ok, open.text], [true, "one\ntwo\n"]);
    assertEquals(JSON.parse(toolkit.content).next_start_line, 2);
    assert(toolkit.ok && forge.ok);
    assertMatch(forge.content, /three/);
    assertEquals(outside.ok, false);
    assertMatch(outside.content, /^permission denied: \.\.\/secret\.txt\n/);
  });
  it("type checks with strict options, and so does the package", async () => {
    const { surroundings } = await moveIn("check");
    const check = ["check", "--quiet", "--all", "agent.ts"];
    await runWell(Deno.execPath(), check, surroundings);
  });
  it("can type check a checkout of the package with plain strict options", async () => {
    const { surroundings } = await moveIn("checkout");
    const { home } = world;
    const options = [
      "--no-config",
      `--import-map=${home}/tests/typed_std.json`,
    ];
    const check = ["check", "--quiet", ...options, `${home}/mod.ts`];
    await runWell(Deno.execPath(), check, surroundings);
  });
  it("fails the type check for a wrong type", async () => {
    const { surroundings } = await moveIn("mistake");
    await writeFiles(surroundings.cwd, {
      "mistake.ts":
        'import { openWorkspace } from "jsr:@agent-tools/read-file@^0.2";\n' +
        "const workspace: string = await openWorkspace(1);\n",
    });
    const check = ["check", "--quiet", "mistake.ts"];
    const { code, stderr } = await run(Deno.execPath(), check, surroundings);
    assertEquals(code, 1);
    assertMatch(stderr, /Workspace.*string/);
    assertMatch(stderr, /number.*string/);
  });
  it("refuses a file that was changed", async () => {
    const { surroundings } = await moveIn("checksum");
    const { JSR_URL, ...rest } = surroundings.env;
    const env = { ...rest, JSR_URL: `${JSR_URL}tampered/` };
    const { code, stderr } = await run(
      Deno.execPath(),
      ["run", "--no-prompt", "agent.ts"],
      { ...surroundings, env },
    );
    assertNotEquals(code, 0);
    assertMatch(stderr, /[Ii]ntegrity/);
  });
  it("can run the command line from the registry", async () => {
    const { workspace, surroundings } = await moveIn("program");
    const stdout = await runWell(Deno.execPath(), [
      "run",
      "--quiet",
      "--no-prompt",
      "--allow-read=.",
      "jsr:@agent-tools/read-file",
      "notes.txt:1-2",
    ], { ...surroundings, cwd: workspace });
    assertEquals(stdout, "one\ntwo\n");
  });
});

describe("the author of a port, in Deno", () => {
  it("can test it with the published suite and strict types", async () => {
    const { surroundings } = await moveIn("port", "port.ts");
    const check = ["check", "--quiet", "--all", "port.ts"];
    await runWell(Deno.execPath(), check, surroundings);
    const run = ["run", "--quiet", "--no-prompt", "port.ts"];
    const { good, bad } = JSON.parse(
      await runWell(Deno.execPath(), run, surroundings),
    );
    assert(good.cases > 30);
    assertEquals(good.failed, []);
    assertNotEquals(bad.failed, []);
    assert(bad.failed.every((name: string) => name.startsWith("readLink()")));
  });
});
