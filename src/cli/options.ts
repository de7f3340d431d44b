// Deno and Bun: both offer `node:util`.
import { nearest } from "../core/nearest.ts";
import { quote } from "../core/quote.ts";
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

/** One thing that the parser found, and which argument it stands in. */
type Token =
  | {
    readonly kind: "option";
    readonly index: number;
    readonly name: string;
    /** As it was written: `--name`, or a dash and one letter. */
    readonly rawName: string;
    readonly value?: string | undefined;
    /** Whether the value stands behind an equals sign. */
    readonly inlineValue?: boolean | undefined;
  }
  | { readonly kind: "positional" | "option-terminator" };

type OptionToken = Extract<Token, { readonly kind: "option" }>;

interface Host {
  readonly process: {
    getBuiltinModule(name: "node:util"): {
      parseArgs(options: {
        readonly args: readonly string[];
        readonly allowPositionals: true;
        readonly strict: false;
        readonly tokens: true;
        readonly options: typeof OPTIONS;
      }): Parsed & { readonly tokens: readonly Token[] };
    };
  };
}

/**
 * Takes the command line apart. The parser is the runtime's own: both have the
 * same one, it asks for no permission, and nobody has to load it. It is not
 * strict, for then it would say in its own words what is wrong.
 */
export function parseOptions(args: readonly string[]): Parsed {
  // The types of the runtime are not the package's to name, so it says what it needs.
  const { process } = globalThis as unknown as Host;
  const { parseArgs } = process.getBuiltinModule("node:util");
  const { values, positionals, tokens } = parseArgs({
    args,
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: OPTIONS,
  });
  for (const token of tokens) {
    if (token.kind === "option") refuseMistake(token, args);
  }
  return { values, positionals };
}

/** Refuses an option that is none, or that has a value too many or too few. */
function refuseMistake(token: OptionToken, args: readonly string[]): void {
  const { name, rawName, value, inlineValue } = token;
  if (!Object.hasOwn(OPTIONS, name)) {
    const written = rawName.startsWith("--") ? rawName : args[token.index]!;
    throw new UsageError(`${quote(written)} is no option${adviceFor(written)}`);
  }
  // It is one of them, as was seen right before.
  const { type } = OPTIONS[name as OptionName];
  if (type === "boolean") {
    if (value === undefined) return;
    throw new UsageError(`${rawName} takes no value; leave it out`);
  }
  if (value === undefined) {
    throw new UsageError(`${rawName} needs a value; put it behind`);
  }
  // What begins with a dash may as well be the next option, and the value forgotten.
  if (!inlineValue && /^-./.test(value)) {
    throw new UsageError(
      `${rawName} needs a value, and ${
        quote(value)
      } begins with a dash; write ${
        quote(`${rawName}=${value}`)
      } if that is the value`,
    );
  }
}

/** What to write in place of an option that is none: another, or the file of that name. */
function adviceFor(written: string): string {
  const name = written.replace(/^-+/, "");
  const [known] = Object.hasOwn(OPTIONS, name)
    ? [name]
    : nearest(name, Object.keys(OPTIONS), 1);
  const file = `write ${quote(`./${written}`)} for a file of that name`;
  return known === undefined
    ? `; ${file}`
    : `; did you mean "--${known}"? Or ${file}`;
}
