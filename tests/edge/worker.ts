// The worker that runs the pure tests: each file named here runs at the edge as well.
import "../memory_test.ts";
import { run } from "./collector.ts";

export default {
  async fetch(): Promise<Response> {
    return Response.json(await run());
  },
};
