// Runtime-agnostic.
import type { Awaitable, FsPort } from "../../core/port.ts";
import { BrokenClaim, failedInstead } from "./case.ts";
import { failureCases } from "./failures.ts";
import { linkCases, noLinkCases } from "./links.ts";
import { listCases } from "./lists.ts";
import { nameCases } from "./names.ts";
import { readCases } from "./reads.ts";
import { statCases } from "./stats.ts";

/**
 * A tree to lay out, by path below the root; directories come by themselves.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, type PortTree } from "@agent-tools/read-file";
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
 * import type { PortLink } from "@agent-tools/read-file";
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
 * A port, and where a tree was laid out for it; disposed of, if it can be.
 *
 * @example Usage
 * ```ts
 * import { fsPortSuite, memoryFs, type PlantedPort } from "@agent-tools/read-file";
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
 * One promise of a port, as a test for any runner.
 *
 * @example Usage
 * ```ts
 * import { fsPortSuite, memoryFs, type PortCase } from "@agent-tools/read-file";
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

/**
 * Lays out a tree where a port reads it.
 *
 * @example Usage
 * ```ts
 * import { fsPortSuite, memoryFs, mountFs, type PlantPort } from "@agent-tools/read-file";
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
 * What a place may not have. What is promised of it then is another promise, not none.
 *
 * @example Usage
 * ```ts
 * import { fsPortSuite, memoryFs, type PortLack } from "@agent-tools/read-file";
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
  /** Nobody can list: a directory cannot be told from what is missing. */
  | "directories"
  /** No name has a backslash in it: whatever is asked for by one is missing. */
  | "backslashes";

/**
 * Options for {@linkcode fsPortSuite}.
 *
 * @example Usage
 * ```ts
 * import type { PortSuiteOptions, PortTree } from "@agent-tools/read-file";
 * import { fsPortSuite, memoryFs } from "@agent-tools/read-file";
 * import { assert } from "@std/assert";
 *
 * function plant(tree: PortTree) {
 *   assert(Object.values(tree).every((entry) => typeof entry === "string")); // no links
 *   const files = Object.entries(tree).map(([path, entry]) => [`/${path}`, entry]);
 *   return { fs: memoryFs(Object.fromEntries(files)), root: "" };
 * }
 *
 * const ofStore: PortSuiteOptions = { lacks: ["links"] };
 * for (const { run } of fsPortSuite(plant, ofStore)) await run();
 * ```
 */
export interface PortSuiteOptions {
  /** What the place does not have; nothing by default. */
  readonly lacks?: readonly PortLack[];
}

/**
 * Makes the tests of a port of one's own: all that {@linkcode FsPort} promises
 * the reader, one case a claim, for any test runner.
 *
 * @example Usage
 * ```ts
 * import { fsPortSuite, memoryFs, type PortTree } from "@agent-tools/read-file";
 * import { assert } from "@std/assert";
 *
 * function plant(tree: PortTree) {
 *   const files = Object.entries(tree).map(([path, entry]) => [`/${path}`, entry]);
 *   return { fs: memoryFs(Object.fromEntries(files)), root: "" };
 * }
 *
 * const cases = fsPortSuite(plant);
 * assert(cases.length > 30);
 * for (const { run } of cases) await run(); // it(name, run), in a test file
 * ```
 *
 * @param plant Lays out a tree, and makes the port; called once a case.
 * @param options What the place does not have.
 * @returns The cases.
 */
export function fsPortSuite(
  plant: PlantPort,
  options: PortSuiteOptions = {},
): readonly PortCase[] {
  const { lacks = [] } = options;
  const draft = [
    ...readCases(),
    ...statCases(lacks),
    ...lacks.includes("links") ? noLinkCases() : linkCases(),
    ...failureCases(lacks),
    ...listCases(),
    ...nameCases(lacks),
  ];
  return draft.map(({ name, tree, check }) => ({
    name,
    async run() {
      const place = await plant(tree);
      try {
        await check(place);
      } catch (error) {
        throw error instanceof BrokenClaim ? error : failedInstead(error);
      } finally {
        await place[Symbol.asyncDispose]?.();
      }
    },
  }));
}
