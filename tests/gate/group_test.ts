import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { runChild } from "../support/child.ts";

describe("a step of the gate", () => {
  it("is ended if it prints nothing, goes on while it prints, and leaves no process", () => {
    const permissions = ["--allow-run", "--allow-env"];
    const child = runChild("tests/children/stalled.ts", [], { permissions });
    assertEquals(child.stderr, "");
    const stderr = "";
    assertEquals(JSON.parse(child.stdout), {
      silent: { code: null, stdout: "before\n", stderr, isStalled: true },
      printing: {
        ...{ code: 0, stderr, isStalled: false },
        stdout: Array.from({ length: 30 }, (_, at) => `${at + 1}\n`).join(""),
      },
      exiting: { code: 0, stdout: "ok\n", stderr, isStalled: false },
    });
  });
});
