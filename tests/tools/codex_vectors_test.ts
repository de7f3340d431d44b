import { memoryFs } from "../../mod.ts";
import { codexConformance } from "../suites/codex_conformance.ts";
import { conformanceFile, conformanceNames } from "../support/corpus.ts";
import { cutFs, CUTS } from "../support/cuts.ts";

for (const most of CUTS) {
  codexConformance(`in memory (reads of ${most})`, () => {
    const files = conformanceNames("codex/corpus").map((name) =>
      [`/corpus/${name}`, conformanceFile(`codex/corpus/${name}`)] as const
    );
    const fs = cutFs(memoryFs(Object.fromEntries(files)), most);
    return { fs, root: "/corpus" };
  });
}
