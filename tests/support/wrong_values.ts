/** Values of the wrong kind, as untyped code may pass them. */

/** Values of each kind, by name; each use makes a new one. */
export function wrongValues(): readonly (readonly [string, () => unknown])[] {
  return [
    ["no prototype", () => Object.create(null)],
    ["symbol", () => Symbol("odd")],
    ["bigint", () => 1n],
    ["object of a bigint", () => ({ a: 1n })],
    ["cyclic", () => {
      const cyclic: Record<string, unknown> = {};
      return cyclic.self = cyclic;
    }],
    ["null", () => null],
    ["undefined", () => undefined],
    ["number", () => 5],
    ["NaN", () => NaN],
    ["Map", () => new Map()],
    ["Set", () => new Set(["a"])],
    ["half a character", () => "\ud800"],
    ["long text", () => "x".repeat(10_000)],
  ];
}
