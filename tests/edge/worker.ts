// The worker that runs tests at the edge; find.ts imports the tests before it.
import { type HandedIn, handIn } from "../support/corpus.ts";
import { handInBucket, type TestBucket } from "../support/r2_bucket.ts";
import { run } from "./collector.ts";
import { storeGiant } from "./giant.ts";

/** What the worker is given. */
interface Environment {
  readonly CONFORMANCE: HandedIn;
  readonly BUCKET: TestBucket;
}

export default {
  async fetch(
    _request: Request,
    { CONFORMANCE, BUCKET }: Environment,
  ): Promise<Response> {
    handIn(CONFORMANCE);
    await storeGiant(BUCKET);
    handInBucket(BUCKET);
    return Response.json(await run());
  },
};
