// Runtime-agnostic.
import { failure } from "../failure.ts";

/** The answers that another attempt may better. */
const PASSING: ReadonlySet<number> = new Set([
  408,
  425,
  429,
  500,
  502,
  503,
  504,
]);

/** The answers that say why not, as a disk would. */
const CODES: Readonly<Record<number, string>> = {
  401: "EACCES",
  403: "EACCES",
  404: "ENOENT",
  405: "ENOTSUP",
  407: "EACCES",
  410: "ENOENT",
  412: "ESTALE",
  414: "ENAMETOOLONG",
  416: "ESTALE",
  451: "EACCES",
  501: "ENOTSUP",
};

/** The longest that a server may ask to wait; past it, the caller decides. */
const MAX_WAIT_MS = 5_000;

/** The wait before the second attempt, where the server names none. */
const FIRST_WAIT_MS = 100;

/** What a server asked to wait, by the failure it was told with. */
const waits = new WeakMap<object, number>();

/** Fails unless the answer holds what was asked for: all of it, or a part. */
export function refuseStatus({ status, headers }: Response): void {
  if (status === 200 || status === 206) return;
  if (!PASSING.has(status)) throw failure(CODES[status] ?? "EPROTO");
  const error = failure("EIO");
  const wait = readRetryAfter(headers.get("retry-after"));
  if (wait !== undefined) waits.set(error, wait);
  throw error;
}

/** How long to wait before the next attempt, in milliseconds; `null` if none is worth it. */
export function patience(error: unknown, attempt: number): number | null {
  const { code } = Object(error) as { readonly code?: unknown };
  if (code !== "EIO") return null;
  const asked = waits.get(Object(error));
  if (asked !== undefined) return asked <= MAX_WAIT_MS ? asked : null;
  // Not all who were turned away at once come back at once.
  return FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
}

/** Seconds, or a time. */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  const wait = /^\d+$/.test(text)
    ? Number(text) * 1000
    : Date.parse(text) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
