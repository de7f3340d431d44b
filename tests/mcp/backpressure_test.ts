/** Clients that send more than they read. */
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { describe, it } from "node:test";
import type { ClientMessage, Json, MessageId } from "../../mcp/src/messages.ts";
import { openConnection, type Service } from "../../mcp/src/protocol.ts";
import { onDisk, RUNTIME } from "../support/disk.ts";
import { serverCommand } from "../support/mcp.ts";
import { callOf, message, OPENING } from "../support/mcp_lines.ts";

/** The most calls in progress. */
const MOST = 100;

/** A connection whose calls end when `finish` says so. */
function slowServer() {
  const sent: Json[] = [];
  /** The calls in progress, by the number in their arguments. */
  const begun = new Map<number, { end(): void; signal: AbortSignal }>();
  let behind = false;
  const service: Service = {
    info: {},
    instructions: () => "",
    names: ["read_file"],
    definitions: () => [],
    async call(_, { number, asks }, { ask, signal }) {
      if (asks) await ask("roots/list", 60_000);
      await new Promise<void>((end) =>
        begun.set(number as number, { end, signal })
      );
      return {};
    },
    forgetRoots: () => {},
  };
  const peer = {
    send: (message: Json) => void sent.push(message),
    log: (_: string) => {},
    isBehind: () => behind,
  };
  const connection = openConnection(peer, service);
  const request = (method: string, params: Json, id?: MessageId) => {
    const call: ClientMessage = { method, params, id };
    connection.take(call);
  };
  request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  }, "open");
  return {
    connection,
    begun,
    request,
    call: (number: number, id: MessageId = number, asks = false) =>
      request(
        "tools/call",
        { name: "read_file", arguments: { number, asks } },
        id,
      ),
    answered: () => sent.filter(({ result }) => result).map(({ id }) => id),
    asked: () => sent.filter(({ method }) => method).map(({ id }) => id),
    behind: (is: boolean) => void (behind = is),
    async finish(number: number) {
      begun.get(number)!.end();
      await settle();
    },
  };
}

/** Lets what can go on without a timer go on. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
}

describe("more calls than may be in progress", () => {
  it("wait, and begin in order", async () => {
    const server = slowServer();
    for (let number = 0; number < MOST + 3; number++) server.call(number);
    await settle();
    assertEquals(server.begun.size, MOST);
    await server.finish(7);
    assertEquals([...server.begun.keys()].slice(MOST), [MOST]);
    await server.finish(8);
    assertEquals([...server.begun.keys()].slice(MOST), [MOST, MOST + 1]);
    assertEquals(server.answered(), ["open", 7, 8]);
  });
  it("do not delay a ping", async () => {
    const server = slowServer();
    for (let number = 0; number < MOST + 3; number++) server.call(number);
    server.request("ping", {}, "ping");
    await settle();
    assertEquals(server.answered(), ["open", "ping"]);
  });
  it("do not delay the answers to questions", async () => {
    const server = slowServer();
    for (let number = 0; number < MOST; number++) {
      server.call(number, number, true);
    }
    server.call(MOST);
    await settle();
    assertEquals([server.begun.size, server.asked().length], [0, MOST]);
    for (const id of server.asked()) {
      const outcome = { result: { roots: [] } };
      server.connection.take({ id: id as MessageId, outcome });
    }
    await settle();
    assertEquals(server.begun.size, MOST);
  });
  it("are cancelled before they begin, and those in progress, too", async () => {
    const server = slowServer();
    for (let number = 0; number < MOST + 3; number++) server.call(number);
    await settle();
    const cancel = (requestId: number) =>
      server.request("notifications/cancelled", { requestId });
    cancel(MOST);
    cancel(0);
    assert(server.begun.get(0)!.signal.aborted);
    // A cancelled call frees its place when its work has ended.
    await settle();
    assertEquals(server.begun.size, MOST);
    await server.finish(0);
    assertEquals([...server.begun.keys()].slice(MOST), [MOST + 1]);
    assertEquals(server.answered(), ["open"]);
  });
  it("may have one id", async () => {
    const server = slowServer();
    for (let number = 0; number < MOST + 5; number++) server.call(number, "x");
    for (let number = 0; number < MOST + 5; number++) {
      await settle();
      await server.finish(number);
    }
    assertEquals(server.answered().length, 1 + MOST + 5);
  });
  it("may have one id, and be many", async () => {
    const server = slowServer();
    for (let number = 0; number < 200_000; number++) server.call(number, "x");
    server.request("notifications/cancelled", { requestId: "x" });
    await settle();
    assertEquals(server.begun.size, MOST);
    server.call(-1);
    for (let number = 0; number < MOST; number++) {
      server.begun.get(number)!.end();
    }
    await settle();
    assertEquals([...server.begun.keys()].slice(MOST), [-1]);
  });
  it("have no answer once the connection is closed", async () => {
    const server = slowServer();
    for (let number = 0; number < MOST + 3; number++) server.call(number);
    await settle();
    const idle = server.connection.idle();
    server.connection.close();
    await idle;
    for (let number = 0; number < MOST; number++) await server.finish(number);
    assertEquals([server.begun.size, server.answered()], [MOST, ["open"]]);
  });
  it("keep the connection busy until they are answered", async () => {
    const server = slowServer();
    for (let number = 0; number < MOST + 1; number++) server.call(number);
    let isIdle = false;
    void server.connection.idle().then(() => isIdle = true);
    for (let number = 0; number < MOST + 1; number++) {
      await settle();
      assert(!isIdle);
      await server.finish(number);
    }
    await settle();
    assert(isIdle);
  });
});

describe("a peer that is behind", () => {
  it("gets no further calls, until it has read", async () => {
    const server = slowServer();
    server.call(0);
    server.behind(true);
    server.call(1);
    server.call(2);
    server.request("ping", {}, "ping");
    await server.finish(0);
    assertEquals(server.begun.size, 1);
    assertEquals(server.answered(), ["open", "ping", 0]);
    server.behind(false);
    server.connection.proceed();
    await settle();
    assertEquals([...server.begun.keys()], [0, 1, 2]);
  });
});

/** What a server holds more than at its start, at most. */
const MOST_MIB = 300;

