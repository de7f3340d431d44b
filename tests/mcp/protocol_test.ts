import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import {
  openConnection,
  type Service,
  type ToolRequest,
} from "../../mcp/src/protocol.ts";
import { questionsTo, readMessage } from "../../mcp/src/messages.ts";

type Json = Readonly<Record<string, unknown>>;

const META = "io.modelcontextprotocol/";
const STATELESS = "2026-07-28";

/** The `_meta` of a request in the stateless revision. */
const envelope = (more: Json = {}): Json => ({
  [`${META}protocolVersion`]: STATELESS,
  [`${META}clientCapabilities`]: {},
  [`${META}clientInfo`]: { name: "tests", version: "1" },
  ...more,
});

const OPENING = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "tests", version: "1" },
};

/** A connection with one tool, and what it sends. */
function open(call: Service["call"] = () => Promise.resolve({ content: [] })) {
  const sent: Json[] = [];
  const logged: string[] = [];
  let forgotten = 0;
  const connection = openConnection({
    send: (message) => void sent.push(JSON.parse(JSON.stringify(message))),
    log: (message) => void logged.push(message),
  }, {
    info: { name: "served", version: "1" },
    instructions: () => "how",
    names: ["echo"],
    definitions: () => [{ name: "echo" }],
    call,
    forgetRoots: () => void forgotten++,
  });
  const take = (text: string) => {
    const message = readMessage(JSON.parse(text));
    assert(message !== undefined, text);
    connection.take(message);
  };
  return {
    connection,
    sent,
    logged,
    /** Shakes hands. */
    async greet() {
      take(JSON.stringify({
        ...{ jsonrpc: "2.0", id: "greeting", method: "initialize" },
        params: OPENING,
      }));
      await connection.idle();
      sent.length = 0;
    },
    take,
    forgotten: () => forgotten,
    say: (message: Json) =>
      take(JSON.stringify({ jsonrpc: "2.0", ...message })),
    /** Sends a request, and returns what answers it. */
    async ask(method: string, params?: Json, id: string | number = 1) {
      const before = sent.length;
      take(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
      await connection.idle();
      const [answer, ...others] = sent.slice(before);
      assertEquals([answer?.id, others], [id, []]);
      return { result: Object(answer!.result), error: Object(answer!.error) };
    },
  };
}

/** A tool that ends when its call is cancelled: each second call fails. */
function waiting() {
  const signals: AbortSignal[] = [];
  const call = (_name: string, _args: Json, { signal }: ToolRequest) => {
    const fails = signals.push(signal) % 2 === 0;
    return new Promise<Json>((resolve, reject) =>
      signal.addEventListener(
        "abort",
        () => fails ? reject(new Error("aborted")) : resolve({ content: [] }),
      )
    );
  };
  return { call, signals };
}

/** Lets all that is under way end. */
const later = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

describe("a connection that begins with initialize", () => {
  for (
    const [asked, given] of [
      ["2024-10-07"],
      ["2024-11-05"],
      ["2025-03-26"],
      ["2025-06-18"],
      ["2025-11-25"],
      ["1999-01-01", "2025-11-25"],
      [STATELESS, "2025-11-25"],
    ] as const
  ) {
    it(`is offered ${given ?? asked} for ${asked}`, async () => {
      const { ask } = open();
      const params = { ...OPENING, protocolVersion: asked };
      const { result } = await ask("initialize", params);
      assertEquals(result, {
        protocolVersion: given ?? asked,
        capabilities: { tools: { listChanged: false } },
        serverInfo: { name: "served", version: "1" },
        instructions: "how",
      });
    });
  }

  it("is told which field of a request is wrong", async () => {
    const { ask } = open();
    const { clientInfo, capabilities } = OPENING;
    for (
      const [method, params, problem] of [
        ["initialize", {}, "protocolVersion: missing"],
        ["initialize", { ...OPENING, protocolVersion: 7 }, "must be a string"],
        ["initialize", { ...OPENING, capabilities: [] }, "must be an object"],
        ["initialize", {
          ...OPENING,
          capabilities: { roots: null },
        }, "capabilities.roots: must be an object"],
        ["initialize", {
          protocolVersion: "x",
          capabilities,
        }, "clientInfo: missing"],
        ["initialize", {
          ...OPENING,
          clientInfo: { name: clientInfo.name },
        }, "clientInfo.version: missing"],
        // There is one page, so no cursor was given.
        ["tools/list", { cursor: 5 }, "cursor: there is one page of tools"],
        ["tools/list", { cursor: "x" }, "no cursor was given"],
        ["tools/list", { cursor: "" }, "no cursor was given"],
        ["tools/call", undefined, "name: missing"],
        ["tools/call", { name: null }, "name: must be a string"],
        ["tools/call", {
          name: "echo",
          arguments: ["x"],
        }, "arguments: must be an object"],
        [
          "tools/call",
          { name: "none" },
          "Tool none not found; name one of echo",
        ],
      ] as const
    ) {
      if (method === "tools/list") await ask("initialize", OPENING);
      const { error } = await ask(method, params);
      assertEquals(error.code, -32602, method);
      assertStringIncludes(error.message, problem);
      assertEquals(Object.keys(error), ["code", "message"]);
    }
  });

  it("knows no other methods, nor names that each object has", async () => {
    const { ask, greet } = open();
    await greet();
    for (
      const method of [
        ...["nope", "", "__proto__", "constructor", "toString"],
        ...["server/discover", "subscriptions/listen", "logging/setLevel"],
        ...["prompts/list", "resources/list", "roots/list", "tasks/get"],
      ]
    ) assertEquals((await ask(method, {})).error.code, -32601, method);
    for (const name of ["__proto__", "constructor", "hasOwnProperty"]) {
      const { error } = await ask("tools/call", { name });
      assertStringIncludes(error.message, `Tool ${name} not found`);
    }
  });

  it("takes the __proto__ of JSON for a name like others", async () => {
    const { take, connection, sent, greet } = open((_name, args) =>
      Promise.resolve({ keys: Object.keys(args), path: args.path })
    );
    await greet();
    take(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"__proto__":{"name":"echo"}}}',
    );
    take(
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"__proto__":{"path":"evil"}}}}',
    );
    await connection.idle();
    assertEquals(Object(sent[0]?.error).code, -32602);
    assertEquals(sent[1]?.result, { keys: ["__proto__"] });
    assertEquals(({} as Json).path, undefined);
    const line = '{"__proto__":{"jsonrpc":"2.0"},"id":4,"method":"ping"}';
    assertEquals(readMessage(JSON.parse(line)), undefined);
  });

  it("does not repeat a name of 10 MB", async () => {
    const { error } = await open().ask("tools/call", {
      name: "x".repeat(10_000_000),
    });
    assert(error.message.length < 200, `${error.message.length}`);
  });

  it("is answered in spite of a tool that throws, without its words", async () => {
    const { ask, logged, greet } = open(() =>
      Promise.reject(new Error("secret\n"))
    );
    await greet();
    const { error } = await ask("tools/call", { name: "echo" });
    assertEquals(error, { code: -32603, message: "Internal error" });
    assertEquals(logged, ['tools/call failed: "Error: secret\\n"']);
    assertEquals((await ask("ping")).result, {});
  });

  it("passes on the token for progress", async () => {
    const { ask, greet } = open((_name, _args, { progressToken }) =>
      Promise.resolve({ progressToken })
    );
    await greet();
    const params = { name: "echo", _meta: { progressToken: "p" } };
    const { result } = await ask("tools/call", params);
    assertEquals(result, { progressToken: "p" });
  });

  it("fails an open question to the client when it closes", async () => {
    const outcomes: unknown[] = [];
    const { say, connection, greet } = open(async (_name, _args, { ask }) => {
      outcomes.push(await ask("roots/list", 60_000));
      return {};
    });
    await greet();
    say({ id: 1, method: "tools/call", params: { name: "echo" } });
    await later();
    connection.close();
    await later();
    assertStringIncludes(JSON.stringify(outcomes), "is closed");
  });

  it("tells when its roots have changed", () => {
    const { say, forgotten } = open();
    say({ method: "notifications/roots/list_changed" });
    say({ method: "notifications/unknown" });
    assertEquals(forgotten(), 1);
  });
});

