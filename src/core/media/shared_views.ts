import type { OpenedFile } from "../guard/open.ts";
import { readerOf } from "../lines/unsized.ts";
import { optionalOf, ownOf } from "../base/check.ts";
import { closeText, encodeText } from "./view.ts";
import type { View, ViewRequest, Views, ViewText } from "./view.ts";

/** The largest text that is kept, and how much all together may have. */
const MOST_BYTES = 16 * 1024 * 1024;

/** A text that is held in memory, or that is too long for that. */
type KeptText =
  | Pick<ViewText, "isEncoded"> & { readonly bytes: Uint8Array }
  | "long";

/**
 * Views whose texts are kept for one call: a file that the call names fifty times
 * is opened by its view once. A text that is too long to be kept is made each
 * time.
 */
export class SharedViews {
  readonly #kept = new Map<string, Promise<KeptText>>();
  #left = MOST_BYTES;

  /** The same views, which share their texts. */
  of({ usual, named }: Views): Views {
    const share = (view: View): View => {
      const paged = optionalOf(view, "paged");
      return {
        name: view.name,
        ...(paged !== undefined && { paged }),
        matches: (kind) => view.matches(kind),
        open: (file, request) => this.#open(view, file, request),
      };
    };
    return { usual: usual.map(share), named: named.map(share) };
  }

  async #open(view: View, file: OpenedFile, request: ViewRequest) {
    const { id, size, mtimeMs, ctimeMs } = file.stat;
    const key = JSON.stringify(
      [view.name, request.pages, file.path, id, size, mtimeMs, ctimeMs],
    );
    const known = this.#kept.get(key);
    if (known !== undefined) {
      const kept = await known;
      return kept === "long"
        ? await view.open(file, request)
        : viewTextOf(kept);
    }
    let long: ViewText | undefined;
    const keeping = (async (): Promise<KeptText> => {
      const text = await view.open(file, request);
      if (typeof text === "string") {
        const bytes = encodeText(text);
        const { length } = bytes;
        if (length <= this.#left) {
          this.#left -= length;
          return { bytes };
        }
        long = { size: length, read: readerOf(bytes) };
        return "long";
      }
      // The core refuses what is no text.
      const isKept = Number.isSafeInteger(text?.size) &&
        text.size <= this.#left;
      if (!isKept) {
        long = text;
        return "long";
      }
      this.#left -= text.size;
      const bytes = await loadAll(file, text, request);
      const isEncoded = optionalOf(text, "isEncoded");
      return ownOf({ bytes, ...(isEncoded && { isEncoded }) });
    })();
    this.#kept.set(key, keeping);
    const kept = await keeping;
    return kept === "long" ? long! : viewTextOf(kept);
  }
}

function viewTextOf({ bytes, isEncoded }: Exclude<KeptText, "long">): ViewText {
  const text = { size: bytes.length, read: readerOf(bytes) };
  return isEncoded ? { ...text, isEncoded } : text;
}

/** Reads a text to its end, and closes it. */
async function loadAll(
  file: OpenedFile,
  text: ViewText,
  request: ViewRequest,
): Promise<Uint8Array> {
  try {
    const bytes = new Uint8Array(text.size);
    for (let length = 0; length < bytes.length;) {
      await request.yieldIfDue();
      const left = bytes.subarray(length);
      const count = await text.read(left, length);
      // As a read of this file alone refuses it: the text would seem to end here.
      if (!(count > 0 && count <= left.length)) throw file.changed("shrank");
      length += count;
    }
    return bytes;
  } finally {
    await closeText(text);
  }
}
