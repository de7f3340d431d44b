import { assert, assertEquals, assertGreater } from "@std/assert";
import { renameSync } from "node:fs";
import { describe, it } from "node:test";
import { openWorkspace } from "../../mod.ts";
import { rootOf, ROWS } from "../suites/attacks.ts";
import { RUNTIME } from "../support/disk.ts";
import { plantAll } from "../support/plant.ts";
import { observe, observeEveryWay, wholePath } from "../support/observe.ts";

/** The message or result of each way to read, for one attack; `$T` stands for the folder of the attack. */
type Telling = Readonly<Record<string, string>>;

/** All rows except one whose root is `/`, outside which nothing exists. */
const rows = ROWS.filter(({ id }) => id !== "ROOT-07");

/** The folders outside the root that every row has. */
const OUTSIDE = ["outside", "ws-evil"];

/** Runs every attack; `"empty"` first removes the folders outside. */
async function tellAll(
  outside: "full" | "empty",
): Promise<ReadonlyMap<string, Telling>> {
  using planted = plantAll(rows);
  const all = new Map<string, Telling>();
  for (const row of rows) {
    const folder = planted.baseOf(row);
    const away = outside === "empty" ? OUTSIDE : [];
    for (const name of away) {
      renameSync(`${folder}/${name}`, `${folder}/${name}.away`);
    }
    const root = rootOf(row, folder);
    const { input } = row;
    const path = typeof input === "string"
      ? input.replace("$T", folder).replace("$HALF", "\ud800")
      : input;
    const ways: Record<string, string> = {};
    ways.openWorkspace = await observe(async () => {
      const workspace = await openWorkspace(root);
      Object.assign(
        ways,
        await observeEveryWay(workspace, path as string, root),
      );
    });
    for (const [way, text] of Object.entries(ways)) {
      // openWorkspace() gets the root, the tools get the path.
      const given = way === "openWorkspace"
        ? root
        : way.startsWith("Codex")
        ? wholePath(root, path)
        : path;
      // A path for Codex begins with the root, so its messages may contain the root.
      const names = way.startsWith("Codex")
        ? text.replaceAll(`name a file below \\"${root}\\"`, "below ROOT")
          .replaceAll(`did you mean \\"${root}/`, "did you mean ROOT/")
          .replaceAll(`"${root}/`, '"ROOT/')
        : text;
      ways[way] = withoutGiven(names, given).replaceAll(folder, "$T");
    }
    all.set(row.id, ways);
    for (const name of away) {
      renameSync(`${folder}/${name}.away`, `${folder}/${name}`);
    }
  }
  return all;
}

/** Removes the given path, which may occur with several levels of quotes. */
function withoutGiven(text: string, given: unknown): string {
  if (typeof given !== "string" || given === "") return text;
  let rest = text;
  for (const path of [given, `${given.slice(0, 256)}\u2026`]) {
    const spelt = [path];
    for (let quotes = 0; quotes < 3; quotes++) {
      spelt.unshift(JSON.stringify(spelt[0]).slice(1, -1));
    }
    for (const quoted of spelt) rest = rest.replaceAll(quoted, "GIVEN");
  }
  return rest;
}

const empty = await tellAll("empty");
const full = await tellAll("full");

/** Whether the text is a failure, for any way to read. */
function isFailure(text: string): boolean {
  return /^fails: |^\{"ok":false|^\{"status":"(failure|denied)"/.test(text);
}

describe(`messages in ${RUNTIME}`, () => {
  it("are numerous", () => {
    const tellings = [...full.values()].flatMap(Object.values);
    assertGreater(tellings.length, rows.length * 10);
    assertGreater(tellings.filter(isFailure).length, rows.length * 5);
  });
  for (const { id, note } of rows) {
    it(`show only the given path: ${id} ${note}`.trim(), () => {
      for (const [way, text] of Object.entries(full.get(id)!)) {
        assert(!text.includes("$T"), `${way}: ${text}`);
        assert(
          !text.includes("SECRET") || id.startsWith("HRD"),
          `${way}: ${text}`,
        );
      }
    });
    // This root has a link in a folder outside in its path.
    if (id === "PRE-11") continue;
    it(`are the same for any tree outside: ${id} ${note}`.trim(), () => {
      const other = empty.get(id)!;
      for (const [way, text] of Object.entries(full.get(id)!)) {
        assertEquals(isFailure(other[way]!), isFailure(text), way);
        if (isFailure(text)) assertEquals(other[way], text, way);
      }
    });
  }
});
