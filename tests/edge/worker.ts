// The worker that runs the pure tests: each file named here runs at the edge as well.
import "../codex_vectors_test.ts";
import "../memory_test.ts";
import { type HandedIn, handIn } from "../support/corpus.ts";
import { run } from "./collector.ts";

export default {
  async fetch(
    _request: Request,
    { CONFORMANCE }: { readonly CONFORMANCE: HandedIn },
  ): Promise<Response> {
    handIn(CONFORMANCE);
    return Response.json(await run());
  },
};
