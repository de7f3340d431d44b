// Fifty lines of a small file: a whole tool call, with the guard.
import { join } from "node:path";
import { openWorkspace } from "../../mod.ts";
import type { Bench, Check, Row } from "../check.ts";
import { limitFor } from "../host.ts";
import { contender, EMPTY } from "../processes.ts";
import { floorsOf, partsOf } from "../port_calls.ts";
import { flatten, readRaw } from "../raw.ts";
import { race } from "../stats.ts";
import { mustHold, type Page, pageCalls } from "../tools.ts";
import { NO_CACHE } from "../no_cache.ts";

/** JIT compilers need thousands of calls; both contenders get the same number. */
const WARM = 50;

/** The page that every tool reads. */
export function smallPage({ root, small: path }: Bench["data"]): Page {
  return { root, path, start: 101, end: 150 };
}

export const SMALL: Row = {
  name: "small",
  title: "50 lines of an 8 KiB file, a whole tool call",
  about:
    "Each of the four tools reads the same lines, and its answer is made one flat string. Raw is the cost of the system calls alone.",
  async measure({ data, quick }) {
    const page = smallPage(data);
    const tools = pageCalls(await openWorkspace(data.root, NO_CACHE), page);
    for (const { call } of tools) {
      mustHold(await call(), "101 lorem", "150 lorem");
    }
    const path = join(data.root, page.path);
    const buffer = new Uint8Array(8 * 1024);
    const raw = { name: "raw", run: () => readRaw(path, buffer) };
    const ours = tools.map(({ name, call }) => ({
      name,
      run: async () => flatten(await call()),
    }));
    const parts = await partsOf(
      data.root,
      (workspace) => pageCalls(workspace, page)[0]!.call,
    );
    const times = await race([raw, ...parts, ...ours], {
      rounds: quick ? 21 : 61,
      calls: 200,
      warm: WARM,
    });
    const sed = contender("sed -n", ["sed", "-n", "101,150p", path]);
    const first = ours[0]!;
    const head = contender("head -n 50", ["head", "-n", "50", path]);
    const processes = await race([first, sed, head, EMPTY], {
      rounds: 21,
      calls: 1,
    });
    const against = (name: string): Check => ({
      subject: first.name,
      against: name,
      value: processes.ratio(first.name, name),
      unit: "×",
      limit: null,
      medians: [processes.median(first.name), processes.median(name)],
    });
    return [
      ...ours.map(({ name }): Check => ({
        subject: name,
        against: "raw real path + open + stat + read + close",
        value: times.ratio(name, raw.name),
        unit: "×",
        limit: name === "open_file" || name === "toolkit_read_file"
          ? limitFor({ Deno: 1.25, Bun: 1.6 })
          : limitFor({ Deno: 1.35, Bun: 1.9 }),
        inReadme: name === first.name,
        medians: [times.median(name), times.median(raw.name)],
      })),
      ...floorsOf(
        "open_file",
        "raw real path + open + stat + read + close",
        times,
      ),
      against(sed.name),
      against(head.name),
      against(EMPTY.name),
    ];
  },
};
