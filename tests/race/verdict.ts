/** Judges a race. */
import { CONTROL } from "./reader.ts";
import type { Outcome, Plan } from "./race.ts";

/** What went wrong in a race, in words; the control's leaks are as they should be. */
export function faultsOf({ readers }: Plan, outcome: Outcome): string[] {
  return readers.flatMap((name, at) => {
    const faults: string[] = [];
    const { reads, ok } = outcome.calm[at]!;
    if (ok < reads) {
      faults.push(`${name}: ${reads - ok} reads failed in peace`);
    }
    if (name === CONTROL) return faults;
    const { leaks, hangs, other } = outcome.attacked[at]!;
    if (leaks > 0) faults.push(`${name}: ${leaks} LEAKS`);
    if (hangs > 0) faults.push(`${name}: it hangs`);
    for (const [what, times] of Object.entries(other)) {
      faults.push(`${name}: ${times} times ${what}`);
    }
    return faults;
  });
}

/** Whether the control leaked: without that, no one can say there was an attack. */
export function wasAttacked({ readers }: Plan, { attacked }: Outcome): boolean {
  return attacked[readers.indexOf(CONTROL)]!.leaks > 0;
}
