import type { Call } from "../base/call.ts";
import { hasFunctions, optionalOf } from "../base/check.ts";
import { ReadFileError, refuseArgument } from "../base/errors.ts";
import type { FileMedia } from "../base/errors.ts";
import { SNIFF_BYTES } from "../base/limits.ts";
import type { Awaitable, FileHandle, FileStat } from "../base/port.ts";
import { quote } from "../base/words.ts";
import { isUtf8, joinBytes } from "../lines/text.ts";
import { readerOf } from "../lines/unsized.ts";
import { OpenedFile } from "../guard/open.ts";
import type { Encodings, ResolvedEncoding } from "../lines/codec.ts";
import { adviceFor, mediaOf, tellMedia } from "./signatures.ts";

/** The text that a view makes of a file, as bytes of UTF-8; lines with other bytes are `inexact`. */
export interface ViewText {
  /** Whether the text may be in another encoding, as in a compressed file: the one that the call names, or that is detected. */
  readonly isEncoded?: boolean;
  /** How many bytes it has. */
  readonly size: number;
  /** Reads into `buffer`, up to its length; returns how many bytes were read, `0` only at the end. */
  read(buffer: Uint8Array, position: number): Awaitable<number>;
  /** Frees what it holds; called once. */
  close?(): Awaitable<void>;
}

/** The request to a view, and the functions that it may use. */
export interface ViewRequest {
  /** The requested pages, such as `"3-5"`; only for a view with `paged`. */
  readonly pages?: string;
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
  /** Yields to the event loop if calls have blocked it for long; throws `ABORTED`. Await it between steps of a few milliseconds. */
  yieldIfDue(): Promise<void> | undefined;
  /** Makes the failure of a file that this view cannot show. */
  fail(problem: string, hint?: string): ReadFileError;
  /** Makes the failure of a text, or of a part of it, that exceeds a limit; `what` names it. */
  tooLarge(
    what: string,
    size: number,
    limit: number,
    hint?: string,
  ): ReadFileError;
}

/**
 * Shows files of some kind as text, which is then read like any other file: by
 * lines, pages, columns and etags.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, type View } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const wasm: View = {
 *   name: "wasm",
 *   matches: ({ media }) => media?.type === "application/wasm",
 *   async open(file) {
 *     const version = new Uint8Array(1);
 *     await file.read(version, 4);
 *     return `version: ${version[0]}\n`;
 *   },
 * };
 * const fs = memoryFs({ "/repo/a.wasm": "\0asm\x01\0\0\0" });
 * const workspace = await openWorkspace("/repo", { fs, views: [wasm] });
 * const page = await workspace.read("a.wasm");
 * assertEquals([page.view, page.lines[0]?.text], ["wasm", "version: 1"]);
 * assertEquals((await workspace.read("a.wasm", { view: "raw" })).view, null);
 * ```
 */
export interface View {
  /** Its name, by which a call selects it; not `"raw"`. */
  readonly name: string;
  /** Whether it takes `pages`. */
  readonly paged?: boolean;
  /** Whether it shows a file, by its first bytes and never by its name. */
  matches(file: {
    /** The type by these bytes; `null` for text and for unknown types. */
    readonly media: FileMedia | null;
    /** The first bytes, up to 8 KiB. */
    readonly head: Uint8Array;
  }): boolean;
  /**
   * Makes the text of a file, reading only from `file`. Must limit its use of
   * memory. The same file must give the same text. A lone surrogate in a string
   * is shown as U+FFFD, and its line is `inexact`.
   */
  open(file: OpenedFile, request: ViewRequest): Awaitable<ViewText | string>;
}

export interface Views {
  /** The views used by default, if they match. */
  readonly usual: readonly View[];
  /** Other views that a call may name. */
  readonly named: readonly View[];
}

/** The view that a call asks for. */
export interface ViewChoice {
  /** The name of a view, or `"raw"` for the file itself. */
  readonly view?: string | undefined;
  readonly pages?: string | undefined;
}

/** The file to read, and the name of its view; `null` for the file itself. */
export interface Viewed {
  readonly file: OpenedFile;
  readonly name: string | null;
  /** Detects the encoding of the view, whatever the call names. */
  readonly detection?: Encodings;
}

