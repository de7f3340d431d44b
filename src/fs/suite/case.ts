// Runtime-agnostic.
import type { Awaitable, FileHandle, FsPort } from "../../core/port.ts";
import type { PlantedPort, PortLack, PortTree } from "./port_suite.ts";

/** A case whose tree is still to be laid out. */
export interface DraftCase {
  readonly name: string;
  readonly tree: PortTree;
  readonly check: (place: PlantedPort) => Promise<void>;
}

/** What a place may not have. */
export type Lacks = readonly PortLack[];

/** Says what the port did, and what it should have done. */
export class BrokenClaim extends Error {
  override name = "BrokenClaim";
}

/** The failure of a claim, where the port failed instead of doing anything. */
export function failedInstead(error: unknown): BrokenClaim {
  const code = show(codeOf(error));
  return new BrokenClaim(
    `The port must not fail here, and fails with ${code}`,
    {
      cause: error,
    },
  );
}

/** The verbs of a port that take a path. */
export const VERBS = ["realPath", "lstat", "readLink", "open"] as const;

/** One of {@linkcode VERBS}. */
export type Verb = typeof VERBS[number];

/** Fails unless `actual` is `wanted`: text, a number or `null`. */
export function expect(
  what: string,
  actual: string | number | null,
  wanted: string | number | null,
): void {
  if (actual !== wanted) {
    throw new BrokenClaim(
      `${what} must be ${show(wanted)}, and is ${show(actual)}`,
    );
  }
}

/** Fails unless `ask` fails with one of `codes`. */
export async function expectCode(
  what: string,
  ask: () => Awaitable<unknown>,
  ...codes: readonly string[]
): Promise<void> {
  const wanted = codes.map(show).join(" or ");
  let answer: unknown;
  try {
    answer = await ask();
  } catch (error) {
    const code = codeOf(error);
    if (codes.includes(code)) return;
    throw new BrokenClaim(
      `${what} must fail with the code ${wanted}, and fails with ${show(code)}`,
      { cause: error },
    );
  }
  throw new BrokenClaim(
    `${what} must fail with the code ${wanted}, and answers ${show(answer)}`,
  );
}

/** The kind of what opens at `path`, or the code of the failure. */
export async function kindOpened(fs: FsPort, path: string): Promise<string> {
  try {
    return await withOpen(fs, path, async (handle) => {
      return (await handle.stat()).kind;
    });
  } catch (error) {
    return codeOf(error);
  }
}

/** Opens, asks and closes. */
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

/** Reads until the buffer is full or the file at its end: fewer bytes may come at a time. */
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
      throw new BrokenClaim(
        `read() must tell how many of ${rest.length} bytes came, and tells ${
          show(count)
        }`,
      );
    }
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

/** As it stands in a message; nothing that a port answers can break it. */
export function show(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return "something of its own";
  }
}

function codeOf(error: unknown): string {
  // Whatever was thrown, its code is only looked at.
  return String((error as { readonly code?: unknown } | null)?.code);
}
