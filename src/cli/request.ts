// Runtime-agnostic.

/** What the command line was asked to show. */
export interface Request {
  /** The directory that bounds the reading. */
  readonly workspace: string;
  /** The file in it. */
  readonly path: string;
  /** The first line; all of them if absent. */
  readonly start: number | undefined;
  /** The last line; only the first if absent. */
  readonly end: number | undefined;
}

/** A command line that means nothing. */
export class UsageError extends Error {
  /** Always `"UsageError"`. */
  override readonly name = "UsageError";
}

interface NodeUtil {
  parseArgs(options: {
    readonly args: readonly string[];
    readonly allowPositionals: true;
    readonly options: {
      readonly workspace: { readonly type: "string" };
      readonly help: { readonly type: "boolean"; readonly short: "h" };
    };
  }): {
    readonly values: { readonly workspace?: string; readonly help?: boolean };
    readonly positionals: readonly string[];
  };
}

interface NodeHost {
  readonly process: { getBuiltinModule(name: "node:util"): NodeUtil };
}

/** Reads the arguments of the command line. */
export function readRequest(args: readonly string[]): Request | "help" {
  const { values, positionals } = parse(args);
  if (values.help) return "help";
  if (positionals.length !== 1) {
    throw new UsageError(`Cannot read ${positionals.length} files: name one`);
  }
  const { workspace = "." } = values;
  if (workspace === "") {
    throw new UsageError("Cannot read: --workspace must name a directory");
  }
  return { workspace, ...readTarget(positionals[0]!) };
}

function parse(args: readonly string[]): ReturnType<NodeUtil["parseArgs"]> {
  // The types of the runtime are not the package's to name, so it says what it needs.
  const { process } = globalThis as unknown as NodeHost;
  const { parseArgs } = process.getBuiltinModule("node:util");
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        workspace: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageError(`Cannot read: ${(error as Error).message}`);
  }
}

/** Reads `PATH[:START[-END]]`. */
function readTarget(target: string): Pick<Request, "path" | "start" | "end"> {
  const match = /^(.+):(\d+)(?:-(\d+))?$/s.exec(target);
  if (match === null) return { path: target, start: undefined, end: undefined };
  const path = match[1]!;
  const [start, end] = [match[2]!, match[3]].map((digits) =>
    digits === undefined ? undefined : Number(digits)
  );
  if (start === 0 || end === 0) {
    throw new UsageError("Cannot read line 0: the first line is line 1");
  }
  if (![start, end ?? 1].every(Number.isSafeInteger)) {
    throw new UsageError("Cannot read that far: no file has so many lines");
  }
  if (end !== undefined && end < start!) {
    throw new UsageError(
      `Cannot read lines ${start} to ${end}: the first comes after the last`,
    );
  }
  return { path, start, end };
}
