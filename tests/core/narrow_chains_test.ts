import { assert, assertEquals, assertGreater } from "@std/assert";
import fc from "fast-check";
import { describe, it } from "node:test";
import {
  type FsPort,
  memoryFs,
  type NarrowOptions,
  openWorkspace,
  ReadFileError,
  type Workspace,
} from "../../mod.ts";
import { nameless } from "../support/fake_fs.ts";
import { draws } from "../support/share.ts";
import {
  drawnPath,
  drawnRules,
  drawnSpelling,
  drawnTree,
} from "../support/random_tree.ts";

/** The result of a read: the text, or the code of its failure. */
async function ending(workspace: Workspace, path: string): Promise<string> {
  try {
    return (await workspace.read(path)).text;
  } catch (error) {
    assert(error instanceof ReadFileError, String(error));
    return error.code;
  }
}

describe("a narrowed workspace under attack", () => {
  // On this disk, "d" is a directory and later a link to a similar one outside.
  const real = memoryFs({ "/ws/d/src/f": "INSIDE", "/out/src/f": "SECRET" });
  const swapped = memoryFs({
    "/ws/d": { link: "/out" },
    "/out/src/f": "SECRET",
  });

  it("fails if its root was swapped during narrow()", async () => {
    let fs = real;
    const port: FsPort = nameless({
      realPath: (path) => fs.realPath(path),
      readLink: (path) => fs.readLink(path),
      open: (path) => fs.open(path),
      lstat(path) {
        const stat = fs.lstat(path);
        // The trees are swapped after the first directory.
        if (path === "/ws/d") fs = swapped;
        return stat;
      },
    });
    const workspace = await openWorkspace("/ws", { fs: port });
    const narrowed = await workspace.narrow({ root: "d/src" });
    assertEquals(await ending(narrowed, "f"), "CHANGED");
    const twice = await narrowed.narrow({ deny: ["x"] });
    assertEquals(await ending(twice, "f"), "CHANGED");
  });
  it("reads in a quiet tree if the system does not name open files", async () => {
    const workspace = await openWorkspace("/ws", { fs: nameless(real) });
    const narrowed = await workspace.narrow({ root: "d/src" });
    assertEquals(await ending(narrowed, "f"), "INSIDE");
    const twice = await (await workspace.narrow({ root: "d" }))
      .narrow({ root: "src" });
    assertEquals(await ending(twice, "f"), "INSIDE");
  });
});

/** The random chains. */
const CHAINS = draws(4_000, 2_000);

const drawnStep = fc.record({
  root: fc.oneof(fc.constant("."), drawnPath),
  deny: drawnRules,
  denied: fc.constantFrom("refuse" as const, "hide" as const, undefined),
}).map((
  { denied, ...step },
): Required<Pick<NarrowOptions, "root">> & NarrowOptions =>
  denied === undefined ? step : { ...step, denied }
);

describe("a chain of narrowed workspaces", () => {
  it("reads nothing that the wider workspace cannot read", async () => {
    let reads = 0;
    let losses = 0;
    const property = fc.asyncProperty(
      drawnTree(14),
      drawnRules,
      fc.array(drawnStep, { minLength: 1, maxLength: 3 }),
      fc.array(drawnSpelling, { minLength: 8, maxLength: 8 }),
      async (files, deny, steps, paths) => {
        let wider = await openWorkspace("/ws", { fs: memoryFs(files), deny });
        for (const step of steps) {
          let narrower: Workspace;
          try {
            narrower = await wider.narrow(step);
          } catch (error) {
            assert(error instanceof ReadFileError, String(error));
            return;
          }
          for (const path of [...paths, ...Object.keys(files)]) {
            let text: string;
            try {
              text = (await narrower.read(path)).text;
            } catch (error) {
              assert(error instanceof ReadFileError, String(error));
              losses++;
              continue;
            }
            reads++;
            const same = path.startsWith("/")
              ? path
              : `${wider.normalize(step.root)}/${narrower.normalize(path)}`;
            assertEquals((await wider.read(same)).text, text, same);
            assert(text !== "OUTSIDE\n");
          }
          wider = narrower;
        }
      },
    );
    await fc.assert(property, CHAINS);
    assertGreater(reads, CHAINS.numRuns / 2);
    assertGreater(losses, CHAINS.numRuns);
  });
});
