// Leaves a Unix socket without a listener at a path.
import { linkSync, unlinkSync } from "node:fs";
import { createServer } from "node:net";
import { basename } from "node:path";
import process from "node:process";

const name = basename(process.argv[2]!);
createServer().listen(`${name}.live`, () => {
  // On exit, a server removes only the path that it was bound to.
  linkSync(`${name}.live`, name);
  unlinkSync(`${name}.live`);
  process.exit();
});
