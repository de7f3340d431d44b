import type { ReadFileErrorCode } from "../core/base/errors.ts";
import { quote } from "../core/base/words.ts";
import { isForeign, type ToolOutcome } from "./call.ts";
import { ToolkitReadFileError } from "./toolkit_read_file.ts";

/** What went wrong, and whether to try again. */
export interface ToolError<Code extends string = string> {
  /** The kind of failure. */
  readonly code: Code;
  /** The code, a colon, and a sentence. */
  readonly message: string;
  /** Whether the same call may succeed later. */
  readonly retriable: boolean;
  /** The facts behind the code; `path` is the requested path. */
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * The result of a call; its promise never rejects. It holds the tool's own answer;
 * or why the policy, or the boundary of the workspace, did not allow the call; or
 * why a call failed that was allowed.
 */
export type ToolResult<Data = unknown> =
  | { readonly status: "success"; readonly data: Data }
  | {
    readonly status: "denied";
    readonly reason: "policy";
    readonly error: ToolError<"POLICY_DENIED">;
  }
  | {
    readonly status: "denied";
    readonly reason: "sandbox";
    readonly error: ToolError<"SANDBOX_VIOLATION">;
  }
  | {
    readonly status: "failure";
    readonly reason: "runtime";
    readonly error: ToolError<
      | Exclude<
        ReadFileErrorCode | ToolkitReadFileError["toolkitCode"],
        "OUTSIDE_WORKSPACE" | "SANDBOX_VIOLATION" | "POLICY_DENIED"
      >
      | "TOOL_NOT_FOUND"
    >;
  };

type ToolFailure = Extract<ToolResult, { readonly status: "failure" }>;

export function resultOf<Data>(outcome: ToolOutcome<Data>): ToolResult<Data> {
  const { output, error } = outcome;
  if (error === undefined) return { status: "success", data: output as Data };
  const { path, hint } = error;
  if (isForeign(error)) {
    const problem = "the tool failed for a reason of its own";
    const sentence = `Cannot read ${quote(path)}: ${problem}`;
    return failure(toolError("INTERNAL", sentence, { path }));
  }
  const isOfToolkit = error instanceof ToolkitReadFileError;
  const code = isOfToolkit ? error.toolkitCode : error.code;
  const details = {
    path,
    ...(hint !== undefined && { hint }),
    // The toolkit's INTERNAL stands for several codes of the core.
    ...(code === "INTERNAL" && { code: error.code }),
    ...error.details,
  };
  if (code === "POLICY_DENIED") {
    const denial = toolError(code, error.message, details);
    return { status: "denied", reason: "policy", error: denial };
  }
  if (code === "OUTSIDE_WORKSPACE" || code === "SANDBOX_VIOLATION") {
    const denial = toolError("SANDBOX_VIOLATION", error.message, details);
    return { status: "denied", reason: "sandbox", error: denial };
  }
  const retriable = error.is("CHANGED") ||
    error.is("IO") && error.details.passing;
  return failure({ ...toolError(code, error.message, details), retriable });
}

export function notOffered(name: string, offered: readonly string[]): string {
  const list = offered.map(quote).join(", ") || "none";
  const problem = `there is no such tool; the tools are: ${list}`;
  return `Cannot call ${quote(name)}: ${problem}`;
}

export function toolNotFound(name: string, offered: readonly string[]) {
  const sentence = notOffered(name, offered);
  return failure(toolError("TOOL_NOT_FOUND", sentence, { name }));
}

function failure(error: ToolFailure["error"]): ToolFailure {
  return { status: "failure", reason: "runtime", error };
}

function toolError<Code extends string>(
  code: Code,
  sentence: string,
  details: ToolError["details"],
): ToolError<Code> {
  return { code, message: `${code}: ${sentence}`, retriable: false, details };
}
