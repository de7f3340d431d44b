import { assertEquals } from "@std/assert";
import { rmSync } from "node:fs";
import { describe, it } from "node:test";
import { openWorkspace } from "../../../mod.ts";
import { onDisk, RUNTIME } from "../../support/disk.ts";
import { observe, observeEveryWay } from "../../support/observe.ts";

/** The kinds of files that are at a hidden path. */
const HIDDEN: Readonly<Record<string, readonly string[]>> = {
  "a file": ["ws/d/.env: SECRET"],
  "a folder": ["ws/d/.env/x: SECRET", "ws/d/.env/.env: SECRET"],
  "a FIFO": ["ws/d/.env|"],
  "a link to a file": ["ws/d/.env -> ../a.txt"],
  "a link to a folder": ["ws/d/.env -> ."],
  "a link out": ["ws/d/.env -> $/out"],
  "a link to itself": ["ws/d/.env -> .env"],
  "a link to nothing": ["ws/d/.env -> nope"],
};

const BESIDE = [
  "out/x: OUTSIDE",
  "ws/a.txt: a",
  "ws/d/a.txt: a",
  "ws/link -> d/.env",
  "ws/link-up -> d/.env/../a.txt",
  "ws/link-round -> d/.env/../.env/x",
  "ws/d2 -> d",
  "ws/whole -> $/ws/d/.env",
  `ws/long -> d/.env/${"x".repeat(300)}`,
];

const PATHS = [
  "d/.env",
  "d/.env/",
  "d/.env/.",
  "d/.env/x",
  "d/.env/.env",
  "d/.env/../a.txt",
  "d/.ENV",
  "link",
  "link/",
  "link/x",
  "link-up",
  "link-round",
  "d2/.env",
  "d2/.env/x",
  "whole",
  "whole/x",
  "long",
  "$ROOT/d/.env",
  "d/a.txt",
  "d",
];

/** An etag says whether the file was at rest: on a slow machine, only the later of two calls. */
function withoutEtag(text: string): string {
  return text.replace(/"etag":"[^"]*"/, '"etag":""');
}

/** The compared workspace hides a missing path, since hiding turns suggestions off. */
const HIDES_NOTHING = { deny: ["none of these"], denied: "hide" } as const;

describe(`a hidden path on the disk of ${RUNTIME}`, () => {
  for (const [kind, layout] of Object.entries(HIDDEN)) {
    it(`looks exactly like a missing path: ${kind}`, async () => {
      await using place = await onDisk([...BESIDE, ...layout]);
      const { fs, root } = place;
      const rules = { deny: ["**/.env"], denied: "hide" } as const;
      const hiding = await openWorkspace(root, { fs, ...rules });
      const lacking = await openWorkspace(root, { fs, ...HIDES_NOTHING });
      const paths = PATHS.map((path) => path.replace("$ROOT", root));
      const tellings: Record<string, string>[] = [];
      // One loop makes both calls, so that the stacks name the same lines.
      for (const workspace of [hiding, lacking]) {
        if (workspace === lacking) {
          rmSync(`${root}/d/.env`, { recursive: true });
        }
        const all: Record<string, string> = {};
        for (const path of paths) {
          const ways = await observeEveryWay(workspace, path, root);
          for (const [way, text] of Object.entries(ways)) {
            all[`${way} of ${path}`] = withoutEtag(text);
          }
        }
        tellings.push(all);
      }
      for (const [about, text] of Object.entries(tellings[0]!)) {
        assertEquals(text, tellings[1]![about], about);
      }
    });
  }
  it("looks the same below a missing folder", async () => {
    await using place = await onDisk(["ws/a.txt: a"]);
    const { fs, root } = place;
    const rules = { deny: ["**/.env"], denied: "hide" } as const;
    const hiding = await openWorkspace(root, { fs, ...rules });
    const lacking = await openWorkspace(root, { fs, ...HIDES_NOTHING });
    for (const path of ["a.txt/.env", "nope/.env", "../.env", ".env\0"]) {
      assertEquals(
        await observe(() => hiding.read(path)),
        await observe(() => lacking.read(path)),
      );
    }
  });
});
