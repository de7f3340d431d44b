import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { RecentSet } from "../../../src/core/guard/proof.ts";

describe("a set of the most recently used values", () => {
  const held = (set: RecentSet) => [..."abcd"].filter((key) => set.has(key));

  it("drops the oldest value once it is full", () => {
    const set = new RecentSet(2);
    for (const key of "abc") set.add(key);
    assertEquals(held(set), ["b", "c"]);
  });
  it("keeps a value that was looked up or added again", () => {
    const set = new RecentSet(2);
    for (const key of "ab") set.add(key);
    set.has("a");
    set.add("c");
    assertEquals(held(set), ["a", "c"]);
    set.add("a");
    set.add("d");
    assertEquals(held(set), ["a", "d"]);
  });
  it("removes a value", () => {
    const set = new RecentSet(2);
    set.add("a");
    set.delete("a");
    set.delete("b");
    assertEquals(held(set), []);
  });
});
