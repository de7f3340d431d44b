/** Checks the files of a release, and the release workflow. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
} from "@std/assert";
import { describe, it } from "node:test";
import { MEMBERS } from "../gate/package_copy.ts";
import { worldHere } from "./world.ts";

const world = worldHere();

/** The files of a package other than code and documents. */
const AROUND_SRC = [
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  "deno.json",
  "mod.ts",
];

/** The documents that the README links to. */
const IN_DOCS = /^docs\/[a-z_]+\.(md|svg)$/;

/** The code, and the source of its WebAssembly. */
const IN_SRC = /^src\/([a-z_]+\/)*[a-z0-9_]+\.(ts|wat)$/;

const workflow = await read(".github/workflows/release.yml");

function read(path: string): Promise<string> {
  return Deno.readTextFile(`${world.home}/${path}`);
}

/** The version of Deno that runs the gate and publishes. */
const [deno = "", version = ""] = /npx -y deno@([\d.]+)/.exec(
  await read(".ci/run"),
) ?? [];
assert(version !== "");

const folders = [".", ...MEMBERS.map((name) => `./${name}`)];

/** The commands of each job, in order. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  // This job runs no scripts of packages, and no tests.
  pack: ["npm ci --ignore-scripts", "deno task pack packed jsr"],
  gate: [
    'git merge-base --is-ancestor "$GITHUB_SHA" origin/main',
    ...folders.map((folder) =>
      `test "$GITHUB_REF_NAME" = "v$(node -p 'require("${folder}/deno.json").version')"`
    ),
    ".ci/run",
    `${deno} task test:std`,
    `READ_FILE_PACKED="$PWD/packed" ${deno} task test:node`,
    `${deno} task test:agents claude codex gemini qwen opencode`,
  ],
  // This job installs no packages, and runs none.
  publish: [
    "rm package.json",
    "deno publish --allow-dirty",
    ...MEMBERS.map((name) => `cd ${name} && deno publish --allow-dirty`),
    "npm publish ./packed/read-file",
    ...MEMBERS.map((name) => `npm publish ./packed/read-file-${name}`),
  ],
  bundle: [
    "npx -y @anthropic-ai/mcpb@2.1.2 pack packed/read-file-mcp read-file.mcpb",
  ],
  attach: [
    'gh release create "$GITHUB_REF_NAME" --repo "$GITHUB_REPOSITORY" --generate-notes made/bundle/read-file.mcpb made/packed/read-file-mcp/server.json',
  ],
};

/** The actions of each job, in order. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  pack: [
    "actions/checkout",
    "denoland/setup-deno",
    "actions/setup-node",
    "actions/upload-artifact",
  ],
  gate: ["actions/checkout", "actions/setup-node", "actions/download-artifact"],
  publish: [
    "actions/checkout",
    "denoland/setup-deno",
    "actions/setup-node",
    "actions/download-artifact",
  ],
  bundle: [
    "actions/setup-node",
    "actions/download-artifact",
    "actions/upload-artifact",
  ],
  attach: ["actions/download-artifact"],
};

/** The jobs of a workflow, without comments. */
function jobsOf(text: string): ReadonlyMap<string, string> {
  const [, jobs = ""] = text.split("\njobs:\n");
  const found = jobs.matchAll(/^ {2}(\w+):\n((?: {4}.*\n)*)/gm);
  return new Map(Array.from(found, ([, name = "", body = ""]) => [name, body]));
}

/** The first group of every match of a pattern. */
function foundIn(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, found = ""]) => found);
}

