// Types of the used part of @std/assert.

type ErrorClass<Failure extends Error> = abstract new (
  ...args: never[]
) => Failure;

export class AssertionError extends Error {}

export function assert(value: unknown, message?: string): asserts value;

export function assertEquals<Value>(
  actual: Value,
  expected: Value,
  message?: string,
): void;

export function assertNotEquals<Value>(
  actual: Value,
  expected: Value,
  message?: string,
): void;

export function assertStrictEquals<Value>(
  actual: unknown,
  expected: Value,
  message?: string,
): asserts actual is Value;

export function assertExists<Value>(
  actual: Value,
  message?: string,
): asserts actual is NonNullable<Value>;

export function assertInstanceOf<Value>(
  actual: unknown,
  expected: abstract new (...args: never[]) => Value,
  message?: string,
): asserts actual is Value;

export function assertGreater<Value>(
  actual: Value,
  expected: Value,
  message?: string,
): void;

export function assertGreaterOrEqual<Value>(
  actual: Value,
  expected: Value,
  message?: string,
): void;

export function assertLess<Value>(
  actual: Value,
  expected: Value,
  message?: string,
): void;

export function assertLessOrEqual<Value>(
  actual: Value,
  expected: Value,
  message?: string,
): void;

export function assertMatch(
  actual: string,
  expected: RegExp,
  message?: string,
): void;

export function assertNotMatch(
  actual: string,
  expected: RegExp,
  message?: string,
): void;

export function assertStringIncludes(
  actual: string,
  expected: string,
  message?: string,
): void;

export function assertThrows(fn: () => unknown, message?: string): unknown;
export function assertThrows<Failure extends Error>(
  fn: () => unknown,
  failure: ErrorClass<Failure>,
  includes?: string,
  message?: string,
): Failure;

export function assertRejects(
  fn: () => PromiseLike<unknown>,
  message?: string,
): Promise<unknown>;
export function assertRejects<Failure extends Error>(
  fn: () => PromiseLike<unknown>,
  failure: ErrorClass<Failure>,
  includes?: string,
  message?: string,
): Promise<Failure>;

export function fail(message?: string): never;
