import type { Awaitable, FileHandle, FsPort } from "@agent-tools/read-file";

/** A tree of files and links, by path below the root; directories are implied. */
export type PortTree = Readonly<Record<string, string | PortLink>>;

/** A symbolic link in a {@linkcode PortTree}. */
export interface PortLink {
  /**
   * Its target. A target that begins with `/` is relative to the root: make an
   * absolute link, with the path of the root before it.
   */
  readonly link: string;
}

/** A port, and the location of the tree. The suite disposes of it at the end of a case. */
export interface PlantedPort extends Partial<AsyncDisposable> {
  /** The port under test. */
  readonly fs: FsPort;
  /** The real path of the directory that contains the tree. */
  readonly root: string;
}

/** Creates a tree, and makes a port that reads it. */
export type PlantPort = (tree: PortTree) => Awaitable<PlantedPort>;

/** A feature that a port lacks; the suite then checks other claims instead. */
export type PortLack =
  /** Symbolic links are not supported. */
  | "links"
  /** A directory cannot be distinguished from a missing path, as in an object store. */
  | "directories"
  /** A name cannot contain a backslash: such a path is missing. */
  | "backslashes"
  /** A name that Windows does not read as itself, such as `a:b`, cannot exist: such a path is missing. */
  | "reserved"
  /** Two compositions of one letter are one name, as on macOS. */
  | "compositions";

/** One promise of a port, as a test for any runner. */
export interface PortCase {
  /** The claim; unique in the suite. */
  readonly name: string;
  /** Resolves if the claim holds; rejects with what the port did instead. */
  readonly run: () => Promise<void>;
}

/** A case before its tree is created. */
export interface DraftCase {
  readonly name: string;
  readonly tree: PortTree;
  readonly check: (place: PlantedPort) => Promise<void>;
}

export type Lacks = readonly PortLack[];

/** The failure of a claim: what the port did, and what it should have done. */
export class BrokenClaim extends Error {
  override name = "BrokenClaim";
}

/** The failure of a claim because a call of the port failed. */
export function failedInstead(cause: unknown): BrokenClaim {
  const code = show(codeOf(cause));
  const message = `The call must not fail, and fails with ${code}`;
  return new BrokenClaim(message, { cause });
}

/** The required methods of a port that take a path. */
export const METHODS = ["realPath", "lstat", "readLink", "open"] as const;

export type Method = typeof METHODS[number];

/** Fails unless `actual` equals `wanted`: a text, a number or `null`. */
export function expect(
  what: string,
  actual: string | number | null,
  wanted: string | number | null,
): void {
  if (actual === wanted) return;
  const message = `${what} must be ${show(wanted)}, and is ${show(actual)}`;
  throw new BrokenClaim(message);
}

/** Fails unless `ask` fails with one of `codes`. */
export async function expectCode(
  what: string,
  ask: () => Awaitable<unknown>,
  ...codes: readonly string[]
): Promise<void> {
  const must = `${what} must fail with the code ${
    codes.map(show).join(" or ")
  }`;
  let answer: unknown;
  try {
    answer = await ask();
  } catch (cause) {
    const code = codeOf(cause);
    if (codes.includes(code)) return;
    throw new BrokenClaim(`${must}, and fails with ${show(code)}`, { cause });
  }
  throw new BrokenClaim(`${must}, and answers ${show(answer)}`);
}

/** The kind of the file that `open` gives for `path`, or the code of the failure. */
export async function kindOpened(fs: FsPort, path: string): Promise<string> {
  try {
    const { kind } = await withOpen(fs, path, (handle) => handle.stat());
    return kind;
  } catch (error) {
    return codeOf(error);
  }
}

/** Opens a file, asks about it, and closes it. */
export async function withOpen<T>(
  fs: FsPort,
  path: string,
  ask: (handle: FileHandle) => Awaitable<T>,
): Promise<T> {
  const handle = await fs.open(path);
  try {
    return await ask(handle);
  } finally {
    await handle.close();
  }
}

/** Reads until the buffer is full or the file ends: one read may give fewer bytes. */
export async function readAll(
  handle: FileHandle,
  buffer: Uint8Array,
  position: number,
): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const rest = buffer.subarray(filled);
    const count = await handle.read(rest, position + filled);
    if (!Number.isInteger(count) || count < 0 || count > rest.length) {
      const must = `must give how many of ${rest.length} bytes it read`;
      throw new BrokenClaim(`read() ${must}, and tells ${show(count)}`);
    }
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

/** Formats any value that a port may return, for messages. */
export function show(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return "a value that is not JSON";
  }
}

/** The code of an error; the error itself as text if it has no code. */
export function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  if (code !== undefined) return String(code);
  return error instanceof Error ? String(error) : show(error);
}
