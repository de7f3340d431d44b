/** The port over a real nginx. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { renameSync, rmSync, truncateSync, utimesSync } from "node:fs";
import { describe, it } from "node:test";
import { httpFs, openWorkspace, readFile } from "../../mod.ts";
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
import { costTests } from "./costs.ts";
import { Nginx, PASSWORD, USER } from "./nginx.ts";

const nginx = await Nginx.start();

/** Serves the files; `location` says how. */
function plant(files: CorpusFiles, location = "") {
  const folder = nginx.newFolder();
  for (const [name, content] of Object.entries(files)) {
    nginx.put(`${folder}/corpus/${name}`, content);
  }
  return { fs: httpFs(`${nginx.url}/${location}${folder}`), root: "/corpus" };
}

describe("httpFs() on nginx", () => {
  fsPortSuite("files", (layout) => nginx.layOut(layout), {
    lacks: ["links", "directories"],
  });
  fourToolsConformance("on nginx", (files) => plant(files));
  fourToolsConformance(
    "on nginx without tags",
    (files) => plant(files, "weak/"),
  );
  codexConformance("on nginx", () => plant(corpusFiles()));
  costTests(nginx);
});

/** Enough for several ranges, and no line of one is a line of the other. */
const OLD = "old line\n".repeat(60_000);
const NEW = "new line\n".repeat(60_000);
const FAR = { kind: "lines", start: 50_000, count: 2 } as const;

/** What is done to the file behind `path` while it is read. */
const CHANGES: Readonly<Record<string, (name: string) => void>> = {
  "replaced by one of its size": (name) => replace(name, NEW),
  "replaced by a larger one": (name) => replace(name, NEW + NEW),
  "replaced by a tiny one": (name) => replace(name, "new\n"),
  "cut short": (name) => truncateSync(nginx.pathOf(name), 100_000),
  "removed": (name) => rmSync(nginx.pathOf(name)),
};

function replace(name: string, content: string): void {
  nginx.put(`${name}.new`, content);
  const path = nginx.pathOf(`${name}.new`);
  // nginx tells versions apart by the second.
  utimesSync(path, new Date(), new Date(Date.now() + 60_000));
  renameSync(path, nginx.pathOf(name));
}

describe("a file of nginx that is changed under the reader", () => {
  for (const location of ["", "weak/", "bare/"]) {
    for (const [what, change] of Object.entries(CHANGES)) {
      // By its size alone, one of the same size is the same.
      if (location === "bare/" && what.includes("of its size")) continue;
      it(`is CHANGED where it is ${what}, below "/${location}"`, async () => {
        const folder = nginx.newFolder();
        const name = `${folder}/a.txt`;
        nginx.put(name, OLD);
        let requests = 0;
        const fs = httpFs(`${nginx.url}/${location}${folder}`, {
          fetch(url, init) {
            // The look, and the first range.
            if (requests++ === 2) change(name);
            return fetch(url, init);
          },
        });
        const workspace = await openWorkspace("/", { fs });
        const error = await readFile(workspace, "a.txt", FAR)
          .catch((error) => error);
        assertEquals([error.code, error.details], [
          "CHANGED",
          { how: "replaced" },
        ]);
        assertEquals(requests, 3);
      });
    }
  }
  it("is CHANGED between two pages as well", async () => {
    const name = `${nginx.newFolder()}/a.txt`;
    nginx.put(name, OLD);
    const workspace = await openWorkspace("/", { fs: httpFs(nginx.url) });
    const { etag } = await workspace.read(name, { count: 10 });
    const next = { start: 11, count: 10, etag };
    assertEquals((await workspace.read(name, next)).lines.length, 10);
    replace(name, NEW);
    const error = await workspace.read(name, next).catch((error) => error);
    assertEquals(error.code, "CHANGED");
  });
});

/** What a read of `name` below `location` comes to. */
async function outcomeAt(
  location: string,
  name: string,
  options: Parameters<typeof httpFs>[1] = {},
  base = nginx.url,
): Promise<string> {
  const fs = httpFs(`${base}/${location}`, options);
  const workspace = await openWorkspace("/", { fs });
  return await readFile(workspace, name)
    .then(({ text }) => text, ({ code, message }) => {
      assert(!message.includes(PASSWORD), message);
      return code;
    });
}

describe("what nginx is set up to do", () => {
  const folder = nginx.newFolder();
  const name = `${folder}/a.txt`;
  nginx.put(name, "hello\n");

  it("a directory is told by the slash that is added to it", async () => {
    const fs = httpFs(nginx.url);
    assertEquals((await fs.lstat(`/${folder}`)).kind, "directory");
    await assertCode(() => fs.open(`/${folder}`), "EISDIR");
    assertEquals(await outcomeAt("", folder), "NOT_A_FILE");
  });
  it("what is private takes a password, in a header or in the URL", async () => {
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
  it("a redirect is followed within the base, and no further", async () => {
    const moved = (way: string) => outcomeAt("moved", `${way}/${name}`);
    assertEquals(await moved("in"), "hello\n");
    assertEquals(await moved("out"), "PERMISSION_DENIED");
    assertEquals(await moved("away"), "PERMISSION_DENIED");
  });
  it("HEAD may be refused", async () => {
    assertEquals(await outcomeAt("no-head", name), "hello\n");
    const fs = httpFs(`${nginx.url}/no-head`);
    assertEquals((await fs.lstat(`/${name}`)).size, 6);
    nginx.put(`${folder}/empty`, "");
    assertEquals((await fs.lstat(`/${folder}/empty`)).size, 0);
  });
  it("it does not compress for us, and what is compressed is refused", async () => {
    assertEquals(await outcomeAt("compressed", name), "hello\n");
    assertEquals(await outcomeAt("zipped", name), "IO");
  });
  it("who is too busy three times is not asked a fourth", async () => {
    const folder = nginx.newFolder();
    assertEquals(await outcomeAt("busy", `${folder}/a.txt`), "IO");
    const requests = await nginx.noted(folder, 3);
    assertEquals(requests.map(({ status }) => status), [503, 503, 503]);
  });
  if (RUNTIME === "Deno") {
    it("Deno asks for its permission, and the failure says that it was Deno", () => {
      const child = "tests/http/permission_child.ts";
      const ask = (...permissions: string[]) =>
        runChild(child, [nginx.url, name], { permissions });
      // To a child without any, Deno's Node.js would give all.
      const { code, stdout } = ask("--allow-read");
      // No timer keeps it alive, once the answer is there.
      assertEquals(code, 0);
      assertMatch(
        stdout,
        /^Cannot read ".*a.txt": permission denied by the runtime/,
      );
      const { host } = new URL(nginx.url);
      const allowed = ask(`--allow-net=${host}`);
      assertEquals([allowed.code, allowed.stdout], [0, "hello\n"]);
    });
  }
  it("where no one listens, it is IO", async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    assertEquals(await outcomeAt("", name, {}, nobody), "IO");
  });
});
