/** Invalid arguments of a model or a program. */
import type { JsonSchema } from "../../mod.ts";
import type { Random } from "./random.ts";

/** Makes a new value each time, since some values change when they are used. */
type Maker = () => unknown;

const MEBIBYTE = 1024 * 1024;

const VALUES: readonly Maker[] = [
  ...[undefined, null, true, false],
  ...[0, -0, 1, 2, 3, -1, 1.5, 0.1, NaN, Infinity, -Infinity, 1e-320],
  ...[2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 64, -(2 ** 53), 1e308],
  ...[0n, 1n, 2n ** 70n, Symbol("path"), Symbol.iterator],
  ...[
    "",
    " ",
    "0",
    "1",
    "1.0",
    "0x10",
    "NaN",
    "null",
    "true",
    "[object Object]",
  ],
  ...["a.txt", "/ws/a.txt", "./a.txt", "a.txt/", "d", ".", "..", "/", "//"],
  ...["../etc/passwd", "/etc/passwd", "/ws/../etc/passwd", "~", "out", "loop"],
  ...[
    "a\0b",
    "\ud800",
    "a\udfff.txt",
    "\ufeff",
    "\u202e",
    "\r\n",
    "é".normalize("NFD"),
  ],
  ...["file:///etc/passwd", "C:\\a.txt", "\\\\host\\a", "%2e%2e/etc/passwd"],
  ...["x".repeat(256), "d/".repeat(3000), "__proto__", "slice", "indentation"],
].map((value) => () => value);

/** Values that are slow to make; made once. */
const LONG = "x".repeat(MEBIBYTE);
const LONG_HALVES = "\ud800".repeat(MEBIBYTE / 8);
const DEEP = nested(5_000);
const DEEP_TEXT = `${'{"path":'.repeat(20_000)}1${"}".repeat(20_000)}`;
const DEEP_LIST = "[".repeat(100_000);

const MADE: readonly Maker[] = [
  () => LONG,
  () => LONG_HALVES,
  () => [],
  () => [1],
  () => ["a.txt"],
  () => ({}),
  () => ({ path: "a.txt", file_path: "/ws/a.txt" }),
  () => Object.create(null),
  () => Object.create({ path: "a.txt", file_path: "/ws/a.txt" }),
  () =>
    JSON.parse('{"__proto__": {"path": "a.txt", "file_path": "/ws/a.txt"}}'),
  () => ({ toString: 1, valueOf: 1 }),
  () => ({ toString: () => "a.txt" }),
  () => ({ [Symbol.toPrimitive]: () => "a.txt" }),
  () => ({
    toJSON() {
      throw new Error("/etc/hostile toJSON");
    },
  }),
  () => new Proxy({ path: "a.txt", file_path: "/ws/a.txt" }, {}),
  () => DEEP,
  () => new Date(NaN),
  () => new Map([["path", "a.txt"]]),
  () => new Set(["a.txt"]),
  () => /a\.txt/,
  () => new Error("a.txt"),
  () => new Uint8Array(8),
  () => new ArrayBuffer(8),
  () => Object("a.txt"),
  () => Object(1),
  () => Object(1n),
  () => Object(Symbol()),
  () => () => "a.txt",
  () => class {},
  () => Promise.resolve("a.txt"),
  () => Object.freeze({ path: "a.txt" }),
];

/** Draws any value. */
export function anyValue(random: Random): unknown {
  return random.pick(random.below(2) === 0 ? VALUES : MADE)();
}

const FOREIGN_KEYS: readonly string[] = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "filePath",
  "",
  "\ud800",
  "x".repeat(300),
  "0",
];

/** Draws arguments that mostly match a schema. */
export function anyArguments(schema: JsonSchema, random: Random): unknown {
  const plain = anyObject(schema, random);
  switch (random.below(15)) {
    case 0:
      return anyValue(random);
    case 1:
      return brokenJson(asJson(plain), random);
    case 2:
    case 3:
      return asJson(plain);
    case 4:
      return [plain];
    case 5:
      return new Proxy(plain, {});
    case 6:
      return Object.assign(Object.create(null), plain);
    case 7:
      return Object.freeze(plain);
    default:
      return plain;
  }
}

function anyObject(
  { properties = {} }: JsonSchema,
  random: Random,
): Record<string, unknown> {
  const entries = Object.entries(properties).flatMap(
    ([name, schema]): [string, unknown][] => {
      // Without a path, the other arguments would not be checked.
      if (!name.endsWith("path") && random.below(2) === 0) return [];
      const isWrong = random.below(7) === 0;
      return [[
        name,
        isWrong ? anyValue(random) : fitting(schema, name, random),
      ]];
    },
  );
  if (random.below(12) === 0) {
    entries.push([random.pick(FOREIGN_KEYS), anyValue(random)]);
  }
  // Define every property as an own property, even `__proto__`.
  return Object.fromEntries(entries);
}

/** Draws a value of the type that a schema requires. */
function fitting(schema: JsonSchema, name: string, random: Random): unknown {
  switch (schema.type) {
    case "string":
      return random.pick(
        name === "mode"
          ? ["slice", "indentation"]
          : ["/ws/a.txt", "/ws/d/b.txt", "/ws/d/../a.txt", "/ws/big.txt"],
      );
    case "boolean":
      return random.below(2) === 0;
    case "object":
      return anyObject(schema, random);
    default:
      return random.from(-1, 9);
  }
}

function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return '{"path": 1n}';
  }
}

function brokenJson(text: string, random: Random): string {
  switch (random.below(6)) {
    case 0:
      return `${text},`;
    case 1:
      return DEEP_LIST;
    case 2:
      return DEEP_TEXT;
    case 3:
      return text.replaceAll('"', "'");
    case 4:
      return `\`\`\`json\n${text}\n\`\`\``;
    default:
      return text.slice(0, random.below(Math.min(text.length, 4096) + 1));
  }
}

function nested(depth: number): object {
  let value = {};
  for (let left = depth; left > 0; left--) value = { path: value };
  return value;
}
