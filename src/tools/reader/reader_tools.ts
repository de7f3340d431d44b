import type { Awaitable } from "../../core/base/port.ts";
import {
  checkValue,
  type Kind,
  refuseMistake,
  type Rules,
  takeOptions,
} from "../../core/base/check.ts";
import { takeLabel } from "../../core/encodings/labels.ts";
import { MAX_SCAN_BYTES } from "../../core/base/limits.ts";
import { boundTokens } from "../../core/base/tokens.ts";
import { visibleJson } from "../../core/base/words.ts";
import { withNotes } from "../../core/pages/frame.ts";
import { partsOf, WORKSPACE, type Workspace } from "../../core/workspace.ts";
import { needArguments } from "../arguments.ts";
import type { ReplyImage, Tool } from "../call.ts";
import { takeToolContext } from "../call.ts";
import { sizeFor } from "./bounds.ts";
import { cutText, failureText } from "./failures.ts";
import { listDirectoryTool } from "./list_directory.ts";
import { ReaderMemory } from "./memory.ts";
import { readFileTool } from "./read_file.ts";
import { readFilesTool } from "./read_files.ts";
import { ReadRoots } from "./roots.ts";
import type { Setup, ToolPlan } from "./tool_plan.ts";

/** Options for {@linkcode readerTools}. */
export interface ReaderOptions {
  /** The longest answer, in UTF-16 code units; 20,000 by default, some 6,000 tokens. A call may ask for less. */
  readonly maxChars?: number | undefined;
  /** The longest answer in bytes of UTF-8; twice `maxChars` by default. */
  readonly maxAnswerBytes?: number | undefined;
  /** The most lines of an answer, those of its frame included; 1,000 by default, or one for 20 of `maxChars` if that is more. */
  readonly maxAnswerLines?: number | undefined;
  /** The largest file whose lines are all counted for each answer, which says of how many its lines are; 64 MiB by default. */
  readonly maxCountedBytes?: number | undefined;
  /** The most bytes that each part of a call reads of one file for lines, not for an image; past them, it fails with `SCAN_LIMIT`. 4 GiB by default. */
  readonly maxScanBytes?: number | undefined;
  /** The encoding of files, as a label that `TextDecoder` takes; detected by default. */
  readonly encoding?: string | undefined;
  /** Whether `read_file` leaves out lines that it showed before, for a conversation that keeps its answers; `false` by default. */
  readonly session?: boolean | undefined;
  /** `"short"`, the default: etags of eight digits, which `memory` must still know. `"full"`: etags that hold all they need, for a host without memory. */
  readonly etags?: "short" | "full" | undefined;
  /** Whether the facts hold the lines as data, for scripts that call tools; `false` by default, and then the answers are the same. */
  readonly typed?: boolean | undefined;
  /** What earlier tools of the same conversation remember; a new memory by default. */
  readonly memory?: ReaderMemory | undefined;
  /** Counts the tokens of a text, for `maxTokens` of a call; by default an upper bound. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** How paths are resolved, in words for the model. */
  readonly paths?: string | undefined;
  /** Whether a view shows documents page by page, if the directories are found at each call; otherwise that is known. */
  readonly paged?: boolean | undefined;
  /** Whether files can be compared with revisions, if the directories are found at each call; otherwise that is known. */
  readonly changes?: boolean | undefined;
  /** What the user may do, in the words of the host: ends of sentences for the model. */
  readonly hints?: {
    /** For a file of which a call reads no more, with `SCAN_LIMIT`. */
    readonly scan?: string | undefined;
    /** For a PDF document without a view. */
    readonly pdf?: string | undefined;
  } | undefined;
}

/** The answer of one of the {@linkcode readerTools}. */
export interface ReaderAnswer {
  /** The text for the model, with the notes. */
  readonly text: string;
  /** The facts for programs, as the tool's `factsSchema` says. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** The images after the text. */
  readonly images: readonly ReplyImage[];
}

