import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { hostFs, memoryFs } from "../../mod.ts";
import { bunWords, denoWords, foldersOf } from "../../src/cli/main.ts";
import { MOD, programIn, runIn, shellIn } from "./program.ts";
import { onDisk, RUNTIME } from "../support/disk.ts";

const SAID = /^Not all of .* fits into 4 bytes; go on with:\n(.*)\n$/;

/** With these, Deno loads no code from the working directory. */
const SAFE = ["--no-config", "--no-lock", "--node-modules-dir=none"];

describe("the words that start the command line", () => {
  it("name the package if it was loaded from the registry", () => {
    const address = "https://jsr.io/@scope/name/1.2.3/src/cli/main.ts";
    const words = ["deno", "run", ...SAFE, "--allow-read=docs"];
    const program = "jsr:@scope/name@1.2.3";
    assertEquals(denoWords(address, ["docs"]), [...words, program]);
  });

  it("name the file by its URL if it was loaded from elsewhere", () => {
    const address = "https://example.com/a%20b/src/cli/main.ts";
    const [entry] = denoWords(address, ["."]).slice(-1);
    assertEquals(entry, "https://example.com/a%20b/mod.ts");
  });

  it("name the compiled file of an npm package", () => {
    const address = "file:///a%20b/node_modules/p/src/cli/main.js";
    const home = "/a b/node_modules/p";
    const allowed = `--allow-read=w,${home}/src/cli`;
    const entry = `${home}/mod.js`;
    const words = ["deno", "run", ...SAFE.slice(0, 2)];
    const modules = "--node-modules-dir=manual";
    assertEquals(denoWords(address, ["w"]), [
      ...words,
      modules,
      allowed,
      entry,
    ]);
    assertEquals(bunWords(address), [
      ...["bun", "run", "--config=/dev/null"],
      ...["--tsconfig-override=/dev/null", "--no-env-file", entry],
    ]);
  });

  it("allow several folders, for a workspace behind a link", () => {
    const address = "https://jsr.io/@s/n/1.2.3/src/cli/main.ts";
    const allowed = denoWords(address, ["link", "/srv/real"]).at(-2);
    assertEquals(allowed, "--allow-read=link,/srv/real");
  });

  it("allow the folder above a name with a comma", () => {
    const allowed = (workspace: string) =>
      denoWords("https://jsr.io/@s/n/1.2.3/src/cli/main.ts", [workspace])
        .at(-2);
    assertEquals(allowed("a,b"), "--allow-read=.");
    assertEquals(allowed("/a,b/c"), "--allow-read=/");
    assertEquals(allowed("x/y/a,b/c"), "--allow-read=x/y");
  });

  for (
    const [name, workspace, path] of [
      ["in the current directory", ".", "a.txt"],
      ["elsewhere, with blanks and quotes", "it's in", "a b.txt"],
      ["where names hold commas", "a,b", "c,d.txt"],
      ["of a name that begins with a dash", ".", "-dash7"],
      ["in one whose name begins with a dash", "-d", "a.txt"],
    ] as const
  ) {
    it(`work in a checkout as they are printed, ${name}`, async () => {
      const folder = workspace === "." ? "ws" : `ws/${workspace}`;
      await using place = await onDisk([`${folder}/${path}: one\ntwo\n`]);
      const args = [
        `--workspace=${workspace}`,
        "--deny=*.key",
        "--max-bytes=4",
      ];
      const first = runIn(place.root, [...args, "--", path]);
      assertEquals(first.stdout, "one\n");
      const [, command = ""] = SAID.exec(first.stderr) ?? [];
      assertMatch(command, RUNTIME === "Bun" ? /^bun run / : /^deno run /);
      assertStringIncludes(command, ` ${MOD} `);
      const second = shellIn(place.root, command);
      assertEquals(second, { stdout: "two\n", stderr: "", status: 0 });
    });
  }
});

describe("a command that goes on in a workspace behind a link", () => {
  it("runs as it is printed, wherever the link is", async () => {
    await using place = await onDisk([
      "real/in/a.txt: one\ntwo\n",
      "ws/link -> ../real",
      "ws/x: y",
    ]);
    const real = place.root.replace(/ws$/, "real");
    for (const workspace of ["link/in", `${place.root}/link/in`]) {
      const first = shellIn(
        place.root,
        `$READ --workspace "$WS" --max-bytes 4 a.txt`,
        // Deno needs permission for the target of the link too.
        {
          WS: workspace,
          READ: programIn(place.root).join(" ").replace(
            "--allow-read=",
            `--allow-read=${real},`,
          ),
        },
      );
      assertEquals(first.stdout, "one\n");
      const [, command = ""] = SAID.exec(first.stderr) ?? [];
      const second = shellIn(place.root, command);
      assertEquals(second, { stdout: "two\n", stderr: "", status: 0 });
    }
  });
});

