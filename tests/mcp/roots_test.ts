import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { describe, it } from "node:test";
import { onDisk } from "../support/disk.ts";
import { memoryFs } from "../../mod.ts";
import { openServer } from "../../mcp/src/server.ts";
import { connect, type ConnectOptions } from "../support/mcp.ts";
import { parseWords } from "../support/rendered.ts";

const LAYOUT = [
  "ws/a.txt: of ws",
  "ws/in/a.txt: of in",
  "ws/in/deep/a.txt: of deep",
  "ws/in/.env: KEY=1",
  "ws/it's 100% é/a.txt: of odd",
  "ws/way -> in",
  "ws/out -> ../other",
  "other/a.txt: of other",
  "other/ws/a.txt: of the other ws",
];

/** How a client connects to a server that follows its roots. */
function follow(
  folder: string,
  roots: () => readonly string[],
  era: "2025" | "2026",
): ConnectOptions {
  return { args: ["--follow-roots", folder], roots, era };
}

describe("an MCP server with several directories", () => {
  it("reads a path that begins with a directory's name, or is absolute", async () => {
    await using place = await onDisk(LAYOUT);
    const other = join(place.base, "other");
    await using server = await connect([place.root, other]);
    for (
      const [path, text, shown] of [
        ["ws/a.txt", "of ws", "ws/a.txt"],
        ["./ws//in/../a.txt", "of ws", "ws/a.txt"],
        ["other/a.txt", "of other", "other/a.txt"],
        ["other/ws/a.txt", "of the other ws", "other/ws/a.txt"],
        [`${place.root}/a.txt`, "of ws", "ws/a.txt"],
        [`${other}/a.txt`, "of other", "other/a.txt"],
      ] as const
    ) {
      const read = await server.call({ path });
      assertStringIncludes(read.text, `\n1 no newline\t${text}\n`);
      assertEquals(parseWords(read.text).path, shown);
      assertEquals((await server.call({ path: shown })).text, read.text);
    }
  });

  it("refuses a path of no directory, with the given path", async () => {
    await using place = await onDisk(LAYOUT);
    const other = join(place.base, "other");
    await using server = await connect([place.root, other]);
    for (
      const [path, code] of [
        ["a.txt", "INVALID_ARGUMENT"],
        ["none/a.txt", "INVALID_ARGUMENT"],
        ["..", "INVALID_ARGUMENT"],
        ["ws", "NOT_A_FILE"],
        ["ws/none", "NOT_FOUND"],
        ["ws/../other/a.txt", "OUTSIDE_WORKSPACE"],
        ["ws/out/a.txt", "OUTSIDE_WORKSPACE"],
        [`${place.base}/a.txt`, "OUTSIDE_WORKSPACE"],
        ["", "INVALID_ARGUMENT"],
      ] as const
    ) {
      const failed = await server.call({ path });
      assertEquals(failed.code, code, failed.text);
      assertStringIncludes(failed.text, `Cannot read ${JSON.stringify(path)}`);
      const names = code === "OUTSIDE_WORKSPACE";
      const told = failed.text.replaceAll(`"${path}"`, "");
      assert(path === "" || told.includes(place.base) === names, failed.text);
    }
    const { text } = await server.call({ path: "a.txt" });
    assertStringIncludes(text, 'the name of a root, "ws/" or "other/"');
  });

  it("distinguishes two directories of one name", async () => {
    await using place = await onDisk(LAYOUT);
    const folders = [place.root, join(place.base, "other/ws"), place.root];
    await using server = await connect(folders);
    assertStringIncludes(
      (await server.call({ path: "ws/a.txt" })).text,
      "of ws",
    );
    const second = await server.call({ path: "ws-2/a.txt" });
    assertStringIncludes(second.text, "of the other ws");
    const third = await server.call({ path: "ws-3/a.txt" });
    assertEquals(third.code, "INVALID_ARGUMENT");
  });

  it("resolves an absolute path in two directories to the inner one", async () => {
    await using place = await onDisk(LAYOUT);
    const inner = join(place.root, "in");
    await using server = await connect([place.root, inner]);
    const { text } = await server.call({ path: `${inner}/a.txt` });
    assertEquals(parseWords(text).path, "in/a.txt");
  });
});

