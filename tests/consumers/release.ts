/** What a release is made of, and what makes it. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { MEMBERS } from "../gate/package_copy.ts";
import { worldHere } from "./world.ts";

const world = worldHere();

/** What a package brings beside its code and its documents. */
const AROUND_SRC = [
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  "deno.json",
  "mod.ts",
];

/** What the README leads to. */
const IN_DOCS = /^docs\/[a-z]+\.(md|svg)$/;

/** Code, and the text that the WebAssembly in it is assembled from. */
const IN_SRC = /^src\/([a-z_]+\/)*[a-z0-9_]+\.(ts|wat)$/;

const workflow = await read(".github/workflows/release.yml");

function read(path: string): Promise<string> {
  return Deno.readTextFile(`${world.home}/${path}`);
}

/** The Deno that the gate runs is the one that publishes. */
const [deno] = /npx -y deno@[\d.]+/.exec(await read(".ci/run")) ?? [];
assert(deno !== undefined);

/** The versions of all packages are checked, the gate is passed, and only then it is published. */
const COMMANDS = [
  ...[".", ...MEMBERS.map((name) => `./${name}`)].map((folder) =>
    `test "$GITHUB_REF_NAME" = "v$(node -p 'require("${folder}/deno.json").version')"`
  ),
  ".ci/run",
  `${deno} publish`,
  ...MEMBERS.map((name) => `cd ${name} && ${deno} publish`),
  `${deno} task npm:mcp .gate/npm`,
  "npx -y npm@11 publish ./.gate/npm",
];

/** What is wrong with a workflow that releases. */
function faultsOf(text: string): string[] {
  const lines = text.split("\n").filter((line) => !/^ *#/.test(line));
  const bare = lines.join("\n");
  const commands = Array.from(bare.matchAll(/\brun: (.*)/g), ([, run]) => run);
  const [, job = ""] = bare.split("\njobs:\n");
  const wanted = {
    "starts at a tag of a version, and at nothing else":
      /\non:\n {2}push:\n {4}tags: \["v\*\.\*\.\*"\]\n\n/.test(bare),
    "may do nothing that no job asks for": /\npermissions: \{\}\n/.test(bare),
    "may prove to JSR who it is":
      /\n {4}permissions:\n {6}contents: read\n {6}id-token: write\n {4}steps:/
        .test(job),
    "runs these commands alone, in this order":
      JSON.stringify(commands) === JSON.stringify(COMMANDS),
    "passes over no failure": !/\b(if|continue-on-error|shell):|\|\|/.test(job),
    "keeps no secret, and no proof to itself": !/secrets\.|--[a-z]/.test(job),
    "starts where the repository does": !/working-directory/.test(bare),
  };
  return Object.entries(wanted).filter(([, holds]) => !holds)
    .map(([claim]) => claim);
}

describe("what is released", () => {
  it("is the code, and what a package needs around it", () => {
    const { published } = world;
    const inside = published.filter((path) => IN_SRC.test(path));
    assert(inside.includes("src/cli/main.ts"));
    const others = published.filter((path) =>
      !IN_SRC.test(path) && !IN_DOCS.test(path)
    );
    assertEquals(others.toSorted(), AROUND_SRC);
  });
  it("is every package: they are one workspace, and have one version", async () => {
    const library = JSON.parse(await read("deno.json"));
    assertEquals(library.workspace, MEMBERS.map((name) => `./${name}`));
    for (const name of MEMBERS) {
      const member = JSON.parse(await read(`${name}/deno.json`));
      assertEquals(member.version, library.version, name);
      const range = member.imports[library.name];
      assertEquals(range, `jsr:${library.name}@^${library.version}`, name);
    }
  });
  it("has documents whose links lead to what is released, too", async () => {
    const documents = world.published.filter((path) => path.endsWith(".md"));
    const missing: string[] = [];
    let count = 0;
    for (const document of documents) {
      for (
        const [, link = ""] of (await read(document)).matchAll(/\]\(([^)]+)\)/g)
      ) {
        if (/^(#|https:)/.test(link)) continue;
        count++;
        const { pathname } = new URL(link, `file:///${document}`);
        if (!world.published.includes(pathname.slice(1))) {
          missing.push(`${document}: ${link}`);
        }
      }
    }
    assert(count > 5);
    assertEquals(missing, []);
  });
  it("has a README that leads to the other packages", async () => {
    const readme = await read("README.md");
    for (const member of MEMBERS) {
      const { name } = JSON.parse(await read(`${member}/deno.json`));
      assert(readme.includes(`jsr:${name}`), name);
    }
    assert(readme.includes("(docs/agents.md)"));
  });
});

describe("the workflow that releases", () => {
  it("runs the gate, publishes every package, and proves where they are from", () => {
    assertEquals(faultsOf(workflow), []);
  });
  for (
    const [what, found, instead] of [
      ["its trigger", 'tags: ["v*.*.*"]', "branches: [main]"],
      ["the gate", "      - run: .ci/run\n", ""],
      ["the order", "run: .ci/run", "run: echo"],
      ["its token", "      id-token: write\n", ""],
      ["its provenance", "publish\n", "publish --no-provenance\n"],
      ["a check of versions", "./mcp/deno.json", "./deno.json"],
      ["the library", "      - run: npx -y", "      - run: echo -y"],
      ["the server", "cd mcp && ", "cd docs && "],
      ["the tests for ports", "cd testing && ", "cd docs && "],
      ["its failures", "run: .ci/run", "continue-on-error: true"],
    ] as const
  ) {
    it(`is not taken for one if ${what} is amiss`, () => {
      assertMatch(workflow, new RegExp(RegExp.escape(found)));
      const spoilt = workflow.replace(found, instead);
      assert(faultsOf(spoilt).length > 0);
    });
  }
});
