import {
  type OpenedFile,
  ReadFileError,
  type Workspace,
} from "@agent-tools/read-file";
import { damaged, outside, quoted } from "./fault.ts";

/** How long the event loop may be blocked, in milliseconds. */
const SLICE_MS = 8;

/** How many files stay open, but for those that calls read now: a repository may have thousands of packs. */
const MAX_OPEN = 32;
/** How many files a call reads by turns: a pack and its index, and those that led there. */
const MAX_HELD = 4;

/**
 * The files of a repository that are open. Calls that follow each other at once, as
 * those of a walk, share them; they are closed when the event loop turns, since a
 * port has no end at which it could close them. Every file is opened through a
 * workspace, so that no link of the repository leads elsewhere.
 */
export class OpenFiles {
  /** By the root and the path; the one that was used last comes last. */
  #files = new Map<string, Promise<OpenedFile | undefined>>();
  readonly #calls = new Set<Reading>();
  #willClose = false;

  /** Runs a call, for which the files stay open. */
  async run<T>(
    signal: AbortSignal | undefined,
    work: (reading: Reading) => Promise<T>,
  ): Promise<T> {
    const reading = new Reading(this, signal);
    this.#calls.add(reading);
    try {
      return await work(reading);
    } finally {
      this.#calls.delete(reading);
      if (this.#calls.size === 0 && !this.#willClose) {
        this.#willClose = true;
        setTimeout(() => this.#closeAll(), 0);
      }
    }
  }

  /** Opens a file for a call; `undefined` if nothing, or a directory, is there. */
  open(
    reading: Reading,
    place: Workspace,
    path: string,
  ): Promise<OpenedFile | undefined> {
    const name = `${place.root}\0${path}`;
    // Without a signal, since other calls use the file, too.
    const file = this.#files.get(name) ?? openFile(place, path);
    this.#files.delete(name);
    this.#files.set(name, file);
    const others = reading.held.filter((other) => other !== name);
    reading.held = [name, ...others].slice(0, MAX_HELD);
    if (this.#files.size > MAX_OPEN) this.#closeOne();
    return file;
  }

  /** Closes the file that was used longest ago, and that no call reads now. */
  #closeOne(): void {
    const held = new Set([...this.#calls].flatMap(({ held }) => held));
    for (const [name, file] of this.#files) {
      if (held.has(name)) continue;
      this.#files.delete(name);
      void closeQuietly(file);
      return;
    }
  }

  #closeAll(): void {
    this.#willClose = false;
    // The end of the last of these calls closes them.
    if (this.#calls.size > 0) return;
    for (const file of this.#files.values()) void closeQuietly(file);
    this.#files = new Map();
  }
}

/** Closes a file. If it could not be opened, there is nothing to close; a failure to close is dropped. */
async function closeQuietly(
  file: Promise<OpenedFile | undefined>,
): Promise<void> {
  try {
    await (await file)?.close();
  } catch {
    // The call that opened it has seen its failure.
  }
}

/** One call: the files that it may open, its signal and its time. */
export class Reading {
  readonly signal: AbortSignal | undefined;
  /** The files that it opened last, which it may still read. */
  held: readonly string[] = [];
  readonly #files: OpenFiles;
  #sliceBegan: number = performance.now();

  constructor(files: OpenFiles, signal: AbortSignal | undefined) {
    this.#files = files;
    this.signal = signal;
  }

  /** Opens a file; `undefined` if nothing, or a directory, is there. The call does not close it. */
  async open(
    place: Workspace,
    path: string,
  ): Promise<OpenedFile | undefined> {
    this.check();
    const file = await this.#files.open(this, place, path);
    this.check();
    return file;
  }

  /** The first bytes of a small file as text, one character for each byte; `undefined` if nothing is there. */
  async text(
    place: Workspace,
    path: string,
    most: number,
  ): Promise<{ readonly text: string; readonly isWhole: boolean } | undefined> {
    const file = await this.open(place, path);
    if (file === undefined) return undefined;
    const { size } = file.stat;
    const bytes = await readExactly(file, 0, Math.min(size, most));
    return { text: latin1(bytes), isWhole: size <= most };
  }

  /** Ends the call if it was aborted. */
  check(): void {
    if (this.signal?.aborted) throw new ReadFileError("ABORTED", "", {});
  }

  /** Lets other work run if this call has blocked the loop; ends if it was aborted. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#sliceBegan > SLICE_MS) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      this.#sliceBegan = performance.now();
    }
    this.check();
  }
}

/** Opens a file of the repository; `undefined` if nothing, or a directory, is there. */
async function openFile(
  place: Workspace,
  path: string,
): Promise<OpenedFile | undefined> {
  try {
    return await place.open(path);
  } catch (error) {
    return absentOr(error, path);
  }
}

/** Opens a file for longer than a call; its user closes it. */
export async function openKept(
  reading: Reading,
  place: Workspace,
  path: string,
): Promise<OpenedFile> {
  // The signal is of the call that opens; later reads have their own.
  reading.check();
  const file = await openFile(place, path);
  if (file === undefined) throw damaged("a large object is gone");
  return file;
}

/** Gives `undefined` for what is not there; throws the failures of a hostile repository. */
export function absentOr(error: unknown, path: string): undefined {
  if (!(error instanceof ReadFileError)) throw error;
  const name = quoted(path);
  if (error.is("NOT_FOUND") || error.is("INVALID_ARGUMENT")) return undefined;
  if (error.is("OUTSIDE_WORKSPACE")) {
    throw outside(
      `its file ${name} is a link that leads out of the repository`,
    );
  }
  if (error.is("SYMLINK_LOOP")) throw damaged(`${name} is a link to itself`);
  if (error.is("NOT_A_FILE")) {
    if (error.details.kind === "directory") return undefined;
    throw damaged(`${name} is not a regular file`);
  }
  throw error;
}

/** Reads a part of a file that must have it. */
export async function readExactly(
  file: OpenedFile,
  position: number,
  length: number,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const reading = file.read(bytes.subarray(filled), position + filled);
    const count = typeof reading === "number" ? reading : await reading;
    if (count === 0) throw damaged(`${quoted(file.path)} ends too early`);
    filled += count;
  }
  return bytes;
}

/** How much of a compressed stream is read at a time. */
const PART_BYTES = 64 * 1024;

/** The bytes of a file from `start` to `end`. */
export async function* partsOf(
  file: OpenedFile,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array, void> {
  for (let at = start; at < end; at += PART_BYTES) {
    yield await readExactly(file, at, Math.min(PART_BYTES, end - at));
  }
}

/** One character for each byte. */
export function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return text;
}

/** The names of the files in a folder, up to `most`; none if it is not there. */
export async function namesIn(
  { signal }: Reading,
  place: Workspace,
  folder: string,
  most: number,
  glob = "*",
): Promise<string[]> {
  const names: string[] = [];
  try {
    for (let after = "";;) {
      const options = {
        glob,
        limit: PAGE_ENTRIES,
        ...after !== "" && { after },
      };
      const listing = await place.list(folder, options, { signal });
      for (const { path } of listing.entries) names.push(path);
      if (listing.next === null || names.length >= most) return names;
      after = listing.next.after ?? "";
    }
  } catch (error) {
    absentOr(error, folder);
    return names;
  }
}

const PAGE_ENTRIES = 10_000;
