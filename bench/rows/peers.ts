// The same fifty lines, compared with read tools of other projects.
import { openWorkspace } from "../../mod.ts";
import type { Check, Row } from "../check.ts";
import type { Peer } from "../peers.ts";
import { type Contender, geometricMean, race } from "../stats.ts";
import { mustHold, type Page, pageCalls } from "../tools.ts";
import { smallPage } from "./small.ts";
import { NO_CACHE } from "../no_cache.ts";

export const PEERS: Row = {
  name: "peers",
  title: "50 lines of an 8 KiB file, against other read tools",
  about:
    "The slowest of the four tools, compared with the read tools of other packages. Each reads the same lines, or as many first lines, or the whole file, as it supports.",
  async measure({ data, peers, quick }) {
    const page = smallPage(data);
    const theirs = await preparePeers(peers, page);
    if (theirs.length === 0) return "no peers are installed";
    const tools = pageCalls(await openWorkspace(data.root, NO_CACHE), page);
    const ours = tools.map(({ name, call }) => ({ name, run: call }));
    const times = await race([...ours, ...theirs], {
      rounds: quick ? 11 : 41,
      calls: 50,
      warm: quick ? 10 : 100,
    });
    // Even the slowest of the four tools must win.
    const slowest =
      ours.toSorted((one, other) =>
        times.median(other.name) - times.median(one.name)
      )[0]!.name;
    const subject = "our slowest tool";
    const checks = theirs.map(({ name }): Check => ({
      subject,
      against: name,
      value: times.ratio(slowest, name),
      unit: "×",
      limit: 1,
      medians: [times.median(slowest), times.median(name)],
    }));
    return [...checks, {
      subject,
      against: "all of them, geometric mean",
      value: geometricMean(checks.map(({ value }) => value)),
      unit: "×",
      limit: 0.5,
    }];
  },
};

/** A text that proves that an answer is right. */
const PROOFS = {
  page: ["101 lorem", "150 lorem"],
  head: ["1 lorem", "50 lorem"],
  whole: ["1 lorem", "256 lorem"],
} as const;

async function preparePeers(
  peers: readonly Peer[],
  page: Page,
): Promise<Contender[]> {
  const contenders: Contender[] = [];
  for (const { name, task, prepare } of peers.flatMap(({ calls }) => calls)) {
    const run = await prepare(page);
    mustHold(await run(), ...PROOFS[task]);
    const shown = task === "page" ? name : `${name} (${task})`;
    contenders.push({ name: shown, run });
  }
  return contenders;
}
