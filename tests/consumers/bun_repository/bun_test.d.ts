// The little of bun:test that the repository uses: @types/bun may be out of reach.

export function test(name: string, body: () => Promise<void>): void;

export function expect<Value>(actual: Value): {
  toEqual(expected: NoInfer<Value>): void;
};
