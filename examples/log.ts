import { appendFile, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A log that is written during the example, and removed at the end. */
export async function simulateLog() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "log-")));
  const path = join(folder, "app.log");
  await writeFile(path, "start\nlisten 8080\n");
  return {
    folder,
    /** Changes the log, and yields how. */
    async *steps(): AsyncGenerator<string> {
      yield "started";
      await appendFile(path, "GET /a\nGET /b\n");
      yield "two lines written";
      yield "nothing written";
      await writeFile(path, "GET /a\nGET /b\nGET /c\n");
      yield "old lines removed, one written";
      await writeFile(path, "start again\n");
      yield "log started again";
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
