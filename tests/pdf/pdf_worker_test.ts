import { assertEquals, assertRejects } from "@std/assert";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace, ReadFileError } from "../../mod.ts";
import { pdfView } from "../../pdf/mod.ts";
import manifest from "../../pdf/deno.json" with { type: "json" };
import { PDF_LIBRARY, textInWorker } from "../../pdf/src/pdf_worker.ts";
import { runChild } from "../support/child.ts";
import { onDisk } from "../support/disk.ts";
import { packedPdf, pdf } from "../support/pdfs.ts";

/** PDF.js works on it for seconds without a pause, so only a worker can be stopped. */
const SLOW = packedPdf("q Q ", 5_000_000);

const ALL = { pages: undefined, maxPages: 50, maxTextBytes: 1_000_000 };

describe("a worker for PDF", () => {
  it("lets other calls go on, and is stopped by an abort", async () => {
    const fs = memoryFs({ "/ws/slow.pdf": SLOW, "/ws/a.txt": "one\n" });
    const workspace = await openWorkspace("/ws", { fs, views: [pdfView()] });
    const controller = new AbortController();
    const { signal } = controller;
    let isOver = false;
    const reading = workspace.read("slow.pdf", {}, { signal })
      .finally(() => isOver = true);
    reading.catch(() => {});
    for (let turn = 0; turn < 20; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      assertEquals((await workspace.read("a.txt")).text, "one\n");
    }
    assertEquals(isOver, false);
    controller.abort();
    const error = await assertRejects(() => reading, ReadFileError);
    assertEquals(error.code, "ABORTED");
  });
  it("waits for others: two run at a time, and an abort ends a wait", async () => {
    const fs = memoryFs({ "/ws/slow.pdf": SLOW });
    const host = globalThis as { Worker: typeof Worker };
    const Native = host.Worker;
    let started = 0;
    host.Worker = class extends Native {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        started++;
      }
    };
    const controller = new AbortController();
    const { signal } = controller;
    try {
      const calls = Array.from({ length: 5 }, async () => {
        const workspace = await openWorkspace("/ws", {
          fs,
          views: [pdfView()],
        });
        return await workspace.read("slow.pdf", {}, { signal })
          .catch(({ code }) => code);
      });
      for (let turn = 0; turn < 20; turn++) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      assertEquals(started, 2);
      controller.abort();
      assertEquals(await Promise.all(calls), Array(5).fill("ABORTED"));
    } finally {
      host.Worker = Native;
    }
    assertEquals(started, 2);
  });
  it("is stopped when its time is over", async () => {
    const answer = await textInWorker(SLOW.slice(), ALL, { ms: 50 });
    assertEquals(answer, "late");
  });
  it("fails alone: PDF.js gives no answer for bytes that are none", async () => {
    const data = new Uint8Array(100);
    const answer = await textInWorker(data, ALL, { ms: 60_000 });
    assertEquals(
      (answer as { problem: string }).problem,
      "it is damaged: it is not a PDF document that can be read",
    );
  });
  it("names the library as the package does", () => {
    assertEquals(PDF_LIBRARY, manifest.imports.unpdf);
  });
  for (const workers of ["some", "none"]) {
    it(`needs no permission but for the files: ${workers} workers`, async () => {
      await using place = await onDisk([]);
      writeFileSync(join(place.root, "a.pdf"), pdf([["one"], ["two"]]));
      const permissions = [`--allow-read=${place.root}`];
      const { stdout, stderr } = runChild(
        "tests/children/pdf_worker.ts",
        [place.root, workers],
        { permissions },
      );
      assertEquals(stderr, "");
      assertEquals(JSON.parse(stdout), ["two", workers === "some" ? 1 : 0]);
    });
  }
});
