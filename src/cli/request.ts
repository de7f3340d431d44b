// Runtime-agnostic.
import { quote } from "../core/base/words.ts";
import { takeLabel } from "../core/encodings/charsets.ts";
import { type OptionName, type Options, parseOptions } from "./options.ts";
import { defined, readTarget, type Target, UsageError } from "./target.ts";
import { MAKERS, type ToolName } from "./model_tool.ts";

export type ReadRequest = ReturnType<typeof takeRead>;
export type CallRequest = ReturnType<typeof takeCall>;
export type ListRequest = ReturnType<typeof takeList>;

const VENDORS = ["openai", "anthropic", "mcp"] as const;

/** The kind of request, as named in messages. */
type Mode = "--definitions" | "--tool" | "--list" | "--json" | "PATH";

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
] as const;

const OF_TEXT = ["numbers", "no-numbers", "color"] as const;

/** The options that each mode takes. */
const OPTIONS_OF: Readonly<Record<Mode, readonly OptionName[]>> = {
  "--definitions": ["definitions", "tool"],
  "--tool": ["tool", "args", "config", ...OF_READING],
  "--list": ["list", "depth", "glob", "json", ...OF_READING],
  "--json": ["json", ...OF_READING, ...OF_LINES],
  "PATH": [...OF_READING, ...OF_LINES, ...OF_TEXT],
};

export function readRequest(args: readonly string[]) {
  const { values, positionals } = parseOptions(args);
  if (values.help) return { kind: "help" } as const;
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
  return mode === "--tool" ? takeCall(values) : takeDefinitions(values);
}

function modeOf({ definitions, tool, list, json }: Options): Mode {
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
  const column = numberOf(values, "column");
  const maxBytes = numberOf(values, "max-bytes");
  // Checked last, since an option may have taken the path as its value.
  if (paths.length === 0) throw new UsageError("No PATH is named; name one");
  const targets = paths.map((text) => {
    const target: Target = readTarget(text);
    if (common === undefined) return target;
    const isWhole = Object.keys(target.part).length === 0;
    if (isWhole) return { ...target, part: common.part };
    const both = `${quote(text)} names its lines, and so does --${common.name}`;
    throw new UsageError(`${both}; leave one of them out`);
  });
  const [first, ...others] = targets;
  const hasFirstLine = ["tail", "around", "indent"]
    .every((name) => !(name in first!.part));
  if (column !== undefined && (others.length > 0 || !hasFirstLine)) {
    throw new UsageError("--column needs one PATH, or one PATH:LINE; name it");
  }
  const { color, json, view } = values;
  return {
    kind: "read" as const,
    ...boundaryOf(values),
    targets,
    maxBytes,
    color,
    json,
    view,
    given: values,
    column: column ?? 1,
    encoding: takeEncoding(values.encoding),
    numbers: values.numbers ?? (values["no-numbers"] ? false : undefined),
  };
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
  ["view", "indent"],
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
  const levels = numberOf(values, "levels", 0);
  const name = (["head", "tail", "indent"] as const)
    .find((name) => values[name] !== undefined);
  if (levels !== undefined && name !== "indent") {
    throw new UsageError("--levels means nothing without --indent; add it");
  }
  if (name === undefined) return undefined;
  const count = numberOf(values, name)!;
  if (name === "indent") {
    return { name, part: { indent: count, levels: levels ?? 0 } };
  }
  return { name, part: name === "head" ? { end: count } : { tail: count } };
}

function takeList(values: Options, paths: readonly string[]) {
  const { glob, json = false } = values;
  return {
    kind: "list" as const,
    ...boundaryOf(values),
    json,
    targets: (paths.length === 0 ? ["."] : paths)
      .map((path): Target => ({ text: path, path, part: {} })),
    options: defined({ depth: numberOf(values, "depth"), glob }),
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

/** All tools but codex: toolkit has the same name, and APIs want different names. */
const DEFAULT_TOOLS = ["toolkit", "forge", "open"] as const;

function takeDefinitions(values: Options) {
  const vendor = oneOf(VENDORS, values.definitions!, "--definitions");
  const named = takeTools(values);
  const tools = named.length > 0 ? named : DEFAULT_TOOLS;
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

function numberOf(values: Options, name: OptionName, least = 1) {
  const text = values[name] as string | undefined;
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && Number.isSafeInteger(number)) {
    return number;
  }
  throw new UsageError(`--${name} must be a whole number from ${least} on`);
}
