// Reads a page of 4 MiB in each encoding, and prints the speeds in MiB per second as JSON.
import process from "node:process";
import { memoryFs, openWorkspace } from "../../mod.ts";
import { SENTENCES } from "../../tests/detect/texts.ts";
import { encode } from "../../tests/support/encoded.ts";
import { NO_CACHE } from "../no_cache.ts";
import { race } from "../stats.ts";

const MIB = 1024 * 1024;
const speeds: Record<string, number> = {};
for (const name of process.argv.slice(2)) {
  const speed = await speedOf(name);
  if (speed !== undefined) speeds[name] = speed;
}
console.log(JSON.stringify(speeds));

/** The speed of a page with its lines and `inexact`, in MiB per second. */
async function speedOf(name: string): Promise<number | undefined> {
  const sample = Object.values(SENTENCES)
    .map((lines) => `${lines.join("\n")}\n`)
    .find((text) => name === "utf-8" || encode(text, name) !== undefined);
  if (sample === undefined) return undefined;
  const one = name === "utf-8"
    ? new TextEncoder().encode(sample)
    : encode(sample, name)!;
  const bytes = new Uint8Array(one.length * Math.ceil(4 * MIB / one.length));
  for (let at = 0; at < bytes.length; at += one.length) bytes.set(one, at);
  const fs = memoryFs({ "/ws/a": bytes });
  const read = async () => {
    const workspace = await openWorkspace("/ws", { fs, ...NO_CACHE });
    const page = await workspace.read("a", { encoding: name });
    if (!page.exact || page.lines.length === 0) throw new Error(name);
  };
  const times = await race([{ name, run: read }], { rounds: 5, calls: 1 });
  // Microseconds.
  return bytes.length / MIB / (times.median(name) / 1e6);
}
