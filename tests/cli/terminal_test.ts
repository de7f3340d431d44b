import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import { shellIn } from "./program.ts";
import { onDisk, RUNTIME } from "../support/disk.ts";

/** What a command line writes to a terminal, which adds a CR before each LF. */
function onTerminal(
  folder: string,
  args: string,
  environment: Readonly<Record<string, string>> = {},
) {
  const line = `script -qec "$READ ${args}" /dev/null </dev/null`;
  const { stdout, status } = shellIn(folder, line, environment);
  return { sent: stdout.replaceAll("\r\n", "\n"), status };
}

/** Whether the highlighter is installed: the test does not download it. */
function hasHighlighter(): boolean {
  try {
    createRequire(import.meta.url).resolve("highlight.js/lib/common");
    return true;
  } catch {
    return false;
  }
}

const CODE = 'ws/a.ts: const a = "\x1b[31m\u202e";\n// last';
const SEEN = '"\\u{1B}[31m\\u{202E}"';

describe("mod.ts run on a terminal", () => {
  it("dims the numbers, and shows hidden characters", async () => {
    await using place = await onDisk([CODE]);
    const { sent, status } = onTerminal(place.root, "a.ts");
    assertEquals(
      sent,
      `\x1b[2m1\x1b[0m  const a = ${SEEN};\n\x1b[2m2\x1b[0m  // last\n`,
    );
    assertEquals(status, 0);
  });

  it("sends no styles where NO_COLOR is set, or the terminal is dumb", async () => {
    await using place = await onDisk([CODE]);
    const sent = `1  const a = ${SEEN};\n2  // last\n`;
    const set = { NO_COLOR: "1" };
    assertEquals(onTerminal(place.root, "a.ts --color", set).sent, sent);
    // Deno would need a permission to read this variable.
    const dumb = { TERM: "dumb" };
    const dim =
      `\x1b[2m1\x1b[0m  const a = ${SEEN};\n\x1b[2m2\x1b[0m  // last\n`;
    const seen = RUNTIME === "Deno" ? dim : sent;
    assertEquals(onTerminal(place.root, "a.ts", dumb).sent, seen);
  });

  it("colors with --color, or says what that needs, and reads on", async () => {
    await using place = await onDisk([CODE]);
    const { sent, status } = onTerminal(place.root, "a.ts --color");
    if (hasHighlighter()) {
      assertStringIncludes(sent, "\x1b[35mconst\x1b[0m a = \x1b[32m");
      assertStringIncludes(sent, "\x1b[90m// last\x1b[0m");
    } else {
      assertStringIncludes(
        sent,
        "Cannot color: @agent-tools/read-file-highlight could not",
      );
      assertStringIncludes(sent, "// last");
    }
    assertEquals(status, 0);
  });

  it("ends with 1 and with 2 there too", async () => {
    await using place = await onDisk([]);
    const none = onTerminal(place.root, "none");
    assertMatch(none.sent, /^Cannot read "none": nothing is there.*\n$/);
    assertEquals([none.status, onTerminal(place.root, "").status], [1, 2]);
  });

  it("shows the progress of a scan that takes longer than a second", async () => {
    await using place = await onDisk([]);
    const path = `${place.root}/huge`;
    writeFileSync(path, "head\n".repeat(4000));
    truncateSync(path, 2 ** 40);
    const line = `script -qefc "$READ huge:-1" sent </dev/null >/dev/null 2>&1 &
      for _ in $(seq 100); do grep -q MiB sent && break; sleep 0.1; done
      kill -KILL $!; wait $!; cat sent`;
    const { stdout } = shellIn(place.root, line);
    assertMatch(stdout, /\r\d+ MiB read, in a file of 1048576 MiB/);
  });

  it("needs only the permission to read", async () => {
    await using place = await onDisk([CODE]);
    // Deno logs every permission that a program asks for here.
    const audit = `${place.base}/audit`;
    writeFileSync(audit, "");
    const environment = { DENO_AUDIT_PERMISSIONS: audit };
    onTerminal(place.root, "a.ts none --color --stats", environment);
    const wanted = readFileSync(audit, "utf8")
      .matchAll(/"permission":"([a-z]+)"/g);
    const kinds = new Set(Array.from(wanted, ([, kind]) => kind!));
    assertEquals([...kinds], RUNTIME === "Deno" ? ["read"] : []);
  });
});
