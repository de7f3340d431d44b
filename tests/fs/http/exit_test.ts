/** A port must not leave a timer behind: it would keep the process alive. */
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { runChild } from "../../support/child.ts";

describe("a process after a read over HTTP", () => {
  it("exits before its timeout ends", () => {
    const child = "tests/children/http_exit.ts";
    const { code, stdout, stderr } = runChild(child, []);
    // A process that hangs is killed, and has no exit code.
    assertEquals([code, stdout, stderr], [0, "hello woken\n", ""]);
  });
});