/** Opens the view that the call names, or the default view for the file. */
export async function openView(
  file: OpenedFile,
  call: Call,
  views: Views,
  { view, pages }: ViewChoice,
): Promise<Viewed> {
  const chosen = await choose(file, call, views, view);
  if (pages !== undefined && !(chosen && optionalOf(chosen.view, "paged"))) {
    const problem = chosen === undefined
      ? "means nothing for a file that no view divides into pages"
      : `means nothing for the view ${quote(chosen.view.name)}`;
    throw refuseArgument(call.path)("pages", problem);
  }
  if (chosen === undefined) return { file, name: null };
  const { name } = chosen.view;
  const text = await readText(file, call, chosen, pages);
  const stat: FileStat = {
    ...file.stat,
    size: text.size,
    // The identity differs from that of the file: the view has other lines and versions.
    id: `${file.stat.id ?? ""} ${name} ${pages ?? ""}`,
    remote: false,
  };
  const handle: FileHandle = {
    async stat() {
      await refuseChange(file);
      return stat;
    },
    read: (buffer, position) => text.read(buffer, position),
    path: () => undefined,
    async close() {
      try {
        await closeText(text);
      } finally {
        await file.close();
      }
    },
  };
  const shown = new OpenedFile(file.path, stat, handle, call);
  const isEncoded = optionalOf(text, "isEncoded");
  return { file: shown, name, ...(!isEncoded && { detection: IN_UTF_8 }) };
}

/** Decodes a text as UTF-8, even if it has bytes that are not valid in UTF-8. */
const IN_UTF_8: Encodings = {
  check: (label) => label,
  resolve: () => Promise.resolve(WITH_LOSSES),
  detect(_, shown) {
    const isLost = shown?.text.includes("\uFFFD") && !isUtf8(shown.bytes());
    return Promise.resolve(isLost ? WITH_LOSSES : undefined);
  },
};

const WITH_LOSSES: ResolvedEncoding = {
  encoding: { label: "utf-8", why: "nothing else fits" },
  use() {},
};

/** A view, and the file that it shows. */
interface Chosen {
  readonly view: View;
  /** Whether the view is used by default, if it matches. */
  readonly isUsual: boolean;
  /** The type of the file. */
  readonly media: FileMedia | null;
}

async function choose(
  file: OpenedFile,
  { path }: Call,
  { usual, named }: Views,
  name: string | undefined,
): Promise<Chosen | undefined> {
  if (name === "raw") return undefined;
  const all = [...usual, ...named];
  const requested = all.find((view) => view.name === name);
  if (name !== undefined && requested === undefined) {
    const names = new Set(["raw", ...all.map(({ name }) => name)]);
    const known = [...names].map(quote).join(", ");
    const problem = `must be one of ${known}, not ${quote(name)}`;
    throw refuseArgument(path)("view", problem);
  }
  const candidates = requested === undefined ? usual : [requested];
  if (candidates.length === 0) return undefined;
  const head = new Uint8Array(Math.min(SNIFF_BYTES, file.stat.size));
  await fill(head, file, 0);
  const media = mediaOf(head);
  const kind = { media, head };
  for (const view of candidates) {
    const chosen = { view, isUsual: usual.includes(view), media };
    try {
      if (view.matches(kind)) return chosen;
    } catch (error) {
      throw viewFailed(path, chosen, error);
    }
  }
  if (requested === undefined) return undefined;
  const what = media ? tellMedia(media) : "not of a kind that it shows";
  const asked = { view: requested, media };
  throw unreadable(path, asked, `it is ${what}`, READ_RAW);
}

/** The name of the view that shows a file by default; `null` if none can. */
export async function usualViewOf(
  file: OpenedFile,
  call: Call,
  views: Views,
): Promise<string | null> {
  try {
    const viewed = await openView(file, call, views, {});
    const byte = new Uint8Array(1);
    if (viewed.file.stat.size > 0) await viewed.file.read(byte, 0);
    return viewed.name;
  } catch {
    call.check();
    return null;
  }
}

const ITSELF = 'read the file itself with view "raw"';
const READ_RAW = `leave view out, or ${ITSELF}`;

