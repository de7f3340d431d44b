// A consumer's worker: one tool at the edge.
import {
  createOpenFile,
  memoryFs,
  openWorkspace,
  respond,
} from "@agent-tools/read-file";

const fs = memoryFs({ "/repo/notes.txt": "one\ntwo\n" });

export default {
  async fetch(request: Request): Promise<Response> {
    const tool = createOpenFile(await openWorkspace("/repo", { fs }));
    return Response.json(await respond(tool, await request.text()));
  },
};