describe("relative paths of a client without roots", () => {
  it("start at the directory, as the server says, and not where it was started", async () => {
    await using place = await onDisk(LAYOUT);
    const cwd = join(place.root, "in");
    const folders = [place.root];
    await using server = await connect(folders, { cwd });
    assertStringIncludes(
      (await server.call({ path: "a.txt" })).text,
      "\tof ws\n",
    );
    const greeting = server.client.getInstructions() ?? "";
    assertStringIncludes(
      greeting,
      `What can be read: files below "${place.root}". Relative paths start there.`,
    );
    assert(!greeting.includes("root if"), greeting);
    const { tools } = await server.client.listTools();
    const told = tools.map(({ description = "" }) => description);
    assert(!told.join().includes("working directory"), told.join());
    assertStringIncludes(
      told.join(),
      "relative to the served directory; to the client's root, if that lies in it.",
    );
  });
});

describe("the roots of a client of 2025, beside a directory", () => {
  const era = "2025" as const;
  it("determine where relative paths start, and remove nothing", async () => {
    await using place = await onDisk(LAYOUT);
    const roots = () => [join(place.root, "in")];
    await using server = await connect([place.root], { roots, era });
    assertStringIncludes(
      server.client.getInstructions() ?? "",
      "Relative paths start there, or at the client's root if that lies in it.",
    );
    for (
      const [path, text, shown] of [
        ["a.txt", "of in", "a.txt"],
        ["./deep/../a.txt", "of in", "a.txt"],
        ["../a.txt", "of ws", `${place.root}/a.txt`],
        [`${place.root}/a.txt`, "of ws", `${place.root}/a.txt`],
        [`${place.root}/in/deep/a.txt`, "of deep", "deep/a.txt"],
      ] as const
    ) {
      const read = await server.call({ path });
      assertStringIncludes(read.text, `\t${text}\n`);
      assertEquals(parseWords(read.text).path, shown);
      assertEquals((await server.call({ path: shown })).text, read.text);
    }
    for (const path of ["../../other/a.txt", "/etc/passwd"]) {
      const { code, text } = await server.call({ path });
      assertEquals(code, "OUTSIDE_WORKSPACE");
      assertStringIncludes(text, `name a file below "${place.root}"`);
    }
  });

  it("do not determine where paths start if they are not directories", async () => {
    await using place = await onDisk(LAYOUT);
    for (const root of ["none", "a.txt"]) {
      const roots = () => [join(place.root, root)];
      await using server = await connect([place.root], { roots, era });
      const { text } = await server.call({ path: "a.txt" });
      assertStringIncludes(text, "of ws");
      assertStringIncludes(server.said(), "is not served");
    }
  });

  it("are served beside one that is not a local file", async () => {
    await using place = await onDisk(LAYOUT);
    const roots = () => ["vscode-remote://ssh/ws", join(place.root, "in")];
    for (const args of [[], ["--follow-roots"]]) {
      const options = { args: [...args, place.root], roots, era };
      await using server = await connect([place.root], options);
      const { text } = await server.call({ path: "a.txt" });
      assertStringIncludes(text, "of in");
      assertStringIncludes(
        server.said(),
        'root "vscode-remote://ssh/ws" is not served',
      );
    }
  });

  it("show failures with paths that a call can use", async () => {
    await using place = await onDisk(LAYOUT);
    const roots = () => [join(place.root, "in")];
    await using server = await connect([place.root], { roots, era });
    for (const path of ["a.tx", "./deep/a.tx", "../a.tx", "deep/b.txt"]) {
      const { code, text } = await server.call({ path });
      assertEquals(code, "NOT_FOUND");
      const [, meant] = /did you mean "([^"]*)"/.exec(text) ?? [];
      assert((await server.call({ path: meant })).ok, text);
    }
    const { text } = await server.call({ path: "deep" });
    assertStringIncludes(text, 'it holds "deep/a.txt"');
  });

  it("keep the names of several directories", async () => {
    await using place = await onDisk([...LAYOUT, "ws/in/other/a.txt: deep"]);
    const folders = [place.root, join(place.base, "other")];
    const roots = () => [join(place.root, "in")];
    await using server = await connect(folders, { roots, era });
    for (
      const [path, text, shown] of [
        ["a.txt", "of in", "a.txt"],
        ["ws/a.txt", "of ws", "ws/a.txt"],
        ["other/a.txt", "of other", "other/a.txt"],
        ["./other/a.txt", "deep", "./other/a.txt"],
      ] as const
    ) {
      const read = await server.call({ path });
      assertStringIncludes(read.text, `\t${text}\n`);
      assertEquals(parseWords(read.text).path, shown);
    }
    const listed = await server.call({}, "list_directory");
    assertStringIncludes(
      listed.text,
      '\nNote: write "./other" for an entry here, since "other" is a served directory\n',
    );
    const below = await server.call({ path: "./other" }, "list_directory");
    assert(!below.text.includes("Note"), below.text);
  });
});

