// Reads files one after the other; prints how often timers and sockets ran meanwhile.
import { connect, createServer } from "node:net";
import process from "node:process";
import { bunFs, denoFs, openWorkspace } from "../../mod.ts";
import { Call, isPromise } from "../../src/core/base/call.ts";

/** How often the work yields. */
const TURNS = 200;

const [root = "", path = ""] = process.argv.slice(2);
const fs = "Bun" in globalThis ? bunFs() : denoFs();
const workspace = await openWorkspace(root, { fs });

let trips = 0;
const server = createServer((socket) => void socket.pipe(socket));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as { readonly port: number };
const socket = connect(port, "127.0.0.1");
await new Promise<void>((resolve) => socket.once("connect", resolve));
socket.on("data", () => {
  trips++;
  socket.write("x");
});
socket.write("x");

let ticks = 0;
const timer = setInterval(() => ticks++, 1);
let turns = 0;
while (turns < TURNS) {
  await (await workspace.open(path)).close();
  const yielding = new Call(path).yieldIfDue();
  if (isPromise(yielding)) turns++;
  await yielding;
}
clearInterval(timer);
console.log(JSON.stringify({ turns, ticks, trips }));
process.exit();
