import { assert } from "@std/assert";
import { describe, it } from "node:test";
import { openWorkspace } from "../../../mod.ts";
import { BUFFER_BYTES, SLICE_MS } from "../../../src/core/base/limits.ts";
import {
  KernelPool,
  plainKernel,
  withKernels,
} from "../../../src/core/lines/scan.ts";
import { runChild } from "../../support/child.ts";
import { onDisk } from "../../support/disk.ts";

describe("back-to-back reads on the disk", () => {
  it("yield to timers and sockets", async () => {
    await using place = await onDisk(["ws/a.txt: one"]);
    const { stdout, stderr } = runChild(
      "tests/children/time_slices.ts",
      [place.root, "a.txt"],
      { permissions: ["-A"] },
    );
    assert(stdout !== "", stderr);
    const { turns, ticks, trips } = JSON.parse(stdout);
    // In Deno, immediates alone would leave sockets waiting.
    const told = `${ticks} ticks and ${trips} trips in ${turns} turns`;
    assert(ticks >= turns / 4, told);
    assert(trips >= turns / 4, told);
  });
});

describe("64 reads at once on the disk", () => {
  it("yield while they compile kernels", async () => {
    await using place = await onDisk([`ws/a.txt: ${"one ".repeat(50_000)}`]);
    let made = 0;
    const pool = new KernelPool(() => {
      const end = performance.now() + SLICE_MS / 2;
      while (performance.now() < end);
      made++;
      return plainKernel(BUFFER_BYTES);
    });
    const fs = withKernels(place.fs, pool);
    const workspace = await openWorkspace(place.root, { fs });
    let most = 0;
    let before = 0;
    const look = () => {
      most = Math.max(most, made - before);
      before = made;
    };
    const timer = setInterval(look, 0);
    const paths = Array.from({ length: 64 }, () => "a.txt");
    await Promise.all(paths.map((path) => workspace.read(path)));
    clearInterval(timer);
    look();
    assert(made > 0 && most <= 5, `${most} of ${made} kernels in one turn`);
  });
});
