// How long reads block the event loop.
import { connect, createServer, type Socket } from "node:net";
import { openWorkspace, type Workspace } from "../../mod.ts";
import type { Bench, Check, Row } from "../check.ts";
import { median } from "../stats.ts";
import { NO_CACHE } from "../no_cache.ts";

/** How long the back-to-back reads, and the concurrent scans, run. */
const WORK_MS = 300;

export const STALL: Row = {
  name: "stall",
  title: "what other work on the event loop has to wait",
  about:
    "The longest time between two ticks of a timer of 1 ms, and the median round trip of a byte over a loopback socket: during a scan of the log, during 100 consecutive reads of a small file, and during 64 concurrent scans of 2 MiB.",
  async measure({ data, quick }) {
    const checks: Check[] = [];
    for (const { subject, limit, work } of WORKS) {
      const stalls: number[] = [];
      await work(data);
      for (let round = 0; round < (quick ? 3 : 9); round++) {
        stalls.push(await longestStall(() => work(data)));
      }
      checks.push({
        subject,
        against: "longest stall, median of the rounds",
        value: median(stalls),
        unit: "ms",
        limit,
      });
    }
    checks.push({
      subject: "an idle loop",
      against: "longest stall",
      value: await longestStall(idle),
      unit: "ms",
      limit: null,
    });
    for (const { subject, work } of WORKS) {
      checks.push({
        subject,
        against: "round trip of a socket",
        value: await roundTrip(() => work(data)),
        unit: "ms",
        limit: 25,
      });
    }
    return checks;
  },
};

interface Work {
  readonly subject: string;
  readonly limit: number;
  readonly work: (data: Bench["data"]) => Promise<unknown>;
}

const WORKS: readonly Work[] = [
  {
    subject: "workspace.read, countLines",
    limit: 20,
    work: async ({ root, log }) =>
      countLines(await openWorkspace(root, NO_CACHE), log.path),
  },
  {
    subject: "100 reads in a row",
    limit: 25,
    work: async ({ root, small }) => {
      const workspace = await openWorkspace(root, NO_CACHE);
      await repeat(async () => {
        for (let at = 0; at < 100; at++) await workspace.read(small);
      });
    },
  },
  {
    subject: "64 scans at once",
    limit: 25,
    work: async ({ root, code }) => {
      const workspace = await openWorkspace(root, NO_CACHE);
      await repeat(() =>
        Promise.all(
          Array.from({ length: 64 }, () => countLines(workspace, code.path)),
        )
      );
    },
  },
];

function countLines(workspace: Workspace, path: string): Promise<unknown> {
  return workspace.read(path, { count: 1, countLines: true });
}

async function repeat(work: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + WORK_MS;
  while (performance.now() < end) await work();
}

function idle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, WORK_MS));
}

/** The longest time between two ticks of a timer while `work` runs. */
async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  await work();
  look();
  clearInterval(timer);
  return longest;
}

/** The median round trip of a byte to an echo server while `work` runs. */
async function roundTrip(work: () => Promise<unknown>): Promise<number> {
  const server = createServer((peer: Socket) => {
    // The server's socket is destroyed when the work is done.
    peer.on("error", () => peer.destroy());
    peer.pipe(peer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  const socket = connect(port, "127.0.0.1");
  await new Promise((resolve) => socket.once("connect", resolve));
  const trips: number[] = [];
  let sent = performance.now();
  socket.on("data", () => {
    trips.push(performance.now() - sent);
    sent = performance.now();
    socket.write("x");
  });
  socket.write("x");
  await work();
  socket.destroy();
  server.close();
  if (trips.length === 0) return performance.now() - sent;
  return median(trips);
}
