/** What changed since a revision, through the MCP server. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { openFor } from "../../mcp/src/main.ts";
import { gitFilesOf } from "../support/git_versions.ts";
import {
  connect,
  type ConnectOptions,
  connectProgram,
} from "../support/mcp.ts";
import { HOME } from "../support/child.ts";

/** Writes a repository with one commit, and a working tree that differs. */
function plant() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "read-file-")));
  const git = gitFilesOf([{ "src/a.ts": "one\ntwo\n", "src/.env": "KEY=1\n" }]);
  const files = {
    ...Object.fromEntries(
      Object.entries(git).map(([path, content]) => [`.git/${path}`, content]),
    ),
    "src/a.ts": "one\n2\n",
    "src/b.ts": "new\n",
    "tree/.git": `gitdir: ${root}/.git\n`,
    "tree/a.ts": "",
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
}

const toolsOf = async (folder: string, options: ConnectOptions) => {
  await using server = await connect([folder], options);
  return JSON.stringify(await server.client.listTools());
};

describe("--git", () => {
  it("compares, in the folder that is served, with the repository above", async () => {
    using place = plant();
    const src = join(place.root, "src");
    await using server = await connect([place.root], { args: ["--git", src] });
    const told = await server.call({ path: "a.ts", changes: "HEAD" });
    assertEquals(told.text.split("\n"), [
      '"a.ts": lines 1-2 of 2. Since "HEAD": 1 line is new (+), 1 is gone (-, with its old number).',
      "1\tone",
      "-2\ttwo",
      "+2\t2",
      "End of file.",
    ]);
    const fresh = await server.call({ path: "b.ts", changes: "main" });
    assertMatch(fresh.text, /It is not in "main": all lines are new\./);
    const wrong = await server.call({ path: "a.ts", changes: "HAED" });
    assertEquals([wrong.ok, wrong.code], [false, "NOT_FOUND"]);
    assertMatch(
      wrong.text,
      /^Cannot open the revision "HAED": there is no "HAED"; did you mean "HEAD"\?/,
    );
    const secret = await server.call({ path: ".env", changes: "HEAD" });
    assertEquals(secret.code, "POLICY_DENIED");
    const outside = await server.call({ path: "../src/a.ts", changes: "HEAD" });
    assertEquals(outside.code, "OUTSIDE_WORKSPACE");
  });

  it("is off by default: no schema has it, and its package is not loaded", async () => {
    using place = plant();
    const { root } = place;
    assert(!(await toolsOf(root, {})).includes("changes"));
    assert(
      (await toolsOf(root, { args: ["--git", root] })).includes('"changes"'),
    );
    const open = { args: ["--git", "--dialect=open", root] };
    assert((await toolsOf(root, open)).includes('"changes"'));
    assert(
      !(await toolsOf(root, { args: ["--dialect=open", root] })).includes(
        "changes",
      ),
    );
    let loads = 0;
    const load = () => {
      loads++;
      return Promise.resolve({
        gitRevisions: () => ({
          open: () => {
            throw new Error("this is never opened");
          },
        }),
      });
    };
    const start = (git: boolean) =>
      openFor(
        { directories: [root], git },
        root,
        () => {},
        undefined,
        undefined,
        load,
      );
    await start(false);
    assertEquals(loads, 0);
    await start(true);
    assertEquals(loads, 1);
  });

  it("serves open_file, which compares too", async () => {
    using place = plant();
    const { root } = place;
    await using server = await connect([root], {
      args: ["--git", "--dialect=open", root],
    });
    const args = { file_path: "src/a.ts", changes: "HEAD" };
    assertEquals(
      (await server.call(args, "open_file")).text,
      " one\n-two\n+2\n",
    );
  });

  it("reads a repository elsewhere only if its folder is allowed", async () => {
    using place = plant();
    const tree = join(place.root, "tree");
    const ask = async (...flags: string[]) => {
      await using server = await connect([place.root], {
        args: ["--git", ...flags, tree],
      });
      return (await server.call({ path: "a.ts", changes: "HEAD" })).text;
    };
    assertMatch(
      await ask(),
      /outside of the repository; ask the user to name that folder with --git-allow/,
    );
    const allowed = await ask(`--git-allow=${place.root}/.git`);
    assertMatch(allowed, /It is not in "HEAD"/);
  });

  it("works in the program, which may read the repository and its code", async () => {
    using place = plant();
    const { root } = place;
    const folders = [root, join(HOME, "git")];
    await using server = await connectProgram(folders, {
      args: ["--git", join(root, "src")],
    });
    const told = await server.call({ path: "a.ts", changes: "HEAD" });
    assertMatch(told.text, /\n-2\ttwo\n\+2\t2\n/);
  });
});
