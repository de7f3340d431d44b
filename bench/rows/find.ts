// Finds a text, and a pattern, in the log.
import { join } from "node:path";
import { openWorkspace } from "../../mod.ts";
import type { Check, Row } from "../check.ts";
import { contender, runProcess } from "../processes.ts";
import { race } from "../stats.ts";
import { NO_CACHE } from "../no_cache.ts";

/** A text that occurs once in each MiB of the log. */
const TEXT = " 10000 INFO";

export const FIND: Row = {
  name: "find",
  title: "find a text in the log, and count its lines (1 GiB)",
  about:
    "`workspace.read` with `match`, in a new workspace each time; it also numbers the lines.",
  async measure({ data: { root, log }, quick }) {
    const path = join(root, log.path);
    const find = async (options: { readonly regex?: boolean } = {}) => {
      const workspace = await openWorkspace(root, NO_CACHE);
      const asked = { match: TEXT, maxBytes: 20_000, ...options };
      return (await workspace.read(log.path, asked)).hits?.count;
    };
    const theirs = Number.parseInt(
      runProcess(["grep", "-c", "-F", TEXT, path]),
    );
    const ours = await find();
    if (ours !== theirs || await find({ regex: true }) !== theirs) {
      throw new Error(`Wrong answer: ${ours} lines, where grep has ${theirs}`);
    }
    const grep = contender("grep -c -F", ["grep", "-c", "-F", TEXT, path]);
    const others = [grep];
    if (hasRipgrep()) {
      others.push(contender("rg -c -F", ["rg", "-c", "-F", TEXT, path]));
    }
    const pattern = { name: "pattern", run: () => find({ regex: true }) };
    const times = await race(
      [{ name: "ours", run: () => find() }, pattern, ...others],
      { rounds: quick ? 5 : 9, calls: 1 },
    );
    const checks: Check[] = others.map(({ name }) => ({
      subject: "workspace.read, match",
      against: name,
      value: times.ratio("ours", name),
      unit: "×",
      limit: name === grep.name ? 2.5 : null,
      medians: [times.median("ours"), times.median(name)],
    }));
    return [...checks, {
      subject: "workspace.read, match as a pattern",
      against: grep.name,
      value: times.ratio("pattern", grep.name),
      unit: "×",
      limit: null,
      medians: [times.median("pattern"), times.median(grep.name)],
    }];
  },
};

function hasRipgrep(): boolean {
  try {
    runProcess(["rg", "--version"]);
    return true;
  } catch {
    return false;
  }
}
