// Runtime-agnostic.

/** Says what was passed instead of what should have been, as "a number". */
export function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  const name = Array.isArray(value)
    ? "array"
    : typeof value === "object" && !isRecord(value)
    ? "list or a map"
    : typeof value;
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}

/** Whether it holds values by their names, as no list and no map does. */
export function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null &&
    !(Symbol.iterator in value);
}
