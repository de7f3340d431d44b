/** Values that throw when they are read, or are valid nowhere. */

function fail(): never {
  throw new Error("hostile");
}

const HOSTILE: ProxyHandler<object> = {
  ...{ get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail },
  getOwnPropertyDescriptor: fail,
};

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

/** An object with a property that throws. */
export function throwing(name: string): object {
  return Object.defineProperty({}, name, { enumerable: true, get: fail });
}

/** Values of each kind, by name; each use makes a new one. */
export function hostileValues(): readonly (readonly [string, () => unknown])[] {
  return [
    ["revoked object", () => revoked({})],
    ["revoked array", () => revoked([])],
    ["revoked function", () => revoked(() => {})],
    ["throwing object", () => new Proxy({}, HOSTILE)],
    ["throwing array", () => new Proxy([], HOSTILE)],
    ["throwing function", () => new Proxy(() => {}, HOSTILE)],
    ["answering function", () => new Proxy({}, { get: () => () => {} })],
    ["array of a revoked", () => [revoked({})]],
    [
      "array with a getter",
      () => Object.defineProperty([0], 0, { enumerable: true, get: fail }),
    ],
    ["length getter", () => throwing("length")],
    ["then getter", () => throwing("then")],
    ["path getter", () => throwing("path")],
    ["toString getter", () => throwing("toString")],
    ["toJSON getter", () => throwing("toJSON")],
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
