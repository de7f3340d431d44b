/** Recorded answers of the original handler, which the codex tool must reproduce. */
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  type Awaitable,
  createCodexReadFile,
  type FsPort,
  openWorkspace,
  respond,
} from "../../mod.ts";
import { conformanceFile } from "../support/corpus.ts";

/** A call, and its expected answer. */
interface Vector {
  readonly id: string;
  /** The arguments; the path is relative to the corpus. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly ok: boolean;
  readonly output: string;
}

/** Where the corpus is. */
export interface CorpusPlace {
  readonly fs: FsPort;
  readonly root: string;
}

/** Runs every vector; the first one prepares the corpus. */
export function codexConformance(
  name: string,
  place: () => Awaitable<CorpusPlace>,
): void {
  describe(`codex vectors ${name}`, () => {
    let found: Awaitable<CorpusPlace> | undefined;
    const vectors = readVectors();
    it("are complete", () => assertEquals(vectors.length, 293));
    for (const { id, args, ok, output } of vectors) {
      it(id, async () => {
        found ??= place();
        const { fs, root } = await found;
        const workspace = await openWorkspace(root, { fs });
        const tool = createCodexReadFile(workspace, { original: true });
        const path = `${root}/${args.file_path}`;
        const text = JSON.stringify({ ...args, file_path: path });
        // The vectors contain no notes.
        const reply = await respond(tool, text);
        assertEquals([reply.ok, reply.content], [ok, output]);
      });
    }
  });
}

function readVectors(): Vector[] {
  const text = new TextDecoder().decode(conformanceFile("codex/vectors.jsonl"));
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}
