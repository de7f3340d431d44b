// The worker that runs the pure tests: each file named here runs at the edge as well.
import "../codex_arguments_test.ts";
import "../codex_block_test.ts";
import "../codex_checks_test.ts";
import "../codex_costs_test.ts";
import "../codex_failures_test.ts";
import "../codex_indentation_test.ts";
import "../codex_lines_test.ts";
import "../codex_past_end_test.ts";
import "../codex_paths_test.ts";
import "../codex_read_file_test.ts";
import "../codex_vectors_test.ts";
import "../codex_walk_test.ts";
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