describe("the roots of a client of 2026, beside a directory", () => {
  const era = "2026" as const;
  const never = () => {
    throw new Error("it was asked for its roots");
  };
  it("are never asked for, and nothing speaks of them", async () => {
    await using place = await onDisk(LAYOUT);
    await using server = await connect([place.root], { roots: never, era });
    const { text } = await server.call({ path: "a.txt" });
    assertStringIncludes(text, "\tof ws\n");
    assertEquals(server.said(), "");
    const { tools } = await server.client.listTools();
    const told = JSON.stringify([server.client.getInstructions(), tools]);
    assertStringIncludes(told, "Relative paths start there.");
    assertStringIncludes(told, "relative to the served directory.");
    assert(!told.includes("root"), told);
  });
  it("are never asked for beside several, and by a dialect", async () => {
    await using place = await onDisk(LAYOUT);
    const folders = [place.root, join(place.base, "other")];
    for (const args of [folders, ["--dialect", "open", ...folders]]) {
      const options = { args, roots: never, era } as const;
      await using server = await connect(folders, options);
      const { tools } = await server.client.listTools();
      const told = JSON.stringify([server.client.getInstructions(), tools]);
      assertStringIncludes(told, 'or begin with \\"ws/\\" or \\"other/\\".');
      assert(!told.includes("client's root"), told);
      const tool = tools[0]!.name;
      const field = tool === "open_file" ? "file_path" : "path";
      const { text } = await server.call({ [field]: "other/a.txt" }, tool);
      assertStringIncludes(text, "of other");
    }
  });
});

