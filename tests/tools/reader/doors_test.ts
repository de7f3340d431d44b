/** The reader's tools in this process and over MCP: the same call, the same text. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openServer } from "../../../mcp/src/server.ts";
import {
  createAgentToolkit,
  definitions,
  gunzipView,
  memoryFs,
  notebookView,
  openWorkspace,
  readerTools,
  respond,
  SECRET_FILES,
  type Workspace,
} from "../../../mod.ts";
import { gzip } from "../../support/gzip.ts";
import { gif, png } from "../../support/images.ts";
import { newClient, Wire } from "../../support/mcp.ts";
import { SAMPLE } from "../../support/notebooks.ts";
import { replyOf } from "../../support/replies.ts";

const linesTo = (count: number) =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");

const fs = memoryFs({
  "/ws/a.txt": "one\ntwo\nthree\n",
  "/ws/crlf.txt": "a\r\nb\nc",
  "/ws/empty.txt": "",
  "/ws/many.txt": linesTo(9000),
  "/ws/giant.txt": `${"x".repeat(90_000)}needle${"y".repeat(90_000)}\nlast`,
  "/ws/hidden.ts": 'if (role !== "user\u202e") {\n\u0007\n',
  "/ws/bad.txt": Uint8Array.of(0x61, 0xff, 0x0a, 0x62),
  "/ws/utf16.txt": Uint8Array.of(0xff, 0xfe, 0x61, 0, 0x0a, 0, 0x2d, 0x4e),
  "/ws/book.ipynb": SAMPLE,
  "/ws/broken.ipynb": SAMPLE.slice(0, -2),
  "/ws/log.gz": await gzip(linesTo(50)),
  "/ws/app.db": `SQLite format 3\0${"\0".repeat(90)}`,
  "/ws/a.png": png(64, 48),
  "/ws/moves.gif": gif(64, 48, 12),
  "/ws/half.png": png(64, 48).slice(0, 40),
  "/ws/dir/b.txt": "b\n",
  "/ws/dir/deep/c.ts": "c\n",
  "/ws/out": { link: "../else/x" },
  "/ws/.env": "KEY=1",
  "/else/x": "x",
});

const FILES = ["a.txt", "many.txt", "none", "a.png"];

const CALLS: readonly (readonly [string, object])[] = [
  ["read_file", { path: "a.txt" }],
  ["read_file", { path: "/ws/a.txt", count: 2 }],
  ["read_file", { path: "./dir//b.txt" }],
  ["read_file", { path: "crlf.txt" }],
  ["read_file", { path: "empty.txt" }],
  ["read_file", { path: "many.txt" }],
  ["read_file", { path: "many.txt", maxChars: 1000 }],
  ["read_file", { path: "many.txt", maxChars: 1 }],
  ["read_file", { path: "many.txt", maxTokens: 90 }],
  ["read_file", { path: "many.txt", tail: 3 }],
  ["read_file", { path: "many.txt", tail: 3, numbered: false }],
  ["read_file", { path: "many.txt", around: 4000 }],
  ["read_file", { path: "many.txt", start: 9001 }],
  ["read_file", { path: "many.txt", match: "99", count: 2, before: 1 }],
  ["read_file", { path: "many.txt", match: "^line [12]$", regex: true }],
  ["read_file", { path: "many.txt", match: "none" }],
  ["read_file", { path: "giant.txt", maxChars: 2000 }],
  ["read_file", { path: "giant.txt", column: 90_001, maxChars: 2000 }],
  ["read_file", { path: "giant.txt", match: "needle" }],
  ["read_file", { path: "hidden.ts" }],
  ["read_file", { path: "hidden.ts", escape: true }],
  ["read_file", { path: "bad.txt" }],
  ["read_file", { path: "utf16.txt" }],
  ["read_file", { path: "bad.txt", encoding: "latin1" }],
  ["read_file", { path: "book.ipynb" }],
  ["read_file", { path: "book.ipynb", view: "raw", end: 3 }],
  ["read_file", { path: "log.gz", tail: 2 }],
  ["read_file", { path: "a.png" }],
  ["read_file", { path: "moves.gif", start: 2 }],
  // How arguments were understood.
  ["read_file", { file_path: "a.txt", offset: 0, limit: "2", end: null }],
  ["read_file", { path: "none", start: "2" }],
  // Failures.
  ["read_file", {}],
  ["read_file", { path: 7 }],
  ["read_file", { path: "" }],
  ["read_file", { path: "a.txt", strat: 1 }],
  ["read_file", { path: "a.txt", start: 0 }],
  ["read_file", { path: "a.txt", start: 1, offset: 2 }],
  ["read_file", { path: "a.txt", maxTokens: 0 }],
  ["read_file", { path: "a.txt", maxTokens: "few" }],
  ["read_file", { path: "a.txt", maxChars: 20_001 }],
  ["read_file", { path: "a.txt", match: "(", regex: true }],
  ["read_file", { path: "a.txt", encoding: "nope" }],
  ["read_file", { path: "a.txt", view: "pdf" }],
  ["read_file", { path: "a.txt", etag: "12345678", start: 2 }],
  ["read_file", { path: "a.tx" }],
  ["read_file", { path: "dir/none/x.txt" }],
  ["read_file", { path: "dir" }],
  ["read_file", { path: "../else/x" }],
  ["read_file", { path: "out" }],
  ["read_file", { path: ".env" }],
  ["read_file", { path: "app.db" }],
  ["read_file", { path: "log.gz", view: "raw" }],
  ["read_file", { path: "broken.ipynb" }],
  ["read_file", { path: "half.png" }],
  ["read_files", { files: FILES }],
  ["read_files", { files: FILES, maxChars: 1500 }],
  ["read_files", { paths: [{ path: "a.txt", start: "2" }, { pth: 1 }] }],
  ["read_files", { files: Array.from({ length: 40 }, () => "many.txt") }],
  ["read_files", { files: [] }],
  ["read_files", { files: ["a.txt", 7] }],
  ["list_directory", {}],
  ["list_directory", { path: "dir", depth: 3 }],
  ["list_directory", { limit: 2 }],
  ["list_directory", { glob: "*.txt", maxChars: 100 }],
  ["list_directory", { dir: "none" }],
  ["list_directory", { path: "a.txt" }],
  ["list_directory", { depth: 9 }],
];

/** The tools in this process, over the same files and with the same views. */
async function toolsHere() {
  const workspace = await openWorkspace("/ws", {
    fs,
    views: [notebookView(), gunzipView()],
    deny: SECRET_FILES,
  });
  // The server's facts are typed.
  const tools = readerTools(workspace, { typed: true });
  return new Map(tools.map((tool) => [tool.definition.name as string, tool]));
}

