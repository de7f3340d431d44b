import { describe } from "node:test";
import { codexConformance } from "../../suites/codex_conformance.ts";
import {
  corpusFiles,
  fourToolsConformance,
  type PlantCorpus,
} from "../../suites/four_tools_conformance.ts";
import { type HttpHabits, HttpStore } from "../../support/http_store.ts";

/** Serves files from a server with these habits. */
function planting(habits: HttpHabits): PlantCorpus {
  return (files) => {
    const store = new HttpStore();
    Object.assign(store.habits, habits);
    for (const [name, content] of Object.entries(files)) {
      const url = `https://files.example/base/corpus/${name}`;
      store.files.set(url, { content, etag: `"${name}"` });
    }
    return { fs: store.port(), root: "/corpus" };
  };
}

describe("httpFs()", () => {
  fourToolsConformance("over a server in memory", planting({}));
  fourToolsConformance(
    "over a server without range requests",
    planting({ ranges: false }),
  );
  codexConformance(
    "over a server in memory",
    () => planting({})(corpusFiles()),
  );
});
