// The library of the running program, for what is loaded from files beside it: in a copy of the library, classes such as `ReadFileError` would be others.
import type * as library from "@agent-tools/read-file";

/** Where the program puts what such files need. */
export const KEY: unique symbol = Symbol.for("@agent-tools/read-file") as never;

type Shared = Pick<
  typeof library,
  "hostFs" | "openWorkspace" | "ReadFileError" | "visibleJson"
>;

const shared = (globalThis as unknown as { readonly [KEY]: Shared })[KEY];
export const hostFs: Shared["hostFs"] = shared?.hostFs;
export const openWorkspace: Shared["openWorkspace"] = shared?.openWorkspace;
export const ReadFileError: Shared["ReadFileError"] = shared?.ReadFileError;
export const visibleJson: Shared["visibleJson"] = shared?.visibleJson;
