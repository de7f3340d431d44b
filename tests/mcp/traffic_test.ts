import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { spawn, spawnSync } from "node:child_process";
import { truncateSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, it } from "node:test";
import { onDisk } from "../support/disk.ts";
import { connectProgram, serverCommand } from "../support/mcp.ts";
import { callOf, message, OPENING, startServer } from "../support/mcp_lines.ts";

/** How many files the calls are spread over. */
const FILES = 10;

const layout = Array.from(
  { length: FILES },
  (_, file) =>
    `ws/${file}.txt: ${
      Array.from(
        { length: 200 },
        (_, line) => `file ${file} line ${line + 1}\n`,
      )
        .join("")
    }`,
);

/** A file too large to be read in a test. */
const ENDLESS_BYTES = 2 ** 42;

describe("an MCP server under load", () => {
  it("answers 1,000 calls in a row, each correctly", async () => {
    await using place = await onDisk(layout);
    await using server = await connectProgram([place.root]);
    for (let call = 0; call < 1000; call++) {
      const [file, line] = [call % FILES, call % 200 + 1];
      const args = { path: `${file}.txt`, start: line, count: 1 };
      const { text } = await server.call(args);
      assert(text.includes(`\n${line}\tfile ${file} line ${line}\n`), text);
    }
    assertEquals(server.said(), "");
  });

  it("answers 1,000 calls at once, each with its own answer", async () => {
    await using place = await onDisk(layout);
    await using server = await connectProgram([place.root]);
    await Promise.all(Array.from({ length: 1000 }, async (_, call) => {
      const [file, line] = [call % FILES, call % 200 + 1];
      const args = call % 7 === 0
        ? { path: `none-${call}` }
        : { path: `${file}.txt`, start: line, count: 1 };
      const { text } = await server.call(args);
      const wanted = call % 7 === 0
        ? `Cannot read "none-${call}": `
        : `\n${line}\tfile ${file} line ${line}\n`;
      assert(text.includes(wanted), text);
    }));
    assertEquals(server.said(), "");
  });

  it("serves calls after others were cancelled", async () => {
    await using place = await onDisk([...layout, "ws/endless: "]);
    truncateSync(join(place.root, "endless"), ENDLESS_BYTES);
    await using server = await connectProgram([place.root]);
    const cancelled = Array.from({ length: 20 }, async () => {
      const controller = new AbortController();
      const call = server.client.callTool({
        name: "read_file",
        arguments: { path: "endless", start: 2 },
      }, { signal: controller.signal });
      // A later call was answered, so this one is in progress.
      await server.call({ path: "0.txt", count: 1 });
      controller.abort();
      return await call.then(() => "answered", () => "cancelled");
    });
    assertEquals(new Set(await Promise.all(cancelled)), new Set(["cancelled"]));
    const { text } = await server.call({ path: "1.txt", count: 1 });
    assertStringIncludes(text, "file 1 line 1");
  });

  it("answers the calls in flight when its input ends", async () => {
    await using place = await onDisk(layout);
    const server = startServer([place.root]);
    const ids = Array.from({ length: 100 }, (_, call) => call + 1);
    const calls = ids.map((id) => callOf(id, { path: `${id % FILES}.txt` }));
    server.write(OPENING + calls.join(""));
    assertEquals([await server.end(), server.said()], [0, ""]);
    // Everything that was written has arrived: a missing answer is lost.
    const lost = new Promise((resolve) => setTimeout(resolve, 0, "lost"));
    for (const id of ids) {
      const told = await Promise.race([server.answer(id), lost]);
      const answer = JSON.stringify(told);
      assertStringIncludes(answer, `file ${id % FILES} line 200`);
    }
  });

  it("answers 10,000 requests that arrive at once, each once", async () => {
    await using place = await onDisk(layout);
    const [command = "", ...rest] = serverCommand([place.root]);
    const child = spawn(command, rest, { stdio: ["pipe", "pipe", "inherit"] });
    const ids = Array.from({ length: 10_000 }, (_, call) => call + 1);
    const isCall = (id: number) => id % 10 === 0;
    const requests = ids.map((id) =>
      isCall(id)
        ? callOf(id, {
          path: `${id % FILES}.txt`,
          start: id % 200 + 1,
          count: 1,
        })
        : message("ping", {}, id)
    );
    child.stdin.end(OPENING + requests.join(""));
    let text = "";
    for await (const chunk of child.stdout.setEncoding("utf8")) text += chunk;
    const answers = text.trimEnd().split("\n").map((line) => JSON.parse(line));
    const given = new Map(answers.map(({ id, result }) => [id, result]));
    assertEquals([answers.length, given.size], [
      1 + ids.length,
      1 + ids.length,
    ]);
    for (const id of ids) {
      const line = `file ${id % FILES} line ${id % 200 + 1}\n`;
      if (isCall(id)) assertStringIncludes(given.get(id).content[0].text, line);
      else assertEquals(given.get(id), {});
    }
  });

  it("exits when its output is closed, even if its input stays open", async () => {
    await using place = await onDisk(["ws/endless: ", "ws/a.txt: one\n"]);
    truncateSync(join(place.root, "endless"), ENDLESS_BYTES);
    const [command = "", ...rest] = serverCommand([place.root]);
    const child = spawn(command, rest, { stdio: "pipe" });
    let said = "";
    child.stderr.on("data", (chunk) => said += String(chunk));
    const exit = new Promise((resolve) => child.once("exit", resolve));
    child.stdin.write(OPENING + callOf(1, { path: "endless", start: 2 }));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.stdout.destroy();
    child.stdin.on("error", () => {});
    for (let id = 2; id < 100; id++) {
      child.stdin.write(callOf(id, { path: "a.txt" }));
    }
    assertEquals(await exit, 0);
    assertStringIncludes(said, "EPIPE");
    assertEquals(said.trim().split("\n").length, 1, said);
  });

  it("serves on when its standard error is closed", async () => {
    await using place = await onDisk([]);
    const [command = "", ...rest] = serverCommand([place.root]);
    const child = spawn(command, rest, { stdio: "pipe" });
    const lines = createInterface({ input: child.stdout })[
      Symbol.asyncIterator
    ]();
    const answer = async () => JSON.parse(String((await lines.next()).value));
    child.stdin.write(OPENING);
    await answer();
    child.stderr.destroy();
    for (let line = 0; line < 5; line++) {
      child.stdin.write("no JSON\n");
      assertEquals((await answer()).error.code, -32700);
    }
    child.stdin.end(message("ping", {}, 1));
    assertEquals((await answer()).id, 1);
  });

  for (
    const [what, stream, answers] of [
      ["exits when its output cannot be written, and says why once", 1, 0],
      ["serves on when its log cannot be written", 2, 2],
    ] as const
  ) {
    it(what, async () => {
      await using place = await onDisk([]);
      const input = `${OPENING}no JSON\n${message("ping", {}, 1)}`;
      const { status, stdout, stderr } = spawnSync(
        "sh",
        [
          "-c",
          `"$@" ${stream}> /dev/full`,
          "sh",
          ...serverCommand([place.root]),
        ],
        { input, encoding: "utf8", timeout: 110_000 },
      );
      assertEquals(status, 0, stderr);
      const results = stdout.split("\n").filter((line) =>
        /"result"/.test(line)
      );
      assertEquals(results.length, answers);
      const told = stderr.match(/no space left/gi) ?? [];
      assertEquals(told.length, 2 - stream, stderr);
      assert(!/^ +at /m.test(stderr), stderr);
    });
  }

  it("refuses deep and long arguments, in few words", async () => {
    await using place = await onDisk(["ws/a.txt: one\n"]);
    const server = startServer([place.root]);
    const deep = (open: string, close: string) =>
      open.repeat(80_000) + "0" + close.repeat(80_000);
    const path = `"${"x".repeat(500_000)}"`;
    const lines = [deep("[", "]"), deep('{"a":', "}"), path].map((path, at) =>
      callOf(at + 1, { path: 0 }).replace('"path":0', () => `"path":${path}`)
    );
    server.write(OPENING + lines.join(""));
    for (const id of [1, 2, 3]) {
      const answer = JSON.stringify(await server.answer(id));
      assertStringIncludes(answer, "INVALID_ARGUMENT");
      assert(answer.length < 25_000, `${answer.length}`);
    }
    server.write(callOf(4, { path: "a.txt" }));
    assertStringIncludes(JSON.stringify(await server.answer(4)), "1\\tone");
    assertEquals([await server.end(), server.said()], [0, ""]);
  });

  it("stops reading for a call that is cancelled", async () => {
    await using place = await onDisk(["ws/endless: ", "ws/a.txt: one\n"]);
    truncateSync(join(place.root, "endless"), ENDLESS_BYTES);
    const server = startServer([place.root]);
    server.write(OPENING);
    await server.answer(0);
    server.write(callOf(1, { path: "endless", start: 2 }));
    server.write(message("notifications/cancelled", { requestId: 1 }));
    server.write(callOf(2, { path: "a.txt" }));
    await server.answer(2);
    assertEquals(await server.end(), 0);
  });

  it("survives invalid lines", async () => {
    await using place = await onDisk(["ws/a.txt: one\n"]);
    const server = startServer([place.root]);
    const noMessages = [
      "no JSON",
      "{",
      "[]",
      "null",
      "7",
      '"text"',
      "",
      "\0\x80\uFFFD",
      '{"jsonrpc":"1.0","id":9,"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":99,"result":{}}',
      `{"deep":${"[".repeat(10_000)}${"]".repeat(10_000)}}`,
    ].map((line) => `${line}\n`).join("");
    server.write(`${noMessages}${OPENING}`);
    await server.answer(0);
    server.write(`${noMessages}${callOf(1, { path: "a.txt" })}`);
    const { result } = await server.answer(1);
    assertStringIncludes(JSON.stringify(result), "1\\tone");
    assertEquals(await server.end(), 0);
    assertStringIncludes(server.said(), "read-file-mcp: ");
  });

  for (
    const [what, method, params] of [
      ["an unknown method", "no/method", {}],
      ["an unknown tool", "tools/call", { name: "write_file", arguments: {} }],
      ["a tool without a name", "tools/call", { arguments: {} }],
      ["arguments that are no object", "tools/call", {
        name: "read_file",
        arguments: "a.txt",
      }],
    ] as const
  ) {
    it(`answers ${what} with an error of the protocol`, async () => {
      await using place = await onDisk([]);
      const server = startServer([place.root]);
      server.write(OPENING + message(method, params, 1));
      await server.answer(0);
      const { error } = await server.answer(1);
      assert(Number.isInteger(Object(error).code), JSON.stringify(error));
      assert(!JSON.stringify(error).includes(place.base));
      assertEquals(await server.end(), 0);
    });
  }
});
