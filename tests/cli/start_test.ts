import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { programIn, runIn, shellIn } from "./program.ts";
import { onDisk, RUNTIME } from "../support/disk.ts";

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
      const said = /Requires read access to "(.*\/src\/cli)\/main\.ts"/;
      assertMatch(stderr, said);
      assertEquals([stdout, status], ["", 1]);
      const more = `${allowed},${said.exec(stderr)![1]}`;
      const ended = { stdout: "x\n", stderr: "", status: 0 };
      assertEquals(runWith(place.root, more, ["a"]), ended);
      const version = runWith(place.root, more, ["--version"]);
      assertMatch(version.stderr, /Requires read access to ".*\/deno\.json"/);
      assertEquals([version.stdout, version.status], ["", 1]);
    });
  } else {
    it("does not matter here: nothing needs to be allowed", async () => {
      await using place = await onDisk(["ws/a: x\n"]);
      assertEquals(runIn(place.root, ["a"]).stderr, "");
    });
  }
});
