import type { Steps } from "./base/call.ts";

/** An amount of each of some units, such as characters and lines. */
export type Amounts<Unit extends string> = Readonly<Record<Unit, number>>;

/**
 * Shares what a batch may take among its parts, by what each of them needs, unit by
 * unit; `null` for a part that gets nothing of one of them. A part that is cut in one
 * unit may need as much as `least` more of the next: it names the call that goes on.
 * Takes steps, since there may be 100,000 parts.
 */
export function* shareAmounts<Unit extends string>(
  needs: readonly Amounts<Unit>[],
  limits: Amounts<Unit>,
  least: Amounts<Unit>,
): Steps<(Amounts<Unit> | null)[]> {
  const cut = new Uint8Array(needs.length);
  const all: (Record<Unit, number> | null)[] = needs.map(() => ({ ...limits }));
  for (const unit of Object.keys(limits) as Unit[]) {
    yield;
    const own = needs.map((need, at) =>
      all[at] === null ? 0 : need[unit] + (cut[at] === 1 ? least[unit] : 0)
    );
    const given = share(own, limits[unit], least[unit]);
    yield;
    for (const [at, most] of given.entries()) {
      const shares = all[at];
      if (most === null) all[at] = null;
      else if (shares) shares[unit] = most;
      if (most === null || most < needs[at]![unit]) cut[at] = 1;
    }
  }
  return all;
}

/**
 * Shares a limit among parts, by what each of them needs: smaller parts get all
 * of it, and the others equal shares of the rest. A part gets nothing (`null`) if
 * its share would be less than `least`; the last parts are left out first.
 */
export function share(
  needs: readonly number[],
  limit: number,
  least = 1,
): (number | null)[] {
  const shares: (number | null)[] = needs.map(() => null);
  let open = Array.from(needs.keys());
  let left = limit;
  for (;;) {
    const even = Math.max(least, Math.floor(left / open.length));
    const large: number[] = [];
    for (const at of open) {
      const need = needs[at]!;
      if (need > even) large.push(at);
      else if (need <= left) {
        shares[at] = need;
        left -= need;
      }
    }
    const kept = large.slice(0, Math.floor(left / least));
    if (kept.length === open.length) break;
    // What small parts leave, and parts that are left out, raises the share of the others.
    open = kept;
  }
  const even = Math.floor(left / open.length);
  for (const at of open) shares[at] = even;
  return shares;
}
