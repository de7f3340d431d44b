// Runtime-agnostic.
import { Call } from "./base/call.ts";
import { copyOf, listOf, type Rules, takeOptions } from "./base/check.ts";
import { ReadFileError } from "./base/errors.ts";
import { checkValue } from "./base/check.ts";
import type { ManyAnswer, ReadManyOptions } from "./read_many.ts";
import { readMany } from "./read_many.ts";
import type { FileRoot } from "./workspace.ts";

/** A line that another tool has found; other properties of it are ignored. */
export interface FoundLine {
  /** The file: from the root, or absolute below it. */
  readonly path: string;
  /** The number of the line. */
  readonly line: number;
}

/** Options for {@linkcode Workspace.readAround}. */
export interface ReadAroundOptions extends ReadManyOptions {
  /** How many lines before each; 3 by default. */
  readonly before?: number | undefined;
  /** How many lines after each; 3 by default. */
  readonly after?: number | undefined;
}

/** The lines before and after, by default. */
const AROUND = 3;

/** How many hits are taken between two checks of the time slice. */
const HITS_A_BREATH = 1024;

const RULES: Rules<ReadAroundOptions> = {
  before: { least: 0 },
  after: { least: 0 },
  maxBytes: { least: 1, unlimited: true },
  maxTokens: { least: 1, unlimited: true },
  maxFiles: { least: 1, unlimited: true },
  signal: "signal",
  countTokens: "function",
};

/** Reads the lines around hits, a page for each file. */
export async function readAround(
  workspace: FileRoot,
  hits: readonly FoundLine[],
  input: ReadAroundOptions,
): Promise<ManyAnswer[]> {
  const { before = AROUND, after = AROUND, ...options } = takeOptions(
    input,
    RULES,
    badHit,
  );
  const files = new Map<string, Set<number>>();
  const call = new Call("", options.signal);
  const example = 'an array, such as [{ path: "a.txt", line: 7 }]';
  for (const [at, hit] of listOf(hits, "hits", badHit, example).entries()) {
    const { path, line } = copyOf(hit as FoundLine, `hits[${at}]`, badHit);
    checkValue(`hits[${at}].path`, path, "text", badHit);
    checkValue(`hits[${at}].line`, line, { least: 1 }, badHit);
    const lines = files.get(path) ?? new Set();
    files.set(path, lines.add(line));
    if (at % HITS_A_BREATH === 0) await call.breathe();
  }
  const requests = Array.from(files, ([path, hits]) => {
    const lines = [...hits].sort((one, other) => one - other);
    return { path, lines, before, after };
  });
  return await readMany(workspace, requests, options);
}

function badHit(argument: string, problem: string): ReadFileError {
  return new ReadFileError("INVALID_ARGUMENT", "", { argument, problem }, {
    words: {
      INVALID_ARGUMENT: ({ details: { argument, problem } }) => [
        `Cannot read around hits: ${argument} ${problem}`,
      ],
    },
  });
}
