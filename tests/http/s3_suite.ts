/** Tests the HTTP port with s3rver, an S3 server that ignores conditions on ranges. */
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { httpFs, openWorkspace } from "../../mod.ts";
import { codexConformance } from "../suites/codex_conformance.ts";
import {
  type CorpusFiles,
  corpusFiles,
  fourToolsConformance,
} from "../suites/four_tools_conformance.ts";
import { fsPortSuite } from "../suites/fs_port.ts";
import { S3 } from "./s3.ts";

const s3 = await S3.start();

async function plant(files: CorpusFiles) {
  const folder = s3.newFolder();
  for (const [name, content] of Object.entries(files)) {
    await s3.put(`${folder}/corpus/${name}`, content);
  }
  return { fs: httpFs(`${s3.url}/${folder}`), root: "/corpus" };
}

const OLD = "old line\n".repeat(60_000);
const FAR = { start: 50_000, count: 2 } as const;

describe("httpFs() on S3", () => {
  fsPortSuite("objects", (layout) => s3.layOut(layout), {
    lacks: ["links", "directories", "backslashes"],
  });
  fourToolsConformance("on S3", plant);
  codexConformance("on S3", () => plant(corpusFiles()));
  for (
    const [what, other] of Object.entries({
      "of the same size": "new line\n".repeat(60_000),
      "that is larger": "new line\n".repeat(90_000),
      "that is tiny": "new\n",
    })
  ) {
    it(`an object is CHANGED if it is replaced by one ${what}`, async () => {
      const folder = s3.newFolder();
      await s3.put(`${folder}/a.txt`, OLD);
      let requests = 0;
      const fs = httpFs(`${s3.url}/${folder}`, {
        async fetch(url, init) {
          // The requests are that of `lstat()` and the first range.
          if (requests++ === 2) await s3.put(`${folder}/a.txt`, other);
          return await fetch(url, init);
        },
      });
      const workspace = await openWorkspace("/", { fs });
      const error = await workspace.read("a.txt", FAR)
        .catch((error) => error);
      assertEquals([error.code, error.details], [
        "CHANGED",
        { how: "replaced" },
      ]);
      assertEquals(requests, 3);
    });
  }
  it("an object has an id made of its etag and URL", async () => {
    const folder = s3.newFolder();
    await s3.put(`${folder}/a.txt`, "hello");
    const { id } = await httpFs(s3.url).lstat(`/${folder}/a.txt`);
    // The etag is the MD5 of "hello".
    const tag = '"5d41402abc4b2a76b9719d911017c592"';
    assertEquals(id, `${tag} ${s3.url}/${folder}/a.txt`);
  });
});
