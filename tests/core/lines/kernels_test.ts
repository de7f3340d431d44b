import { assertEquals, assertGreater } from "@std/assert";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { HOME } from "../../support/child.ts";
import { RUNTIME } from "../../support/disk.ts";
import { IS_FULL, shareOf } from "../../support/share.ts";

/** Imports that mark the tests that scan files. */
const SUBJECTS: readonly (readonly [string, RegExp])[] = [
  ["cuts at every byte", /\/cuts\.ts"/],
  ["windows against sed, head and tail", /\/samples\.ts"/],
  ["conformance vectors", /\/codex_conformance\.ts"/],
  ["the four tools", /support\/(codex|forge|open_file|toolkit)\.ts"/],
];

/** Tests of tools that read nothing, measure costs, or check renderings. */
const LEFT_OUT =
  /^tools\/.*_(arguments|checks|policy|block|costs)_test|frame_read_test/;

/** Takes as long as all others together: only in `deno task test:full`. */
const SLOW = /\/pages_random_test/;

/**
 * The test files with this import. Tests of layers above the tools are left out:
 * they take minutes.
 */
function filesOn(subject: RegExp): string[] {
  return readdirSync(join(HOME, "tests"), { recursive: true })
    .map(String).sort()
    .filter((name) => /^(core|tools)\/.*_test\.ts$/.test(name))
    .filter((name) => !LEFT_OUT.test(name) && (IS_FULL || !SLOW.test(name)))
    .map((name) => `tests/${name}`)
    .filter((path) => subject.test(readFileSync(join(HOME, path), "utf8")));
}

/** The command that runs tests in this runtime, with a preloaded module. */
function testCommand(preload: string): string[] {
  if (RUNTIME === "Bun") {
    const flags = ["--timeout=120000", "--only-failures", "--preload", preload];
    return [process.execPath, "test", ...flags];
  }
  const map = "--import-map=tests/npm_std.json";
  // The same permissions as in the task of these tests.
  const mayDo = ["read", "write", "env", "sys=hostname", "run"];
  const permissions = mayDo.map((what) => `--allow-${what}`);
  const flags = ["--no-check", "--no-prompt", "--reporter=dot", map];
  return ["deno", "test", ...flags, ...permissions, `--preload=${preload}`];
}

/** Runs tests with one kernel; returns their output if a test fails, otherwise nothing. */
function failuresWith(
  kernel: string,
  files: readonly string[],
): Promise<string> {
  const preload = `./tests/support/kernels/${kernel}.ts`;
  const [program, ...args] = [...testCommand(preload), ...files];
  return new Promise((resolve) => {
    const options = { cwd: HOME, maxBuffer: Infinity };
    execFile(program!, args, options, (error, stdout, stderr) => {
      resolve(error === null ? "" : `${error.message}\n${stdout}\n${stderr}`);
    });
  });
}

const files = new Set(SUBJECTS.flatMap(([, subject]) => filesOn(subject)));

/** The tests that read from the disk, whose default is the fast kernel. */
const onDisk = new Set(filesOn(/\/(samples|disk)\.ts"/));

/** Each kernel runs the tests that would use the other; `scan_test.ts` compares both directly. */
const RUNS: Readonly<Record<string, readonly string[]>> = {
  plain: shareOf([...files].filter((file) => onDisk.has(file))),
  wasm: shareOf([...files].filter((file) => !onDisk.has(file))),
};

// Runs before the tests, since Bun limits each test to five seconds.
const failures = new Map<string, string>();
for (const [kernel, files] of Object.entries(RUNS)) {
  failures.set(kernel, await failuresWith(kernel, files));
}

for (const [kernel, said] of failures) {
  describe(`with the ${kernel} kernel for all reads`, () => {
    it("no test fails", () => assertEquals(said, ""));
    it("some tests exist", () => assertGreater(RUNS[kernel]!.length, 0));
  });
}

describe("a read with either kernel", () => {
  for (const [what, subject] of SUBJECTS) {
    it(what, () => assertGreater(filesOn(subject).length, 0));
  }
});
