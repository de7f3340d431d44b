import { assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Told } from "../children/kinds.ts";
import { runChild } from "../support/child.ts";
import { onDisk } from "../support/disk.ts";
import { FOUR_TOOLS } from "../support/four_tools.ts";
import { runtimeCommand } from "../support/runtime.ts";

/** A path that is not a regular file. */
interface Kind {
  readonly name: string;
  readonly layout: readonly string[];
  /** The root of the workspace, if it is not the default. */
  readonly root?: string;
  readonly path: string;
  readonly code: "NOT_A_FILE" | "OUTSIDE_WORKSPACE";
}

const KINDS: readonly Kind[] = [
  {
    name: "a FIFO without a writer",
    layout: ["ws/p|"],
    path: "p",
    code: "NOT_A_FILE",
  },
  {
    name: "a link to a FIFO",
    layout: ["ws/p|", "ws/l -> p"],
    path: "l",
    code: "NOT_A_FILE",
  },
  { name: "a socket", layout: [], path: "socket", code: "NOT_A_FILE" },
  { name: "a directory", layout: ["ws/d/"], path: "d", code: "NOT_A_FILE" },
  {
    name: "a link to a directory",
    layout: ["ws/d/", "ws/l -> d"],
    path: "l",
    code: "NOT_A_FILE",
  },
  {
    name: "a link to /dev/zero",
    layout: ["ws/l -> /dev/zero"],
    path: "l",
    code: "OUTSIDE_WORKSPACE",
  },
  {
    name: "a device node",
    // Only root can create a device, and every system has some.
    layout: [],
    root: "/dev",
    path: "zero",
    code: "NOT_A_FILE",
  },
  {
    name: "a terminal",
    layout: [],
    root: "/dev",
    path: "tty",
    code: "NOT_A_FILE",
  },
  {
    name: "a link into /proc",
    layout: ["ws/l -> /proc/self/environ"],
    path: "l",
    code: "OUTSIDE_WORKSPACE",
  },
  {
    name: "a path through a link to /proc",
    layout: ["ws/l -> /proc/self"],
    path: "l/fd/0",
    code: "OUTSIDE_WORKSPACE",
  },
  {
    name: "a link to standard input",
    layout: ["ws/l -> /dev/stdin"],
    path: "l",
    code: "OUTSIDE_WORKSPACE",
  },
];

const CHILD = fileURLToPath(new URL("../children/kinds.ts", import.meta.url));

/** A call that waits for the other end of a pipe never ends; others do, also on a busy machine. */
const LIMIT_MS = 110_000;

describe("a path that is not a regular file is refused without blocking", () => {
  for (const { name, layout, root, path, code } of KINDS) {
    it(`${name}: ${code}, in every tool`, async () => {
      await using place = await onDisk(layout);
      if (path === "socket") plantSocket(place.root);
      const [command, ...words] = runtimeCommand(["-A"], CHILD);
      const { stdout, stderr, signal } = spawnSync(
        command!,
        [...words, root ?? place.root, path],
        { encoding: "utf8", timeout: LIMIT_MS, killSignal: "SIGKILL" },
      );
      const lines = stdout.split("\n").filter(Boolean);
      const told = lines.map((line): Told => JSON.parse(line));
      assertEquals([signal ?? null, stderr], [null, ""], `after ${stdout}`);
      assertEquals(told.length, 2 * FOUR_TOOLS.length);
      for (const { tool, waits, ok, code: found, content } of told) {
        const call = `${tool}, ${waits}: ${content}`;
        assertEquals([ok, found], [false, code], call);
      }
    });
  }
});

function plantSocket(folder: string): void {
  const { code, stderr } = runChild(
    "tests/children/socket.ts",
    [join(folder, "socket")],
    { permissions: ["-A"], folder },
  );
  assertEquals(code, 0, stderr);
}
