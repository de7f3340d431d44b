// Runtime-agnostic.

/** A failure as a port gives it: the reason as Node.js spells it, and no path. */
export function failure(code: string, options?: ErrorOptions): Error {
  return Object.assign(new Error(code, options), { code });
}
