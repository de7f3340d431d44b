// The worker that runs the tests at the edge; the module of find.ts imports the tests first.
import { type HandedIn, handIn } from "../support/corpus.ts";
import { handInBucket, type TestBucket } from "../support/r2_bucket.ts";
import { run } from "./collector.ts";
import { storeGiant } from "./giant.ts";

/** The input of the worker. */
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
