import {
  assertEquals,
  assertLess,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { spawnSync } from "node:child_process";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import process from "node:process";
import { describe, it } from "node:test";
import { memoryFs } from "../../mod.ts";
import { runIn, shellIn } from "./program.ts";
import { run } from "./run.ts";
import { HOME } from "../support/child.ts";
import { onDisk, RUNTIME } from "../support/disk.ts";

describe("mod.ts run as a program", () => {
  it("prints the requested lines, with 0", async () => {
    await using place = await onDisk(["ws/a.txt: one\ntwo\nthree\n"]);
    const { stdout, stderr, status } = runIn(place.root, ["a.txt:2-3"]);
    assertEquals([stdout, stderr, status], ["two\nthree\n", "", 0]);
  });

  it("says on standard error what is wrong, with 1", async () => {
    await using place = await onDisk(["out: x", "ws/l -> ../out", "ws/a: y"]);
    const { stdout, stderr, status } = runIn(place.root, ["l", "a"]);
    assertStringIncludes(stderr, "it leads out of the workspace");
    assertEquals([stdout, status], ["==> a <==\ny", 1]);
  });

  it("says how it is used, with 2", async () => {
    await using place = await onDisk([]);
    const { stdout, stderr, status } = runIn(place.root, []);
    assertStringIncludes(stderr, "Usage: read");
    assertEquals([stdout, status], ["", 2]);
  });

  it("takes another directory as the workspace", async () => {
    await using place = await onDisk(["ws/in/a.txt: x", "ws/b.txt: y"]);
    const args = ["--workspace", "in"];
    assertEquals(runIn(place.root, [...args, "a.txt"]).stdout, "x");
    assertEquals(runIn(place.root, [...args, "../b.txt"]).status, 1);
  });

  it("prints the version of deno.json", async () => {
    await using place = await onDisk([]);
    const text = readFileSync(
      new URL("../../deno.json", import.meta.url),
      "utf8",
    );
    const { name, version } = JSON.parse(text);
    const { stdout, status } = runIn(place.root, ["--version"]);
    assertEquals([stdout, status], [`${name} ${version}\n`, 0]);
  });

  it("calls a tool, and defines one", async () => {
    await using place = await onDisk(["ws/a.txt: one\ntwo\n"]);
    const args = ["--args", '{"path": "a.txt", "tail": 1}'];
    const call = runIn(place.root, ["--tool", "forge", ...args]);
    assertEquals([call.stdout, call.stderr], ["2| two\n", ""]);
    const { stdout } = runIn(place.root, ["--definitions", "openai"]);
    const names = JSON.parse(stdout).map(({ name }: { name: string }) => name);
    assertEquals(names, ["read_file", "read_files", "list_directory"]);
  });

  it("prints 512 MiB to the byte, and holds little of it", async () => {
    await using place = await onDisk([]);
    const path = `${place.root}/big`;
    const block = "0123456789abcde\n".repeat(1 << 20);
    for (let times = 0; times < 32; times++) {
      writeFileSync(path, block, { flag: "a" });
    }
    const same = shellIn(place.root, "$READ big | cmp - big");
    assertEquals(same, { stdout: "", stderr: "", status: 0 });
    // The peak memory is read when nearly all of the file was written.
    const line = `mkfifo pipe; $READ big >pipe & exec 3<pipe
      head -c 530000000 <&3 >/dev/null
      sed -n 's/^VmHWM:[^0-9]*\\([0-9]*\\) kB$/\\1/p' /proc/$!/status
      wc -c <&3`;
    const { stdout } = shellIn(place.root, line);
    const [peak, rest] = stdout.trim().split(/\s+/).map(Number);
    assertEquals(rest, 2 ** 29 - 530_000_000);
    // A runtime needs about 100 MiB, and collects garbage when it likes.
    assertLess(peak!, 320 * 1024);
  });

  it("ends quietly with 0 when the reader of its output is gone", async () => {
    await using place = await onDisk([]);
    const path = `${place.root}/endless`;
    writeFileSync(path, "0123456789abcde\n");
    truncateSync(path, 2 ** 40);
    const line = "{ $READ endless; echo $? >&2; } | head -n 1";
    const { stdout, stderr } = shellIn(place.root, line);
    assertEquals([stdout, stderr], ["0123456789abcde\n", "0\n"]);
  });

  it("reads the standard input, and refuses more than 64 MiB of it", async () => {
    await using place = await onDisk(["ws/a.txt: one\ntwo\n"]);
    const line = "{ cat a.txt; sleep 0.2; echo three; } | $READ -:2-";
    assertEquals(shellIn(place.root, line).stdout, "two\nthree\n");
    const large = shellIn(place.root, "head -c 70000000 /dev/zero | $READ -");
    assertMatch(
      large.stderr,
      /^The standard input holds more than 67108864 bytes; write it to a file/,
    );
    assertEquals([large.stdout, large.status], ["", 1]);
  });

  it("says with 1 that its output cannot be written", async () => {
    await using place = await onDisk(["ws/a.txt: one\n"]);
    const { stderr, status } = shellIn(place.root, "$READ a.txt >/dev/full");
    assertMatch(
      stderr,
      /^Cannot write the output: the system failed \(ENOSPC\)/,
    );
    assertEquals(status, 1);
  });

  it("does not repeat output in a pipe that another program made non-blocking", async () => {
    await using place = await onDisk([]);
    writeFileSync(`${place.root}/big`, "0123456789abcde\n".repeat(1 << 16));
    // Bun leaves it so.
    const other = `${HOME}/node_modules/.bin/bun -e 'process.stdout'`;
    const line = `{ ${other}; $READ big; } | { sleep 0.5; cmp - big; }`;
    const { stderr } = shellIn(place.root, line);
    // Deno does not say how much it wrote.
    assertMatch(
      stderr,
      RUNTIME === "Bun" ? /^$/ : /the system failed \(EAGAIN\)[^]*EOF on -/,
    );
  });

  it("prints the arguments for the rest, which work", async () => {
    const text = "one\ntwo\nthree, which is long\nfour\n";
    await using place = await onDisk([`ws/it's a: ${text}`]);
    const parts: string[] = [];
    let args = `"it's a" --max-bytes 9`;
    while (args !== "" && parts.length < 9) {
      const { stdout, stderr } = shellIn(place.root, `$READ ${args}`);
      parts.push(stdout);
      [, args = ""] = /go on with these arguments:\n(.*)\n$/.exec(stderr) ?? [];
    }
    assertEquals(parts, ["one\ntwo\n", "three, wh", "ich is lo", "ng\nfour\n"]);
  });

  it("prints arguments that work on a terminal, which shows no hidden characters", async () => {
    const name = "-\u202e\\u{41}'%s\n\x1b1 é";
    await using place = await onDisk([]);
    writeFileSync(`${place.root}/${name}`, "one\ntwo\nthree\n");
    const fs = memoryFs({ [`/ws/${name}`]: "one\ntwo\nthree\n" });
    const asked = ["--max-bytes=4", `./${name}`];
    const { errors } = await run(asked, { fs, isTerminal: true });
    const [, args = ""] = /go on with .*:\n(.*)\n$/s.exec(errors) ?? [];
    const here = args.replace("--workspace=/ws", "");
    assertEquals(shellIn(place.root, `$READ ${here}`).stdout, "two\n");
  });

  it("runs in its own repository by the documented command", () => {
    const [program, ...words] = RUNTIME === "Bun"
      ? [process.execPath, "run", "mod.ts"]
      : ["deno", "task", "--quiet", "read"];
    const { stdout, stderr, status } = spawnSync(
      program!,
      [...words, "LICENSE:1"],
      { cwd: HOME, encoding: "utf8" },
    );
    assertEquals([stdout, stderr, status], ["MIT License\n", "", 0]);
  });
});
