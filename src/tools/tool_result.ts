// Runtime-agnostic.
import type { ReadFileErrorCode } from "../core/error_details.ts";
import { ReadFileError } from "../core/errors.ts";
import { quote } from "../core/quote.ts";
import type { Awaitable } from "../core/port.ts";
import {
  type ToolkitReadFileCode,
  ToolkitReadFileError,
} from "./toolkit_read_file_error.ts";

/**
 * Every code of a call that was allowed, and failed.
 *
 * @example Usage
 * ```ts
 * import { createAgentToolkit, memoryFs, type ToolFailureCode } from "@agent-tools/read-file";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const advice: { [Code in ToolFailureCode]?: string } = { NOT_FILE: "name a file in it" };
 * const fs = memoryFs({ "/repo/src/a.ts": "" });
 * const result = await (await createAgentToolkit({ workspaceRoot: "/repo", fs })).readFile(
 *   "src",
 * );
 * assert(result.status === "failure");
 * assertEquals(advice[result.error.code], "name a file in it");
 * ```
 */
export type ToolFailureCode =
  | Exclude<
    ReadFileErrorCode | ToolkitReadFileCode,
    "OUTSIDE_WORKSPACE" | "SANDBOX_VIOLATION" | "POLICY_DENIED"
  >
  | "TOOL_NOT_FOUND";

/**
 * What went wrong, and whether to try again.
 *
 * @example Usage
 * ```ts
 * import { createAgentToolkit, memoryFs, type ToolError } from "@agent-tools/read-file";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const outlook = ({ details, retriable }: ToolError) =>
 *   `${details.path}: ${retriable ? "try again" : "final"}`;
 * const toolkit = await createAgentToolkit({ workspaceRoot: "/", fs: memoryFs({}) });
 * const result = await toolkit.readFile("none.txt");
 * assert(result.status !== "success");
 * assertEquals(outlook(result.error), "none.txt: final");
 * ```
 */