/** The arguments of the {@linkcode readerTools}, by the name of the tool: those of their schemas. From a model, they take the names that other tools have for them, too. */
export interface ReaderArguments {
  /** The lines of a file, or what matches below a directory. */
  readonly read_file: {
    readonly path: string;
    readonly start?: number | undefined;
    readonly end?: number | undefined;
    readonly count?: number | undefined;
    readonly tail?: number | undefined;
    readonly around?: number | undefined;
    readonly match?: string | undefined;
    readonly regex?: boolean | undefined;
    readonly ignoreCase?: boolean | undefined;
    readonly glob?: string | undefined;
    readonly ignored?: boolean | undefined;
    readonly from?: string | undefined;
    readonly before?: number | undefined;
    readonly after?: number | undefined;
    readonly column?: number | undefined;
    readonly maxTokens?: number | undefined;
    readonly escape?: boolean | undefined;
    readonly numbered?: boolean | undefined;
    readonly etag?: string | undefined;
    readonly encoding?: string | undefined;
    readonly view?: string | undefined;
    readonly pages?: string | undefined;
    readonly changes?: string | undefined;
    readonly refresh?: boolean | undefined;
    readonly maxChars?: number | undefined;
  };
  /** Files by their paths, or with arguments of `read_file`. */
  readonly read_files: {
    readonly files: readonly (string | ReaderArguments["read_file"])[];
    readonly maxChars?: number | undefined;
  };
  /** The entries of a directory. */
  readonly list_directory: {
    readonly path?: string | undefined;
    readonly depth?: number | undefined;
    readonly glob?: string | undefined;
    readonly after?: string | undefined;
    readonly limit?: number | undefined;
    readonly times?: boolean | undefined;
    readonly maxChars?: number | undefined;
  };
}

/** One of the {@linkcode readerTools}. */
export interface ReaderTool<Name extends string = string> extends
  Tool<
    ReaderAnswer,
    Name extends keyof ReaderArguments ? ReaderArguments[Name]
      : Readonly<Record<string, unknown>>,
    Name
  > {
  /** What it does, in a few words for people. */
  readonly title: string;
  /** The JSON Schema of its facts. */
  readonly factsSchema: Readonly<Record<string, unknown>>;
}

/** The most characters of an answer by default. */
const DEFAULT_MAX_CHARS = 20_000;

/** The largest file whose lines are all counted, by default. */
const MAX_COUNTED_BYTES = 64 * 1024 * 1024;

/** The largest limit: a longer text is of no use to a model. */
const MOST_MAX_CHARS = 100_000_000;

const FROM_ONE = { least: 1 } as const;

const MEMORY: Kind = {
  wanted: "a ReaderMemory",
  fits: (value) => value instanceof ReaderMemory,
};

const RULES: Rules<ReaderOptions> = {
  maxChars: { least: 1, most: MOST_MAX_CHARS },
  maxAnswerBytes: FROM_ONE,
  maxAnswerLines: FROM_ONE,
  maxCountedBytes: { least: 0 },
  maxScanBytes: { least: 0 },
  encoding: "text",
  session: "flag",
  etags: ["short", "full"],
  typed: "flag",
  memory: MEMORY,
  countTokens: "function",
  paths: "text",
  paged: "flag",
  changes: "flag",
  hints: "any",
};

const HINT_RULES: Rules<NonNullable<ReaderOptions["hints"]>> = {
  scan: "text",
  pdf: "text",
};

/** What is read: one directory, several, or those that are found at each call. */
type ReaderSource = Workspace | ReadRoots | FindRoots;

type FindRoots = () => Awaitable<ReadRoots>;

const SOURCE: Kind = {
  wanted: `${WORKSPACE.wanted}, or ReadRoots, or a function that gives them`,
  fits: (value) =>
    WORKSPACE.fits(value) || value instanceof ReadRoots ||
    typeof value === "function",
};

/**
 * Makes the tools `read_file`, `read_files` and `list_directory`: the ones that
 * the MCP server serves.
 *
 * An answer is a text that is bounded in characters, bytes and lines. Its first
 * line says what is shown of how much, and its last line is the call that goes
 * on. Files of other kinds are shown by the views of the workspace, images as
 * images. Arguments are taken leniently, also by the names that other tools have
 * for them; notes in the text say how.
 *
 * @example Usage
 * ```ts
 * import { definitions, memoryFs, openWorkspace, readerTools, respond } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\nthree\n" });
 * const tools = readerTools(await openWorkspace("/repo", { fs }));
 * const names = definitions("anthropic", tools).map(({ name }) => name);
 * assertEquals(names, ["read_file", "read_files", "list_directory"]);
 * const [readFile] = tools;
 * const { content } = await respond(readFile, { path: "a.txt", tail: 1 });
 * assertEquals(content, '"a.txt": line 3 of 3.\n3\tthree\nEnd of file.');
 * ```
 *
 * @param source The directory, several of them, or a function that is called at
 * each call.
 */
