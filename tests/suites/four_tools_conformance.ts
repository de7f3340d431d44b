/** The four tools must give the same answers over any port as over memory. */
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  type Awaitable,
  type FileStat,
  type FsPort,
  memoryFs,
  openWorkspace,
} from "../../mod.ts";
import { conformanceFile, conformanceNames } from "../support/corpus.ts";
import { withStats } from "../support/fake_fs.ts";
import { callAsModel, FOUR_TOOLS } from "../support/four_tools.ts";

/** The content of each file of one folder, by name. */
export type CorpusFiles = Readonly<Record<string, Uint8Array>>;

/** Writes the files to a folder; returns its path. */
export type PlantCorpus = (
  files: CorpusFiles,
) => Awaitable<{ readonly fs: FsPort; readonly root: string }>;

/** The arguments of each tool for each file, besides the path. */
const QUESTIONS: Readonly<Record<string, readonly object[]>> = {
  CodexReadFile: [
    {},
    { offset: 3, limit: 2 },
    { offset: 2000, limit: 9 },
    { offset: 7, mode: "indentation", indentation: { max_levels: 1 } },
    { offset: 40, limit: 30, mode: "indentation" },
  ],
  ToolkitReadFile: [{}, { start_line: 3, max_lines: 2 }, { start_line: 9999 }],
  ForgeRead: [
    {},
    { start_line: 3, limit: 2 },
    { head: 2 },
    { tail: 3 },
    { start_line: 9999, end_line: 10000 },
  ],
  OpenFile: [{}, { start_line: 3, end_line: 4 }, { start_line: 9999 }],
};

/** The corpus, and a file that is read in several ranges. */
export function corpusFiles(): CorpusFiles {
  const names = conformanceNames("codex/corpus");
  const long = Array.from(
    { length: 40_000 },
    (_, index) => `${" ".repeat(index % 5)}line ${index + 1}`,
  );
  return {
    ...Object.fromEntries(
      names.map((name) => [name, conformanceFile(`codex/corpus/${name}`)]),
    ),
    "long.txt": new TextEncoder().encode(long.join("\n")),
  };
}

/** Calls every tool for every file, and for a missing one. */
export function fourToolsConformance(name: string, plant: PlantCorpus): void {
  describe(`the four tools ${name}`, () => {
    const files = corpusFiles();
    const names = [...Object.keys(files), "nope.txt"];
    let planted: ReturnType<typeof plantBoth> | undefined;
    for (const tool of FOUR_TOOLS) {
      for (const file of names) {
        it(`${tool.name} answers for ${file} as in memory`, async () => {
          planted ??= plantBoth(files, plant);
          const { there, inMemory, root } = await planted;
          const workspace = await openWorkspace(root, { fs: there });
          const reference = await openWorkspace(root, { fs: inMemory });
          for (const question of QUESTIONS[tool.name]!) {
            const path = tool.name === "CodexReadFile"
              ? `${root}/${file}`
              : file;
            const args = { ...question, [tool.pathName]: path };
            assertEquals(
              await callAsModel(tool.make(workspace), args),
              await callAsModel(tool.make(reference), args),
              JSON.stringify(args),
            );
          }
        });
      }
    }
  });
}

/** The port under test, and a port in memory with the same files and stats. */
async function plantBoth(files: CorpusFiles, plant: PlantCorpus) {
  const { fs, root } = await plant(files);
  const facts = new Map<string | null, FileStat>();
  const paths = Object.entries(files)
    .map(([name, bytes]) => [`${root}/${name}`, bytes] as const);
  for (const [path] of paths) facts.set(path, await fs.lstat(path));
  const memory = memoryFs(Object.fromEntries(paths));
  // A memory port uses the path as the identity of a file.
  const inMemory = withStats(memory, (stat) => facts.get(stat.id) ?? stat);
  return { there: fs, inMemory, root };
}
