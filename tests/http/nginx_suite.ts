/** Tests the HTTP port with a real nginx. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { httpFs, openWorkspace } from "../../mod.ts";
import { codexConformance } from "../suites/codex_conformance.ts";
import {
  type CorpusFiles,
  corpusFiles,
  fourToolsConformance,
} from "../suites/four_tools_conformance.ts";
import { fsPortSuite } from "../suites/fs_port.ts";
import { assertCode } from "../support/codes.ts";
import { runChild } from "../support/child.ts";
import { RUNTIME } from "../support/disk.ts";
import { freePort } from "./guarded.ts";
import { changeTests } from "./changes.ts";
import { costTests } from "./costs.ts";
import { Nginx, PASSWORD, USER } from "./nginx.ts";

const nginx = await Nginx.start();

/** Serves files; `location` selects how. */
function plant(files: CorpusFiles, location = "") {
  const folder = nginx.newFolder();
  for (const [name, content] of Object.entries(files)) {
    nginx.put(`${folder}/corpus/${name}`, content);
  }
  return { fs: httpFs(`${nginx.url}/${location}${folder}`), root: "/corpus" };
}

describe("httpFs() on nginx", () => {
  fsPortSuite("files", (layout) => nginx.layOut(layout), {
    lacks: ["links", "directories", "backslashes"],
  });
  fourToolsConformance("on nginx", (files) => plant(files));
  fourToolsConformance(
    "on nginx without tags",
    (files) => plant(files, "weak/"),
  );
  codexConformance("on nginx", () => plant(corpusFiles()));
  costTests(nginx);
  changeTests(nginx);
});

/** The outcome of reading `name` below `location`. */
async function outcomeAt(
  location: string,
  name: string,
  options: Parameters<typeof httpFs>[1] = {},
  base = nginx.url,
): Promise<string> {
  const fs = httpFs(`${base}/${location}`, options);
  const workspace = await openWorkspace("/", { fs });
  return await workspace.read(name)
    .then(({ text }) => text, ({ code, message }) => {
      assert(!message.includes(PASSWORD), message);
      return code;
    });
}

describe("nginx, as configured", () => {
  const folder = nginx.newFolder();
  const name = `${folder}/a.txt`;
  nginx.put(name, "hello\n");

  it("marks a directory by a redirect that adds a slash", async () => {
    const fs = httpFs(nginx.url);
    assertEquals((await fs.lstat(`/${folder}`)).kind, "directory");
    await assertCode(() => fs.open(`/${folder}`), "EISDIR");
    assertEquals(await outcomeAt("", folder), "NOT_A_FILE");
  });
  it("requires a password for a private file, in a header or in the URL", async () => {
    assertEquals(await outcomeAt("private", name), "PERMISSION_DENIED");
    const pair = `${USER}:${PASSWORD}`;
    const headers = { authorization: `Basic ${btoa(pair)}` };
    assertEquals(await outcomeAt("private", name, { headers }), "hello\n");
    const base = nginx.url.replace("//", `//${pair}@`);
    assertEquals(await outcomeAt("private", name, {}, base), "hello\n");
    const wrong = nginx.url.replace("//", `//${pair}x@`);
    const refused = await outcomeAt("private", name, {}, wrong);
    assertEquals(refused, "PERMISSION_DENIED");
  });
  it("sends redirects, which are followed only within the base", async () => {
    const moved = (way: string) => outcomeAt("moved", `${way}/${name}`);
    assertEquals(await moved("in"), "hello\n");
    assertEquals(await moved("out"), "PERMISSION_DENIED");
    assertEquals(await moved("away"), "PERMISSION_DENIED");
    nginx.put(`private/${name}`, "KEY");
    assertEquals(await moved("round"), "KEY");
    const options = {
      fs: httpFs(`${nginx.url}/moved`),
      deny: ["to/private/**"],
    };
    const workspace = await openWorkspace("/", options);
    const error = await workspace.read(`round/${name}`)
      .catch((error) => error);
    assertEquals(error.code, "POLICY_DENIED");
  });
  it("may send slowly: a range may take longer than the timeout", async () => {
    const content = "a line\n".repeat(64_000);
    nginx.put(`${folder}/slow.txt`, content);
    const began = performance.now();
    const timeoutMs = 2_500;
    let longest = 0;
    const text = await outcomeAt("steady", `${folder}/slow.txt`, {
      timeoutMs,
      async fetch(url, init) {
        const asked = performance.now();
        const answer = await fetch(url, init);
        init.signal?.addEventListener("abort", () => {
          longest = Math.max(longest, performance.now() - asked);
        });
        return answer;
      },
    });
    assertEquals(text, content);
    assert(
      longest > timeoutMs,
      `${longest} of ${performance.now() - began} ms`,
    );
  });
  it("may refuse HEAD", async () => {
    assertEquals(await outcomeAt("no-head", name), "hello\n");
    const fs = httpFs(`${nginx.url}/no-head`);
    assertEquals((await fs.lstat(`/${name}`)).size, 6);
    nginx.put(`${folder}/empty`, "");
    assertEquals((await fs.lstat(`/${folder}/empty`)).size, 0);
  });
  it("does not compress by default, and a compressed answer is refused", async () => {
    assertEquals(await outcomeAt("compressed", name), "hello\n");
    assertEquals(await outcomeAt("zipped", name), "IO");
  });
  it("gets three attempts if it is too busy", async () => {
    const folder = nginx.newFolder();
    assertEquals(await outcomeAt("busy", `${folder}/a.txt`), "IO");
    const requests = await nginx.noted(folder, 3);
    assertEquals(requests.map(({ status }) => status), [503, 503, 503]);
  });
  if (RUNTIME === "Deno") {
    it("Deno requires a permission, and the failure names Deno", () => {
      const child = "tests/children/http_permission.ts";
      const ask = (...permissions: string[]) =>
        runChild(child, [nginx.url, name], { permissions });
      // With Deno's `node:child_process`, a child without permissions would get all of them.
      const { code, stdout } = ask("--allow-read");
      // No timer may keep the process alive after the answer.
      assertEquals(code, 0);
      assertMatch(
        stdout,
        /^Cannot read ".*a.txt": permission denied by the runtime; under Deno, allow its server with --allow-net$/m,
      );
      const { host } = new URL(nginx.url);
      const allowed = ask(`--allow-net=${host}`);
      assertEquals([allowed.code, allowed.stdout], [0, "hello\n"]);
    });
  }
  it("is IO if no server listens", async () => {
    const closed = `http://127.0.0.1:${await freePort()}`;
    assertEquals(await outcomeAt("", name, {}, closed), "IO");
  });
});
