/** Directories that changed recently: where an open directory lists itself, one listing by path is enough. */
import { assertEquals, assertGreater } from "@std/assert";
import { describe, it } from "node:test";
import { type FileHandle, memoryFs, openWorkspace } from "../../../mod.ts";
import { withStats } from "../../support/fake_fs.ts";

/** The calls that an attack leads elsewhere. */
type Call = "list" | "open" | "path" | "listOpen";

/**
 * A disk whose directories have just changed. The attacker leads the first call of
 * each given kind below `to` instead of below `/ws/p`.
 */
function attacked(to: string, calls: readonly Call[], listsOpen: boolean) {
  const disk = memoryFs({
    "/ws/p/d/a.txt": "",
    "/ws/p/d/b.txt": "",
    "/ws/q/d/a.txt": "",
    "/out/d/a.txt": "",
  });
  const left = new Set(calls);
  const counts = { list: 0, open: 0, path: 0, listOpen: 0, closed: 0 };
  const at = (call: Call, path: string) => {
    counts[call]++;
    return left.delete(call) ? path.replace("/ws/p", to) : path;
  };
  const now = Date.now();
  const fs = withStats({
    ...disk,
    list: (path, most) => disk.list!(at("list", path), most),
    async open(path) {
      const handle = await disk.open(at("open", path));
      const own = String(await handle.path());
      return {
        ...handle,
        path: () => at("path", own),
        list: listsOpen
          ? (most) => disk.list!(at("listOpen", own), most)
          : undefined,
        close: () => void counts.closed++,
      } satisfies FileHandle;
    },
  }, ({ kind }) => kind === "directory" ? { fixed: false, ctimeMs: now } : {});
  return { fs, counts };
}

/** Lists `/ws/p/d` under an attack. */
async function listUnder(to: string, calls: readonly Call[], listsOpen = true) {
  const { fs, counts } = attacked(to, calls, listsOpen);
  const workspace = await openWorkspace("/ws", { fs });
  const { entries } = await workspace.list("p/d");
  return { names: entries.map(({ path }) => path), counts };
}

const ALL = ["a.txt", "b.txt"];

describe("the listing of a directory that changed recently", () => {
  it("is repeated once, by the open directory", async () => {
    const { names, counts } = await listUnder("/out", []);
    assertEquals(names, ALL);
    assertEquals([counts.list, counts.listOpen], [1, 1]);
    assertEquals([counts.open, counts.closed], [1, 1]);
    // Its own path is asked about like that of a file.
    assertGreater(counts.path, 4);
  });

  it("is repeated many times where an open directory cannot list", async () => {
    const { names, counts } = await listUnder("/out", [], false);
    assertEquals(names, ALL);
    assertGreater(counts.list, 4);
    assertEquals([counts.path, counts.closed], [0, 1]);
  });

  const attacks = [
    ["a listing by path", "/out", ["list"]],
    ["what is listed and opened", "/out", ["list", "open"]],
    ["what is listed and opened, inside", "/ws/q", ["list", "open"]],
  ] as const;
  for (const listsOpen of [true, false]) {
    const where = listsOpen ? "with" : "without";
    for (const [what, to, calls] of attacks) {
      it(`lacks no name if ${what} is swapped, ${where} lists of open ones`, async () => {
        const { names, counts } = await listUnder(to, calls, listsOpen);
        assertEquals(names, ALL);
        assertGreater(counts.list, 4, "it was not challenged");
      });
    }
  }

  it("would lack one if an open directory could list another", async () => {
    // The control: no system does this.
    const { names } = await listUnder("/out", ["list", "listOpen"]);
    assertEquals(names, ["a.txt"]);
  });
});
