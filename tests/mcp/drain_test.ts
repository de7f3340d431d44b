import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { spawn } from "node:child_process";
import { truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { onDisk } from "../support/disk.ts";
import { callOf, message, OPENING } from "../support/mcp_lines.ts";
import { runtimeCommand } from "../support/runtime.ts";

const CHILD = fileURLToPath(
  new URL("../children/mcp_drain.ts", import.meta.url),
);

/** Pipes lines into a server; returns its messages, its log and its exit code. */
async function pipe(
  { root, lines, openMs = 0, drainMs, readAfterMs = 0 }: {
    readonly root: string;
    readonly lines: string;
    readonly openMs?: number;
    readonly drainMs?: number;
    /** When the client begins to read what the server wrote. */
    readonly readAfterMs?: number;
  },
) {
  const times = [openMs, ...(drainMs === undefined ? [] : [drainMs])];
  const [command = "", ...rest] = [
    ...runtimeCommand([`--allow-read=${root}`], CHILD),
    root,
    ...times.map(String),
  ];
  const child = spawn(command, rest, { stdio: "pipe" });
  let said = "";
  child.stderr.on("data", (chunk) => said += String(chunk));
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.stdin.end(OPENING + lines);
  await new Promise((resolve) => setTimeout(resolve, readAfterMs));
  let text = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) text += chunk;
  const messages = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  return { messages, said, code: await exit };
}

describe("an MCP server whose input has ended", () => {
  it("answers a slow call", async () => {
    await using place = await onDisk(["ws/a.txt: one\n"]);
    const lines = callOf(1, { path: "a.txt", count: 1 });
    const { root } = place;
    const { messages, said, code } = await pipe({ root, lines, openMs: 1500 });
    assertEquals([messages.length, said, code], [2, "", 0]);
    assertStringIncludes(JSON.stringify(messages[1]), "1\\tone");
  });

  it("answers a last line without a line feed", async () => {
    await using place = await onDisk(["ws/a.txt: one\n"]);
    const { root } = place;
    const lines = callOf(1, { path: "a.txt" }).trimEnd();
    const { messages, said } = await pipe({ root, lines });
    assertEquals([messages.length, said], [2, ""]);
    assertStringIncludes(JSON.stringify(messages[1]), "1\\tone");
  });

  it("exits without an answer to an endless call that reports", async () => {
    await using place = await onDisk(["ws/endless: "]);
    const { root } = place;
    truncateSync(join(root, "endless"), 2 ** 42);
    const lines = message("tools/call", {
      name: "read_file",
      arguments: { path: "endless", start: 2 },
      _meta: { progressToken: 1 },
    }, 1);
    const { messages, said, code } = await pipe({ root, lines, drainMs: 1000 });
    const [, ...reports] = messages;
    assert(reports.every(({ method }) => method === "notifications/progress"));
    assertEquals([said, code], ["", 0]);
  });

  it("loses no answer for a client that reads late", async () => {
    await using place = await onDisk([
      `ws/a.txt: ${"some line\n".repeat(200)}`,
    ]);
    const { root } = place;
    // More than a pipe holds.
    const ids = Array.from({ length: 300 }, (_, call) => call + 1);
    const lines = ids.map((id) => callOf(id, { path: "a.txt" })).join("");
    const late = { drainMs: 1000, readAfterMs: 1500 };
    const { messages } = await pipe({ root, lines, ...late });
    assertEquals(messages.length, 1 + ids.length);
  });
});
