import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { TOOLKIT_MAX_FILE_BYTES } from "../../../mod.ts";
import * as limits from "../../../src/core/base/limits.ts";
import { MAX_KEPT_BYTES } from "../../../src/tools/numbered.ts";

// Some of these only bound time or memory, so that no answer would tell.
describe("the limits", () => {
  it("of the core are what they were", () => {
    assertEquals({ ...limits }, {
      MAX_PATH_BYTES: 4096,
      MAX_NAME_BYTES: 255,
      MAX_DEPTH: 256,
      MAX_LINKS: 40,
      MAX_STEPS: 1024,
      PROOF_BITS: 32,
      MAX_PROVED_FILES: 4096,
      MAX_STRAIGHT_PATHS: 4096,
      OPEN_RETRIES: 3,
      MAX_SHOWN_BYTES: 256 * 1024 * 1024,
      MAX_OPEN_FILES: 64,
      FIRST_CHUNK_BYTES: 64 * 1024,
      CHUNK_BYTES: 256 * 1024,
      BUFFER_BYTES: 1024 * 1024,
      SNIFF_BYTES: 8192,
      TURN_MS: 8,
      MAX_INDEX_BYTES: 4 * 1024 * 1024,
      LEAST_CHUNK_BYTES: 512,
      CLOCK_GRAIN_MS: 2000,
      MAX_LISTED_NAMES: 2000,
      MAX_COMPARED_LETTERS: 100_000,
      MAX_SUGGESTIONS: 3,
      MAX_TOLD_ENTRIES: 10,
    });
  });
  it("of the tools are what they were", () => {
    assertEquals([TOOLKIT_MAX_FILE_BYTES, MAX_KEPT_BYTES], [1_048_576, 503]);
  });
});
