// Runtime-agnostic.
import {
  type ManyAnswer,
  type PageRequest,
  ReadFileError,
} from "@agent-tools/read-file";
import { codeAndMessage } from "./failure.ts";
import { present } from "./page_answer.ts";
import type { Place, Scope } from "./scope.ts";
import type { Answer, Json } from "./served_tool.ts";

/** One of the files, and where it lies. */
interface Wanted {
  readonly asked: Json;
  /** Where it lies, or why it lies nowhere. */
  readonly place: Place | ReadFileError;
}

/** The files of one directory, and what came of them. */
interface Group {
  readonly files: readonly Wanted[];
  answers: readonly ManyAnswer[];
}

/** What a file is told with. */
interface Telling {
  readonly scope: Scope;
  /** The bytes that each file would have if all had as much. */
  readonly fair: number;
  readonly signal: AbortSignal;
}

/** What is told of a file, in words and for programs. */
interface Told {
  readonly text: string;
  readonly facts: Json;
}

/** Reads several files, of one directory or more, within one limit. */
export async function readBatch(
  files: readonly Json[],
  limit: number,
  scope: Scope,
  signal: AbortSignal,
): Promise<Answer> {
  const wanted = files.map((asked) => ({ asked, place: find(asked, scope) }));
  const answers = await readAll(wanted, limit, signal);
  const fair = Math.floor(limit / files.length);
  const told = await Promise.all(
    wanted.map((file) =>
      tell(file, answers.get(file), { scope, fair, signal })
    ),
  );
  const text = told.map(({ text }) => text).join("\n\n");
  return { text, structured: { text, files: told.map(({ facts }) => facts) } };
}

function find({ path }: Json, scope: Scope): Place | ReadFileError {
  try {
    return scope.find(path);
  } catch (error) {
    if (error instanceof ReadFileError) return error;
    throw error;
  }
}

/** Reads the files of each directory; each has its part of the limit, and then of what was left. */
async function readAll(
  wanted: readonly Wanted[],
  limit: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<Wanted, ManyAnswer>> {
  const placed = wanted.filter(({ place }) => "root" in place);
  const groups = [...Map.groupBy(placed, rootOf).values()]
    .map((files): Group => ({ files, answers: [] }));
  const read = async (group: Group, share: number) => {
    group.answers = await readGroup(group.files, share, signal);
  };
  await Promise.all(
    groups.map((group) =>
      read(group, limit * group.files.length / placed.length)
    ),
  );
  const left = limit - sum(groups.map(shownBy));
  const cut = groups.filter(({ answers }) => answers.some(isCut));
  if (groups.length > 1 && left > 0) {
    await Promise.all(
      cut.map((group) => read(group, shownBy(group) + left / cut.length)),
    );
  }
  return new Map(
    groups.flatMap(({ files, answers }) =>
      files.map((file, at): [Wanted, ManyAnswer] => [file, answers[at]!])
    ),
  );
}

function rootOf({ place }: Wanted): unknown {
  return "root" in place ? place.root : undefined;
}

async function readGroup(
  files: readonly Wanted[],
  share: number,
  signal: AbortSignal,
): Promise<ManyAnswer[]> {
  const [place] = files.map(({ place }) => place);
  if (place === undefined || !("root" in place)) return [];
  const requests = files.map(({ asked, place }) =>
    // What is no request is refused, each for itself, where it is read.
    ({ ...asked, path: place.path }) as PageRequest
  );
  const maxBytes = Math.max(1, Math.floor(share));
  return await place.root.workspace.readMany(requests, { maxBytes, signal });
}

function isCut(answer: ManyAnswer): boolean {
  return answer.kind === "skipped" ||
    answer.kind === "page" && answer.page.next !== null;
}

function shownBy({ answers }: Group): number {
  return sum(
    answers.map((answer) =>
      answer.kind === "page"
        ? answer.page.shown.end - answer.page.shown.start
        : 0
    ),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

async function tell(
  { asked, place }: Wanted,
  answer: ManyAnswer | undefined,
  { scope, fair, signal }: Telling,
): Promise<Told> {
  if (answer === undefined || !("root" in place)) {
    return tellError(place, asked);
  }
  if (answer.kind === "error") return tellError(answer.error, asked);
  if (answer.kind === "skipped") return tellSkipped(asked, answer.next);
  const { page } = answer;
  const { path: _, ...options } = asked;
  const most = Math.max(page.shown.end - page.shown.start, fair);
  try {
    const call = { ...place, scope, options, signal };
    const { text, structured } = await present(page, call, most);
    return { text, facts: factsOf(asked, structured) };
  } catch (error) {
    // A call that was given up is over for all of its files.
    if (signal.aborted) throw error;
    return tellError(error, asked);
  }
}

function tellError(error: unknown, asked: Json): Told {
  const { code, message, words } = codeAndMessage(error, asked.path);
  return { text: words, facts: factsOf(asked, { error: { code, message } }) };
}

function tellSkipped(asked: Json, options: object): Told {
  const next = { path: asked.path, ...options };
  const [path, call] = [asked.path, next].map((value) => JSON.stringify(value));
  const text =
    `${path}: not read, since maxBytes has no room for it. Call read_file with ${call}.`;
  return { text, facts: factsOf(asked, { next }) };
}

function factsOf({ path }: Json, facts: Json): Json {
  const { firstLine = null, lastLine = null, totalLines = null } = facts;
  const { shown = null, size = null, next = null, etag = null } = facts;
  const { exact = null, error = null } = facts;
  return {
    path: facts.path ?? String(path),
    ...{ firstLine, lastLine, totalLines, shown, size },
    ...{ next, etag, exact, error },
  };
}
