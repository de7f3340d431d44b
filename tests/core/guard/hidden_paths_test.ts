import {
  assertEquals,
  assertGreaterOrEqual,
  assertNotEquals,
} from "@std/assert";
import fc from "fast-check";
import { describe, it } from "node:test";
import {
  type FsPort,
  type MemoryFiles,
  memoryFs,
  openWorkspace,
} from "../../../mod.ts";
import { countingFs } from "../../support/counting_fs.ts";
import { failure } from "../../support/fake_fs.ts";
import { isDenied, pruned } from "../../support/pruned_tree.ts";
import { SEED } from "../../support/random.ts";
import {
  drawnPath,
  drawnRules,
  drawnSpelling,
  drawnTree,
} from "../../support/random_tree.ts";
import { recordingFs } from "../../support/recording_fs.ts";
import { draws, shareOf, some } from "../../support/share.ts";
import { observe, observeEveryWay } from "../../support/observe.ts";

/** The least number of pairs with a hidden path. */
const HIDDEN = 1_000;
const SHARES = some(4, 2);
const TREES = some(200, 100);

/** A disk with a locked folder, and limits on the length of names and paths. */
function strict(fs: FsPort, locked: string): FsPort {
  return {
    ...fs,
    lstat(path) {
      if (path.startsWith(`/ws/${locked}/`)) throw failure("EACCES");
      if (path.split("/").some((name) => name.length > 255)) {
        throw failure("ENAMETOOLONG");
      }
      return fs.lstat(path);
    },
  };
}

const LONG = "x".repeat(300);

/** Links with targets that are too long for a request. */
const LONG_LINKS: MemoryFiles = {
  "/ws/long": { link: LONG },
  "/ws/long-env": { link: `${LONG}.pem` },
};

/** The existing paths of a tree, with everything that may follow a name. */
function pathsIn(files: MemoryFiles): string[] {
  return Object.keys(files).filter((path) => path !== "/out/x").flatMap(
    (path, index) => {
      const relative = path.slice("/ws/".length);
      const other = ["/", "/.", "/x", "/../x", "/.env", "/.."][index % 6]!;
      return [relative, path, `${relative}${other}`].filter(Boolean);
    },
  );
}

describe("a hidden path", () => {
  const comparePairs = async (seed: number) => {
    let hidden = 0;
    const property = fc.asyncProperty(
      drawnTree(14),
      drawnRules.filter((rules) => rules.length > 0),
      fc.array(drawnSpelling, { minLength: 4, maxLength: 4 }),
      drawnPath,
      async (drawn, deny, spellings, locked) => {
        const files = { ...drawn, ...LONG_LINKS };
        const open = (files: MemoryFiles, rules: object) =>
          openWorkspace("/ws", {
            fs: strict(memoryFs(files), locked),
            ...rules,
          });
        const hiding = await open(files, { deny, denied: "hide" });
        // Hiding turns suggestions off, so the compared workspace also hides a path,
        // one that does not exist.
        const none = { deny: ["none of these"], denied: "hide" };
        const lacking = await open(pruned(files, deny), none);
        const plain = await open(files, {});
        for (const path of [...spellings, ...pathsIn(files)]) {
          const one = await observe(() => hiding.read(path));
          if (one !== await observe(() => plain.read(path))) hidden++;
          else if (path.length % 8 !== 0) continue;
          const tellings: Record<string, string>[] = [];
          // One loop makes both calls, so that the stacks name the same lines.
          for (const workspace of [hiding, lacking]) {
            tellings.push(await observeEveryWay(workspace, path));
          }
          for (const [way, one] of Object.entries(tellings[0]!)) {
            assertEquals(one, tellings[1]![way], `${way} of ${path}`);
          }
        }
      },
    );
    await fc.assert(property, { numRuns: TREES, seed });
    assertGreaterOrEqual(hidden, HIDDEN);
  };
  for (const share of shareOf(Array(SHARES).keys())) {
    const pairs = `${HIDDEN} pairs, ${share + 1} of ${SHARES}`;
    it(`looks exactly like a missing path: ${pairs}`, () => {
      return comparePairs(SEED + share + 1);
    });
  }
  it("differs from a missing path if it is refused: the check can fail", async () => {
    const files = { "/ws/.env": "SECRET", "/ws/a": "a" };
    const fs = memoryFs(files);
    const options = { fs, deny: ["**/.env"] };
    const refusing = await openWorkspace("/ws", options);
    const lacking = await openWorkspace("/ws", {
      fs: memoryFs({ "/ws/a": "a" }),
    });
    const one = await observeEveryWay(refusing, ".env");
    const other = await observeEveryWay(lacking, ".env");
    for (const way of Object.keys(one)) assertNotEquals(one[way], other[way]);
  });
  it("takes as many calls as a missing path, also beside a file of the substitute name", async () => {
    for (const files of [{}, { "/ws/~~~~": "" }]) {
      const inner = memoryFs({ "/ws/a": "", ...files });
      // A directory that has just changed, so that the failure is challenged.
      const fresh = { fixed: false, ctimeMs: Date.now() };
      const fs = countingFs({
        ...inner,
        lstat: async (path) => ({ ...await inner.lstat(path), ...fresh }),
      });
      const rules = { deny: [".env"], denied: "hide" } as const;
      const workspace = await openWorkspace("/ws", { fs, ...rules });
      const calls: number[] = [];
      for (const path of [".env", "none"]) {
        const before = fs.counts.calls;
        await observe(() => workspace.read(path));
        calls.push(fs.counts.calls - before);
      }
      assertEquals(calls[0], calls[1]);
    }
  });
  it("is neither passed to lstat() nor opened", async () => {
    const property = fc.asyncProperty(
      drawnTree(14),
      drawnRules,
      async (files, deny) => {
        const counted = countingFs(memoryFs(files));
        const fs = recordingFs(counted);
        const workspace = await openWorkspace("/ws", {
          fs,
          deny,
          denied: "hide",
        });
        for (const path of pathsIn(files)) {
          await observe(() => workspace.read(path));
        }
        const wrong = fs.asked.filter((path) =>
          path !== "/ws" && isDenied(path.slice("/ws/".length), deny)
        );
        // The substitute name may be denied, too; it never exists.
        assertEquals(wrong.filter((path) => !/\/~+$/.test(path)), []);
        assertEquals(counted.counts.open, 0);
      },
    );
    await fc.assert(property, draws(500, 200));
  });
});
