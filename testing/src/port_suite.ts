import { linkCases, noLinkCases } from "./links.ts";
import { failureCases, nameCases } from "./names.ts";
import {
  BrokenClaim,
  failedInstead,
  type PlantPort,
  type PortCase,
  type PortLack,
} from "./port_case.ts";
import { readCases } from "./reads.ts";
import { listCases, statCases } from "./stats.ts";

/** Options for {@linkcode fsPortSuite}. */
export interface PortSuiteOptions {
  /** The features that the port lacks; none by default. */
  readonly lacks?: readonly PortLack[];
}

/**
 * Makes the test cases of a port, for any test runner: one for each promise of
 * `FsPort` of `@agent-tools/read-file`.
 *
 * @example Usage
 * ```ts
 * import { memoryFs } from "@agent-tools/read-file";
 * import { fsPortSuite, type PortTree } from "@agent-tools/read-file-testing";
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
 * @param plant Creates a tree, and makes the port; called once for each case.
 */
export function fsPortSuite(
  plant: PlantPort,
  options: PortSuiteOptions = {},
): readonly PortCase[] {
  // Without what other code adds to `Object.prototype`.
  const own: PortSuiteOptions = Object.assign(Object.create(null), options);
  const { lacks = [], ...others } = own;
  checkOptions(lacks, Object.keys(others));
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

/** Every feature that a port may lack. */
const LACKS: Readonly<Record<PortLack, true>> = {
  links: true,
  directories: true,
  backslashes: true,
  reserved: true,
  compositions: true,
};

/** Refuses misspelled options, with which the suite would make other claims. */
function checkOptions(
  lacks: readonly PortLack[],
  unknown: readonly string[],
): void {
  const failed = "Cannot make the tests of a port";
  if (unknown.length > 0) {
    const name = JSON.stringify(unknown[0]);
    throw new TypeError(`${failed}: ${name} is unknown; the name is lacks`);
  }
  const isKnown = Array.isArray(lacks) &&
    lacks.every((lack) => Object.hasOwn(LACKS, lack));
  if (isKnown) return;
  const names = Object.keys(LACKS).join(", ");
  throw new TypeError(`${failed}: lacks must be an array of ${names}`);
}
