// What a command line asks for, and the arguments that ask for the rest of a file.
import { quote } from "../core/base/words.ts";
import { takeLabel } from "../core/encodings/labels.ts";
import type { ListOptions } from "../core/list.ts";
import { type Place, placesOf, writePlace } from "../core/places.ts";
import { given, type ReadFields } from "../core/read_options.ts";
import { escapeHidden } from "../core/unicode/escape.ts";
import { MAKERS, OWN_TOOLS, type ToolName } from "./model_tool.ts";
import {
  type OptionName,
  type Options,
  parseOptions,
  SHELLS,
} from "./options.ts";
import { UsageError } from "./shell.ts";

export type ReadRequest = ReturnType<typeof takeRead>;
export type CallRequest = ReturnType<typeof takeCall>;
export type ListRequest = ReturnType<typeof takeList>;

const VENDORS = ["openai", "anthropic", "mcp"] as const;

/** The kind of request, as named in messages. */
type Mode =
  | "--completion"
  | "--definitions"
  | "--tool"
  | "--list"
  | "--json"
  | "PATH";

/** Options of every request that reads. */
const OF_READING = ["workspace", "deny", "stats"] as const;

const OF_LINES = [
  "head",
  "tail",
  "indent",
  "levels",
  "column",
  "max-bytes",
  "encoding",
  "view",
  "changes",
  "git-allow",
] as const;

const OF_TEXT = ["numbers", "no-numbers", "color", "follow"] as const;

/** The options that each mode takes. */
const OPTIONS_OF: Readonly<Record<Mode, readonly OptionName[]>> = {
  "--completion": ["completion"],
  "--definitions": ["definitions", "tool"],
  "--tool": ["tool", "args", "config", ...OF_READING],
  "--list": ["list", "depth", "glob", "json", ...OF_READING],
  "--json": ["json", ...OF_READING, ...OF_LINES],
  "PATH": [...OF_READING, ...OF_LINES, ...OF_TEXT],
};

export function readRequest(args: readonly string[]) {
  const { values, positionals } = parseOptions(args);
  if (values.help) {
    return { kind: "help", isAll: values.help === "all" } as const;
  }
  if (values.version) return { kind: "version" } as const;
  const mode = modeOf(values);
  refuseOthers(values, mode);
  if (mode === "PATH" || mode === "--json") {
    return takeRead(values, positionals);
  }
  if (mode === "--list") return takeList(values, positionals);
  if (positionals.length > 0) {
    const advice = mode === "--tool" ? "; name the file in --args" : "";
    throw new UsageError(`${mode} takes no PATH${advice}`);
  }
  if (mode === "--tool") return takeCall(values);
  if (mode === "--definitions") return takeDefinitions(values);
  const shell = oneOf(SHELLS, values.completion!, "--completion");
  return { kind: "completion" as const, shell };
}

function modeOf(
  { completion, definitions, tool, list, json }: Options,
): Mode {
  if (completion !== undefined) return "--completion";
  if (definitions !== undefined) return "--definitions";
  if (tool !== undefined) return "--tool";
  if (list) return "--list";
  return json ? "--json" : "PATH";
}

/** Refuses options that the mode does not take. */
function refuseOthers(values: Options, mode: Mode): void {
  for (const name of Object.keys(values) as OptionName[]) {
    if (OPTIONS_OF[mode].includes(name)) continue;
    const needsTool = name === "args" || name === "config";
    const advice = mode === "PATH" && needsTool
      ? "without --tool; add it"
      : `with ${mode}; leave one of them out`;
    throw new UsageError(`--${name} means nothing ${advice}`);
  }
}