/** A client of the server, which gives facts. */
async function connect() {
  const served = { directories: ["/ws"], fs, facts: true };
  const client = newClient();
  await client.connect(new Wire(await openServer(served)));
  return client;
}

describe("the reader's tools", () => {
  it("give the same text, facts and images in this process and over MCP", async () => {
    const here = await toolsHere();
    const client = await connect();
    for (const [name, args] of CALLS) {
      const sent = JSON.stringify(args);
      const reply = await respond(here.get(name)!, sent);
      const served = await client.callTool({ name, arguments: { ...args } });
      const [text, ...images] = served.content;
      assertEquals(text, { type: "text", text: reply.content }, sent);
      assertEquals(served.isError ?? false, !reply.ok, sent);
      assertEquals<unknown>(
        images,
        (reply.images ?? []).map((image) => ({ type: "image", ...image })),
        sent,
      );
      assertEquals<unknown>(
        served.structuredContent,
        // JSON has no undefined.
        reply.facts && JSON.parse(JSON.stringify(reply.facts)),
        sent,
      );
      // The text holds the notes: a host that adds them would show them twice.
      assertEquals(reply.notes, undefined, sent);
    }
    await client.close();
  });

  it("do so for each call that an answer names, up to the end", async () => {
    const here = (await toolsHere()).get("read_file")!;
    const client = await connect();
    let calls = 0;
    for (const first of [{ path: "many.txt" }, { path: "giant.txt" }]) {
      let next: Record<string, unknown> | null = first;
      for (; next !== null; calls++) {
        const { content, facts } = await respond(here, next);
        const args: Record<string, unknown> = next;
        const name = "read_file";
        const served = await client.callTool({ name, arguments: args });
        assertEquals(served.content, [{ type: "text", text: content }]);
        next = facts!.next as typeof next;
      }
    }
    assert(calls > 10, `${calls} calls`);
    await client.close();
  });

  it("leave out the same lines in a session", async () => {
    const served = { directories: ["/ws"], fs, session: true };
    const client = newClient();
    await client.connect(new Wire(await openServer(served)));
    const workspace = await openWorkspace("/ws", { fs });
    const [tool] = readerTools(workspace, { session: true });
    for (
      const more of [{ end: 40 }, { start: 20, end: 60 }, { end: 40 }, {
        end: 40,
        refresh: true,
      }]
    ) {
      const args = { path: "many.txt", ...more };
      const { content } = await respond(tool, args);
      const told = await client.callTool({
        name: "read_file",
        arguments: args,
      });
      assertEquals(told.content, [{ type: "text", text: content }]);
    }
    await client.close();
  });

  it("are described alike but for how paths are resolved", async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    const here = definitions("mcp", [...(await toolsHere()).values()]);
    for (const [at, tool] of here.entries()) {
      // The definition for a vendor has an empty list, if none is required.
      const { required = [], ...schema } = tools[at]!.inputSchema;
      assertEquals<unknown>({ ...schema, required }, tool.inputSchema);
      const words = (text = "") => text.replace(/Paths are [^]*/, "");
      assertEquals(words(tools[at]?.description), words(tool.description));
    }
    await client.close();
  });

  it("give the same text in a toolkit, which makes all of them at once", async () => {
    const here = await toolsHere();
    const kit = await createAgentToolkit({
      workspaceRoot: "/ws",
      fs,
      views: [notebookView(), gunzipView()],
      deny: SECRET_FILES,
      tools: [(at: Workspace) => readerTools(at, { typed: true })],
      policy: { tools: { list_directory: "deny" } },
    });
    assertEquals(
      definitions("openai", kit).map(({ name }) => name),
      ["read_file", "read_files"],
    );
    for (const [name, args] of CALLS) {
      if (name === "list_directory") continue;
      const reply = await respond(here.get(name)!, args);
      assertEquals(await kit.respond(name, args), reply);
    }
    const denied = await kit.respond("list_directory", {});
    assertEquals(
      denied,
      replyOf({
        ok: false,
        content:
          'Cannot call list_directory: the rule "tools.list_directory" does not allow it; use another tool, or ask the user to change the rule (POLICY_DENIED)',
      }),
    );
    const read = await kit.tools.read_file({ path: "a.txt", tail: 1 });
    assert(read.status === "success");
    const text: string = read.data.text;
    assertEquals(text, '"a.txt": line 3 of 3.\n3\tthree\nEnd of file.');
  });

  it("give the AI SDK a string, and an object for an image", async () => {
    const tools = [...(await toolsHere()).values()];
    const { read_file: tool } = definitions("ai-sdk", tools);
    const text = await tool!.execute({ path: "a.txt", tail: 1 }, {});
    assertEquals(text, '"a.txt": line 3 of 3.\n3\tthree\nEnd of file.');
    assertEquals(tool!.toModelOutput({ output: text }), {
      type: "text",
      value: String(text),
    });
    const output = await tool!.execute({ path: "a.png" }, {});
    assert(typeof output === "object");
    const [image] = output.images;
    assertEquals(tool!.toModelOutput({ output }), {
      type: "content",
      value: [{ type: "text", text: output.text }, {
        type: "file",
        mediaType: "image/png",
        data: { type: "data", data: image!.data },
      }],
    });
  });
});
