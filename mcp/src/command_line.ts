// Deno and Bun: both offer `node:util`.
import { parseArgs } from "node:util";
import { type Dialect, DIALECT_NAMES } from "./dialects.ts";
import {
  DEFAULT_MAX_CHARS,
  LEAST_MAX_CHARS,
  MOST_MAX_CHARS,
} from "./bounds.ts";
import type { ServerOptions } from "./server.ts";

/** A command line that means nothing. */
export class UsageError extends Error {
  /** Always `"UsageError"`. */
  override readonly name = "UsageError";
}

/** How the program is used. */
export const USAGE = `Usage: read-file-mcp [OPTIONS] [DIR…]

Serves the files below each DIR over MCP, on standard input and output. Without
DIR, serves the client's roots, or the working directory if it has none.

  --dialect NAME   serve ${DIALECT_NAMES.join(", ")} under its own name instead
  --deny GLOB      deny what the glob matches too; may be repeated
  --allow-secrets  allow files that commonly hold secrets; denied if not said
  --facts          give programs facts beside the words, as structuredContent
  --follow-roots   serve what lies both in a DIR and in the client's roots
  --max-chars N    characters of an answer at most: ${LEAST_MAX_CHARS} to ${MOST_MAX_CHARS}, ${DEFAULT_MAX_CHARS} if not said
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
  return {
    directories: positionals,
    dialect: takeDialect(values.dialect),
    allowSecrets: values["allow-secrets"],
    deny: values.deny,
    facts: values.facts,
    followRoots: values["follow-roots"],
    maxChars: takeChars(values["max-chars"]),
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

function takeChars(digits: string | undefined): number | undefined {
  if (digits === undefined) return undefined;
  const chars = /^\d+$/.test(digits) ? Number(digits) : 0;
  if (chars >= LEAST_MAX_CHARS && chars <= MOST_MAX_CHARS) return chars;
  throw new UsageError(
    `Cannot serve answers of ${
      JSON.stringify(digits)
    } characters: name a number from ${LEAST_MAX_CHARS} to ${MOST_MAX_CHARS}`,
  );
}

const OPTIONS = {
  "allow-secrets": { type: "boolean" },
  deny: { type: "string", multiple: true },
  dialect: { type: "string" },
  facts: { type: "boolean" },
  "follow-roots": { type: "boolean" },
  help: { type: "boolean", short: "h" },
  "max-chars": { type: "string" },
  version: { type: "boolean", short: "V" },
} as const;

/** What was said on the command line, once each option is seen to be one. */
interface Values {
  readonly "allow-secrets"?: boolean;
  readonly deny?: string[];
  readonly dialect?: string;
  readonly facts?: boolean;
  readonly "follow-roots"?: boolean;
  readonly help?: boolean;
  readonly "max-chars"?: string;
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