for (const era of ["2025", "2026"] as const) {
  describe(`the roots of a client of ${era}`, () => {
    it("never widen what is served", async () => {
      await using place = await onDisk(LAYOUT);
      for (
        const root of [
          join(place.base, "other"),
          join(place.root, "out"),
          `${place.root}/../other`,
          join(place.base, "none"),
          place.base,
          "https://example.com/",
          "no-uri://",
          "file:///%ff",
          `file://host${place.root}`,
        ]
      ) {
        const roots = () => [root];
        await using server = await connect([place.root], { roots, era });
        const { text } = await server.call({ path: "a.txt" });
        assertStringIncludes(text, "of ws");
        const path = `${place.base}/other/a.txt`;
        const { code } = await server.call({ path });
        assertEquals(code, "OUTSIDE_WORKSPACE");
      }
    });

    it("are served if no directory is named", async () => {
      await using place = await onDisk(LAYOUT);
      const inner = join(place.root, "in");
      const options = { args: [], era, cwd: place.base };
      const roots = () => [inner, join(place.root, "none")];
      await using server = await connect([place.base], { ...options, roots });
      assertStringIncludes(
        (await server.call({ path: "a.txt" })).text,
        "of in",
      );
      const above = await server.call({ path: "../a.txt" });
      assertEquals(above.code, "OUTSIDE_WORKSPACE");
      assertEquals((await server.call({ path: ".env" })).code, "POLICY_DENIED");
      assertStringIncludes(
        server.client.getInstructions() ?? "",
        `What can be read: the client's roots, or "${place.base}" if it has none.`,
      );
      await using without = await connect([place.base], options);
      const { text } = await without.call({ path: "ws/a.txt" });
      assertStringIncludes(text, "of ws");
      assertStringIncludes(
        without.client.getInstructions() ?? "",
        `What can be read: files below "${place.base}". Relative paths start there.`,
      );
    });
  });

  describe(`the roots of a client of ${era}, with --follow-roots`, () => {
    it("narrow what is served", async () => {
      await using place = await onDisk(LAYOUT);
      const roots = () => [join(place.root, "in")];
      await using server = await connect(
        [place.root],
        follow(place.root, roots, era),
      );
      assertStringIncludes(
        server.client.getInstructions() ?? "",
        `files below "${place.root}", where they lie in the client's roots.`,
      );
      const { text } = await server.call({ path: "a.txt" });
      assertStringIncludes(text, "of in");
      assertEquals(parseWords(text).path, "a.txt");
      const above = await server.call({ path: "../a.txt" });
      assertEquals(above.code, "OUTSIDE_WORKSPACE");
      const absolute = await server.call({ path: `${place.root}/a.txt` });
      assertEquals(absolute.code, "OUTSIDE_WORKSPACE");
    });

    it("keep what the command line denies", async () => {
      await using place = await onDisk(LAYOUT);
      const roots = () => [join(place.root, "in")];
      const args = ["--follow-roots", "--deny", "in/deep", place.root];
      await using server = await connect([place.root], { args, roots, era });
      for (const path of [".env", "deep/a.txt"]) {
        assertEquals((await server.call({ path })).code, "POLICY_DENIED");
      }
    });

    it("never widen it", async () => {
      await using place = await onDisk(LAYOUT);
      const roots = () => [
        join(place.base, "other"),
        join(place.root, "out"),
        `${place.root}/../other`,
        `${place.root}x`,
        join(place.root, "none"),
        // As long as the root, and with a name in it that the root has too.
        join(place.base, "zz/in"),
        join(place.root, "a.txt"),
        `file://host${place.root}`,
        "file:///%ff",
      ];
      await using server = await connect(
        [place.root],
        follow(place.root, roots, era),
      );
      for (const path of ["a.txt", `${place.base}/other/a.txt`]) {
        const failed = await server.call({ path });
        assertEquals(failed.code, "POLICY_DENIED", failed.text);
        assertStringIncludes(
          failed.text,
          "none of the client's roots can be read",
        );
      }
      assertStringIncludes(server.said(), "is not served");
    });

    it("give no rights if they are not files", async () => {
      await using place = await onDisk(LAYOUT);
      for (const uri of ["https://example.com/", "no-uri://"]) {
        const roots = () => [uri];
        await using server = await connect(
          [place.root],
          follow(place.root, roots, era),
        );
        const { code, text } = await server.call({ path: "a.txt" });
        assertEquals(code, "POLICY_DENIED", text);
      }
    });

    it("keep a directory that lies in one of them", async () => {
      await using place = await onDisk(LAYOUT);
      const inner = join(place.root, "in");
      await using server = await connect(
        [inner],
        follow(inner, () => [place.root], era),
      );
      assertStringIncludes(
        (await server.call({ path: "a.txt" })).text,
        "of in",
      );
      const above = await server.call({ path: `${place.root}/a.txt` });
      assertEquals(above.code, "OUTSIDE_WORKSPACE");
    });

    it("may be several, a link, and oddly named", async () => {
      await using place = await onDisk(LAYOUT);
      const odd = pathToFileURL(join(place.root, "it's 100% é")).href;
      const roots = () => [`${odd}/`, join(place.root, "way/deep")];
      await using server = await connect(
        [place.root],
        follow(place.root, roots, era),
      );
      const first = await server.call({ path: "it's 100% é/a.txt" });
      assertStringIncludes(first.text, "of odd");
      const second = await server.call({ path: "deep/a.txt" });
      assertStringIncludes(second.text, "of deep");
      const other = await server.call({ path: `${place.root}/in/a.txt` });
      assertEquals(other.code, "OUTSIDE_WORKSPACE");
    });

    it("change nothing if there are none", async () => {
      await using place = await onDisk(LAYOUT);
      await using server = await connect(
        [place.root],
        follow(place.root, () => [], era),
      );
      assertStringIncludes(
        (await server.call({ path: "a.txt" })).text,
        "of ws",
      );
    });

    it("can change", async () => {
      await using place = await onDisk(LAYOUT);
      let root = join(place.root, "in");
      const roots = () => [root];
      await using server = await connect(
        [place.root],
        follow(place.root, roots, era),
      );
      assertStringIncludes(
        (await server.call({ path: "a.txt" })).text,
        "of in",
      );
      root = join(place.root, "in/deep");
      if (era === "2025") await server.client.sendRootsListChanged();
      const { text } = await server.call({ path: "a.txt" });
      assertStringIncludes(text, "of deep");
    });
  });
}

