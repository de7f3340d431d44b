// Runtime-agnostic.
import { failure } from "../failure.ts";

/**
 * The place that all requests stay within: an origin and a folder on it.
 *
 * Each name of a path becomes one segment of the URL, whatever it looks like:
 * `?`, `#` and `%` are encoded, so that no name can mean anything else; with a
 * `\` in it, nothing is ever there.
 */
export class HttpBase {
  /** What stands in the place of a user and a password in the URL, if there were some. */
  readonly authorization: string | undefined;
  readonly #origin: string;
  /** Begins and ends with a slash. */
  readonly #folder: string;
  /** A token, as stores sign them; with its question mark. */
  readonly #query: string;

  /** Constructs a new instance for a URL; a `TypeError` does not repeat it, for it may hold a token. */
  constructor(baseUrl: string | URL) {
    const url = parseUrl(String(baseUrl));
    if (url === null || !/^https?:$/.test(url.protocol)) {
      throw new TypeError(
        `Cannot read over HTTP: the base URL is not absolute; write it as "https://files.example/logs/"`,
      );
    }
    this.authorization = authorizationOf(url);
    this.#origin = url.origin;
    this.#folder = url.pathname.replace(/\/*$/, "/");
    this.#query = url.search;
  }

  /** The URL of a plain path. */
  urlOf(path: string): string {
    return this.nameOf(path) + this.#query;
  }

  /** The URL of a plain path, without what is secret in it. */
  nameOf(path: string): string {
    // To some servers it is a slash, and "..\\" a way up.
    if (path.includes("\\")) throw failure("ENOENT");
    try {
      const segments = path.slice(1).split("/").map(encodeURIComponent);
      return this.#origin + this.#folder + segments.join("/");
    } catch {
      // Half a character cannot be encoded.
      throw failure("EINVAL");
    }
  }

  /**
   * The path that a redirect leads to, if that is within the base and a request
   * for it would be the same; with a slash at its end if the redirect has one.
   */
  pathOf(location: string, from: string): string | undefined {
    const url = parseUrl(location, from);
    if (url === null || url.origin !== this.#origin) return undefined;
    if (url.username !== "" || url.password !== "") return undefined;
    if (url.search !== "" && url.search !== this.#query) return undefined;
    if (!url.pathname.startsWith(this.#folder)) return undefined;
    const names = url.pathname.slice(this.#folder.length).split("/");
    const decoded = names.map(nameIn);
    const isPlain = decoded.every((name, index) =>
      name !== undefined && (name !== "" || index === names.length - 1)
    );
    return isPlain ? `/${decoded.join("/")}` : undefined;
  }

  /** Whether an answer is to what was asked for, and nothing else was followed. */
  isAnswered(url: string, { redirected, url: answered }: Response): boolean {
    if (redirected) return false;
    // What stands in for `fetch` need not tell; whoever signs, adds to the query.
    return answered === "" || placeOf(answered) === placeOf(url);
  }
}

function placeOf(url: string): string | undefined {
  const parsed = parseUrl(url);
  return parsed === null ? undefined : parsed.origin + parsed.pathname;
}

/** What `URL.parse()` gives, which Node.js 20 does not have. */
function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** The name in a segment, unless a server may take it for a way up: the parser knows only some spellings. */
function nameIn(segment: string): string | undefined {
  try {
    const name = decodeURIComponent(segment);
    return /[/\\\0]/.test(name) || name === "." || name === ".."
      ? undefined
      : name;
  } catch {
    return undefined;
  }
}

/** `fetch` takes no user and password in a URL, so they go where it would have put them. */
function authorizationOf({ username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  const pair = `${decoded(username)}:${decoded(password)}`;
  const bytes = new TextEncoder().encode(pair);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
