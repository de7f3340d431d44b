/** Files on nginx that change during a read. */
import { assert, assertEquals } from "@std/assert";
import {
  mkdirSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { describe, it } from "node:test";
import { httpFs, openWorkspace } from "../../mod.ts";
import { readThrough } from "../support/http_file.ts";
import type { Nginx } from "./nginx.ts";

/** Contents of several ranges that share no line. */
const OLD = "old line\n".repeat(60_000);
const NEW = "new line\n".repeat(60_000);
const FAR = { start: 50_000, count: 2 } as const;

/** Defines the tests. */
export function changeTests(nginx: Nginx): void {
  /** Changes of the file at `path` during a read. */
  const CHANGES: Readonly<Record<string, (name: string) => void>> = {
    "replaced by a file of the same size": (name) => replace(name, NEW),
    "replaced by a larger file": (name) => replace(name, NEW + NEW),
    "replaced by a tiny file": (name) => replace(name, "new\n"),
    "cut short": (name) => truncateSync(nginx.pathOf(name), 100_000),
    "removed": (name) => rmSync(nginx.pathOf(name)),
  };

  function replace(name: string, content: string): void {
    nginx.put(`${name}.new`, content);
    const path = nginx.pathOf(`${name}.new`);
    // nginx distinguishes versions only by the second.
    utimesSync(path, new Date(), new Date(Date.now() + 60_000));
    renameSync(path, nginx.pathOf(name));
  }

  /** Writes a file with the current time. */
  function put(name: string, content: string): void {
    mkdirSync(dirname(nginx.pathOf(name)), { recursive: true });
    writeFileSync(nginx.pathOf(name), content);
  }

  /** The headers that identify the version of a file on nginx. */
  async function tagOf(name: string): Promise<string> {
    const { headers } = await fetch(`${nginx.url}/${name}`, { method: "HEAD" });
    return `${headers.get("etag")} ${headers.get("last-modified")}`;
  }

  describe("a file on nginx that changes during a read", () => {
    for (const location of ["", "weak/", "bare/"]) {
      for (const [what, change] of Object.entries(CHANGES)) {
        // Here only the size identifies a version, so files of the same size look equal.
        if (location === "bare/" && what.includes("of the same size")) continue;
        it(`is CHANGED if it is ${what}, below "/${location}"`, async () => {
          const folder = nginx.newFolder();
          const name = `${folder}/a.txt`;
          nginx.put(name, OLD);
          let requests = 0;
          const fs = httpFs(`${nginx.url}/${location}${folder}`, {
            fetch(url, init) {
              // The requests are that of `lstat()` and the first range.
              if (requests++ === 2) change(name);
              return fetch(url, init);
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
    }
    for (const location of ["", "weak/"]) {
      it(`is read in one version if it changes within the same second, below "/${location}"`, async () => {
        const folder = nginx.newFolder();
        const name = `${folder}/a.txt`;
        let tagBefore: string | null = null;
        // Both versions have the same headers only if they were written within the same second.
        for (let tries = 0; tries < 5; tries++) {
          put(name, OLD);
          tagBefore = await tagOf(location + name);
          let requests = 0;
          let tagAfter: string | null = null;
          const fs = httpFs(`${nginx.url}/${location}${folder}`, {
            async fetch(url, init) {
              const answer = await fetch(url, init);
              // Between the answer to the first range and the next request.
              if (requests++ === 1) {
                put(`${name}.new`, NEW);
                renameSync(nginx.pathOf(`${name}.new`), nginx.pathOf(name));
                tagAfter = await tagOf(location + name);
              }
              return answer;
            },
          });
          const outcome = await readThrough(fs, "/a.txt")
            .catch(({ code }) => code);
          if (tagAfter === tagBefore) {
            assert(outcome === NEW, "it is a mixture of two versions");
            return;
          }
          assertEquals(outcome, "ESTALE");
        }
        throw new Error("Could not write two versions within one second");
      });
    }
    it("is also CHANGED between two pages", async () => {
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
}
