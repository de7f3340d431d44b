// Deno and Bun: both offer `node:util`.
import { UsageError } from "./shell.ts";

/** Every option, as the parser of `node:util` takes it. */
const OPTIONS = {
  workspace: { type: "string" },
  deny: { type: "string", multiple: true },
  head: { type: "string" },
  tail: { type: "string" },
  indent: { type: "string" },
  levels: { type: "string" },
  column: { type: "string" },
  "max-bytes": { type: "string" },
  numbers: { type: "boolean" },
  "no-numbers": { type: "boolean" },
  color: { type: "boolean" },
  json: { type: "boolean" },
  stats: { type: "boolean" },
  as: { type: "string" },
  tool: { type: "string", multiple: true },
  args: { type: "string" },
  config: { type: "string" },
  definitions: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;

/** The name of an option. */
export type OptionName = keyof typeof OPTIONS;

/** What was said on the command line. */
export type Options = {
  readonly [Name in OptionName]?: (typeof OPTIONS)[Name] extends
    { readonly multiple: true } ? readonly string[]
    : (typeof OPTIONS)[Name] extends { readonly type: "boolean" } ? boolean
    : string;
};

/** The command line, taken apart. */
export interface Parsed {
  readonly values: Options;
  readonly positionals: readonly string[];
}

interface Host {
  readonly process: {
    getBuiltinModule(name: "node:util"): {
      parseArgs(options: {
        readonly args: readonly string[];
        readonly allowPositionals: true;
        readonly options: typeof OPTIONS;
      }): Parsed;
    };
  };
}

/**
 * Takes the command line apart. The parser is the runtime's own: both have the
 * same one, it asks for no permission, and nobody has to load it.
 */
export function parseOptions(args: readonly string[]): Parsed {
  // The types of the runtime are not the package's to name, so it says what it needs.
  const { process } = globalThis as unknown as Host;
  const { parseArgs } = process.getBuiltinModule("node:util");
  try {
    return parseArgs({ args, allowPositionals: true, options: OPTIONS });
  } catch (error) {
    const { message, code } = Object(error) as Error & { code?: unknown };
    if (!String(code).startsWith("ERR_PARSE_ARGS_")) throw error;
    throw new UsageError(message.replaceAll("\n", " "));
  }
}
