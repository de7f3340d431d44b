import { ReadFileError } from "../../core/base/errors.ts";
import { visibleJson } from "../../core/base/words.ts";
import { readEtag } from "../../core/pages/etag.ts";
import { createReadSession, type ReadSession } from "../../core/session.ts";
import { wrongArgument } from "./failures.ts";

/** Tokens have eight digits without a leading zero, which a model that sends a number would drop. */
const FIRST = 10_000_000;
const COUNT = 90_000_000;

const SHORT = /^\d{8}$/;

/** How many etags are remembered. */
const MOST_ETAGS = 10_000;

/**
 * What the tools of one conversation remember: the etags behind the short ones
 * that a model gets, and which lines it was shown. Tools that are made for each
 * request of a conversation are given the same memory.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, ReaderMemory, readerTools, respond } from "@agent-tools/read-file";
 * import { assertMatch } from "@std/assert";
 *
 * const workspace = await openWorkspace("/", { fs: memoryFs({ "/a": "one\ntwo\n" }) });
 * const memory = new ReaderMemory();
 * const [first] = readerTools(workspace, { memory });
 * const { content } = await respond(first, { path: "a", count: 1 });
 * const [later] = readerTools(workspace, { memory });
 * const next = JSON.parse(content.slice(content.lastIndexOf("{")));
 * assertMatch((await respond(later, next)).content, /^"a": line 2 of 2\./);
 * ```
 */
export class ReaderMemory {
  readonly #etags = new Map<string, string>();
  readonly #sessions = new Map<string, ReadSession>();

  /** Returns eight digits that stand for an etag, which costs a model ten times more; the same etag keeps its digits. */
  shorten(etag: string): string {
    for (let at = hashOf(etag) % COUNT;; at = (at + 1) % COUNT) {
      const token = `${FIRST + at}`;
      const known = this.#etags.get(token);
      if (known !== undefined && known !== etag) continue;
      // The map keeps the order of insertion: the least recently used is first.
      this.#etags.delete(token);
      this.#etags.set(token, etag);
      const [oldest = ""] = this.#etags.keys();
      if (this.#etags.size > MOST_ETAGS) this.#etags.delete(oldest);
      return token;
    }
  }

  /**
   * Returns the etag that eight digits stand for; a full etag stands for itself.
   * Digits that are not known fail with `CHANGED`, and anything else with
   * `INVALID_ARGUMENT`.
   */
  etagOf(token: unknown, path: string): string {
    // A model may send the digits as a number.
    const text = typeof token === "number" ? `${token}` : token;
    if (typeof text === "string" && SHORT.test(text)) {
      const etag = this.#etags.get(text);
      if (etag === undefined) throw unknownEtag(path);
      return etag;
    }
    if (typeof text === "string" && readEtag(text) !== undefined) return text;
    const problem = "is not the etag of an earlier answer; leave it out";
    throw wrongArgument("etag", problem);
  }

  /** Returns the session of a directory, by its path. */
  sessionOf(root: string): ReadSession {
    const session = this.#sessions.get(root) ?? createReadSession();
    this.#sessions.set(root, session);
    return session;
  }
}

/** The failure of digits that these tools did not give, or that are forgotten. */
function unknownEtag(path: string): ReadFileError {
  const message = `Cannot read on in ${
    visibleJson(path)
  }: this etag is not known here`;
  const hint =
    "read it again without etag, from line 1 on if the lines must be of one version";
  return new ReadFileError("CHANGED", path, { how: "rewritten" }, {
    words: { CHANGED: () => [message, hint] },
  });
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
