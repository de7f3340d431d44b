// Runtime-agnostic.

/** Says what was passed instead of what should have been, as "a number". */
export function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  const name = Array.isArray(value) ? "array" : typeof value;
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}
