// The little of bun:test that our repositories use: @types/bun may be out of reach.

export function test(name: string, body: () => Promise<void>): void;

export function expect<Value>(actual: Value): {
  toBe(expected: NoInfer<Value>): void;
  toEqual(expected: NoInfer<Value>): void;
  toStartWith(expected: string): void;
};
