// Runtime-agnostic.
import { ReadFileError } from "@agent-tools/read-file";
import { MOST_VERSIONS } from "./bounds.ts";

/** Tokens have eight digits without a leading zero, which a model that sends a number would drop. */
const FIRST = 10_000_000;
const COUNT = 90_000_000;
const CHECKSUM_DIGITS = 7;

/** Short tokens for the etags of pages: 3 tokens of a model instead of about 40. */
export class Versions {
  readonly #etags = new Map<string, string>();

  /** Returns the token of an etag; the same etag keeps its token. */
  tokenOf(etag: string): string {
    // An etag ends with a checksum.
    const checksum = parseInt(etag.slice(-CHECKSUM_DIGITS), 32);
    for (let at = checksum % COUNT;; at = (at + 1) % COUNT) {
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

  /** Returns the etag of a token. Fails with `CHANGED` if the server does not know it. */
  etagOf(token: unknown, path: string): string {
    const etag = this.#etags.get(String(token));
    if (etag !== undefined) return etag;
    const message = `Cannot read on in ${
      JSON.stringify(path)
    }: the server does not know this etag, so the file may have changed`;
    const hint =
      "leave etag out, and begin again at line 1 if the lines must be of one version";
    throw new ReadFileError("CHANGED", path, { how: "rewritten" }, {
      words: { CHANGED: () => [message, hint] },
    });
  }
}
