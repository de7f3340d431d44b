/**
 * Serves a directory over MCP. The arguments are the directory, the milliseconds
 * that opening a file takes, and the milliseconds that the server works on an
 * answer when its input has ended.
 */
import process from "node:process";
import { openServer } from "../../mcp/src/server.ts";
import { serveStdio } from "../../mcp/src/stdio.ts";
import { type FsPort, hostFs } from "../../mod.ts";

const [root = "", openMs, drainMs] = process.argv.slice(2);
const fs = hostFs();
const slow: FsPort = {
  ...fs,
  async open(path, signal) {
    await new Promise((resolve) => setTimeout(resolve, Number(openMs)));
    return await fs.open(path, signal);
  },
};
const options = { directories: [root], fs: slow, maxScan: 2 ** 42 };
const bound = drainMs === undefined ? undefined : Number(drainMs);
serveStdio(await openServer(options), console.error, bound);
