/** The costs of reading over HTTP, as the server counts them. */
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { closeSync, openSync, truncateSync, writeSync } from "node:fs";
import { describe, it } from "node:test";
import {
  createCodexReadFile,
  createForgeRead,
  httpFs,
  openWorkspace,
  respond,
  type Workspace,
} from "../../mod.ts";
import type { Nginx } from "./nginx.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

function linesOf(word: string, count: number): string {
  return Array.from({ length: count }, (_, at) => `${word} ${at + 1}\n`)
    .join("");
}

const FIRST = linesOf("first", 1_000);
const LAST = linesOf("last", 1_000);

/** A line after the first range. */
const FAR = { start: 1_500, count: 1 } as const;

/** A sparse file with lines at both ends. */
function putSparse(nginx: Nginx, name: string, size: number): void {
  nginx.put(name, FIRST);
  const path = nginx.pathOf(name);
  truncateSync(path, size);
  const file = openSync(path, "r+");
  const end = new TextEncoder().encode(`\n${LAST}`);
  writeSync(file, end, 0, end.length, size - end.length);
  closeSync(file);
  nginx.age(name);
}

/** Ways to read the last 20 lines. */
const TAILS: Readonly<Record<string, (at: Workspace) => Promise<string>>> = {
  "a page that keeps its end": async (workspace) => {
    const page = await workspace.read("big", { tail: 20, keepEnd: true });
    return page.text;
  },
  "a page": async (workspace) => {
    const { lines } = await workspace.read("big", { tail: 20 });
    return lines.map(({ text }) => `${text}\n`).join("");
  },
  "the forge tool": async (workspace) => {
    const args = { path: "big", tail: 20, show_line_numbers: false };
    return (await respond(createForgeRead(workspace), args)).content;
  },
};

/** Ways to read lines 101 to 150. */
const WINDOWS: Readonly<Record<string, (at: Workspace) => Promise<string>>> = {
  "the text of a page": async (workspace) => {
    const page = await workspace.read("big", { start: 101, count: 50 });
    return page.text;
  },
  "a page": async (workspace) => {
    const { lines } = await workspace.read("big", { start: 101, count: 50 });
    return lines.map(({ text }) => text).join("\n");
  },
  "the codex tool": async (workspace) => {
    const args = { file_path: "/big", offset: 101, limit: 50 };
    return (await respond(createCodexReadFile(workspace), args)).content;
  },
};

/** Defines the tests. */
export function costTests(nginx: Nginx): void {
  /** The cost of reading a file; `location` selects how it is served. */
  async function costOf<T>(
    size: number,
    read: (workspace: Workspace) => Promise<T>,
    location = "",
  ) {
    const folder = nginx.newFolder();
    putSparse(nginx, `${folder}/big`, size);
    let asked = 0;
    const fs = httpFs(`${nginx.url}/${location}${folder}`, {
      fetch: (url, init) => (asked++, fetch(url, init)),
    });
    const outcome = await read(await openWorkspace("/", { fs }));
    const requests = await nginx.noted(folder, asked);
    const bytes = requests.reduce((sum, { bytes }) => sum + bytes, 0);
    return { outcome, requests, bytes };
  }

  describe("a file of 1 GiB on nginx", () => {
    for (const [way, read] of Object.entries(TAILS)) {
      it(`transfers at most 256 KiB for its last 20 lines: ${way}`, async () => {
        const { outcome, bytes } = await costOf(GIB, read);
        assert(outcome.includes("last 981\n"), outcome);
        assert(outcome.trimEnd().endsWith("last 1000"), outcome);
        assertLessOrEqual(bytes, 256 * KIB);
      });
    }
    for (const [way, read] of Object.entries(WINDOWS)) {
      it(`transfers at most 128 KiB for a window near the start: ${way}`, async () => {
        const { outcome, bytes } = await costOf(GIB, read);
        assert(outcome.includes("first 101\n"), outcome);
        assert(outcome.trimEnd().endsWith("first 150"), outcome);
        assertLessOrEqual(bytes, 128 * KIB);
      });
    }
    it("is cancelled if the server sends all of it", async () => {
      const { outcome, requests, bytes } = await costOf(
        GIB,
        WINDOWS["a page"]!,
        "whole/",
      );
      assert(outcome.includes("first 101\n"), outcome);
      const statuses = requests.map(({ status }) => status);
      assertEquals(statuses, [200, 200], "the request has not ended");
      // The system buffers bytes that the server has sent.
      assertLessOrEqual(bytes, 32 * MIB);
    });
  });

  describe("a file that is read to its end on nginx", () => {
    it("transfers each byte once, in few requests", async () => {
      const size = 64 * MIB;
      const { outcome, requests, bytes } = await costOf(
        size,
        async (workspace) => {
          const first = { start: 1, count: 1, countLines: true };
          return await workspace.read("big", first);
        },
      );
      // The 64 MiB between the lines contain one line feed.
      assertEquals(outcome.totalLines, 2_001);
      assertEquals(bytes, size);
      // One lstat(), six ranges up to 2 MiB, and 16 of 4 MiB.
      assertLessOrEqual(requests.length, 1 + 6 + 16);
    });
    it("costs two requests if it is small", async () => {
      const { requests } = await costOf(
        32 * KIB,
        (workspace) => workspace.read("big"),
      );
      assertEquals(
        requests.map(({ method, status }) => `${method} ${status}`),
        ["HEAD 200", "GET 206"],
      );
    });
  });

  describe("an aborted read on nginx", () => {
    it("ends its request", async () => {
      const controller = new AbortController();
      const { signal } = controller;
      const { outcome, requests, bytes } = await costOf(
        GIB,
        (workspace) => {
          const reading = workspace.read("big", FAR, { signal })
            .catch((error) => error.code);
          // At 1 KiB per second, the answer is still incomplete.
          setTimeout(() => controller.abort(), 300);
          return reading;
        },
        "slow/",
      );
      assertEquals(outcome, "ABORTED");
      assertEquals(requests.length, 2);
      assertLessOrEqual(bytes, 64 * KIB);
    });
  });
}
