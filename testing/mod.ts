/**
 * Tests for custom file system ports. Each promise of `FsPort` in
 * `@agent-tools/read-file` is a test case for any test runner.
 *
 * ```ts
 * import { memoryFs } from "@agent-tools/read-file";
 * import { fsPortSuite } from "@agent-tools/read-file-testing";
 *
 * const cases = fsPortSuite((tree) => {
 *   const files = Object.entries(tree).map(([path, entry]) => [`/${path}`, entry]);
 *   return { fs: memoryFs(Object.fromEntries(files)), root: "" };
 * });
 * for (const { run } of cases) await run(); // or, in a test file: it(name, run)
 * ```
 *
 * @module
 */
export type {
  PlantedPort,
  PlantPort,
  PortCase,
  PortLack,
  PortLink,
  PortTree,
} from "./src/port_case.ts";
export { fsPortSuite, type PortSuiteOptions } from "./src/port_suite.ts";
