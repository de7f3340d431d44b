import {
  assert,
  assertEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { parseJSONRPCMessage } from "@modelcontextprotocol/client";
import { describe, it } from "node:test";
import { lineReader, MOST_MESSAGE_BYTES } from "../../mcp/src/line_reader.ts";
import { onDisk } from "../support/disk.ts";
import { callOf, message, OPENING, startServer } from "../support/mcp_lines.ts";
import { Random, SEED } from "../support/random.ts";

/** The messages that a reader passes and refuses, for chunks. */
function readFrom(chunks: Iterable<Uint8Array>) {
  const passed: unknown[] = [];
  const refused: { readonly id?: unknown; readonly code?: unknown }[] = [];
  const logged: string[] = [];
  const read = lineReader({
    send: ({ jsonrpc: _, error, ...id }) =>
      void refused.push({ ...id, ...Object(error) }),
    log: (message) => void logged.push(message),
  }, (message) => void passed.push(message));
  for (const chunk of chunks) read(chunk);
  return { passed, refused, logged };
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Lines, and the ids and codes of the errors for each. */
const LINES: readonly (readonly [string, ...(readonly [unknown, number])[]])[] =
  [
    ['{"jsonrpc":"1.0","id":8,"method":"ping"}', [8, -32600]],
    ['{"id":"a","method":"ping"}', ["a", -32600]],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}', [1, -32600]],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', [undefined, -32600]],
    // What is not JSON has no id.
    ['{"jsonrpc":"2.0","id":7,"method":', [undefined, -32700]],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"},{"id":2},3]', [
      undefined,
      -32600,
    ]],
    ['[{"id":2},{"jsonrpc":"2.0","id":1,"result":{}}]', [undefined, -32600]],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', [undefined, -32600]],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', [undefined, -32600]],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', [1, -32600]],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":null}', [1, -32600]],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":[]}}', [
      1,
      -32600,
    ]],
    [
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":1.5}}}',
      [1, -32600],
    ],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","more":1}', [1, -32600]],
    ['{"jsonrpc":"2.0","id":1,"method":7}', [1, -32600]],
    // Numbers that are not exact: an error would go to the id of another request.
    ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', [
      undefined,
      -32600,
    ]],
    ['{"jsonrpc":"2.0","id":-9007199254740993,"method":"ping"}', [
      undefined,
      -32600,
    ]],
    ['{"jsonrpc":"2.0","id":1e999,"method":"ping"}', [undefined, -32600]],
    ['{"__proto__":{"jsonrpc":"2.0"},"id":1,"method":"ping"}', [1, -32600]],
    ['{"jsonrpc":"2.0","__proto__":{"id":1},"method":"ping"}', [
      undefined,
      -32600,
    ]],
    ["no JSON", [undefined, -32700]],
    ["[]", [undefined, -32600]],
    ["[1,2]", [undefined, -32600]],
    ["null", [undefined, -32600]],
    // An answer gets no error.
    ['{"jsonrpc":"1.0","id":8,"result":{}}'],
    ['{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}'],
    ['{"jsonrpc":"2.0","id":1,"result":{},"method":"ping"}'],
    ['{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":""}}'],
    ['{"jsonrpc":"2.0","id":1,"result":7}'],
    ['[{"jsonrpc":"2.0","id":1,"result":{}}]'],
  ];

