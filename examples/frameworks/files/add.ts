/** Adds two numbers. */
export function add(one: number, other: number): number {
  return one + other;
}
