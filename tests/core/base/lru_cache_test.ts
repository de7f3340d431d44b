import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { LruCache } from "../../../src/core/base/lru_cache.ts";

describe("LruCache", () => {
  /** A cache with a value of size 1 for each letter. */
  function cacheOf(maxSize: number, letters: string): LruCache<string> {
    const cache = new LruCache<string>(maxSize);
    for (const letter of letters) cache.set(letter, letter.toUpperCase());
    return cache;
  }

  /** The letters whose values it holds. */
  function heldIn(cache: LruCache<string>): string {
    const held = [..."abcd"].filter((letter) => cache.get(letter));
    for (const letter of held) {
      assertEquals(cache.get(letter), letter.toUpperCase());
    }
    return held.join("");
  }

  it("drops the oldest value when it is full", () => {
    assertEquals(heldIn(cacheOf(2, "abc")), "bc");
  });
  it("keeps a value that was asked for or set again", () => {
    const cache = cacheOf(2, "ab");
    cache.get("a");
    cache.set("c", "C");
    assertEquals(heldIn(cache), "ac");
    cache.set("a", "A");
    cache.set("d", "D");
    assertEquals(heldIn(cache), "ad");
  });
  it("adds up the sizes, and drops as many values as needed", () => {
    const cache = cacheOf(4, "abc");
    cache.set("b", "B", 2);
    assertEquals(heldIn(cache), "abc");
    cache.set("d", "D", 3);
    assertEquals(heldIn(cache), "cd");
    cache.set("a", "A", 5);
    assertEquals(heldIn(cache), "");
  });
  it("deletes a value, and counts its size no more", () => {
    const cache = cacheOf(3, "abc");
    cache.delete("a");
    cache.delete("d");
    assertEquals(heldIn(cache), "bc");
    cache.set("d", "D");
    assertEquals(heldIn(cache), "bcd");
  });
});