describe("the reader of lines", () => {
  for (const [line, ...answers] of LINES) {
    it(`refuses ${line}, and says so in one line`, () => {
      const { passed, refused, logged } = readFrom([bytesOf(`${line}\n`)]);
      assertEquals(passed, []);
      assertEquals<unknown>(
        refused.map(({ id, code }) => [id, code]),
        answers,
      );
      // The official client takes no empty id.
      assert(refused.every((refusal) => !("id" in refusal) || refusal.id));
      assertEquals(logged.length, 1);
      assert(!logged[0]!.includes("\n"));
    });
  }

  it("says that an id is not exact", () => {
    const line = '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}\n';
    const { logged } = readFrom([bytesOf(line)]);
    assertStringIncludes(logged.join(), "send it as a string");
  });

  it(`passes messages unchanged, for any chunks (seed ${SEED})`, () => {
    const random = new Random(SEED);
    const messages = Array.from(
      { length: 50 },
      (_, id) => ({ id, method: "tools/call", params: { name: "é€𝄞", id } }),
    );
    const lines = messages.map(({ id, method, params }) =>
      message(method, params, id)
    );
    const all = bytesOf(`\n${lines.join(" \r\n\n")}{"no":"end"`);
    for (let round = 0; round < 50; round++) {
      const chunks: Uint8Array[] = [];
      for (let start = 0; start < all.length;) {
        const end = start + random.from(0, 200);
        chunks.push(all.subarray(start, end));
        start = end;
      }
      const { passed, refused, logged } = readFrom(chunks);
      assertEquals(passed, messages);
      assertEquals([refused, logged], [[], []]);
    }
  });

  it("passes messages without the byte order mark that some begin with", () => {
    const params = { x: "\ufeff" };
    const line = message("ping", params, 1);
    const { passed, refused } = readFrom([bytesOf(`\ufeff${line}${line}`)]);
    const ping = { id: 1, method: "ping", params };
    assertEquals([passed, refused], [[ping, ping], []]);
  });

  for (const space of ["\ufeff\ufeff", " \ufeff", "\u00a0", "\f", "\v"]) {
    it(`passes a message after ${JSON.stringify(space)}`, () => {
      const line = message("ping", { x: 5 }, 1);
      const { passed, refused } = readFrom([bytesOf(`${space}${line}`)]);
      const ping = { id: 1, method: "ping", params: { x: 5 } };
      assertEquals([passed, refused], [[ping], []]);
    });
  }

  it("refuses a message that is too long, and passes the next", () => {
    const part = bytesOf("x".repeat(2 ** 16));
    const parts = Array.from(
      { length: MOST_MESSAGE_BYTES / 2 ** 16 },
      () => part,
    );
    const next = message("ping", {}, 4);
    const { passed, refused } = readFrom([
      bytesOf('{"jsonrpc":"2.0","id":3,"params":"'),
      ...parts,
      bytesOf(`"}\n${next}`),
    ]);
    assertEquals<unknown>(
      refused.map(({ id, code }) => [id, code]),
      [[3, -32600]],
    );
    assertEquals(passed, [{ id: 4, method: "ping", params: {} }]);
  });

  const long = JSON.stringify("x".repeat(MOST_MESSAGE_BYTES));
  const parts = '{"id":5,"a":[{"id":6},7]}';
  for (
    const [line, ...ids] of [
      ['{"jsonrpc":"2.0","id":"a\\"","method":"ping","params":LONG}', 'a"'],
      // The official client writes the id last.
      ['{"method":"ping","params":{"x":LONG},"jsonrpc":"2.0","id":7} \r', 7],
      ['{"params":LONG,"id":"a,\\"id\\":8","jsonrpc":"2.0"}', 'a,"id":8'],
      ['{"id":1,"params":LONG,"id":2}', 2],
      // Neither a text nor an inner object holds the id.
      [
        '{"method":"\\",\\"id\\":5","params":{"id":6,"x":LONG,"id":8}}',
        undefined,
      ],
      ['{"params":PARTS,"x":LONG,"a":PARTS}', undefined],
      ['{"x":LONG,"a":",\\"id\\":5}"}', undefined],
      ['{"x":LONG,"a,\\"id":5}', undefined],
      ['{"x":LONG,"id":1.5}', undefined],
      ['{"id":1.2.3,"x":LONG}', undefined],
      ['[{"id":7,"x":LONG}]', undefined],
      ["no JSON LONG", undefined],
      // An answer gets no error.
      ['{"jsonrpc":"2.0","id":0,"result":{"roots":[LONG]}}'],
      ['{"result":{"roots":[LONG]},"jsonrpc":"2.0","id":0}'],
      ['{"jsonrpc":"2.0","id":0,"error":{"code":1,"message":LONG}}'],
    ] as const
  ) {
    it(`refuses ${line}, if too long, with the id that the client waits for`, () => {
      const text = line.replaceAll("PARTS", parts).replaceAll("LONG", long);
      const bytes = bytesOf(`${text}\n${message("ping", {}, 4)}`);
      for (const size of [bytes.length, 65_521]) {
        const count = Math.ceil(bytes.length / size);
        const { passed, refused } = readFrom(
          Array.from(
            { length: count },
            (_, at) => bytes.subarray(at * size, (at + 1) * size),
          ),
        );
        assertEquals<unknown>(refused.map(({ id }) => id), ids);
        assertEquals(passed, [{ id: 4, method: "ping", params: {} }]);
      }
    });
  }

  for (const depth of [5000, 20_000, 200_000]) {
    it(`takes a line of ${depth} brackets, nested in each other`, () => {
      const nested = "[".repeat(depth) + "]".repeat(depth);
      const members = '{"a":'.repeat(depth) + "1" + "}".repeat(depth);
      const line = `${nested}\n${members}\n${
        nested.replace("[]", '[{"result":{}}]')
      }\n`;
      const ping = message("ping", {}, 4);
      const { passed, refused } = readFrom([bytesOf(`${line}${ping}`)]);
      assertEquals(passed, [{ id: 4, method: "ping", params: {} }]);
      assertEquals(refused.length, 3);
    });
  }

  it("makes no decoder for each line", () => {
    const { TextDecoder } = globalThis;
    let made = 0;
    globalThis.TextDecoder = class extends TextDecoder {
      constructor(...options: ConstructorParameters<typeof TextDecoder>) {
        super(...options);
        made++;
      }
    };
    try {
      const ping = message("ping", {}, 1);
      const { passed } = readFrom([bytesOf(`\n${ping}\n`.repeat(100))]);
      assertEquals([passed.length, made], [100, 1]);
    } finally {
      globalThis.TextDecoder = TextDecoder;
    }
  });

  it("goes on if reading a line fails", () => {
    const logged: string[] = [];
    const sent: unknown[] = [];
    const passed: unknown[] = [];
    const read = lineReader({
      send: (message) => void sent.push(message),
      log: (text) => void logged.push(text),
    }, (message) => {
      if (passed.push(message) === 1) throw new RangeError("no\nstack");
    });
    const [first, second] = [1, 2].map((id) => message("ping", {}, id));
    read(bytesOf(`${first}${second}`));
    assertEquals(passed.length, 2);
    assertEquals(logged, [
      'refused: a line could not be read: "RangeError: no\\nstack"',
    ]);
    const error = {
      code: -32603,
      message:
        'Cannot serve: a line could not be read: "RangeError: no\\nstack"',
    };
    assertEquals(sent, [{ jsonrpc: "2.0", error }]);
  });

  it("accepts a message of exactly the allowed size", () => {
    // Without the line feed.
    const around = message("ping", { x: "" }, 1).length - 1;
    const long = "x".repeat(MOST_MESSAGE_BYTES - around);
    const most = message("ping", { x: long }, 1);
    assertEquals(readFrom([bytesOf(most)]).passed.length, 1);
    const more = message("ping", { x: `${long}x` }, 1);
    assertEquals(readFrom([bytesOf(more)]).passed.length, 0);
  });
});

