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
  let open = Array.from(needs, (need, at) => ({ need, at }));
  let left = limit;
  for (;;) {
    const even = Math.max(least, Math.floor(left / open.length));
    const small = open.filter(({ need }) => need <= even)
      .sort((one, other) => one.need - other.need);
    for (const { need, at } of small) {
      if (need > left) break;
      shares[at] = need;
      left -= need;
    }
    const large = open.filter(({ need }) => need > even);
    open = large.slice(0, Math.floor(left / least));
    // What small parts leave, and parts that are left out, raises the share of the others.
    if (small.length > 0 || open.length < large.length) continue;
    for (const { at } of open) shares[at] = even;
    return shares;
  }
}