describe("the folders that a workspace is read in", () => {
  it("are the named folder, and its real path behind a link", async () => {
    await using place = await onDisk(["ws/real/in/a: x", "ws/link -> real"]);
    const { root } = place;
    const named = (name: string) => foldersOf(`${root}/${name}`, hostFs());
    for (const plain of ["real", "real/./in//", "link/../real"]) {
      assertEquals(await named(plain), [`${root}/${plain}`]);
    }
    assertEquals(await named("link"), [`${root}/link`, `${root}/real`]);
    assertEquals(await named("link/in"), [
      `${root}/link/in`,
      `${root}/real/in`,
    ]);
    assertEquals(await named("none"), [`${root}/none`]);
    assertEquals(await foldersOf(".", hostFs()), ["."]);
  });

  it("need only a name below the current directory", async () => {
    const fs = { ...memoryFs({}), realPath: (path: string) => REAL[path]! };
    assertEquals(await foldersOf("in", fs), ["in"]);
    assertEquals(await foldersOf("./in/../in/", fs), ["./in/../in/"]);
    assertEquals(await foldersOf("link", fs), ["link", "/here/in"]);
  });

  it("are both paths if the current directory cannot be read", async () => {
    const realPath = (path: string) => {
      if (path === ".") throw new Error("may not");
      return REAL[path]!;
    };
    const fs = { ...memoryFs({}), realPath };
    assertEquals(await foldersOf("in", fs), ["in", "/here/in"]);
  });
});

const REAL: Readonly<Record<string, string>> = {
  ".": "/here",
  "in": "/here/in",
  "./in/../in/": "/here/in",
  "link": "/here/in",
};

describe("a path that begins with a dash", () => {
  it("is read as ./-PATH, and after -- if another word comes first", async () => {
    await using place = await onDisk(["ws/-x: dash\n"]);
    for (const args of [["./-x"], ["./-x:1"], ["--no-numbers", "--", "-x"]]) {
      const { stdout, stderr } = runIn(place.root, args);
      assertEquals([stdout, stderr], ["dash\n", ""]);
    }
  });

  it("is not read after a leading -- in Bun, which removes that", async () => {
    await using place = await onDisk(["ws/-x: dash\n"]);
    const { stdout, stderr } = runIn(place.root, ["--", "-x"]);
    assertEquals(stdout, RUNTIME === "Bun" ? "" : "dash\n");
    if (RUNTIME === "Bun") assertStringIncludes(stderr, 'write "./-x"');
  });
});

describe("a standard output that is closed", () => {
  it("is /dev/null, which the runtime opens in its place", async () => {
    await using place = await onDisk(["ws/a: x\n"]);
    const { stderr, status } = shellIn(place.root, "$READ a >&-");
    assertEquals([stderr, status], ["", 0]);
  });
});

describe("Deno that may not read the command line itself", () => {
  /** Runs in Deno with permission to read only these. */
  function runWith(folder: string, allowed: string, args: readonly string[]) {
    const words = programIn(folder)
      .map((word) => /^--allow-read=/.test(word) ? allowed : word);
    const [command, ...rest] = words;
    const options = { cwd: folder, encoding: "utf8" } as const;
    const all = [...rest, ...args];
    const { stdout, stderr, status } = spawnSync(command!, all, options);
    return { stdout, stderr, status };
  }

  if (RUNTIME === "Deno") {
    it("says what to allow, ends with 1, and works with that permission", async () => {
      await using place = await onDisk(["ws/a: x\n"]);
      const allowed = "--allow-read=.";
      const { stdout, stderr, status } = runWith(place.root, allowed, ["a"]);
      const said =
        /^Cannot start: Deno may not read "(.*)"; add it to --allow-read\n$/;
      assertMatch(stderr, said);
      assertEquals([stdout, status], ["", 1]);
      const more = `${allowed},${said.exec(stderr)![1]}`;
      const ended = { stdout: "x\n", stderr: "", status: 0 };
      assertEquals(runWith(place.root, more, ["a"]), ended);
      const version = runWith(place.root, more, ["--version"]);
      assertMatch(
        version.stderr,
        /^Cannot tell the version: Deno may not read ".*deno\.json"; add it to --allow-read\n$/,
      );
      assertEquals([version.stdout, version.status], ["", 1]);
    });
  } else {
    it("does not matter here: nothing needs to be allowed", async () => {
      await using place = await onDisk(["ws/a: x\n"]);
      assertEquals(runIn(place.root, ["a"]).stderr, "");
    });
  }
});
