// Only reads the log from end to end, and prints the peak memory.
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { peakBytes } from "./peak.ts";

const { root, log } = JSON.parse(process.argv[3] ?? "");
const fd = openSync(join(root, log), "r");
const buffer = new Uint8Array(256 * 1024);
while (readSync(fd, buffer, 0, buffer.length, null) > 0);
closeSync(fd);
process.stdout.write(String(peakBytes()));