describe("a client that has roots, but does not list them", () => {
  it("gets a failure, and is asked again at the next call", async () => {
    await using place = await onDisk(LAYOUT);
    let asked = 0;
    const roots = () => {
      if (++asked === 1) throw new Error("not yet");
      return [place.root];
    };
    await using server = await connect(
      [place.root],
      follow(place.root, roots, "2025"),
    );
    const { code, text } = await server.call({ path: "a.txt" });
    assertEquals(code, "POLICY_DENIED");
    assertStringIncludes(text, "the client has roots but does not say which");
    assertStringIncludes((await server.call({ path: "a.txt" })).text, "of ws");
    await server.call({ path: "a.txt" });
    assertEquals(asked, 2);
  });

  it("is served what the command line allows, without --follow-roots", async () => {
    await using place = await onDisk(LAYOUT);
    let asked = 0;
    const roots = () => {
      asked++;
      throw new Error("never");
    };
    await using server = await connect([place.root], { roots });
    for (let call = 0; call < 3; call++) {
      const { text } = await server.call({ path: "a.txt" });
      assertStringIncludes(text, "of ws");
    }
    assertEquals(asked, 1);
  });

  it("is served what the command line allows if it cannot list roots", async () => {
    await using place = await onDisk(LAYOUT);
    const roots = () => {
      const { MethodNotFound } = ProtocolErrorCode;
      throw new ProtocolError(MethodNotFound, "Method not found");
    };
    await using server = await connect([place.root], { roots });
    assertStringIncludes((await server.call({ path: "a.txt" })).text, "of ws");
    assertStringIncludes(server.said(), "does not say its roots");
  });
});

describe("a call of 2026 that is repeated without the roots", () => {
  const META = "io.modelcontextprotocol/";
  const call = {
    name: "read_file",
    arguments: { path: "a.txt" },
    _meta: {
      [`${META}protocolVersion`]: "2026-07-28",
      [`${META}clientCapabilities`]: { roots: {} },
    },
  };

  it("asks for them again, until it has them", async () => {
    const fs = memoryFs({ "/ws/a.txt": "one\n" });
    const directories = ["/ws"];
    const serve = await openServer({ fs, directories, followRoots: true });
    const results: Record<string, unknown>[] = [];
    const connection = serve({
      send: ({ result }) => void results.push(Object(result)),
      log() {},
    });
    const roots = (uri: unknown) => ({ roots: { roots: [{ uri }] } });
    for (
      const [inputResponses, answer] of [
        [undefined, "input_required"],
        [{}, "input_required"],
        [{ other: {} }, "input_required"],
        [roots("file:///ws"), "1\tone"],
        // What it says is no list of roots: to ask again would never end.
        [{ roots: {} }, "POLICY_DENIED"],
      ] as const
    ) {
      const params = { ...call, ...(inputResponses && { inputResponses }) };
      connection.take({ id: 1, method: "tools/call", params });
      await connection.idle();
      const result = JSON.stringify(results.pop());
      assertStringIncludes(result, JSON.stringify(answer).slice(1, -1));
    }
  });
});