/** What to do with a file that its view cannot show. */
function hintFor({ isUsual, media }: Chosen): string {
  // A binary file cannot be read as text with view "raw".
  if (media !== null) return adviceFor(media);
  // Without its name, a usual view would be chosen again.
  return isUsual ? ITSELF : READ_RAW;
}

function unreadable(
  path: string,
  { view, media }: Pick<Chosen, "view" | "media">,
  problem: string,
  hint: string,
  cause?: unknown,
) {
  const details = { as: view.name, problem, ...(media && { media }) };
  return new ReadFileError("UNREADABLE", path, details, { cause, hint });
}

/** The failure of a view that threw, without the message, which may hold what a model should not see. */
function viewFailed(path: string, chosen: Chosen, cause: unknown) {
  const problem = "the view failed";
  return unreadable(path, chosen, problem, hintFor(chosen), cause);
}

async function refuseChange(file: OpenedFile): Promise<void> {
  if (await file.checkUnchanged() !== "same") throw file.changed("rewritten");
}

async function readText(
  file: OpenedFile,
  call: Call,
  chosen: Chosen,
  pages: string | undefined,
): Promise<ViewText> {
  const { media } = chosen;
  const { path, signal } = call;
  const request: ViewRequest = {
    ...(pages !== undefined && { pages }),
    signal,
    yieldIfDue: () => call.yieldIfDue(),
    fail: (problem, hint = hintFor(chosen)) =>
      unreadable(path, chosen, problem, hint),
    tooLarge: (what, size, limit, hint = media ? adviceFor(media) : ITSELF) =>
      new ReadFileError("TOO_LARGE", path, { what: "view", size, limit }, {
        words: {
          TOO_LARGE: ({ path }) => [
            `Cannot read ${
              quote(path)
            }: ${what}, ${size}, is above the limit of ${limit}`,
            hint,
          ],
        },
      }),
  };
  try {
    // Do not wait for a view that ignores the signal.
    const discard = (late: ViewText | string) => void closeLate(late);
    const text = await call.wait(chosen.view.open(file, request), discard);
    if (typeof text === "string") {
      const bytes = encodeText(text);
      return { size: bytes.length, read: readerOf(bytes) };
    }
    const isSize = Number.isSafeInteger(text.size) && text.size >= 0;
    if (isSize && hasFunctions(text, ["read"])) return text;
    throw new TypeError("A view must return a string or a ViewText");
  } catch (error) {
    call.check();
    // A failure may come from a mixture of two versions.
    await refuseChange(file);
    if (!(error instanceof ReadFileError)) {
      throw viewFailed(path, chosen, error);
    }
    const isOfFile = error.is("SCAN_LIMIT") && error.cause === undefined;
    if (!isOfFile) throw error;
    // The cause tells that the view reads so far, and not the lines that are asked for.
    throw new ReadFileError(error.code, path, error.details, { cause: error });
  }
}

/** Frees what a text holds. */
export async function closeText(text: ViewText): Promise<void> {
  if (optionalOf(text, "close") !== undefined) await text.close!();
}

/** Closes a text that arrives after an abort. */
async function closeLate(text: ViewText | string): Promise<void> {
  try {
    if (typeof text !== "string") await closeText(text);
  } catch {
    // The call is over.
  }
}

/** Fills a buffer with the bytes of a file from `position` on. */
export async function fill(
  buffer: Uint8Array,
  file: OpenedFile,
  position: number,
): Promise<void> {
  for (let length = 0; length < buffer.length;) {
    const count = await file.read(buffer.subarray(length), position + length);
    if (count === 0) throw file.changed("shrank");
    length += count;
  }
}

/** Encodes a text as UTF-8. A run of lone surrogates becomes one byte that is never valid, which is shown as U+FFFD, and whose line is inexact. */
export function encodeText(text: string): Uint8Array {
  const encoder = new TextEncoder();
  if (text.isWellFormed()) return encoder.encode(text);
  const [first = "", ...others] = text.split(/[\uD800-\uDFFF]+/u);
  const parts = others.flatMap((part) => [LOST_BYTE, encoder.encode(part)]);
  return joinBytes([encoder.encode(first), ...parts]);
}

/** A byte that UTF-8 never has. */
const LOST_BYTE = Uint8Array.of(0xff);
