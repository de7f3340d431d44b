// Stores a large file in R2, for tests of costs.
import { giantBlock } from "../support/giant.ts";
import {
  GIANT_BLOCKS,
  GIANT_KEY,
  type TestBucket,
} from "../support/r2_bucket.ts";

/** A stream of Workers with a known length, which R2 requires. */
interface EdgeHost {
  readonly FixedLengthStream: new (length: number) => TransformStream;
}

/** Stores the file; this takes some seconds. */
export async function storeGiant(bucket: TestBucket): Promise<void> {
  const { FixedLengthStream } = globalThis as unknown as EdgeHost;
  const size = GIANT_BLOCKS * giantBlock(0, GIANT_BLOCKS).length;
  const { readable, writable } = new FixedLengthStream(size);
  const stored = bucket.put(GIANT_KEY, readable);
  const writer = writable.getWriter();
  for (let index = 0; index < GIANT_BLOCKS; index++) {
    await writer.write(giantBlock(index, GIANT_BLOCKS));
  }
  await writer.close();
  await stored;
}