describe("a request that is cancelled", () => {
  it("gets no answer, and neither does another one with its id", async () => {
    const { call, signals } = waiting();
    const { say, sent, connection, greet } = open(call);
    await greet();
    const params = { name: "echo" };
    for (const id of [1, 1, "1"]) say({ id, method: "tools/call", params });
    const cancel = (requestId?: unknown) =>
      say({ method: "notifications/cancelled", params: { requestId } });
    for (const id of [undefined, null, {}, 2, "__proto__"]) cancel(id);
    const aborted = () => signals.map((signal) => signal.aborted);
    assertEquals(aborted(), [false, false, false]);
    cancel(1);
    assertEquals(aborted(), [true, true, false]);
    cancel("1");
    await connection.idle();
    await later();
    assertEquals(sent, []);
  });

  it("is each of those in progress when the connection closes", async () => {
    const { call, signals } = waiting();
    const { say, sent, connection, greet } = open(call);
    await greet();
    for (let id = 0; id < 10; id++) {
      say({ id, method: "tools/call", params: { name: "echo" } });
    }
    connection.close();
    await connection.idle();
    await later();
    assertEquals(signals.filter((signal) => signal.aborted).length, 10);
    assertEquals(sent, []);
  });
});

describe("a client of the stateless revision", () => {
  it("gets results with what the revision wants in them", async () => {
    const { ask } = open();
    const serverInfo = {
      [`${META}serverInfo`]: { name: "served", version: "1" },
    };
    const params = { _meta: envelope() };
    const cached = { ttlMs: 0, cacheScope: "private" };
    const complete = { resultType: "complete", _meta: serverInfo };
    assertEquals((await ask("server/discover", params)).result, {
      ...complete,
      ...cached,
      supportedVersions: [STATELESS],
      capabilities: { tools: { listChanged: false } },
      instructions: "how",
    });
    assertEquals((await ask("tools/list", params)).result, {
      ...complete,
      ...cached,
      tools: [{ name: "echo" }],
    });
    const called = await ask("tools/call", { ...params, name: "echo" });
    assertEquals(called.result, { ...complete, content: [] });
    // It has no ping and no initialize.
    assertEquals((await ask("ping", params)).error.code, -32601);
    const { error } = await ask("initialize", OPENING);
    assertEquals(error.code, -32022);
    assertEquals(error.data, {
      supported: [STATELESS],
      requested: OPENING.protocolVersion,
    });
  });

  it("names its revision in each request", async () => {
    const { ask } = open();
    const list = async (more: Json) =>
      (await ask("tools/list", { _meta: envelope(more) })).error;
    // Before the first valid request, and after it.
    for (let round = 0; round < 2; round++) {
      const version = await list({ [`${META}protocolVersion`]: "2030-01-01" });
      assertEquals([version.code, version.data.requested], [
        -32022,
        "2030-01-01",
      ]);
      for (
        const [key, value, problem] of [
          ["protocolVersion", 7, "must be a string"],
          ["clientCapabilities", undefined, "missing"],
          ["clientCapabilities", [], "must be an object"],
          ["clientInfo", "x", "must be an object"],
        ] as const
      ) {
        const { code, data } = await list({ [`${META}${key}`]: value });
        assertEquals(code, -32602);
        assertEquals(data, { envelope: { key: `${META}${key}`, problem } });
      }
      const { result } = await ask("tools/list", { _meta: envelope() });
      assertEquals(result.tools.length, 1);
    }
    const { error } = await ask("tools/list");
    assertStringIncludes(error.message, "missing the required _meta envelope");
  });

  it("is known by each request: none without a handshake is served for itself", async () => {
    for (const method of ["ping", "tools/list", "tools/call", "nope"]) {
      const { ask } = open();
      for (const params of [undefined, {}, { _meta: { progressToken: 1 } }]) {
        const { error } = await ask(method, params);
        assertEquals(error.code, -32602, method);
        assertStringIncludes(error.message, "missing the required _meta");
      }
      assertEquals((await ask("initialize", {})).error.code, -32602);
      // It binds nobody: both ways to begin are still open.
      const params = { _meta: envelope() };
      const { result } = await ask("server/discover", params);
      assertEquals(result.resultType, "complete");
      const greeted = await ask("initialize", OPENING);
      assertEquals(greeted.result.protocolVersion, OPENING.protocolVersion);
      assertEquals((await ask("ping")).result, {});
    }
  });

  it("is told that a revision is unknown before anything else", async () => {
    const { ask } = open();
    const protocolVersion = { [`${META}protocolVersion`]: "2027-06-01" };
    for (const method of ["tools/list", "server/discover", "nope"]) {
      const { error } = await ask(method, { _meta: protocolVersion });
      assertEquals([error.code, error.data], [-32022, {
        supported: [STATELESS],
        requested: "2027-06-01",
      }]);
    }
  });

  it("gets a result for its subscription when the server ends", async () => {
    const { say, sent, connection } = open();
    const params = { _meta: envelope(), notifications: {} };
    for (const id of ["s", 7]) {
      say({ id, method: "subscriptions/listen", params });
    }
    const cancelled = { requestId: "s" };
    say({ method: "notifications/cancelled", params: cancelled });
    await connection.idle();
    sent.length = 0;
    connection.endSubscriptions();
    connection.endSubscriptions();
    assertEquals(sent, [{
      ...{ jsonrpc: "2.0", id: 7 },
      result: {
        resultType: "complete",
        _meta: {
          [`${META}subscriptionId`]: 7,
          [`${META}serverInfo`]: { name: "served", version: "1" },
        },
      },
    }]);
  });

  it("may discover, and shake hands all the same", async () => {
    const { ask } = open();
    await ask("server/discover", { _meta: envelope() });
    const { result } = await ask("initialize", OPENING);
    assertEquals(result.protocolVersion, OPENING.protocolVersion);
    assertEquals((await ask("tools/list")).result.resultType, undefined);
  });

  it("gets its subscription acknowledged, and its answers go on", async () => {
    const { say, ask, sent, connection } = open();
    const params = { _meta: envelope(), notifications: { x: true } };
    say({ id: "s", method: "subscriptions/listen", params });
    await connection.idle();
    assertEquals(sent, [{
      jsonrpc: "2.0",
      method: "notifications/subscriptions/acknowledged",
      params: {
        notifications: {},
        _meta: { [`${META}subscriptionId`]: "s" },
      },
    }]);
    const { _meta } = params;
    const { error } = await ask("subscriptions/listen", { _meta });
    assertStringIncludes(error.message, "notifications: missing");
  });
});