export interface ToolError<Code extends string = string> {
  /** The kind of failure. */
  readonly code: Code;
  /** The code, a colon, and a sentence that says what is the case. */
  readonly message: string;
  /** Whether the same call may succeed later. */
  readonly retriable: boolean;
  /** The facts behind the code; `path` is the one that was asked for. */
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * A call that succeeded.
 *
 * @example Usage
 * ```ts
 * import type { ToolResult, ToolSuccess } from "@agent-tools/read-file";
 * import { createAgentToolkit, memoryFs } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * function isSuccess<Data>(result: ToolResult<Data>): result is ToolSuccess<Data> {
 *   return result.status === "success";
 * }
 *
 * const toolkit = await createAgentToolkit({
 *   workspaceRoot: "/",
 *   fs: memoryFs({ "/a": "one" }),
 * });
 * const results = [await toolkit.openFile("a"), await toolkit.openFile("b")];
 * assertEquals(results.filter(isSuccess).map(({ data }) => data), ["one"]);
 * ```
 */
export interface ToolSuccess<Data> {
  /** Always `"success"`. */
  readonly status: "success";
  /** The tool's own answer. */
  readonly data: Data;
}

/**
 * A call that the policy or the boundary of the workspace did not allow.
 *
 * @example Usage
 * ```ts
 * import { createAgentToolkit, memoryFs, type ToolDenial } from "@agent-tools/read-file";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const closedBy = ({ reason, error }: ToolDenial) =>
 *   `${reason} ${error.details.rule ?? "boundary"}`;
 * const fs = memoryFs({ "/repo/id.key": "1" });
 * const toolkit = await createAgentToolkit({ workspaceRoot: "/repo", fs, deny: ["*.key"] });
 * const result = await toolkit.openFile("id.key");
 * assert(result.status === "denied");
 * assertEquals(closedBy(result), "policy *.key");
 * ```
 */
export type ToolDenial =
  | {
    readonly status: "denied";
    readonly reason: "policy";
    readonly error: ToolError<"POLICY_DENIED">;
  }
  | {
    readonly status: "denied";
    readonly reason: "sandbox";
    readonly error: ToolError<"SANDBOX_VIOLATION">;
  };

/**
 * A call that was allowed, and failed.
 *
 * @example Usage
 * ```ts
 * import { createAgentToolkit, memoryFs, type ToolFailure } from "@agent-tools/read-file";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const tell = ({ reason, error }: ToolFailure) => `${reason} failure, ${error.code}`;
 * const toolkit = await createAgentToolkit({ workspaceRoot: "/", fs: memoryFs({}) });
 * const result = await toolkit.invoke("write_file", { path: "a.txt" });
 * assert(result.status === "failure");
 * assertEquals(tell(result), "runtime failure, TOOL_NOT_FOUND");
 * ```
 */
export interface ToolFailure {
  /** Always `"failure"`. */
  readonly status: "failure";
  /** Always `"runtime"`. */
  readonly reason: "runtime";
  /** What went wrong. */
  readonly error: ToolError<ToolFailureCode>;
}

/**
 * How a call ended; the promise of one never rejects.
 *
 * @example Usage
 * ```ts
 * import { createAgentToolkit, memoryFs, type ToolResult } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const show = (result: ToolResult<string>) =>
 *   result.status === "success" ? result.data : `${result.status}: ${result.error.code}`;
 * const toolkit = await createAgentToolkit({
 *   workspaceRoot: "/",
 *   fs: memoryFs({ "/a.txt": "one" }),
 * });
 * assertEquals(show(await toolkit.openFile("a.txt")), "one");
 * assertEquals(show(await toolkit.openFile("../a.txt")), "denied: SANDBOX_VIOLATION");
 * ```
 */
export type ToolResult<Data = unknown> =
  | ToolSuccess<Data>
  | ToolDenial
  | ToolFailure;

/**
 * Does the work of a call, and makes a result of whatever comes of it.
 *
 * @param path The path of the call, as far as the work came to know it.
 */
export async function settle<Data>(
  path: () => string,
  work: () => Awaitable<Data>,
): Promise<ToolResult<Data>> {
  try {
    return { status: "success", data: await work() };
  } catch (error) {
    return error instanceof ReadFileError
      ? unsuccessful(error)
      : unexpected(path());
  }
}

/** The result of a call for a tool that is not there. */
export function toolNotFound(
  name: string,
  offered: readonly string[],
): ToolFailure {
  const list = offered.map(quote).join(", ") || "none";
  const sentence = `Cannot call ${
    quote(name)
  }: there is no such tool; the tools are: ${list}`;
  return failure("TOOL_NOT_FOUND", sentence, { name });
}

function unsuccessful(error: ReadFileError): ToolDenial | ToolFailure {
  const code = error instanceof ToolkitReadFileError
    ? error.toolkitCode
    : error.code;
  const details = { path: error.path, ...error.details };
  switch (code) {
    case "POLICY_DENIED": {
      const denial = toolError(code, error.message, details);
      return { status: "denied", reason: "policy", error: denial };
    }
    case "OUTSIDE_WORKSPACE":
    case "SANDBOX_VIOLATION": {
      const denial = toolError("SANDBOX_VIOLATION", error.message, details);
      return { status: "denied", reason: "sandbox", error: denial };
    }
    default:
      return failure(code, error.message, details, mayPass(error));
  }
}

/** Of what is not ours only the path is told: the rest may name what no model should see. */
function unexpected(path: string): ToolFailure {
  const sentence = `Cannot read ${
    quote(path)
  }: the tool failed for a reason of its own`;
  return failure("INTERNAL", sentence, { path });
}

function mayPass(error: ReadFileError): "passing" | "lasting" {
  const passing = error.is("CHANGED") ||
    error.is("IO") && error.details.passing;
  return passing ? "passing" : "lasting";
}

function failure(
  code: ToolFailureCode,
  sentence: string,
  details: ToolError["details"],
  outlook: "passing" | "lasting" = "lasting",
): ToolFailure {
  const error = toolError(code, sentence, details, outlook);
  return { status: "failure", reason: "runtime", error };
}

function toolError<Code extends string>(
  code: Code,
  sentence: string,
  details: ToolError["details"],
  outlook: "passing" | "lasting" = "lasting",
): ToolError<Code> {
  const retriable = outlook === "passing";
  return { code, message: `${code}: ${sentence}`, retriable, details };
}
