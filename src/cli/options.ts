import { nearest, quote } from "../core/base/words.ts";
import { UsageError } from "./shell.ts";

/** One option; without `value` it is a flag. */
interface OptionRow {
  /** What follows it, as the help names it. */
  readonly value?: string;
  readonly isList?: true;
  /** What may follow it after `=`, if it is a flag. */
  readonly word?: string;
  readonly letter?: string;
  /** Whether `--help` leaves it to `--help=all`. */
  readonly isRare?: true;
  readonly text: string;
}

/** The options, by what they are about. */
const SECTIONS = {
  "Of every PATH without LINES": {
    head: { value: "N", text: "the first N lines" },
    tail: { value: "N", text: "the last N lines" },
    indent: {
      value: "LINE",
      text: "the block that LINE belongs to, by its indentation",
    },
    levels: {
      value: "N",
      isRare: true,
      text: "with --indent: up to N levels; all with 0, the default",
    },
  },
  "What to read": {
    workspace: {
      value: "DIR",
      text: "read only files in this directory; . by default",
    },
    deny: {
      value: "GLOB",
      isList: true,
      text: "do not read files that match; may be repeated",
    },
    changes: {
      value: "REV",
      text:
        "what changed in these lines since a revision of git, as HEAD: + stands before new lines, - before removed ones",
    },
    "git-allow": {
      value: "DIR",
      isList: true,
      isRare: true,
      text:
        "a folder outside of the repository that it may name, as linked worktrees do; may be repeated",
    },
    follow: {
      text: "go on with what is appended to the file, until it is interrupted",
    },
    "max-bytes": {
      value: "N",
      isRare: true,
      text:
        "show at most N bytes of each file, in whole lines if one fits; standard error has the arguments for the rest",
    },
    column: {
      value: "N",
      isRare: true,
      text: "begin at character N of the first line",
    },
    encoding: {
      value: "LABEL",
      text:
        'the encoding of the files, such as shift_jis; "auto", the default, detects it by their bytes',
    },
    view: {
      value: "NAME",
      isRare: true,
      text: "cells of a notebook, or gunzip: show that instead",
    },
  },
  "Output": {
    json: {
      text:
        'pages as JSON, one per line; "base64" has the bytes if the texts lack some',
    },
    numbers: { letter: "n", text: "number the lines in a pipe too" },
    "no-numbers": { isRare: true, text: "do not number lines" },
    color: {
      word: "always",
      text:
        "color the syntax on a terminal, by highlight.js; with --color=always in a pipe too, as for less -R",
    },
    stats: {
      isRare: true,
      text: "write to standard error how much was read, how long",
    },
  },
  "Directories": {
    list: { text: "list each PATH, . by default: sizes or kinds, and names" },
    depth: {
      value: "N",
      isRare: true,
      text: "the directories below as well, N levels of them, up to 5",
    },
    glob: { value: "GLOB", isRare: true, text: "only what matches" },
  },
  "Tools for models": {
    tool: {
      value: "NAME",
      isList: true,
      text:
        "call a tool: read_file, read_files, list_directory; or codex, toolkit, forge or open",
    },
    args: {
      value: "JSON",
      text: "with the arguments that a model would send",
    },
    config: {
      value: "FILE",
      isRare: true,
      text: "and the limits of forge, in TOML; FILE in the workspace",
    },
    definitions: {
      value: "API",
      isRare: true,
      text:
        "print the tools for openai, anthropic or mcp: the first three, or those that --tool names",
    },
  },
  "Help": {
    completion: {
      value: "SHELL",
      isRare: true,
      text: "print what completes options in bash, zsh or fish",
    },
    help: { letter: "h", word: "all", text: "print this; all with --help=all" },
    version: { isRare: true, text: "print the version" },
  },
} as const satisfies Readonly<
  Record<string, Readonly<Record<string, OptionRow>>>
>;

type Sections = typeof SECTIONS;
type Table = UnionToIntersection<Sections[keyof Sections]>;
type UnionToIntersection<Union> =
  (Union extends unknown ? (one: Union) => void : never) extends
    (all: infer All) => void ? All : never;

const TABLE = Object.assign({}, ...Object.values(SECTIONS)) as Table;

export type OptionName = keyof Table;

const NAMES = Object.keys(TABLE) as OptionName[];

const ruleOf = (name: OptionName): OptionRow => TABLE[name];

export type Options = {
  readonly [Name in OptionName]?:
    | (Table[Name] extends { isList: true } ? readonly string[]
      : Table[Name] extends { value: string } ? string
      : Table[Name] extends { word: infer Word } ? boolean | Word
      : boolean)
    | undefined;
};

const PLACES = `Usage: read [OPTION]... PATH[:LINES]...

Prints files, or lines of them. A path is taken from the current directory, or
from --workspace, and cannot lead out of it. - is the standard input.

  PATH                  the whole file
  PATH:120              line 120
  PATH:120-150          lines 120 to 150
  PATH:120-             line 120 and all after it
  PATH:-20              the last 20 lines
  PATH:120-150+2        lines 120 to 150, and 2 lines before and after them
  PATH:/needle/         the lines that match; /needle/i for either case
  PATH:/needle/+3       the same, and 3 lines before and after each
  PATH:3,9-12,-2        several of these; a search can only be the last
  HEAD~2:PATH:LINES     the file as it was at a revision of git
`;

