// Deno, Bun and Node.js: all offer `node:util`.
import { parseArgs } from "node:util";
import { DIALECT_NAMES } from "./dialects.ts";
import { visibleJson } from "./words.ts";

/** The most characters of an answer by default: some 6,000 tokens, as for {@linkcode readerTools}. The help and the clients are told it. */
export const DEFAULT_MAX_CHARS = 20_000;
/** The largest limit of characters. */
const MOST_MAX_CHARS = 1_000_000;
/** The most bytes to read of one file for an answer, by default. */
export const DEFAULT_MAX_SCAN = 4 * 1024 ** 3;
/** The smallest limit of bytes to read of one file. */
const LEAST_MAX_SCAN = 1024 ** 2;

export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const USAGE = `Usage: read-file-mcp [OPTIONS] [DIR…]

Serves the files below each DIR over MCP, on standard input and output. Without
DIR, serves the client's roots, or the working directory if it has none.

  --dialect NAME   serve ${DIALECT_NAMES.join(", ")} under its own name instead
  --deny GLOB      deny what the glob matches too; may be repeated
  --allow-secrets  allow files that commonly hold secrets; denied by default
  --encoding LABEL read files in this encoding, such as shift_jis; detected
                   by default
  --facts          add facts and the lines as data to the text, for programs, as
                   structuredContent
  --follow-roots   serve only paths both in a DIR and in the client's roots, which
                   MCP deprecates since 2026-07-28
  --git            compare with revisions: what changed since HEAD in some lines,
                   by @agent-tools/read-file-git
  --git-allow DIR  with --git, a folder outside of the repository that it may
                   name, as linked worktrees do; may be repeated
  --max-chars N    most characters of an answer: 1 to ${MOST_MAX_CHARS}, ${DEFAULT_MAX_CHARS} by default
  --max-scan N     most bytes to read of one file for an answer: ${LEAST_MAX_SCAN}
                   and more, ${DEFAULT_MAX_SCAN} by default
  --pdf            show PDF documents as text, by @agent-tools/read-file-pdf
  --session        leave out unchanged lines that an earlier answer showed; for
                   clients that keep all answers
  --help           show this
  --version        show the version
`;

const OPTIONS = {
  "allow-secrets": { type: "boolean" },
  deny: { type: "string", multiple: true },
  dialect: { type: "string" },
  encoding: { type: "string" },
  facts: { type: "boolean" },
  "follow-roots": { type: "boolean" },
  git: { type: "boolean" },
  "git-allow": { type: "string", multiple: true },
  help: { type: "boolean", short: "h" },
  "max-chars": { type: "string" },
  "max-scan": { type: "string" },
  pdf: { type: "boolean" },
  session: { type: "boolean" },
  version: { type: "boolean", short: "V" },
} as const;

type ReadCommandLine = Exclude<ReturnType<typeof readCommandLine>, string>;

/** The options of a command line; the names of the options explain them. */
export type CommandLine = {
  readonly [Name in keyof ReadCommandLine]?: ReadCommandLine[Name] | undefined;
};

export function readCommandLine(args: readonly string[]) {
  const { values, positionals } = parse(args);
  if (values.help) return "help";
  if (values.version) return "version";
  const names = DIALECT_NAMES.join(", ");
  const { encoding } = values;
  const isDetected = encoding === undefined || encoding === "auto";
  if (values.dialect === "codex" && !isDetected) {
    throw new UsageError(
      "Cannot serve: --encoding means nothing with --dialect codex; leave one of them out",
    );
  }
  return {
    directories: positionals,
    dialect: take(
      values.dialect,
      (given) => DIALECT_NAMES.find((name) => name === given),
      (shown) => `serve the dialect ${shown}: name one of ${names}`,
    ),
    allowSecrets: values["allow-secrets"],
    deny: values.deny,
    encoding: take(
      isDetected ? undefined : encoding,
      encodingOf,
      (shown) =>
        `serve files in the encoding ${shown}: name one such as shift_jis, or auto`,
    ),
    facts: values.facts,
    followRoots: values["follow-roots"],
    git: values.git,
    gitAllow: takeAllowed(values),
    session: values.session,
    maxChars: take(
      values["max-chars"],
      (digits) => wholeOf(digits, 1, MOST_MAX_CHARS),
      (shown) =>
        `serve answers of ${shown} characters: name a number from 1 to ${MOST_MAX_CHARS}`,
    ),
    maxScan: take(
      values["max-scan"],
      (digits) => wholeOf(digits, LEAST_MAX_SCAN),
      (shown) =>
        `read ${shown} bytes of a file at most: name a number from ${LEAST_MAX_SCAN} on`,
    ),
    pdf: values.pdf,
  };
}

function takeAllowed(
  { git, "git-allow": folders }: ReturnType<typeof parse>["values"],
): readonly string[] | undefined {
  if (folders === undefined || git) return folders;
  throw new UsageError(
    "Cannot serve: --git-allow means nothing without --git; add it",
  );
}

/** Reads the text of an option; fails if `read` gives `undefined`. */
function take<Value>(
  text: string | undefined,
  read: (text: string) => Value | undefined,
  problem: (shown: string) => string,
): Value | undefined {
  if (text === undefined) return undefined;
  const value = read(text);
  if (value !== undefined) return value;
  throw new UsageError(`Cannot ${problem(visibleJson(text))}`);
}

function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function wholeOf(
  digits: string,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const number = Number(digits);
  const isWhole = /^\d+$/.test(digits) && least <= number && number <= most;
  return isWhole ? number : undefined;
}

/** Parses strictly. The strict mode of `parseArgs` has other messages in each runtime. */
function parse(args: readonly string[]) {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: OPTIONS,
  });
  const refuse = (problem: string) => {
    throw new UsageError(`Cannot serve: ${problem}`);
  };
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName, value, inlineValue } = token;
    const option = Object.entries(OPTIONS).find(([known]) => known === name);
    // The parser takes any next word as the value. A word that begins with a dash
    // is probably the next option, and the value was forgotten.
    const isValue = value !== undefined && (inlineValue || !/^-./.test(value));
    if (option === undefined) {
      const shown = visibleJson(rawName);
      const all = Object.keys(OPTIONS).map((name) => `--${name}`).join(", ");
      const path = visibleJson(`./${rawName}`);
      refuse(
        `unknown option ${shown} (${all}); write ${path} for a directory of that name`,
      );
    } else if (option[1].type === "boolean" && value !== undefined) {
      refuse(`${rawName} takes no value; leave it out`);
    } else if (option[1].type === "string" && !isValue) {
      refuse(`${rawName} needs a value; write it as ${rawName}=VALUE`);
    }
  }
  type Strict = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>;
  return { values: values as Strict["values"], positionals };
}
