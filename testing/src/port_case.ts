// Runtime-agnostic.
import type { Awaitable, FileHandle, FsPort } from "@agent-tools/read-file";

/**
 * A tree to lay out, by path below the root; its directories follow from the paths.
 *
 * @example Usage
 * ```ts
 * import { memoryFs } from "@agent-tools/read-file";
 * import type { PortTree } from "@agent-tools/read-file-testing";
 * import { assertEquals } from "@std/assert";
 *
 * const tree: PortTree = { "dir/a.txt": "one", "link": { link: "dir" } };
 * const files = Object.entries(tree).map(([path, entry]) => [`/root/${path}`, entry]);
 * const fs = memoryFs(Object.fromEntries(files));
 * assertEquals(await fs.realPath("/root/link/a.txt"), "/root/dir/a.txt");
 * ```
 */
export type PortTree = Readonly<Record<string, string | PortLink>>;

/**
 * A symbolic link in a {@linkcode PortTree}.
 *
 * @example Usage
 * ```ts
 * import type { PortLink } from "@agent-tools/read-file-testing";
 * import { assertEquals } from "@std/assert";
 *
 * function targetOf({ link }: PortLink, root: string): string {
 *   return link.startsWith("/") ? root + link : link;
 * }
 * assertEquals(targetOf({ link: "/dir/a.txt" }, "/tmp/root"), "/tmp/root/dir/a.txt");
 * assertEquals(targetOf({ link: "../a.txt" }, "/tmp/root"), "../a.txt");
 * ```
 */
export interface PortLink {
  /**
   * Where it leads. One that begins with `/` is meant from the root: lay it
   * out as an absolute link, the root's own path before it.
   */
  readonly link: string;
}

/**
 * A port, and where a tree was laid out for it. The suite disposes of it at the end of a case.
 *
 * @example Usage
 * ```ts
 * import { memoryFs } from "@agent-tools/read-file";
 * import { fsPortSuite, type PlantedPort } from "@agent-tools/read-file-testing";
 * import { assertEquals } from "@std/assert";
 *
 * let removed = 0;
 * const empty: PlantedPort = {
 *   fs: memoryFs({}),
 *   root: "",
 *   [Symbol.asyncDispose]: () => Promise.resolve(void removed++),
 * };
 * const [first] = fsPortSuite(() => empty);
 * await first?.run().catch(() => {}); // whether or not it fails
 * assertEquals(removed, 1);
 * ```
 */
export interface PlantedPort extends Partial<AsyncDisposable> {
  /** The port under test. */
  readonly fs: FsPort;
  /** The directory that holds the tree, by its real path. */
  readonly root: string;
}

/**
 * Lays out a tree where a port reads it.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, mountFs } from "@agent-tools/read-file";
 * import { fsPortSuite, type PlantPort } from "@agent-tools/read-file-testing";
 * import { assert } from "@std/assert";
 *
 * const plant: PlantPort = (tree) => {
 *   const files = Object.entries(tree).map(([path, entry]) => [`/ws/${path}`, entry]);
 *   return { fs: mountFs({ "/ws": memoryFs(Object.fromEntries(files)) }), root: "/ws" };
 * };
 * const [first] = fsPortSuite(plant);
 * assert(first !== undefined);
 * await first.run();
 * ```
 */
export type PlantPort = (tree: PortTree) => Awaitable<PlantedPort>;

/**
 * What a place may not have. The suite then checks other promises, not fewer.
 *
 * @example Usage
 * ```ts
 * import { memoryFs } from "@agent-tools/read-file";
 * import { fsPortSuite, type PortLack } from "@agent-tools/read-file-testing";
 * import { assert } from "@std/assert";
 *
 * const claims = (...lacks: PortLack[]) =>
 *   fsPortSuite(() => ({ fs: memoryFs({}), root: "/" }), { lacks }).map(({ name }) => name);
 * assert(claims("links").length < claims().length);
 * ```
 */
export type PortLack =
  /** There are no symbolic links. */
  | "links"
  /** A directory cannot be told from a missing path, as in a store that only knows objects. */
  | "directories"
  /** Names have no backslashes: a path with one is missing. */
  | "backslashes";

/**
 * One promise of a port, as a test for any runner.
 *
 * @example Usage
 * ```ts
 * import { memoryFs } from "@agent-tools/read-file";
 * import { fsPortSuite, type PortCase } from "@agent-tools/read-file-testing";
 * import { assert } from "@std/assert";
 *
 * const failed: string[] = [];
 * async function report({ name, run }: PortCase): Promise<void> {
 *   await run().catch((error: Error) => failed.push(`${name}: ${error.message}`));
 * }
 *
 * const cases = fsPortSuite(() => ({ fs: memoryFs({}), root: "/missing" }));
 * await Promise.all(cases.map(report));
 * assert(failed.length > 0);
 * ```
 */
export interface PortCase {
  /** The claim; no two are alike. */
  readonly name: string;
  /** Resolves if the claim is true; an error says what the port did instead. */
  readonly run: () => Promise<void>;
}

/** A case before its tree is laid out. */
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