const MORE_PLACES =
  `  PATH:120+10           line 120, and 10 lines before and after it
  PATH:9-99/needle/     the lines from 9 to 99 that match
  PATH:                 a whole file whose name ends like the above: odd:7:
  ./-PATH               a file whose name begins with a dash

PATH#L5-L9 and PATH:5:3 are understood, too. A file of that very name wins.
`;

const ENDING = `
A terminal gets numbers, and hidden characters as \\u{1B}. A pipe gets the exact
bytes; with --encoding or --numbers, the text in UTF-8. NO_COLOR overrides every
option.

Exits with
  0  on success, even if the output was not read to its end
  1  if something could not be read or written; the rest is still printed
  2  if the command line is wrong
`;

/** The help: what is used most, on one screen, or all of it. */
export function usage(isAll: boolean): string {
  const sections = Object.entries(SECTIONS).map(([title, rules]) => {
    const rows = Object.entries<OptionRow>(rules)
      .filter(([, { isRare }]) => isAll || !isRare)
      .map(([name, rule]) => helpRow(name, rule));
    return `\n${title}:\n${rows.join("")}`;
  });
  const end = isAll
    ? ENDING
    : "\nA pipe gets the exact bytes. --help=all says more.\n";
  return PLACES + (isAll ? MORE_PLACES : "") + sections.join("") + end;
}

const HELP_COLUMN = 24;
const HELP_WIDTH = 79;

/** A row of the help, in lines that fit a terminal. */
function helpRow(
  name: string,
  { letter, value, word, text }: OptionRow,
): string {
  const short = letter === undefined ? "" : `-${letter}, `;
  const more = value === undefined ? word && `[=${word}]` : ` ${value}`;
  const lines = [`  ${short}--${name}${more ?? ""}`.padEnd(HELP_COLUMN - 1)];
  for (const part of text.split(" ")) {
    const line = lines.at(-1)!;
    if (line.length + 1 + part.length > HELP_WIDTH) {
      lines.push(`${" ".repeat(HELP_COLUMN)}${part}`);
    } else lines[lines.length - 1] = `${line} ${part}`;
  }
  return `${lines.join("\n")}\n`;
}

export const USAGE_HINT =
  "Usage: read [OPTION]... PATH[:LINES]...; --help says more";

/** The shells that {@linkcode completionFor} knows. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** A script by which a shell completes the options of `read-file`, and names of files after them. */
export function completionFor(shell: (typeof SHELLS)[number]): string {
  const options = NAMES.map((name) => `--${name}`).join(" ");
  if (shell === "bash") {
    return `complete -o default -W "${options}" read-file\n`;
  }
  const told = (text: string) => text.replace(/[;:,].*$/, "");
  if (shell === "fish") {
    return NAMES.map((name) => {
      const { letter, value, text } = ruleOf(name);
      const short = letter === undefined ? "" : ` -s ${letter}`;
      const takes = value === undefined ? "" : " -r";
      return `complete -c read-file -l ${name}${short}${takes} -d "${
        told(text)
      }"\n`;
    }).join("");
  }
  const rows = NAMES.map((name) => {
    const { value, isList, text } = ruleOf(name);
    const again = isList ? "*" : "";
    return `  '${again}--${name}${value === undefined ? "" : "="}[${
      told(text)
    }]${value === undefined ? "" : `:${value}:_files`}' \\\n`;
  });
  return `#compdef read-file\n_arguments \\\n${
    rows.join("")
  }  '*:PATH:_files'\n`;
}

/** An option and its value in one word, such as `--head=5`. */
const INLINE = /^(?<written>--[^][^=]*)=(?<inline>[^]*)$/;

/**
 * Parses the command line. `parseArgs` of `node:util` would take `-:1-20`, lines of the
 * standard input, for four options, and has none with an optional word, as
 * `--color=always`.
 */
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
    if (!/^-[^:]/s.test(arg)) {
      // A path, or lines of the standard input: -:1-20.
      positionals.push(arg);
      continue;
    }
    const { written = arg, inline } = INLINE.exec(arg)?.groups ?? {};
    const name = nameOf(written);
    if (name === undefined) {
      const advice = adviceFor(written);
      throw new UsageError(`Unknown option: ${quote(written)}${advice}`);
    }
    const { value: takesValue, isList, word } = ruleOf(name);
    if (takesValue === undefined) {
      if (inline !== undefined && inline !== word) {
        const advice = word === undefined
          ? "takes no value; leave it out"
          : `takes no value but ${word}; leave it out`;
        throw new UsageError(`${written} ${advice}`);
      }
      values[name] = inline ?? true;
      continue;
    }
    const value = inline ?? valueAfter(written, args[++at]);
    const before = values[name] as string[] | undefined ?? [];
    values[name] = isList ? [...before, value] : value;
  }
  return { values, positionals };
}

/** The option that is written as `--name`, or as a letter. */
function nameOf(written: string): OptionName | undefined {
  return NAMES.find((name) => {
    const { letter } = ruleOf(name);
    return written === `--${name}` ||
      letter !== undefined && written === `-${letter}`;
  });
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
  const known = nameOf(`--${name}`) ?? nearest(name, NAMES);
  const file = `write ${quote(`./${written}`)} for a file of that name`;
  return known === undefined
    ? `; ${file}`
    : `; did you mean "--${known}"? Or ${file}`;
}
