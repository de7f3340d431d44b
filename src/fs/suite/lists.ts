// Runtime-agnostic.
import { BrokenClaim, type DraftCase, expect, show } from "./case.ts";
import type { PortTree } from "./port_suite.ts";

const TREE: PortTree = {
  "d/a": "x",
  "d/b": "x",
  "d/e/c": "x",
  "d.txt": "x",
};

/** What `d` holds, and nothing else. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ["a", "file"],
  ["b", "file"],
  ["e", "directory"],
]);

/** What `list()` promises, where there is one. */
export function listCases(): DraftCase[] {
  return [
    listCase("names what a directory holds, and its kind", [10, 3]),
    listCase("gives no more than was asked for", [3, 2, 1]),
  ];
}

function listCase(name: string, rows: readonly number[]): DraftCase {
  return {
    name: `list(): ${name}`,
    tree: TREE,
    async check({ fs, root }) {
      if (fs.list === undefined) return;
      for (const most of rows) {
        const entries = await fs.list(`${root}/d`, most);
        if (!Array.isArray(entries)) {
          throw new BrokenClaim(
            `list() must give an array, and gives ${show(entries)}`,
          );
        }
        // A place made of others may hold one that cannot list.
        if (entries.length === 0) continue;
        const wanted = Math.min(most, KINDS.size);
        const what = `entries of three, where ${most} are enough`;
        expect(`the number of ${what}`, entries.length, wanted);
        for (const entry of entries) {
          const { name, kind } = Object(entry);
          const shown = show(name);
          if (!KINDS.has(name)) {
            throw new BrokenClaim(
              `list() must give the names in "d", and gives ${shown}`,
            );
          }
          expect(
            `the kind that list() has for ${shown}`,
            kind,
            KINDS.get(name)!,
          );
        }
        const names = new Set(entries.map(({ name }) => name));
        expect(`the number of different ${what}`, names.size, wanted);
      }
    },
  };
}