describe("an MCP server that gets invalid lines", () => {
  it("answers with the id if it is known, and serves the next message", async () => {
    await using place = await onDisk(["ws/a.txt: one\n"]);
    const server = startServer([place.root]);
    server.write(OPENING);
    await server.answer(0);
    server.write('{"jsonrpc":"1.0","id":8,"method":"tools/list"}\n');
    assertEquals(Object((await server.answer(8)).error).code, -32600);
    server.write(`[${message("ping", {}, 10).trim()}]\n`);
    const { error } = await server.answer(undefined);
    assertStringIncludes(Object(error).message, "send each by itself");
    server.write(callOf(12, { path: "a.txt" }));
    const { result } = await server.answer(12);
    assertStringIncludes(JSON.stringify(result), "1\\tone");
    assertEquals(await server.end(), 0);
    assertEquals(server.said().trim().split("\n").length, 2, server.said());
  });

  it("survives a line of nested brackets", async () => {
    await using place = await onDisk(["ws/a.txt: one\n"]);
    const server = startServer([place.root]);
    server.write(OPENING);
    await server.answer(0);
    // Enough to overflow the stack of each runtime.
    server.write(`${"[".repeat(200_000)}${"]".repeat(200_000)}\n`);
    const { error } = await server.answer(undefined);
    assertStringIncludes(Object(error).message, "send each by itself");
    server.write(callOf(1, { path: "a.txt" }));
    assertStringIncludes(JSON.stringify(await server.answer(1)), "1\\tone");
    assertEquals(await server.end(), 0);
  });

  it("answers without an id if it is unknown, as the official client has it, and serves the next message", async () => {
    await using place = await onDisk(["ws/a.txt: one\n"]);
    const server = startServer([place.root]);
    server.write(OPENING);
    await server.answer(0);
    server.write("no JSON\n");
    const answer = await server.answer(undefined);
    assertEquals(Object.keys(answer), ["jsonrpc", "error"]);
    assertEquals(parseJSONRPCMessage(answer), answer);
    assertEquals(answer.error, {
      code: -32700,
      message:
        "Cannot serve: a line is not JSON; send one message on each line",
    });
    // The official client refuses the null of JSON-RPC.
    assertThrows(() => parseJSONRPCMessage({ ...answer, id: null }));
    server.write(callOf(1, { path: "a.txt" }));
    assertStringIncludes(JSON.stringify(await server.answer(1)), "1\\tone");
    assertEquals(await server.end(), 0);
  });
});
