// Runtime-agnostic.

/** The largest share that all can have within `left`, if none takes more than it needs. */
export function shareOf(left: number, needs: readonly number[]): number {
  let rest = left;
  let open = needs.length;
  let share = 0;
  for (const need of needs.toSorted((one, other) => one - other)) {
    const even = Math.floor(rest / open);
    if (need > even) return even;
    share = need;
    rest -= need;
    open--;
  }
  return share;
}
