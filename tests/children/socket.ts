// Leaves a unix socket at the path it is given: one that no one listens to.
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
