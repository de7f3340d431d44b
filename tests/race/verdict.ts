/** Judges the results of a race. */
import { type Answer, CONTROL } from "./reader.ts";
import type { Outcome, Plan } from "./race.ts";
import { attackOf, type Mode, PUBLIC, SECRET } from "./stage.ts";

/** Whether a read is before or during the attack. */
export type Phase = "in peace" | "under attack";

/** Judges one answer; a leak reveals something outside. */
export function judge(
  mode: Mode,
  when: Phase,
  { refusal, text }: Answer,
): "leak" | "ok" | "refused" | "other" {
  if (text.includes(SECRET) || /\/(outside|other)\b/.test(text)) return "leak";
  const isPublic = text.includes(PUBLIC);
  // In this mode, its content is outside now.
  if (mode === "moved" && when === "under attack") {
    if (isPublic) return "leak";
    if (text === "" && refusal === undefined) return "refused";
  }
  const isAbsent = refusal === "NOT_FOUND" && !text.includes("not_a_directory");
  if (mode === "oracle") {
    const isListing = refusal === undefined && text.includes(`${PUBLIC}.txt`);
    if (isAbsent || isListing) return "ok";
    return MOVED.has(refusal) ? "refused" : "leak";
  }
  const isOfNames = mode === "listing" || mode === "fewer";
  if (isOfNames && refusal === undefined && !isPublic) return "leak";
  if (isOfNames && refusal === "NOT_A_FILE") {
    // A listing must contain all entries of the directory inside.
    const told = /"entries":(\[.*?\])/.exec(text)?.[1];
    if (told === `["f.txt","${PUBLIC}.txt"]`) return "ok";
    if (told !== undefined) return "leak";
    return /f\.txt/.test(text) && !isPublic ? "leak" : "ok";
  }
  if (refusal === undefined && isPublic) return "ok";
  const { explained } = attackOf(mode);
  return explained.includes(refusal ?? "") ? "refused" : "other";
}

const MOVED: ReadonlySet<string | undefined> = new Set([
  "CHANGED",
  "OUTSIDE_WORKSPACE",
]);

/** The faults of a race; leaks of the control are expected. */
export function faultsOf({ readers }: Plan, outcome: Outcome): string[] {
  return readers.flatMap((name, at) => {
    const faults: string[] = [];
    const { reads, ok } = outcome.calm[at]!;
    if (ok < reads) {
      faults.push(`${name}: ${reads - ok} reads failed before the attack`);
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

/** Whether the control leaked, which proves that the attack worked. */
export function wasAttacked({ readers }: Plan, { attacked }: Outcome): boolean {
  return attacked[readers.indexOf(CONTROL)]!.leaks > 0;
}