/** Runs a shell that talks to a server through two pipes; `script` has `send`, `base` and `peak`, and output in file 3. */
function throughPipes(
  folder: string,
  script: string,
  calls: string,
): string[] {
  writeFileSync(join(folder, "opening"), OPENING);
  writeFileSync(join(folder, "calls"), calls);
  const kilobytes = (what: string) =>
    `sed -n 's/^${what}:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/$pid/status`;
  const lines = [
    `cd '${folder}'; mkfifo in out`,
    '"$@" < in > out 2> said & pid=$!',
    "exec 4> in 3< out",
    "cat opening >&4; read -r line <&3",
    kilobytes("VmRSS"),
    script,
    kilobytes("VmHWM"),
    "exec 4>&-",
    "wc -l <&3",
    "wait $pid; echo $?",
  ].join("\n");
  const args = ["-c", lines, "sh", ...serverCommand([join(folder, "ws")])];
  const { stdout } = spawnSync("sh", args, {
    encoding: "utf8",
    timeout: 100_000,
    killSignal: "SIGKILL",
  });
  return stdout.trim().split(/\s+/);
}

/** Whether `/proc` can be asked for memory. */
const skip = process.platform !== "linux";

describe("a client that writes everything before it reads", { skip }, () => {
  for (
    const [what, count, line, answers] of [
      ["calls", 3_000, (id: number) => callOf(id, { path: "a.txt" }), 3_000],
      ["calls of one id", 1_000, () => callOf(1, { path: "a.txt" }), 1_000],
      ["lines that are refused", 50_000, () => "no JSON\n", 50_000],
    ] as const
  ) {
    it(`gets all answers, and costs little memory: ${what}`, async () => {
      const text = "some words in a line of a file\n".repeat(200);
      await using place = await onDisk([`ws/a.txt: ${text}`]);
      const lines = Array.from({ length: count }, (_, at) => line(at + 1));
      const [base, peak, given, code] = throughPipes(
        place.base,
        "cat calls >&4",
        lines.join(""),
      );
      assertEquals([given, code], [`${answers}`, "0"]);
      const grown = (Number(peak) - Number(base)) / 1024;
      assertLessOrEqual(grown, MOST_MIB, `${RUNTIME}: ${grown} MiB`);
    });
  }
});

describe("a client that reads nothing", () => {
  it("is not read from while more than 32 MiB wait for it", async () => {
    await using place = await onDisk(["ws/a.txt: one\n"]);
    const [command = "", ...rest] = serverCommand([place.root]);
    const child = spawn(command, rest, { stdio: ["pipe", "pipe", "ignore"] });
    child.stdin.on("error", () => {});
    // The answers are much longer than their requests.
    const list = message("tools/list", {}, 1);
    child.stdin.write(OPENING + list);
    const lines = createInterface({ input: child.stdout });
    const sizes: number[] = [];
    for await (const line of lines) {
      if (sizes.push(line.length) === 2) break;
    }
    child.stdout.pause();
    /** How many requests are in a part, and how many parts there are. */
    const [count, parts] = [100, 1_000];
    let taken = 0;
    const writeOn = () => {
      while (taken < parts) {
        taken++;
        if (!child.stdin.write(list.repeat(count))) return;
      }
    };
    child.stdin.on("drain", writeOn);
    writeOn();
    // Until nothing more was taken for a while.
    for (let before = -1; before !== taken;) {
      before = taken;
      await new Promise((resolve) => setTimeout(resolve, 1_500));
    }
    child.kill("SIGKILL");
    const mebibytes = taken * count * sizes[1]! / 2 ** 20;
    assert(mebibytes > 32, `stopped at ${mebibytes} MiB`);
    // What is in pipes and in parts of the input counts as taken.
    assert(mebibytes < 128, `went on to ${mebibytes} MiB`);
  });
});
