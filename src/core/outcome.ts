// Runtime-agnostic.
import type { Call } from "./base/call.ts";
import type { ReadFileError } from "./base/errors.ts";
import type { FoundWindow } from "./pages/found.ts";
import type { FileContent } from "./read.ts";

/** The result of one read; a failure that follows from the content is a result too. */
export type Outcome =
  | { readonly content: FileContent }
  | { readonly failure: unknown };

/** Whether two reads gave the same result. */
export async function isSame(
  one: Outcome,
  other: Outcome,
  call: Call,
): Promise<boolean> {
  if (factsOf(one) !== factsOf(other)) return false;
  if (!("content" in one && "content" in other)) return true;
  const [{ bytes }, { bytes: others }] = [one.content, other.content];
  for (let at = 0; at < bytes.length; at++) {
    if (at % STEP_BYTES === 0) await call.breathe();
    if (bytes[at] !== others[at]) return false;
  }
  return true;
}

/** How many bytes are compared between two checks of the time slice. */
const STEP_BYTES = 1024 * 1024;

/** Everything but the bytes, as text to compare. */
function factsOf(outcome: Outcome): string {
  if ("failure" in outcome) {
    const { code, details } = Object(outcome.failure) as Partial<ReadFileError>;
    return JSON.stringify([code, details]);
  }
  const { kind, bytes: { length }, cut } = outcome.content;
  if (kind === "binary") return JSON.stringify([kind, length, cut]);
  const { span, start, next, column, nextColumn, totalLines } = outcome.content;
  const place: unknown[] = [span, start, next, column, nextColumn, totalLines];
  place.push(outcome.content.encoding);
  const { hits } = outcome.content as Partial<FoundWindow>;
  if (hits !== undefined) place.push(hits);
  return JSON.stringify([kind, length, cut, place]);
}
