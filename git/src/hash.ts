import { createHash } from "node:crypto";

/** How a repository names its objects. */
export interface HashFormat {
  readonly name: "sha1" | "sha256";
  /** The length of a name in bytes. */
  readonly bytes: number;
}

export const SHA1: HashFormat = { name: "sha1", bytes: 20 };
export const SHA256: HashFormat = { name: "sha256", bytes: 32 };

/** The types of objects, by their numbers in a pack. */
export const TYPES = ["", "commit", "tree", "blob", "tag"] as const;

export type ObjectType = Exclude<typeof TYPES[number], "">;

/** The name that an object has by its content, which may come in parts. */
export class ObjectHash {
  readonly #hash;

  constructor({ name }: HashFormat, type: ObjectType, size: number) {
    this.#hash = createHash(name).update(`${type} ${size}\0`);
  }

  update(part: Uint8Array): this {
    this.#hash.update(part);
    return this;
  }

  digest(): string {
    return this.#hash.digest("hex");
  }
}

const HEX = Array.from(
  { length: 256 },
  (_, byte) => byte.toString(16).padStart(2, "0"),
);

/** The name of an object in hexadecimal digits, of `length` bytes from `start` on. */
export function hexAt(
  bytes: Uint8Array,
  start: number,
  length: number,
): string {
  let hex = "";
  for (let at = start; at < start + length; at++) hex += HEX[bytes[at]!]!;
  return hex;
}

export function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from(
    { length: hex.length / 2 },
    (_, at) => parseInt(hex.slice(2 * at, 2 * at + 2), 16),
  );
}
