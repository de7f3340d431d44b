/** Pages of bytes in memory, without opening a file. */
import { assertEquals } from "@std/assert";
import type { FileHandle, FileStat, ReadOptions } from "../../mod.ts";
import { Call } from "../../src/core/base/call.ts";
import { OpenedFile } from "../../src/core/guard/open.ts";
import { resolveEncoding } from "../../src/core/encodings/resolve.ts";
import { locate } from "../../src/core/lines/locate.ts";
import { afterRun, readRun } from "../../src/core/lines/run.ts";
import { KernelPool } from "../../src/core/lines/scan.ts";
import { Source } from "../../src/core/lines/source.ts";
import { checkEtag } from "../../src/core/pages/etag.ts";
import { Page } from "../../src/core/pages/page.ts";
import { rangeOf, takeReadOptions } from "../../src/core/read_options.ts";

/** Reads pages of one file at a time. */
export class DirectPages {
  /** The current content of the file. */
  content: Uint8Array = new Uint8Array(0);
  readonly #kernel = new KernelPool().take(0);
  readonly #handle: FileHandle = {
    stat: () => this.#stat(),
    path: () => "/a",
    close() {},
    read: (buffer, position) => {
      const { content } = this;
      const end = Math.min(content.length, position + buffer.length);
      for (let at = position; at < end; at++) {
        buffer[at - position] = content[at]!;
      }
      return end - position;
    },
  };

  /** Like `Workspace.read()`, without the guard and the disk. */
  async read(asked: ReadOptions): Promise<Page> {
    const options = takeReadOptions("a", asked);
    const call = new Call("a");
    const stat = this.#stat();
    const file = new OpenedFile("a", stat, this.#handle, call);
    const source = new Source(file, this.#kernel, call);
    const { encoding: label = "utf-8", etag, tail } = options;
    const told = resolveEncoding({ label, why: "asked" });
    told.use(source);
    const range = rangeOf(options);
    const at = etag === undefined
      ? undefined
      : await checkEtag(source, etag, range, options);
    const span = await locate(source, options, at);
    // The line and the column of `next` are where the page before ended.
    assertEquals(span.start, at ?? span.start);
    const run = await readRun(source, span, options);
    const { total } = span;
    const next = afterRun(run, stat.size);
    const last = tail === undefined ? undefined : total!;
    const { encoding } = told;
    const found = { runs: [run], total, next, last };
    const facts = { path: "a", stat, view: null, encoding };
    return new Page({ ...facts, ...found }, options, LATER);
  }

  #stat(): FileStat {
    const { length: size } = this.content;
    return { kind: "file", size, mtimeMs: 0, ctimeMs: 0, id: "a" };
  }
}

/** A time at which the file counts as at rest. */
const LATER = 1_000_000;