export function readerTools(
  source: Workspace | ReadRoots | (() => Awaitable<ReadRoots>),
  options?: ReaderOptions,
): readonly [
  ReaderTool<"read_file">,
  ReaderTool<"read_files">,
  ReaderTool<"list_directory">,
] {
  const refuse = refuseMistake("Cannot make the reader tools");
  checkValue("the source", source, SOURCE, refuse);
  const taken = takeOptions(options, RULES, refuse);
  const { maxChars = DEFAULT_MAX_CHARS } = taken;
  const usual = sizeFor(maxChars);
  const { maxAnswerBytes = usual.bytes, maxAnswerLines = usual.lines } = taken;
  const { encoding, maxCountedBytes = MAX_COUNTED_BYTES } = taken;
  const { maxScanBytes = MAX_SCAN_BYTES } = taken;
  if (encoding !== undefined) takeLabel(encoding, refuse);
  const known = rootsOf(source);
  const { paged = known !== undefined && hasPages(known) } = taken;
  const { changes = known !== undefined && hasRevisions(known) } = taken;
  const hints = takeOptions(taken.hints, HINT_RULES, refuse, "hints");
  const setup: Setup = {
    bounds: { chars: maxChars, bytes: maxAnswerBytes, lines: maxAnswerLines },
    schema: { maxChars, paged, session: taken.session ?? false, changes },
    paths: taken.paths ?? pathRuleOf(known),
    maxCountedBytes,
    maxScanBytes,
    encoding,
    etags: taken.etags ?? "short",
    typed: taken.typed ?? false,
    memory: taken.memory ?? new ReaderMemory(),
    countTokens: taken.countTokens ?? boundTokens,
    hints: {
      scan: hints.scan ?? "ask the user for a larger limit",
      pdf: hints.pdf ??
        "the package @agent-tools/read-file-pdf has a view that shows it",
    },
  };
  const find = async () => known ?? await rootsFrom(source as FindRoots);
  return [
    bind(readFileTool(setup), setup, find),
    bind(readFilesTool(setup), setup, find),
    bind(listDirectoryTool(setup), setup, find),
  ];
}

/** The directories, if they do not depend on the call. */
function rootsOf(source: ReaderSource): ReadRoots | undefined {
  if (source instanceof ReadRoots) return source;
  if (typeof source === "function") return undefined;
  return new ReadRoots([{ name: "", path: source.root, workspace: source }]);
}

const ROOTS: Kind = {
  wanted: "ReadRoots",
  fits: (value) => value instanceof ReadRoots,
};

/** Finds the directories of a call; a host in JavaScript may give anything. */
async function rootsFrom(find: FindRoots): Promise<ReadRoots> {
  const found = await find();
  const refuse = refuseMistake("Cannot call the reader tools");
  checkValue("what the source gives", found, ROOTS, refuse);
  return found;
}

function hasPages({ roots }: ReadRoots): boolean {
  return roots.some(({ workspace }) =>
    partsOf(workspace).views.usual.some(({ paged }) => paged)
  );
}

function hasRevisions({ roots }: ReadRoots): boolean {
  return roots.some(({ workspace }) =>
    partsOf(workspace).revisions !== undefined
  );
}

/** How many names of directories a description lists. */
const MOST_NAMES = 3;

function pathRuleOf(known: ReadRoots | undefined): string {
  const { roots = [] } = known ?? {};
  if (roots.length < 2) {
    return "Paths are relative to the workspace, or absolute.";
  }
  const names = roots.slice(0, MOST_NAMES)
    .map(({ name }) => visibleJson(`${name}/`));
  if (roots.length > MOST_NAMES) names.push("…");
  return `Paths begin with ${names.join(" or ")}, or are absolute.`;
}

/** Binds a tool to the setup and the directories of its calls. */
function bind<Name extends keyof ReaderArguments>(
  plan: ToolPlan<Name>,
  setup: Setup,
  find: () => Promise<ReadRoots>,
): ReaderTool<Name> {
  const { name, title, description, parameters, factsSchema, call } = plan;
  return {
    title,
    definition: { name, description, parameters },
    factsSchema,
    aliases: [],
    async call(given, unchecked) {
      const taken = takeToolContext(name, unchecked);
      const { signal, note, countTokens = setup.countTokens } = taken;
      const args = needArguments(given);
      const notes: string[] = [];
      try {
        const roots = await find();
        const own = { roots, signal, countTokens, notes, views: undefined };
        const context = { ...setup, ...own };
        const { text, facts, images = [] } = await call(args, context);
        const more = notes.length > 0 && { notes: [...notes] };
        return { text, facts: { ...facts, ...more }, images };
      } finally {
        // A failure has its notes, too.
        for (const one of notes) note?.(one);
      }
    },
    render: ({ text }) => text,
    images: ({ images }) => images,
    facts: ({ facts }) => facts,
    ...(plan.insteadOf && { insteadOf: plan.insteadOf }),
    failure(error, notes) {
      const text = withNotes(failureText(error), notes);
      const { chars } = setup.bounds;
      return text.length > chars ? cutText(text, chars) : text;
    },
  };
}
