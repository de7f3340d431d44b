import type { ObjectType } from "./hash.ts";
import type { LargeSource } from "./large_blob.ts";
import type { Reading } from "./reading.ts";

/** The largest object that is held whole; a larger file is read in parts. */
export const MAX_WHOLE_BYTES = 8 * 1024 * 1024;

/** The largest file: checking its hash takes seconds. */
export const MAX_LARGE_BYTES = 1024 ** 3;

/** One copy of an object, loose or in a pack. Its hash is not checked. */
export interface Copy {
  /** The size of the object, of which only the first bytes are inflated. */
  size(reading: Reading): Promise<number>;
  /** The object; `undefined` if it takes more than may be held. */
  whole(reading: Reading): Promise<Whole | undefined>;
  /** Opens a large object; the caller closes its file. */
  large(reading: Reading): Promise<LargeSource>;
}

/** An object that is held whole. */
export interface Whole {
  readonly type: ObjectType;
  readonly bytes: Uint8Array;
}