describe("a question to the client", () => {
  it("is cancelled if it has no answer in time, and a late answer is ignored", async () => {
    const sent: Json[] = [];
    const questions = questionsTo((message) => void sent.push(message));
    const outcome = await questions.ask("roots/list", 1);
    assertStringIncludes(JSON.stringify(outcome), "did not answer in time");
    assertEquals(sent.map(({ method }) => method), [
      "roots/list",
      "notifications/cancelled",
    ]);
    const { id } = sent[0] as { id: number };
    questions.settle({ id, outcome: { result: {} } });
    assertEquals(sent.length, 2);
  });

  it("is not cancelled after its answer", async () => {
    const sent: Json[] = [];
    const questions = questionsTo((message) => void sent.push(message));
    const asked = questions.ask("roots/list", 5);
    questions.settle({ id: 0, outcome: { result: {} } });
    await asked;
    await later(20);
    assertEquals(sent.length, 1);
  });

  it("is answered by its id, and ends with the connection", async () => {
    const sent: Json[] = [];
    const questions = questionsTo((message) => void sent.push(message));
    const asked = [1, 2, 3].map(() => questions.ask("roots/list", 60_000));
    const ids = sent.map(({ id }) => id as number);
    assertEquals(new Set(ids).size, 3);
    const stray = { result: { to: "none" } };
    for (const id of [undefined, "", " 0", "0x1", 0.5, "toString"]) {
      questions.settle({ id, outcome: stray });
    }
    // Some clients send the number as a string.
    questions.settle({ id: `${ids[1]}`, outcome: { result: { to: ids[1] } } });
    assertEquals(await asked[1], { result: { to: ids[1] } });
    questions.close();
    const closed = await Promise.all([asked[0], asked[2]]);
    for (const outcome of closed) {
      assertStringIncludes(JSON.stringify(outcome), "is closed");
    }
  });
});
