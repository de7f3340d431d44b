// A consumer's program: the library, and the packages beside it.
import * as reader from "@agent-tools/read-file";
import { legacyDetector } from "@agent-tools/read-file-detect";
import { gitFs } from "@agent-tools/read-file-git";
import { highlightAnsi } from "@agent-tools/read-file-highlight";
import { mountFs, overlayFs } from "@agent-tools/read-file-layers";
import { pdfView } from "@agent-tools/read-file-pdf";
import { fsPortSuite } from "@agent-tools/read-file-testing";

const failure = await gitFs({ repository: ".", rev: "HEAD" }).then(
  () => "none",
  // Its class is the library's own only if both have one copy of the library.
  (error) => error instanceof reader.ReadFileError && error.code,
);
const saved = reader.memoryFs({ "/edited/a.txt": "saved" });
const fs = mountFs({
  "/edited": overlayFs(saved, { "/edited/a.txt": "typed" }),
});
const layered = await reader.openWorkspace("/", { fs });
const disk = await reader.openWorkspace(".", {
  detect: legacyDetector(),
  views: [pdfView()],
});
const cases = fsPortSuite((tree) => {
  const files = Object.entries(tree).map((
    [path, entry],
  ) => /** @type {const} */ ([`/${path}`, entry]));
  const fs = reader.memoryFs(Object.fromEntries(files));
  return { fs, root: "" };
});
await cases[0]?.run();
console.log(JSON.stringify({
  failure,
  layered: (await layered.read("edited/a.txt")).text,
  encoding: (await disk.read("legacy.txt")).encoding.label,
  document: (await disk.read("a.pdf")).text,
  colored: highlightAnsi("const a = 1;\n", "ts"),
  gzipped: (await disk.read("a.gz", { view: "gunzip" })).text,
}));
