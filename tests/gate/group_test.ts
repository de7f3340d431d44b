import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { runChild } from "../support/child.ts";

describe("a step of the gate", () => {
  it("leaves no process, whether it exits or reaches its time limit", () => {
    const permissions = ["--allow-run", "--allow-env"];
    const child = runChild("tests/children/overdue.ts", [], { permissions });
    assertEquals(child.stderr, "");
    const told = { code: null, isOverdue: true, stdout: "ok\n" };
    assertEquals(JSON.parse(child.stdout), told);
  });
});
