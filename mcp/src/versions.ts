// Runtime-agnostic.
import { ReadFileError } from "@agent-tools/read-file";
import { MOST_VERSIONS } from "./bounds.ts";

/** The first number of eight digits: no token has a leading zero, which a model that sends a number would lose. */
const FIRST = 10_000_000;
const COUNT = 90_000_000;

/**
 * Short tokens for the etags of pages. An etag has some 60 characters, which
 * are 46 tokens for a model; eight digits are three.
 */
export class Versions {
  readonly #etags = new Map<string, string>();

  /** Gives the token of an etag: the same one for the same etag. */
  tokenOf(etag: string): string {
    for (let at = hash(etag);; at = (at + 1) % COUNT) {
      const token = `${FIRST + at}`;
      const known = this.#etags.get(token);
      if (known !== undefined && known !== etag) continue;
      // The map keeps the order of insertion: what was used last is forgotten last.
      this.#etags.delete(token);
      this.#etags.set(token, etag);
      if (this.#etags.size > MOST_VERSIONS) this.#forgetOldest();
      return token;
    }
  }

  /**
   * Gives the etag of a token back. Fails with `CHANGED` if the server does not
   * know it: then nothing tells whether the file is still the same.
   */
  etagOf(token: unknown, path: string): string {
    const etag = this.#etags.get(String(token));
    if (etag !== undefined) return etag;
    throw new ReadFileError("CHANGED", path, { how: "rewritten" }, {
      words: {
        CHANGED: ({ path }) => [
          `Cannot read on in ${
            JSON.stringify(path)
          }: the server does not know this etag, so the file may have changed`,
          "leave etag out, and begin again at line 1 if the lines must be of one version",
        ],
      },
    });
  }

  #forgetOldest(): void {
    const [oldest] = this.#etags.keys();
    if (oldest !== undefined) this.#etags.delete(oldest);
  }
}

/** FNV-1a, spread over the numbers of eight digits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return (value >>> 0) % COUNT;
}