function takeRead(values: Options, paths: readonly string[]) {
  refuseClashes(values);
  const common = takePart(values);
  const column = numberOption(values, "column");
  const maxBytes = numberOption(values, "max-bytes");
  // Checked last, since an option may have taken the path as its value.
  if (paths.length === 0) throw new UsageError("No PATH is named; name one");
  const { color, json, view } = values;
  const encoding = takeEncoding(values.encoding);
  const placesIn = (text: string): readonly Place[] => {
    const places = placesOf(text);
    if (common === undefined) return places;
    const isWhole = places.at(-1)!.parts
      .every((part) => Object.keys(part).length === 0);
    if (isWhole) {
      return places.map((place) => (
        { ...place, parts: place.parts.map(() => common.part) }
      ));
    }
    const both = `${quote(text)} names its lines, and so does --${common.name}`;
    throw new UsageError(`${both}; leave one of them out`);
  };
  const [{ tail, around } = {}] = placesIn(paths[0]!).at(-1)!.parts;
  const hasFirstLine = (tail ?? around) === undefined;
  if (column !== undefined && (paths.length > 1 || !hasFirstLine)) {
    throw new UsageError("--column needs one PATH, or one PATH:LINE; name it");
  }
  const begin = column === 1 ? undefined : column;
  const of = (part: ReadFields, at: number) => ({
    ...part,
    ...given({ column: at === 0 ? begin : undefined, encoding, view }),
  });
  const placesFor = (text: string): readonly Place[] =>
    placesIn(text)
      .map((place) => ({ ...place, parts: place.parts.map(of) }));
  const targets = paths
    .map((text): Target => ({ text, places: placesFor(text) }));
  if (values.follow) refuseToFollow(values, targets);
  return {
    kind: "read" as const,
    ...boundaryOf(values),
    targets,
    follow: values.follow ?? false,
    placesFor,
    maxBytes,
    color,
    json,
    values,
    encoding,
    changes: takeChanges(values),
    gitAllow: values["git-allow"] ?? [],
    numbers: values.numbers ?? (values["no-numbers"] ? false : undefined),
  };
}

/** Refuses what does not end with the last line of one file. */
function refuseToFollow(
  values: Options,
  [target, ...others]: readonly Target[],
): void {
  const name = (["changes", "max-bytes", "view"] as const)
    .find((name) => values[name] !== undefined);
  if (name !== undefined) {
    throw new UsageError(
      `--${name} means nothing with --follow; leave one of them out`,
    );
  }
  const parts = target!.places.at(-1)!.parts;
  const isToEnd = parts.length === 1 &&
    !["end", "match", "around"].some((name) => name in parts[0]!);
  if (others.length === 0 && isToEnd && !isInput(target!.text)) return;
  throw new UsageError(
    "--follow needs one PATH, PATH:N- or PATH:-N, which reach the end of a file; name it so",
  );
}

/** Whether a target is the standard input, or lines of it. */
export function isInput(text: string): boolean {
  return text === "-" || text.startsWith("-:");
}

function takeChanges(
  { changes, color, "max-bytes": maxBytes }: Options,
): string | undefined {
  if (changes === undefined) return undefined;
  if (changes === "") throw new UsageError("--changes must name a revision");
  const other = color ? "color" : maxBytes && "max-bytes";
  if (!other) return changes;
  throw new UsageError(`--${other} means nothing with --changes; leave it out`);
}

function takeEncoding(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  return takeLabel(label, (_, problem) => {
    throw new UsageError(`--encoding ${problem}`);
  });
}

/** Options that cannot be given together. */
const CLASHES: readonly (readonly OptionName[])[] = [
  ["numbers", "no-numbers"],
  ["head", "tail"],
  ["head", "indent"],
  ["tail", "indent"],
];

function refuseClashes(values: Options): void {
  const clash = CLASHES.find((names) =>
    names.every((name) => values[name] !== undefined)
  );
  if (clash === undefined) return;
  const both = clash.join(" and --");
  throw new UsageError(`--${both} cannot both be; take one`);
}

/** The lines of every file, if an option selects them. */
function takePart(values: Options) {
  const levels = numberOption(values, "levels", 0);
  const name = (["head", "tail", "indent"] as const)
    .find((name) => values[name] !== undefined);
  if (levels !== undefined && name !== "indent") {
    throw new UsageError("--levels means nothing without --indent; add it");
  }
  if (name === undefined) return undefined;
  const count = numberOption(values, name)!;
  const parts: Record<typeof name, ReadFields> = {
    head: { end: count },
    tail: { tail: count },
    indent: { around: count, block: { levels: levels ?? 0, count: Infinity } },
  };
  return { name, part: parts[name] };
}

