import { nearest, quote } from "../core/base/words.ts";
import { UsageError } from "./shell.ts";

export const USAGE = `Usage: read [OPTION]... PATH[:LINES]...

Prints files, or lines of them. A path is taken from the current directory, or
from --workspace, and cannot lead out of it.

  PATH                  the whole file
  PATH:120              line 120
  PATH:120-150          lines 120 to 150
  PATH:120-             line 120 and all after it
  PATH:-20              the last 20 lines
  PATH:120+10           line 120, and 10 lines before and after it
  PATH:120-150+2        lines 120 to 150, and 2 lines before and after them
  PATH:/needle/         the lines that match; /needle/i for either case
  PATH:/needle/+3       the same, and 3 lines before and after each
  PATH:9-99/needle/     the same, from line 9 to line 99
  PATH:3,9-12,-2        several of these; a search can only be the last
  PATH:                 a whole file whose name ends like the above: odd:7:
  ./-PATH               a file whose name begins with a dash
  HEAD~2:PATH:LINES     the file as it was at a revision of git

PATH#L5-L9 and PATH:5:3 are understood, too. A file of that very name wins.

Of every PATH without LINES:
  --head N              the first N lines
  --tail N              the last N lines
  --indent LINE         the block that LINE belongs to, by its indentation
    --levels N          up to N levels of it; all levels with 0, the default

What to read:
  --workspace DIR       read only files in this directory; . by default
  --deny GLOB           do not read files that match; may be repeated
  --changes REV         what changed in these lines since a revision of git, as
                        HEAD: + stands before new lines, - before removed ones
  --git-allow DIR       a folder outside of the repository that it may name, as
                        linked worktrees do; may be repeated
  --max-bytes N         show at most N bytes of each file, in whole lines if one
                        fits; standard error has the arguments for the rest
  --column N            begin at character N of the first line
  --encoding LABEL      the encoding of the files, such as shift_jis; "auto",
                        the default, detects it by their bytes
  --view NAME           cells of a notebook, or gunzip: show that instead

Output:
  --json                pages as JSON, one per line; "base64" has the bytes if
                        the texts are not exact
  --numbers             number the lines in a pipe too
  --no-numbers          do not number lines
  --color               color the syntax on a terminal, by highlight.js
  --stats               write to standard error how much was read, how long

Directories:
  --list                list each PATH, . by default: sizes or kinds, and names
    --depth N           the directories below as well, N levels of them, up to 5
    --glob GLOB         only what matches

Tools for models:
  --tool NAME           call a tool: read_file, read_files, list_directory; or
                        codex, toolkit, forge or open
    --args JSON         with the arguments that a model would send
    --config FILE       and the limits of forge, in TOML; FILE in the workspace
  --definitions API     print the tools for openai, anthropic or mcp: the first
                        three, or those that --tool names

  -h, --help            print this
  --version             print the version

A terminal gets numbers, and hidden characters as \\u{1B}. A pipe gets the exact
bytes; with --encoding or --numbers, the text in UTF-8. NO_COLOR overrides every
option.

Exits with
  0  on success, even if the output was not read to its end
  1  if something could not be read or written; the rest is still printed
  2  if the command line is wrong
`;

export const USAGE_HINT =
  "Usage: read [OPTION]... PATH[:LINES]...; --help says more";

const FLAGS = [
  "numbers",
  "no-numbers",
  "color",
  "json",
  "list",
  "stats",
  "help",
  "version",
] as const;

/** Options that may be repeated. */
const LISTS = ["deny", "tool", "git-allow"] as const;

const TEXTS = [
  "workspace",
  "changes",
  "head",
  "tail",
  "indent",
  "levels",
  "column",
  "encoding",
  "view",
  "max-bytes",
  "depth",
  "glob",
  "args",
  "config",
  "definitions",
] as const;

const NAMES = [...FLAGS, ...LISTS, ...TEXTS] as const;

export type OptionName = (typeof NAMES)[number];

type Given<Names extends readonly string[], Value> = {
  readonly [Name in Names[number]]?: Value | undefined;
};

export type Options =
  & Given<typeof FLAGS, boolean>
  & Given<typeof LISTS, readonly string[]>
  & Given<typeof TEXTS, string>;

/** An option and its value in one word, such as `--head=5`. */
const INLINE = /^(?<written>--[^][^=]*)=(?<inline>[^]*)$/;

/** Parses the command line: loading `node:util`, which could, takes two milliseconds. */
export function parseOptions(
  args: readonly string[],
): { readonly values: Options; readonly positionals: readonly string[] } {
  const values: Record<string, string | boolean | string[]> = {};
  const positionals: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (arg === "--") {
      positionals.push(...args.slice(at + 1));
      break;
    }
    if (!/^-./s.test(arg)) {
      positionals.push(arg);
      continue;
    }
    const { written = arg, inline } = INLINE.exec(arg)?.groups ?? {};
    const name = written === "-h" ? "help" : written.replace(/^--/, "");
    if (!isOneOf(NAMES, name)) {
      const advice = adviceFor(written);
      throw new UsageError(`Unknown option: ${quote(written)}${advice}`);
    }
    if (isOneOf(FLAGS, name)) {
      if (inline !== undefined) {
        throw new UsageError(`${written} takes no value; leave it out`);
      }
      values[name] = true;
      continue;
    }
    const value = inline ?? valueAfter(written, args[++at]);
    const before = values[name] as string[] | undefined ?? [];
    values[name] = isOneOf(LISTS, name) ? [...before, value] : value;
  }
  return { values, positionals };
}

function isOneOf<Name extends string>(
  names: readonly Name[],
  name: string,
): name is Name {
  return names.some((known) => known === name);
}

/** Refuses a missing value, and one that may be the next option. */
function valueAfter(written: string, value: string | undefined): string {
  if (value === undefined) {
    throw new UsageError(`${written} needs a value; put it behind`);
  }
  if (!/^-./.test(value)) return value;
  const given = quote(value);
  const joined = quote(`${written}=${value}`);
  throw new UsageError(
    `${written} needs a value, and ${given} begins with a dash; write ${joined} if that is the value`,
  );
}

/** What to write instead of an unknown option: a known one, or a file name. */
function adviceFor(written: string): string {
  const name = written.replace(/^-+/, "");
  const known = isOneOf(NAMES, name) ? name : nearest(name, NAMES);
  const file = `write ${quote(`./${written}`)} for a file of that name`;
  return known === undefined
    ? `; ${file}`
    : `; did you mean "--${known}"? Or ${file}`;
}
