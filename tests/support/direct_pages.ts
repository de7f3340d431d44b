/** Pages of bytes in memory, without opening a file. */
import type { FileHandle, FileStat, Page, PageOptions } from "../../mod.ts";
import { Call, runAtOnce } from "../../src/core/base/call.ts";
import { OpenedFile } from "../../src/core/guard/open.ts";
import { resolveEncoding } from "../../src/core/encodings/resolve.ts";
import { KernelPool } from "../../src/core/lines/scan.ts";
import { Source } from "../../src/core/lines/source.ts";
import { readWindow, relabel } from "../../src/core/lines/window.ts";
import { locatePage } from "../../src/core/pages/locate_page.ts";
import { makePage } from "../../src/core/pages/make.ts";
import { selectPage, takePageOptions } from "../../src/core/pages/page.ts";
import { checkEtag } from "../../src/core/pages/version.ts";

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
  async read(asked: PageOptions): Promise<Page> {
    const options = takePageOptions("a", asked);
    const call = new Call("a");
    const file = new OpenedFile("a", this.#stat(), this.#handle, call);
    const source = new Source(file, this.#kernel, call);
    const { maxBytes = Infinity, encoding = "utf-8", etag } = options;
    const told = resolveEncoding({ label: encoding, why: "asked" });
    told.use(source);
    const policy = { maxWindowBytes: maxBytes };
    if (etag !== undefined) await checkEtag(source, etag);
    const span = await locatePage(source, selectPage(options), policy);
    const window = await readWindow(source, span, policy, true);
    relabel(window, told.encoding);
    return runAtOnce(makePage(window, options, LATER));
  }

  #stat(): FileStat {
    const { length: size } = this.content;
    return { kind: "file", size, mtimeMs: 0, ctimeMs: 0, id: "a" };
  }
}

/** A time at which the file counts as at rest. */
const LATER = 1_000_000;