function takeList(values: Options, paths: readonly string[]) {
  const { glob, json = false } = values;
  const depth = numberOption(values, "depth");
  const options: ListOptions = {
    ...(depth !== undefined && { depth }),
    ...(glob !== undefined && { glob }),
  };
  return {
    kind: "list" as const,
    ...boundaryOf(values),
    json,
    paths: paths.length === 0 ? ["."] : paths,
    options,
  };
}

function takeCall(values: Options) {
  const [tool, ...others] = takeTools(values);
  if (tool === undefined || others.length > 0) {
    throw new UsageError("One tool can be called at a time; name one");
  }
  const { args, config } = values;
  if (args === undefined) {
    throw new UsageError("--tool needs --args with what a model would send");
  }
  if (config !== undefined && tool !== "forge") {
    throw new UsageError("--config holds the limits of --tool forge; call it");
  }
  return { kind: "call" as const, ...boundaryOf(values), tool, args, config };
}

function takeDefinitions(values: Options) {
  const vendor = oneOf(VENDORS, values.definitions!, "--definitions");
  const named = takeTools(values);
  const tools = named.length > 0 ? named : OWN_TOOLS;
  return { kind: "definitions" as const, vendor, tools };
}

function takeTools({ tool = [] }: Options): ToolName[] {
  const names = Object.keys(MAKERS) as ToolName[];
  return tool.map((name) => oneOf(names, name, "--tool"));
}

function oneOf<Name extends string>(
  names: readonly Name[],
  given: string,
  option: string,
): Name {
  const known = names.find((name) => name === given);
  if (known !== undefined) return known;
  throw new UsageError(`${option} must be one of ${names.join(", ")}`);
}

/** Options of every request that reads. */
function boundaryOf(values: Options) {
  const { workspace = ".", deny = [], stats = false } = values;
  if (workspace !== "") return { workspace, deny, stats };
  throw new UsageError("--workspace must name a directory");
}

function numberOption(values: Options, name: OptionName, least = 1) {
  const text = values[name] as string | undefined;
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && Number.isSafeInteger(number)) {
    return number;
  }
  throw new UsageError(`--${name} must be a whole number from ${least} on`);
}

/** A file, and the requested lines of it. */
export interface Target {
  /** As it was written. */
  readonly text: string;
  /** The ways to read it. */
  readonly places: readonly Place[];
}

/** The sentence that something was left out, and the arguments for the parts of the file that are the rest. */
export function continuationOf(
  { values, maxBytes }: ReadRequest,
  path: string,
  [{ column, ...next } = {}, ...others]: readonly ReadFields[],
): string {
  // The rest begins at its own line and character.
  const from = { head: undefined, tail: undefined, indent: undefined, column };
  const options = { ...values, ...from, levels: undefined };
  const words = Object.entries(options).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [value].flat().map((one) =>
        one === true ? `--${name}` : `--${name}=${one}`
      )
  );
  // Bun treats a leading `--` as its own.
  const file = path.startsWith("-") ? `./${path}` : path;
  const args = [...words, writePlace(file, [next, ...others])].map(quoteWord)
    .join(" ");
  const rest = `${quote(path)} fits into ${maxBytes} bytes`;
  return `Not all of ${rest}; go on with these arguments:\n${args}`;
}

/** Quotes a word for a shell, if it needs that. A word that a terminal would show with escapes is written by `printf`. */
function quoteWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (escapeHidden(word) === word) {
    return `'${word.replaceAll("'", `'\\''`)}'`;
  }
  const units = Array.from(new TextEncoder().encode(word), (byte) => {
    const unit = String.fromCharCode(byte);
    const octal = byte.toString(8).padStart(3, "0");
    return /[\w@+=:,./ -]/.test(unit) ? unit : `\\0${octal}`;
  });
  return `"$(printf %b '${units.join("")}')"`;
}
