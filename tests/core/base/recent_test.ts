import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { Recent } from "../../../src/core/base/call.ts";

describe("a map of the most recently used values", () => {
  /** A map with a value of size 1 for each letter. */
  function mapOf(most: number, letters: string): Recent<string> {
    const map = new Recent<string>(most);
    for (const letter of letters) map.set(letter, letter.toUpperCase());
    return map;
  }

  /** The letters whose values it holds. */
  function heldIn(map: Recent<string>): string {
    const held = [..."abcd"].filter((letter) => map.get(letter));
    for (const letter of held) {
      assertEquals(map.get(letter), letter.toUpperCase());
    }
    return held.join("");
  }

  it("drops the oldest value when it is full", () => {
    assertEquals(heldIn(mapOf(2, "abc")), "bc");
  });
  it("keeps a value that was asked for or set again", () => {
    const map = mapOf(2, "ab");
    map.get("a");
    map.set("c", "C");
    assertEquals(heldIn(map), "ac");
    map.set("a", "A");
    map.set("d", "D");
    assertEquals(heldIn(map), "ad");
  });
  it("adds up the sizes, and drops as many values as needed", () => {
    const map = mapOf(4, "abc");
    map.set("b", "B", 2);
    assertEquals(heldIn(map), "abc");
    map.set("d", "D", 3);
    assertEquals(heldIn(map), "cd");
    map.set("a", "A", 5);
    assertEquals(heldIn(map), "");
  });
  it("deletes a value, and counts its size no more", () => {
    const map = mapOf(3, "abc");
    map.delete("a");
    map.delete("d");
    assertEquals(heldIn(map), "bc");
    map.set("d", "D");
    assertEquals(heldIn(map), "bcd");
  });
});
