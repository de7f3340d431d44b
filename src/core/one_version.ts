// Runtime-agnostic.
import { orElse, whenThere } from "./awaitable.ts";
import type { BinaryContent } from "./lines/binary.ts";
import { ReadFileError } from "./errors.ts";
import type { OpenedFile } from "./guard/opened_file.ts";
import type { TextWindow } from "./lines/window.ts";
import type { Awaitable } from "./port.ts";

type Content = TextWindow | BinaryContent;

/** What a read came to; a failure that speaks of the content is an answer too. */
type Outcome =
  | { readonly content: Content }
  | { readonly failure: unknown };

/**
 * Reads, and makes sure that the answer is of one version of the file; `CHANGED`
 * if it may be a mixture.
 *
 * A file that is larger by now was appended to, or written over by more: its
 * size and times cannot tell, nor can they of one that was only touched. So it is
 * read once more, as far as it went when it was opened; what was only appended
 * to, or renamed, gives the same answer again.
 */
export function readOneVersion(
  file: OpenedFile,
  read: (round: 1 | 2) => Awaitable<Content>,
): Awaitable<Content> {
  return whenThere(outcomeOf(() => read(1)), (first) => {
    const give = (): Content => {
      if ("failure" in first) throw first.failure;
      return first.content;
    };
    return whenThere(file.checkUnchanged(), (state) => {
      if (state === "same") return give();
      return whenThere(outcomeOf(() => read(2)), (second) => {
        if (!isSame(first, second)) throw file.changed("rewritten");
        return give();
      });
    });
  });
}

function outcomeOf(read: () => Awaitable<Content>): Awaitable<Outcome> {
  return orElse<Outcome>(
    () => whenThere(read(), (content) => ({ content })),
    (failure) => {
      if (
        failure instanceof ReadFileError && !ABOUT_CONTENT.has(failure.code)
      ) throw failure;
      // What cannot be, such as lines that do not add up, may be of two versions.
      return { failure };
    },
  );
}

/** The failures that follow from what the file holds. */
const ABOUT_CONTENT: ReadonlySet<ReadFileError["code"]> = new Set(
  ["BINARY", "TOO_LARGE", "RANGE_OUT_OF_BOUNDS", "SCAN_LIMIT"] as const,
);

function isSame(one: Outcome, other: Outcome): boolean {
  if (factsOf(one) !== factsOf(other)) return false;
  if (!("content" in one && "content" in other)) return true;
  const { bytes } = other.content;
  return one.content.bytes.every((byte, index) => byte === bytes[index]);
}

/** All but the bytes, to compare. */
function factsOf(outcome: Outcome): string {
  if ("failure" in outcome) {
    const { code, details } = Object(outcome.failure) as Partial<ReadFileError>;
    return JSON.stringify([code, details]);
  }
  const { kind, bytes: { length }, cut } = outcome.content;
  if (kind === "binary") return JSON.stringify([kind, length, cut]);
  const { span, start, next, column, nextColumn, totalLines } = outcome.content;
  const place = [span, start, next, column, nextColumn, totalLines];
  return JSON.stringify([kind, length, cut, place]);
}