/** The faults of a release workflow. */
function faultsOf(text: string): string[] {
  const bare = text.replace(/^ *#.*\n/gm, "");
  const jobs = jobsOf(bare);
  const { pack = "", gate = "", publish = "", bundle = "", attach = "" } =
    Object.fromEntries(jobs);
  const nodes = foundIn(publish, /node-version: (\d+)/g).map(Number);
  const wanted = {
    "starts only for a tag of a version":
      /\non:\n {2}push:\n {4}tags: \["v\*\.\*\.\*"\]\n\n/.test(bare),
    "has no permissions except those of its jobs": /\npermissions: \{\}\n/.test(
      bare,
    ),
    "has these jobs": [...jobs.keys()].join() ===
      "pack,gate,publish,bundle,attach",
    "makes the package for npm first, and gives that job no identity token":
      /^ {4}permissions:\n {6}contents: read\n {4}steps:/m.test(pack) &&
      !/id-token|needs:/.test(pack) && /^ {4}needs: pack\n/m.test(gate),
    "makes it with the Deno of the gate": pack.includes(
      `deno-version: v${version}\n`,
    ),
    "gives the gate no identity token":
      /^ {4}permissions:\n {6}contents: read\n {4}steps:/m.test(gate) &&
      !gate.includes("id-token"),
    "publishes after the gate, from a protected environment, with an identity token":
      /^ {4}needs: gate\n/m.test(publish) &&
      /^ {4}environment: release\n/m.test(publish) &&
      /^ {4}permissions:\n {6}contents: read\n {6}id-token: write\n {4}steps:/m
        .test(publish),
    "packs the bundle without a token, after npm has what it gets":
      /^ {4}needs: publish\n/m.test(bundle) &&
      /^ {4}permissions:\n {6}contents: read\n {4}steps:/m.test(bundle),
    "attaches it from a protected environment, and runs no code of others":
      /^ {4}needs: bundle\n/m.test(attach) &&
      /^ {4}environment: release\n/m.test(attach) &&
      /^ {4}permissions:\n {6}contents: write\n {4}steps:/m.test(attach),
    "runs only these commands, in this order": Object.entries(COMMANDS)
      .every(([name, commands]) =>
        foundIn(jobs.get(name) ?? "", /\brun: (.*)/g).join("\n") ===
          commands.join("\n")
      ),
    "runs only these actions, pinned to commits": Object.entries(ACTIONS)
      .every(([name, actions]) =>
        foundIn(
            jobs.get(name) ?? "",
            /\buses: (\S+)@[0-9a-f]{40} # v[\d.]+\n/g,
          ).join() === actions.join() &&
        foundIn(jobs.get(name) ?? "", /\b(uses):/g).length === actions.length
      ),
    "publishes with the Deno of the gate, and a Node.js that supports provenance":
      publish.includes(`deno-version: v${version}\n`) &&
      nodes.length === 1 && nodes[0]! >= 24,
    "fetches all of main": gate.includes("fetch-depth: 0\n"),
    "stores no token": foundIn(bare, /(persist-credentials: false)/g)
      .length === foundIn(bare, /(actions\/checkout@)/g).length,
    "ignores no failure": !/\b(if|continue-on-error|shell):|\|\|/.test(
      bare,
    ),
    "uses no secret": !/secrets\./.test(bare),
    "runs in the root of the repository": !/working-directory/.test(bare),
  };
  return Object.entries(wanted).filter(([, holds]) => !holds)
    .map(([claim]) => claim);
}

describe("what is released", () => {
  it("is the code, and the files that a package needs", () => {
    const { published } = world;
    const inside = published.filter((path) => IN_SRC.test(path));
    assert(inside.includes("src/cli/main.ts"));
    const others = published.filter((path) =>
      !IN_SRC.test(path) && !IN_DOCS.test(path)
    );
    assertEquals(others.toSorted(), AROUND_SRC);
  });
  it("is every package of the workspace, with one version", async () => {
    const library = JSON.parse(await read("deno.json"));
    assertEquals(library.workspace, MEMBERS.map((name) => `./${name}`));
    for (const name of MEMBERS) {
      const member = JSON.parse(await read(`${name}/deno.json`));
      assertEquals(member.version, library.version, name);
      const range = member.imports[library.name];
      assertEquals(range, `jsr:${library.name}@^${library.version}`, name);
    }
  });
  it("has documents that link only to released files", async () => {
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
  it("has a README that links to the other packages", async () => {
    const readme = await read("README.md");
    for (const member of MEMBERS) {
      const { name } = JSON.parse(await read(`${member}/deno.json`));
      // The last lines name most of them by their ends, such as `-git`.
      const end = name.replace("@agent-tools/read-file", "");
      const isNamed = readme.includes(name) || readme.includes(`\`${end}\``);
      assert(isNamed, name);
    }
    assert(readme.includes("(docs/agents.md)"));
  });
});

describe("the workflow that releases", () => {
  it("pins actions to the same commits as the workflow of each push", async () => {
    const uses = foundIn(await read(".github/workflows/ci.yml"), /uses: (.*)/g);
    assert(uses.length > 0);
    for (const use of uses) assertMatch(use, /^\S+@[0-9a-f]{40} # v[\d.]+$/);
  });
  it("runs the gate, and publishes every package with provenance", () => {
    assertEquals(faultsOf(workflow), []);
  });
  for (
    const [what, found, instead] of [
      ["its trigger", 'tags: ["v*.*.*"]', "branches: [main]"],
      ["the tag", "      - run: git merge-base", "      - run: git log"],
      ["the gate", "      - run: .ci/run\n", ""],
      ["the order", "run: .ci/run", "run: echo"],
      ["the gate before it", "    needs: gate\n", ""],
      ["its environment", "    environment: release\n", ""],
      ["its token", "      id-token: write\n", ""],
      [
        "the gate's token",
        "contents: read\n    steps",
        "contents: read\n      id-token: write\n    steps",
      ],
      ["an action's commit", /actions\/checkout@\w{40}/, "actions/checkout@v6"],
      ["another action", "denoland/setup-deno", "others/setup-deno"],
      ["what it installs", "rm package.json", "npm ci"],
      [
        "its provenance",
        "publish ./packed/read-file\n",
        "publish --no-provenance ./packed/read-file\n",
      ],
      ["its Node.js", "node-version: 24", "node-version: 20"],
      ["its Deno", /deno-version: .*/, "deno-version: canary"],
      ["a check of versions", "./mcp/deno.json", "./deno.json"],
      ["JSR's own @std", "task test:std", "task test"],
      ["the @std in the package for npm", "packed jsr", "packed"],
      ["what runs before that package", "--ignore-scripts", ""],
      ["the job that makes it", "    needs: pack\n", ""],
      ["what of it is tested", 'READ_FILE_PACKED="$PWD/packed" ', ""],
      ["the library for npm", "- run: npm publish ./packed/read-file\n", ""],
      ["the server", "cd mcp && ", "cd docs && "],
      ["the tests for ports", "cd testing && ", "cd docs && "],
      [
        "the bundle's token",
        "needs: publish\n    runs-on: ubuntu-latest\n    timeout-minutes: 10\n    permissions:\n      contents: read",
        "needs: publish\n    runs-on: ubuntu-latest\n    timeout-minutes: 10\n    permissions:\n      contents: write",
      ],
      ["what packs the bundle", "mcpb@2.1.2 pack", "mcpb pack"],
      ["what is attached", " made/packed/read-file-mcp/server.json", ""],
      ["its failures", "run: .ci/run", "continue-on-error: true"],
    ] as const
  ) {
    it(`is rejected if ${what} is wrong`, () => {
      const spoilt = workflow.replace(found, instead);
      assertNotEquals(spoilt, workflow);
      assert(faultsOf(spoilt).length > 0);
    });
  }
});
