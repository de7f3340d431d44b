// Runtime-agnostic.
import type { Call } from "./base/call.ts";
import { ReadFileError, refuseArgument } from "./base/errors.ts";
import type { ReadPolicy } from "./base/policy.ts";
import type { OpenedFile } from "./guard/open.ts";
import type { Encodings, Told } from "./lines/codec.ts";
import type { FileIndex } from "./lines/line_index.ts";
import type { KernelPool } from "./lines/scan.ts";
import { Source } from "./lines/source.ts";
import { readBinary } from "./lines/text.ts";
import { readWindow, relabel, type TextWindow } from "./lines/window.ts";
import type { Outcome } from "./outcome.ts";
import type { Finder } from "./read.ts";

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
  told?.use(source);
  const { binary = "replace" } = policy;
  try {
    await finder.check?.(source, policy);
    // What is not UTF-8 may be text all the same.
    const isOther = judge !== undefined && binary !== "replace" &&
      (await judge(source))?.codec !== undefined;
    const bytes = isOther ? undefined : await readBinary(source, policy);
    if (bytes !== undefined) return { content: bytes };
    const content = await locate(finder, source, policy);
    // Nothing speaks against UTF-8 in most files.
    const better = await judge?.(source, content);
    if (better !== undefined) relabel(content, better.encoding);
    if (better?.codec === undefined) await finder.settle?.(source, content);
    return { content };
  } catch (failure) {
    const isOurs = failure instanceof ReadFileError;
    if (isOurs && !ABOUT_CONTENT.has(failure.code)) throw failure;
    const isLarge = isOurs && failure.is("TOO_LARGE") &&
      failure.details.what === "file";
    if (judge !== undefined && !isLarge) await judge(source);
    const told = isOurs && await finder.explain?.(failure, source);
    // An impossible result, such as lines that do not add up, may be of two versions.
    return { failure: told || failure };
  } finally {
    // A read that an abort left pending may still write into the buffer.
    if (!source.isReading) kernels.give(kernel);
  }
}

async function locate(
  { find, read, keepsBytes = false }: Finder,
  source: Source,
  policy: ReadPolicy,
): Promise<TextWindow> {
  const { codec, path } = source;
  if (read === undefined) {
    const span = await find(source, policy);
    return await readWindow(source, span, policy, keepsBytes);
  }
  if (codec === undefined) return await read(source, policy);
  const problem = `searches only UTF-8, and this file is ${codec.label}`;
  throw refuseArgument(path)("match", problem);
}

/** The failures that follow from what the file holds. */
const ABOUT_CONTENT: ReadonlySet<ReadFileError["code"]> = new Set(
  [
    ...["BINARY", "TOO_LARGE", "UNREADABLE"] as const,
    ...["RANGE_OUT_OF_BOUNDS", "SCAN_LIMIT"] as const,
  ],
);
