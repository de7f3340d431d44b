// Deno and Bun: both offer `node:util`.
import { parseArgs } from "node:util";
import { type Dialect, DIALECT_NAMES } from "./dialects.ts";
import { DEFAULT_MAX_BYTES, MOST_MAX_BYTES } from "./limits.ts";
import type { ServerOptions } from "./server.ts";

/** A command line that means nothing. */
export class UsageError extends Error {
  /** Always `"UsageError"`. */
  override readonly name = "UsageError";
}

/** How the program is used. */
export const USAGE = `Usage: read-file-mcp [OPTIONS] DIR…

Serves the files below each DIR over MCP, on standard input and output.

  --dialect NAME   serve ${DIALECT_NAMES.join(", ")} under its own name instead
  --deny GLOB      deny what the glob matches too; may be repeated
  --allow-secrets  allow files that commonly hold secrets; denied if not said
  --max-bytes N    bytes of a page if a call says nothing: 1 to ${MOST_MAX_BYTES}, ${DEFAULT_MAX_BYTES} if not said
  --help           show this
  --version        show the version
`;

/** Reads the arguments of the program. */
export function readCommandLine(
  args: readonly string[],
): ServerOptions | "help" | "version" {
  const { values, positionals } = parse(args);
  if (values.help) return "help";
  if (values.version) return "version";
  if (positionals.length === 0) {
    throw new UsageError("Cannot serve: name a directory that may be read");
  }
  return {
    directories: positionals,
    dialect: takeDialect(values.dialect),
    allowSecrets: values["allow-secrets"],
    deny: values.deny,
    maxBytes: takeBytes(values["max-bytes"]),
  };
}

function takeDialect(name: string | undefined): Dialect | undefined {
  if (name === undefined) return undefined;
  const dialect = DIALECT_NAMES.find((known) => known === name);
  if (dialect !== undefined) return dialect;
  throw new UsageError(
    `Cannot serve the dialect ${JSON.stringify(name)}: name one of ${
      DIALECT_NAMES.join(", ")
    }`,
  );
}

function takeBytes(digits: string | undefined): number | undefined {
  if (digits === undefined) return undefined;
  const bytes = /^\d+$/.test(digits) ? Number(digits) : 0;
  if (bytes >= 1 && bytes <= MOST_MAX_BYTES) return bytes;
  throw new UsageError(
    `Cannot serve pages of ${
      JSON.stringify(digits)
    } bytes: name a number from 1 to ${MOST_MAX_BYTES}`,
  );
}

const OPTIONS = {
  "allow-secrets": { type: "boolean" },
  deny: { type: "string", multiple: true },
  dialect: { type: "string" },
  help: { type: "boolean", short: "h" },
  "max-bytes": { type: "string" },
  version: { type: "boolean", short: "V" },
} as const;

/** What was said on the command line, once each option is seen to be one. */
interface Values {
  readonly "allow-secrets"?: boolean;
  readonly deny?: string[];
  readonly dialect?: string;
  readonly help?: boolean;
  readonly "max-bytes"?: string;
  readonly version?: boolean;
}

/** The parser is not strict, for then it would say in its own words what is wrong. */
function parse(args: readonly string[]) {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: OPTIONS,
  });
  for (const token of tokens) {
    if (token.kind === "option") refuseMistake(token);
  }
  // The parser does not say so, but no other is left.
  return { values: values as Values, positionals };
}

/** One option, as it was found. */
interface OptionToken {
  readonly name: string;
  /** As it was written: `--name`, or a dash and one letter. */
  readonly rawName: string;
  readonly value?: string | undefined;
  /** Whether the value stands behind an equals sign. */
  readonly inlineValue?: boolean | undefined;
}

function refuseMistake(token: OptionToken): void {
  const { name, rawName, value, inlineValue = false } = token;
  const option = Object.entries(OPTIONS).find(([known]) => known === name);
  if (option === undefined) {
    const known = Object.keys(OPTIONS).map((known) => `--${known}`).join(", ");
    throw new UsageError(
      `Cannot serve: ${
        JSON.stringify(rawName)
      } is no option (${known}); write ${
        JSON.stringify(`./${rawName}`)
      } for a directory of that name`,
    );
  }
  const [, { type }] = option;
  if (type === "boolean" && value !== undefined) {
    throw new UsageError(
      `Cannot serve: ${rawName} takes no value; leave it out`,
    );
  }
  if (type === "boolean") return;
  // What begins with a dash may as well be the next option, and the value forgotten.
  if (value === undefined || !inlineValue && /^-./.test(value)) {
    throw new UsageError(
      `Cannot serve: ${rawName} needs a value; write it as ${rawName}=VALUE`,
    );
  }
}
