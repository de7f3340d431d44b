// Runtime-agnostic.
import type { Call } from "./base/call.ts";
import { ReadFileError } from "./base/errors.ts";
import type { ReadPolicy } from "./base/policy.ts";
import type { OpenedFile } from "./guard/open.ts";
import type { Encodings, Told } from "./lines/codec.ts";
import type { FileIndex } from "./lines/line_index.ts";
import type { Span } from "./lines/locate.ts";
import type { KernelPool } from "./lines/scan.ts";
import { Source } from "./lines/source.ts";
import { type BinaryContent, readBinary } from "./lines/text.ts";
import { readWindow, relabel, type TextWindow } from "./lines/window.ts";

/** What a read gives: a run of lines, or the bytes of a binary file. */
export type FileContent = TextWindow | BinaryContent;

/** How the lines of a read are located. Separate functions, so that unused selections tree-shake away. */
export interface Finder {
  /** Checks the version of the file before anything is located. */
  readonly check?: (source: Source) => Promise<void>;
  readonly find: (source: Source, policy: ReadPolicy) => Promise<Span>;
  /** Whether the bytes of the lines will be needed, and not only their text. */
  readonly keepsBytes?: boolean;
}

/** All that a read of an open file needs. */
export interface Reader {
  readonly file: OpenedFile;
  readonly call: Call;
  readonly finder: Finder;
  readonly policy: ReadPolicy;
  readonly kernels: KernelPool;
  /** The encoding that was asked for, or what tells it; `undefined` for UTF-8. */
  readonly told: Told | Encodings | undefined;
}

/** The result of one reading; a failure that follows from the content is a result too. */
export type Outcome =
  | { readonly content: FileContent }
  | { readonly failure: unknown };

/** Reads in the encoding that was asked for, or that the file is in. */
export async function readOnce(
  reader: Reader,
  index: FileIndex | undefined,
): Promise<Outcome> {
  const { told } = reader;
  if (told === undefined || "encoding" in told) {
    return await readIn(reader, index, told);
  }
  const known = index?.told;
  if (known !== undefined) return await readIn(reader, index, known);
  // Most files are UTF-8: they are read as such, and then judged.
  let better: Told | undefined;
  const outcome = await readIn(reader, index, undefined, async (...read) => {
    better = await told.judge(...read);
    if (better !== undefined && index !== undefined) index.told = better;
    return better;
  });
  return better?.codec === undefined
    ? outcome
    : await readIn(reader, index, better);
}

/** Finds the lines, and reads them into a window. */
async function readIn(
  { file, call, finder, policy, kernels }: Reader,
  index: FileIndex | undefined,
  told: Told | undefined,
  judge?: Encodings["judge"],
): Promise<Outcome> {
  // A new kernel may take a millisecond to make.
  const breath = call.breathe();
  if (breath !== undefined) await breath;
  const kernel = kernels.take(file.stat.size);
  const source = new Source(file, kernel, call, index);
  if (told !== undefined) source.use(told);
  const { check, find, keepsBytes = false } = finder;
  const { binary = "replace" } = policy;
  try {
    if (check !== undefined) await check(source);
    // What is not UTF-8 may be text all the same.
    const isBinary = judge !== undefined && binary !== "replace" &&
      (await judge(source))?.codec !== undefined;
    const bytes = isBinary ? undefined : await readBinary(source, policy);
    if (bytes !== undefined) return { content: bytes };
    const span = await find(source, policy);
    const shown = await readWindow(source, span, policy, keepsBytes);
    const { encoding } = told ?? await judge?.(source, shown) ?? {};
    if (encoding !== undefined) relabel(shown, encoding);
    return { content: shown };
  } catch (failure) {
    const isOurs = failure instanceof ReadFileError;
    if (isOurs && !ABOUT_CONTENT.has(failure.code)) throw failure;
    const isLarge = isOurs && failure.is("TOO_LARGE") &&
      failure.details.what === "file";
    if (judge !== undefined && !isLarge) await judge(source);
    // An impossible result, such as lines that do not add up, may be of two versions.
    return { failure };
  } finally {
    // A read that an abort left pending may still write into the buffer.
    if (!source.isReading) kernels.give(kernel);
  }
}

/** The failures that follow from what the file holds. */
const ABOUT_CONTENT: ReadonlySet<ReadFileError["code"]> = new Set(
  ["BINARY", "TOO_LARGE", "RANGE_OUT_OF_BOUNDS", "SCAN_LIMIT"] as const,
);

/** Whether two readings gave the same. */
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

/** How many bytes are compared between two looks at the clock. */
const STEP_BYTES = 1024 * 1024;

/** All but the bytes, to compare. */
function factsOf(outcome: Outcome): string {
  if ("failure" in outcome) {
    const { code, details } = Object(outcome.failure) as Partial<ReadFileError>;
    return JSON.stringify([code, details]);
  }
  const { kind, bytes: { length }, cut } = outcome.content;
  if (kind === "binary") return JSON.stringify([kind, length, cut]);
  const { span, start, next, column, nextColumn, totalLines, encoding } =
    outcome.content;
  const place = [span, start, next, column, nextColumn, totalLines, encoding];
  return JSON.stringify([kind, length, cut, place]);
}
