import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { onDisk } from "../support/disk.ts";
import { connect, type Told } from "../support/mcp.ts";

const LAYOUT = [
  "ws/a.txt: of ws",
  "ws/src/main.ts: of ws",
  "two/app/src/main.ts: of app",
  "two/app/src/deep/x.txt: x",
];

/** The quoted names in a failure, except the requested path. */
function namesIn({ text }: Told, path: string): string[] {
  const [said = ""] = text.split(", or call list_directory ");
  return Array.from(said.matchAll(/"([^"]*)"/g), ([, name]) => name!)
    .filter((name) => name !== path);
}

describe("a failure of one of several directories", () => {
  it("suggests files by paths that a call can use", async () => {
    await using place = await onDisk(LAYOUT);
    const app = join(place.base, "two/app");
    await using server = await connect([place.root, app]);
    for (
      const [path, meant] of [
        ["app/src/main.t", "app/src/main.ts"],
        ["./app//src/../src/main.t", "app/src/main.ts"],
        ["app/main.ts", "app/src/main.ts"],
        ["ws/b.txt", "ws/a.txt"],
        [`${app}/src/main.t`, `${app}/src/main.ts`],
        [`${place.base}/two//app/./main.ts`, `${app}/src/main.ts`],
      ] as const
    ) {
      const failed = await server.call({ path });
      assertEquals(failed.code, "NOT_FOUND", failed.text);
      const [named, ...others] = namesIn(failed, path);
      assertEquals(others, []);
      assertEquals(named!.replace("two//app", "two/app"), meant);
      assert((await server.call({ path: named })).ok, named);
    }
  });

  it("names entries of a directory by paths that a call can use", async () => {
    await using place = await onDisk(LAYOUT);
    const app = join(place.base, "two/app");
    for (const others of [[place.root], []]) {
      await using server = await connect([...others, app]);
      const src = others.length > 0 ? "app/src" : "src";
      for (const path of [src, `${src}/`, `${app}/src`]) {
        const failed = await server.call({ path });
        assertEquals(failed.code, "NOT_A_FILE");
        const start = path.replace(/\/$/, "");
        const names = [`${start}/deep/`, `${start}/main.ts`];
        assertEquals(namesIn(failed, path), names);
        assert((await server.call({ path: names[1] })).ok);
      }
    }
  });

  it("does so for each of several files, too", async () => {
    await using place = await onDisk(LAYOUT);
    const app = join(place.base, "two/app");
    await using server = await connect([place.root, app]);
    const { text } = await server.call({
      files: [{ path: "app/src/main.t" }, { path: "ws/src" }],
    }, "read_files");
    assertStringIncludes(text, 'did you mean "app/src/main.ts"? (NOT_FOUND)');
    assertStringIncludes(text, 'it holds "ws/src/main.ts"');
  });

  for (
    const [dialect, field] of [
      ["open", "file_path"],
      ["codex", "file_path"],
      ["toolkit", "path"],
      ["forge", "path"],
    ] as const
  ) {
    it(`does so in the dialect ${dialect}, in its answer or its notes`, async () => {
      await using place = await onDisk(LAYOUT);
      const app = join(place.base, "two/app");
      const folders = [place.root, app];
      const args = ["--dialect", dialect, ...folders];
      await using server = await connect(folders, { args });
      const { tools: [tool] } = await server.client.listTools();
      const spelt = dialect === "codex" ? app : "app";
      const asked = { [field]: `${spelt}/src/main.t` };
      const { text } = await server.call(asked, tool!.name);
      assertStringIncludes(text, `did you mean "${spelt}/src/main.ts"?`);
      assert(!text.includes("?.") && !text.includes("?;"), text);
      for (const inner of ["src", "./src", "src/../src"]) {
        const far = `${place.base}//two/app/${inner}/main.t`;
        const other = await server.call({ [field]: far }, tool!.name);
        const [, meant = "", ...more] = other.text.split("did you mean");
        assertEquals(more, []);
        const [, name] = /^ "([^"]*)"\?/.exec(meant) ?? [];
        assert(name?.startsWith(`${place.base}//two/app/`), other.text);
        assert((await server.call({ [field]: name }, tool!.name)).ok, name);
      }
    });
  }
});

describe("a failure of the only directory", () => {
  it("suggests files in the form of the given path", async () => {
    await using place = await onDisk(LAYOUT);
    await using server = await connect([place.root]);
    for (const start of ["", `${place.root}/`]) {
      const path = `${start}src/main.t`;
      const { text } = await server.call({ path });
      assertStringIncludes(text, `did you mean "${start}src/main.ts"?`);
      assert(text.endsWith('"? (NOT_FOUND)'), text);
    }
  });
});

for (const era of ["2025", "2026"] as const) {
  describe(`a missing root of a client of ${era}`, () => {
    it("is served once it exists", async () => {
      await using place = await onDisk(LAYOUT);
      const root = join(place.root, "later");
      await using server = await connect([place.root], {
        args: ["--follow-roots", place.root],
        roots: () => [root],
        era,
      });
      for (let call = 0; call < 3; call++) {
        const { code } = await server.call({ path: "a.txt" });
        assertEquals(code, "POLICY_DENIED");
      }
      assertEquals(server.said().split("is not served").length, 2);
      mkdirSync(root);
      writeFileSync(join(root, "a.txt"), "of later");
      const { text } = await server.call({ path: "a.txt" });
      assertStringIncludes(text, "of later");
    });
  });
}

describe("the description of paths for a model", () => {
  it("names the directories, and how paths begin", async () => {
    await using place = await onDisk(LAYOUT);
    const app = join(place.base, "two/app");
    for (const folders of [[place.root], [place.root, app]]) {
      await using server = await connect(folders);
      const greeting = server.client.getInstructions() ?? "";
      for (const folder of folders) assertStringIncludes(greeting, folder);
      const { tools } = await server.client.listTools();
      for (const { name, description = "" } of tools) {
        assertEquals(
          description.includes('begin with "ws/" or "app/"'),
          folders.length > 1 && name !== "read_files",
        );
      }
    }
  });

  it("says what is served without directories", async () => {
    await using place = await onDisk(LAYOUT);
    const options = { args: [], cwd: place.root };
    const root = `"${place.root}"`;
    for (
      const [roots, said] of [
        [undefined, `files below ${root}. Relative paths start there.`],
        [() => [], `the client's roots, or ${root} if it has none.`],
      ] as const
    ) {
      await using server = await connect([place.root], {
        ...options,
        ...(roots && { roots }),
      });
      assertStringIncludes(server.client.getInstructions() ?? "", said);
      assert((await server.call({ path: "a.txt" })).ok);
    }
  });

  it("is not too long for Claude Code, for any number of directories", async () => {
    const names = Array.from(
      { length: 30 },
      (_, at) => `${"x".repeat(200)}${at}`,
    );
    await using place = await onDisk(names.map((name) => `ws/${name}/`));
    const folders = names.map((name) => join(place.root, name));
    await using server = await connect(folders);
    assert((server.client.getInstructions() ?? "").length <= 2048);
    const { tools } = await server.client.listTools();
    assert(tools.every(({ description = "" }) => description.length <= 2048));
    // A name that is cut is not taken for a whole one.
    assert(tools[0]!.description!.includes(' or "xxx'));
    assertEquals(/x[" ]/.exec(tools[0]!.description!), null);
  });
});
