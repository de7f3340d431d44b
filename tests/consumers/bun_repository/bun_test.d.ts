// The part of bun:test that these tests use, since @types/bun may be unavailable.

export function test(name: string, body: () => Promise<void>): void;

export function expect<Value>(actual: Value): {
  toBe(expected: NoInfer<Value>): void;
  toEqual(expected: NoInfer<Value>): void;
  toStartWith(expected: string): void;
};
