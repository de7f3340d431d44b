// Leaves a unix socket at a path, with no listener.
import { linkSync, unlinkSync } from "node:fs";
import { createServer } from "node:net";
import { basename } from "node:path";
import process from "node:process";

const name = basename(process.argv[2]!);
createServer().listen(`${name}.live`, () => {
  // A server takes its own name away at the end, and no other.
  linkSync(`${name}.live`, name);
  unlinkSync(`${name}.live`);
  process.exit();
});
