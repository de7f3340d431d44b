import { describe } from "node:test";
import { r2Fs } from "../../mod.ts";
import { codexConformance } from "../suites/codex_conformance.ts";
import {
  corpusFiles,
  fourToolsConformance,
  type PlantCorpus,
} from "../suites/four_tools_conformance.ts";
import { buckets, newFolder, type TestBucket } from "../support/r2_bucket.ts";

/** Stores the files in a new folder, below `/corpus`. */
function planting(bucket: TestBucket): PlantCorpus {
  return async (files) => {
    const prefix = newFolder();
    for (const [name, bytes] of Object.entries(files)) {
      await bucket.put(`${prefix}/corpus/${name}`, bytes);
    }
    return { fs: r2Fs(bucket, { prefix }), root: "/corpus" };
  };
}

describe("r2Fs()", () => {
  for (const [name, bucket] of buckets()) {
    fourToolsConformance(`over ${name}`, planting(bucket));
    codexConformance(`over ${name}`, async () => {
      return await planting(bucket)(corpusFiles());
    });
  }
});
