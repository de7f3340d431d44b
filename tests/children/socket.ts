// Leaves a unix socket at a path, with no listener.
import { linkSync, unlinkSync } from "node:fs";
import { createServer } from "node:net";
import { basename } from "node:path";
import process from "node:process";

const name = basename(process.argv[2]!);
createServer().listen(`${name}.live`, () => {
  // A server removes only its own name at the end.
  linkSync(`${name}.live`, name);
  unlinkSync(`${name}.live`);
  process.exit();
});
