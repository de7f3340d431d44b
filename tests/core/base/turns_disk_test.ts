import { assert } from "@std/assert";
import { describe, it } from "node:test";
import { runChild } from "../../support/child.ts";
import { onDisk } from "../../support/disk.ts";

describe("reads on the disk, one after the other", () => {
  it("leave turns to the timers and the sockets of others", async () => {
    await using place = await onDisk(["ws/a.txt: one"]);
    const { stdout, stderr } = runChild(
      "tests/children/turns.ts",
      [place.root, "a.txt"],
      { permissions: ["-A"] },
    );
    assert(stdout !== "", stderr);
    const { turns, ticks, trips } = JSON.parse(stdout);
    // With immediates alone, a socket on Deno has no turn.
    const told = `${ticks} ticks and ${trips} trips in ${turns} turns`;
    assert(ticks >= turns / 4, told);
    assert(trips >= turns / 4, told);
  });
});
