import { assertEquals, assertStringIncludes } from "@std/assert";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { onDisk } from "./support/disk.ts";
import { runtimeCommand } from "./support/runtime.ts";

const MOD = new URL("../mod.ts", import.meta.url).pathname;

/** Runs `mod.ts` as a program of this runtime, in `cwd`. */
function run(cwd: string, args: readonly string[]) {
  const [command, ...rest] = runtimeCommand([`--allow-read=${cwd}`], MOD);
  return spawnSync(command!, [...rest, ...args], { cwd, encoding: "utf8" });
}

describe("mod.ts run as a program", () => {
  it("prints the lines asked for, with 0", async () => {
    await using place = await onDisk(["ws/a.txt: one\ntwo\nthree\n"]);
    const { stdout, stderr, status } = run(place.root, ["a.txt:2-3"]);
    assertEquals([stdout, stderr, status], ["two\nthree\n", "", 0]);
  });

  it("says on standard error what is wrong, with 1", async () => {
    await using place = await onDisk(["out: x", "ws/l -> ../out"]);
    const { stdout, stderr, status } = run(place.root, ["l"]);
    assertStringIncludes(stderr, "it leads out of the workspace");
    assertEquals([stdout, status], ["", 1]);
  });

  it("says how it is used, with 2", async () => {
    await using place = await onDisk([]);
    const { stdout, stderr, status } = run(place.root, []);
    assertStringIncludes(stderr, "Usage: read");
    assertEquals([stdout, status], ["", 2]);
  });

  it("takes another directory, and bounds the reading by it", async () => {
    await using place = await onDisk(["ws/in/a.txt: x", "ws/b.txt: y"]);
    const args = ["--workspace", "in"];
    assertEquals(run(place.root, [...args, "a.txt"]).stdout, "x");
    assertEquals(run(place.root, [...args, "../b.txt"]).status, 1);
  });

  it("prints a large file whole into a pipe", async () => {
    const text = "0123456789abcde\n".repeat(1 << 16);
    await using place = await onDisk([`ws/a.txt: ${text}`]);
    const { stdout, status } = run(place.root, ["a.txt"]);
    assertEquals([stdout === text, status], [true, 0]);
  });

  it("ends quietly when no one reads on", async () => {
    const text = "0123456789abcde\n".repeat(1 << 16);
    await using place = await onDisk([`ws/a.txt: ${text}`]);
    const command = runtimeCommand([`--allow-read=${place.root}`], MOD)
      .map((word) => `'${word}'`).join(" ");
    const line = `${command} a.txt | head -n 1`;
    const { stdout, stderr } = spawnSync("sh", ["-c", line], {
      cwd: place.root,
      encoding: "utf8",
    });
    assertEquals([stdout, stderr], ["0123456789abcde\n", ""]);
  });
});
