import { bunFs, denoFs } from "../../mod.ts";
import { codexConformance } from "../suites/codex_conformance.ts";
import { conformancePath } from "../support/corpus.ts";
import { RUNTIME } from "../support/disk.ts";

codexConformance("on the disk", () => ({
  fs: RUNTIME === "Bun" ? bunFs() : denoFs(),
  root: conformancePath("codex/corpus"),
}));
