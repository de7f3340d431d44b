// Runtime-agnostic.
import { ReadFileError } from "@agent-tools/read-file";
import { visibleJson } from "./visible.ts";

/** Tokens have eight digits without a leading zero, which a model that sends a number would drop. */
const FIRST = 10_000_000;
const COUNT = 90_000_000;

/** How many etags the server remembers. */
const MOST_VERSIONS = 10_000;

/**
 * Tokens that stand for the etags of pages. An etag costs a model ten times more.
 * Only the library reads etags, and compares them with files.
 */
export class Versions {
  readonly #etags = new Map<string, string>();

  /** Returns the token of an etag; the same etag keeps its token. */
  tokenOf(etag: string): string {
    for (let at = hashOf(etag) % COUNT;; at = (at + 1) % COUNT) {
      const token = `${FIRST + at}`;
      const known = this.#etags.get(token);
      if (known !== undefined && known !== etag) continue;
      // The map keeps the order of insertion: the least recently used is first.
      this.#etags.delete(token);
      this.#etags.set(token, etag);
      const [oldest = ""] = this.#etags.keys();
      if (this.#etags.size > MOST_VERSIONS) this.#etags.delete(oldest);
      return token;
    }
  }

  /** Returns the etag of a token, as an option. Fails with `CHANGED` if the server does not know it. */
  etagOf(token: unknown, path: string): { readonly etag: string } {
    const etag = this.#etags.get(String(token));
    if (etag !== undefined) return { etag };
    const shown = visibleJson(path);
    const message =
      `Cannot read on in ${shown}: the server does not know this etag, so the file may have changed`;
    const hint =
      "leave etag out, and begin again at line 1 if the lines must be of one version";
    throw new ReadFileError("CHANGED", path, { how: "rewritten" }, {
      words: { CHANGED: () => [message, hint] },
    });
  }
}

/** Computes the token from the etag, so that it is the same in every process. */
function hashOf(text: string): number {
  let bits = 0;
  for (let at = 0; at < text.length; at++) {
    bits = Math.imul(bits ^ text.charCodeAt(at), 0x5bd1e995);
    bits ^= bits >>> 15;
  }
  return bits >>> 0;
}
