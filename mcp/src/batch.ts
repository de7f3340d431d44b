// Runtime-agnostic.
import type { ManyAnswer, PageRequest } from "@agent-tools/read-file";
import { asCalled } from "./called_as.ts";
import { badArgument, codeAndMessage } from "./failure.ts";
import { type BoundedOptions, present, takePath } from "./page_answer.ts";
import type { Place, Scope } from "./scope.ts";
import type { Answer, Json } from "./served_tool.ts";

/** One of the files, and where it lies. */
interface Placed {
  readonly asked: Json;
  readonly path: string;
  readonly place: Place;
}

/** One that lies nowhere, and why. */
interface Lost {
  readonly asked: Json;
  readonly error: unknown;
}

/** What the files are told with. */
interface Telling {
  readonly scope: Scope;
  /** The most bytes of all of them. */
  readonly limit: number;
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
  const wanted = files.map((asked) => find(asked, scope));
  const placed = wanted.filter((file) => "place" in file);
  const answers = await readAll(placed, limit, signal);
  const fair = Math.floor(limit / files.length);
  const telling = { scope, limit, fair, signal };
  const told = await Promise.all(
    wanted.map((file) =>
      "place" in file
        ? tell(file, answers[placed.indexOf(file)]!, telling)
        : tellError(file.error, file.asked)
    ),
  );
  const text = told.map(({ text }) => text).join("\n\n");
  return { text, structured: { text, files: told.map(({ facts }) => facts) } };
}

function find(asked: Json, scope: Scope): Placed | Lost {
  try {
    const path = takePath(asked.path);
    // The library knows this option, and it is none of a call's.
    if (Object.hasOwn(asked, "workspace")) {
      throw badArgument("workspace", "is no option of a page");
    }
    return { asked, path, place: scope.find(path) };
  } catch (error) {
    return { asked, error };
  }
}

async function readAll(
  files: readonly Placed[],
  maxBytes: number,
  signal: AbortSignal,
): Promise<readonly ManyAnswer[]> {
  const [first] = files;
  if (first === undefined) return [];
  const requests = files.map(({ asked, place: { root, path } }) =>
    // What is no request is refused, each for itself, where it is read.
    ({ ...asked, path, workspace: root.workspace }) as PageRequest
  );
  const { workspace } = first.place.root;
  return await workspace.readMany(requests, { maxBytes, signal });
}

async function tell(
  { asked, path, place }: Placed,
  answer: ManyAnswer,
  { scope, limit, fair, signal }: Telling,
): Promise<Told> {
  const called = scope.called(path, place);
  if (answer.kind === "error") {
    return tellError(asCalled(answer.error, called), asked);
  }
  if (answer.kind === "skipped") return tellSkipped(asked, answer.next);
  const { page } = answer;
  const { path: _, ...given } = asked;
  // What could be read by them is bounded as the page is.
  const options = { maxBytes: limit, ...given } as BoundedOptions;
  const most = Math.max(page.shown.end - page.shown.start, fair);
  try {
    const call = { ...place, scope, options, signal };
    const { text, structured } = await present(page, call, most);
    return { text, facts: factsOf(asked, structured) };
  } catch (error) {
    // A call that was given up is over for all of its files.
    if (signal.aborted) throw error;
    return tellError(asCalled(error, called), asked);
  }
}

function tellError(error: unknown, asked: Json): Told {
  const { code, message, words } = codeAndMessage(error);
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
    path: facts.path ?? (typeof path === "string" ? path : ""),
    ...{ firstLine, lastLine, totalLines, shown, size },
    ...{ next, etag, exact, error },
  };
}
