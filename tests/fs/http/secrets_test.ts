/** Credentials are sent only to the server, and appear in no message. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { said } from "../../support/said.ts";
import { openWorkspace } from "../../../mod.ts";
import { HttpStore, type ServedFile } from "../../support/http_store.ts";
import { observeEveryWay } from "../../support/observe.ts";

const BASE = "https://user:s3cr3t-password@files.example/s3cr3t-folder";
const OPTIONS = { headers: { "authorization": "Bearer s3cr3t-header" } };
const URL_OF_A = "https://files.example/s3cr3t-folder/a.txt";
const FILE: ServedFile = { content: "hello\n".repeat(50_000), etag: '"v"' };

/** A server whose answers are replaced from request `from` on. */
function failing(answer: () => Response | Promise<Response>, from: number) {
  const store = new HttpStore();
  store.files.set(URL_OF_A, FILE);
  store.habits.answer = (_, number) => number >= from ? answer() : undefined;
  const fs = store.port(`${BASE}?sig=s3cr3t-query`, {
    ...OPTIONS,
    attempts: 1,
    timeoutMs: 50,
  });
  return { store, fs };
}

/** The messages of an error and its causes. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = Object.getOwnPropertyNames(error)
    .map((name) => wordsOf(Reflect.get(error, name)));
  return [String(error), ...own].join("\n");
}

/** An answer whose body fails with a message that names the URL. */
function broken(): Response {
  const body = new ReadableStream({
    pull: (controller) => controller.error(new TypeError(URL_OF_A)),
  });
  const range = `bytes 0-65535/${FILE.content.length}`;
  const headers = { etag: '"v"', "content-range": range };
  return new Response(body, { status: 206, headers });
}

const FAILURES: Readonly<Record<string, () => Response | Promise<Response>>> = {
  ...Object.fromEntries(
    [302, 400, 401, 403, 404, 412, 416, 429, 500, 501].map((status) => [
      `an answer of ${status}`,
      () =>
        new Response("s3cr3t-body", {
          status,
          headers: { location: "https://evil.example/?s3cr3t" },
        }),
    ]),
  ),
  "no answer": () =>
    Promise.reject(
      Object.assign(new TypeError(`${URL_OF_A}?sig=s3cr3t-query`), {
        code: "s3cr3t",
        cause: new Error(BASE),
      }),
    ),
  "a refusal of the runtime": () =>
    Promise.reject(
      Object.assign(new Error(`Requires net access to ${BASE}`), {
        name: "NotCapable",
      }),
    ),
  "a thrown value that is not an Error": () => Promise.reject(BASE),
  "a missing answer": () => new Promise(() => {}),
  "a body that breaks off": broken,
};

describe("a secret in the URL or the headers", () => {
  for (const [what, answer] of Object.entries(FAILURES)) {
    for (const [when, from] of [["look", 1], ["read", 2]] as const) {
      it(`is not in the error of a failed ${when}: ${what}`, async () => {
        const { fs } = failing(answer, from);
        const workspace = await openWorkspace("/", { fs });
        const error = await workspace.read("a.txt").catch((e) => e);
        assert(error instanceof Error);
        assert(!/s3cr3t|evil/.test(wordsOf(error)), wordsOf(error));
        const own = await (async () => {
          const handle = await fs.open("/a.txt");
          return await handle.read(new Uint8Array(9), 0);
        })().catch((error: unknown) => error);
        assert(!/s3cr3t|evil/.test(wordsOf(own)), wordsOf(own));
      });
    }
  }
  it("is not in an answer to a model", async () => {
    const { fs } = failing(FAILURES["an answer of 403"]!, 1);
    const workspace = await openWorkspace("/", { fs });
    const words = JSON.stringify(await observeEveryWay(workspace, "a.txt", ""));
    assert(!/s3cr3t-(password|header|query|body)/.test(words), words);
  });
  it("is not in the id of a file, and not in the port", async () => {
    const { fs } = failing(FAILURES["no answer"]!, 9);
    const stat = JSON.stringify(await fs.lstat("/a.txt"));
    assert(!/s3cr3t-(password|header|query)/.test(stat), stat);
    assertEquals(JSON.stringify(fs), "{}");
  });
  it("is sent with each request to the base", async () => {
    const { store, fs } = failing(FAILURES["no answer"]!, 9);
    const workspace = await openWorkspace("/", { fs });
    await workspace.read("a.txt");
    for (const { url, headers } of store.requests) {
      assertEquals(url, `${URL_OF_A}?sig=s3cr3t-query`);
      assertEquals(headers.get("authorization"), "Bearer s3cr3t-header");
    }
  });
  it("is not sent to the target of a redirect", async () => {
    const { store, fs } = failing(FAILURES["an answer of 302"]!, 1);
    const workspace = await openWorkspace("/", { fs });
    const error = await workspace.read("a.txt").catch((e) => e);
    assertEquals(error.code, "PERMISSION_DENIED");
    assertEquals(store.requests.length, 1);
  });
  it("is not in the error of a refused permission", async () => {
    const { store, fs } = failing(FAILURES["a refusal of the runtime"]!, 1);
    const workspace = await openWorkspace("/", { fs });
    const error = await workspace.read("a.txt").catch((e) => e);
    assertEquals([error.code, error.details], [
      "PERMISSION_DENIED",
      { by: "runtime", reason: "no_net" },
    ]);
    assertEquals(
      said(error),
      'Cannot read "a.txt": permission denied by the runtime; under Deno, allow its server with --allow-net',
    );
    assertEquals(store.requests.length, 1);
  });
});
