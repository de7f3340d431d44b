// Runtime-agnostic.
import { failure } from "../directory.ts";

/** The origin and the folder that all requests stay within; each name becomes one segment. */
export class HttpBase {
  /** The header for the user and password of the URL, if it has them. */
  readonly authorization: string | undefined;
  readonly #origin: string;
  /** Begins and ends with a slash. */
  readonly #folder: string;
  /** The query of the URL, such as a signature, with its question mark. */
  readonly #query: string;

  /** Constructs a new instance; errors do not repeat the URL, which may hold a token. */
  constructor(baseUrl: string | URL) {
    const url = parseUrl(baseUrl);
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

  /** The URL of a plain path, without its query. */
  nameOf(path: string): string {
    // Some servers take a backslash for a slash, and "..\\" for the parent.
    if (path.includes("\\")) throw failure("ENOENT");
    try {
      const segments = path.slice(1).split("/").map(encodeURIComponent);
      return this.#origin + this.#folder + segments.join("/");
    } catch {
      // A lone surrogate cannot be encoded.
      throw failure("EINVAL");
    }
  }

  /** The path that a redirect leads to, if it is within the base and keeps the query. */
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

  /** Whether an answer is for that URL, so that no redirect was followed. */
  isAnswered(url: string, { redirected, url: answered }: Response): boolean {
    if (redirected) return false;
    // A replacement of `fetch` may not set the URL; a signer adds to the query.
    return answered === "" || placeOf(answered) === placeOf(url);
  }
}

function placeOf(url: string): string | undefined {
  const parsed = parseUrl(url);
  return parsed === null ? undefined : parsed.origin + parsed.pathname;
}

/** `URL.parse()`, which Node.js 20 does not have. */
function parseUrl(text: string | URL, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** Decodes a segment; `undefined` if a server may take it for more than a name. */
function nameIn(segment: string): string | undefined {
  const name = decode(segment);
  return /[/\\\0]|^\.\.?$/.test(name ?? "..") ? undefined : name;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** `fetch` refuses a URL with a user and a password, so they are sent as a header. */
function authorizationOf({ username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  const pair = `${decode(username) ?? username}:${
    decode(password) ?? password
  }`;
  const bytes = new TextEncoder().encode(pair);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
