// Runtime-agnostic.
import type { FailureReason } from "../core/port.ts";

/** A failure as a port gives it: the reason as Node.js spells it, and no path. */
export function failure(code: string, options?: ErrorOptions): Error {
  return Object.assign(new Error(code, options), { code });
}

/** A failure that says why, by a word that the core has a sentence for. */
export function failureOf(code: string, reason: FailureReason): Error {
  return Object.assign(failure(code), { reason });
}
