import { ReadFileError } from "../../core/base/errors.ts";
import { visibleJson } from "../../core/base/words.ts";
import type { JsonSchema } from "../call.ts";
import {
  inTurns,
  type NameLeft,
  NOT_READ,
  type Part,
  readParts,
  writeBatch,
} from "./batch.ts";
import { boundsOf, type Size } from "./bounds.ts";
import { cutText, failureText, wrongArgument } from "./failures.ts";
import { type PageCall, suggestLines, takePageCalls } from "./page_call.ts";
import type { PlainAnswer, ReaderCall, Setup, ToolPlan } from "./tool_plan.ts";
import {
  factsOfFile,
  FILES_NAMES,
  filesFactsSchema,
  filesSchema,
  MOST_FILES,
  pageSchema,
  takeArguments,
} from "./schema.ts";
import { isObject, type Json } from "../../core/base/check.ts";
import { SharedViews } from "../../core/media/shared_views.ts";

/** Plans the tool `read_files`. */
export function readFilesTool(
  { schema, typed }: Setup,
): ToolPlan<"read_files"> {
  const parameters = filesSchema(schema.maxChars);
  const { files: { items: _, ...files }, maxChars } = parameters.properties;
  // Each file is checked separately: a mistake in one fails only that one.
  const outer = { ...parameters, properties: { files, maxChars } };
  // It always shows every line, so there is nothing to refresh.
  const inner = pageSchema({ ...schema, session: false });
  return {
    name: "read_files",
    title: "Read several files",
    description: [
      "Reads several text files in one call, each as read_file does.",
      "Small files are shown whole; larger ones share the rest, and each says how to go on.",
    ].join(" "),
    parameters,
    factsSchema: filesFactsSchema(typed),
    async call(args, context) {
      const taken = takeArguments(outer, args, FILES_NAMES, context.notes);
      const bounds = boundsOf(taken.maxChars, context.bounds);
      const files = takeFiles(taken.options.files);
      const views = namesOneTwice(files) ? new SharedViews() : undefined;
      const batch = { ...context, bounds, views };
      const read = await inTurns(
        files,
        (file, at) => readFile(file, at, inner, batch),
      );
      const { text, parts } = await writeBatch(
        read.flat(),
        batch,
        nameFiles(taken.maxChars),
      );
      return {
        text,
        facts: { files: parts.map((part) => factsOfFile(part, typed)) },
      };
    },
  };
}

function takeFiles(given: unknown): readonly Json[] {
  const files = Array.isArray(given) && given.length <= MOST_FILES
    ? given.map((file) => typeof file === "string" ? { path: file } : file)
    : [];
  if (files.length === 0) {
    const example = '[{"path":"a.txt"},{"path":"b.txt","start":10}]';
    throw wrongArgument(
      "files",
      `must be a list of 1 to ${MOST_FILES} files, such as ${example}`,
    );
  }
  const wrong = files.findIndex((file) => !isObject(file));
  if (wrong < 0) return files;
  const problem = 'must be a path or an object, such as {"path":"a.txt"}';
  throw wrongArgument(`files[${wrong}]`, problem);
}

/** Whether a file may be read several times: a longer path may only name its lines. */
function namesOneTwice(files: readonly Json[]): boolean {
  const paths = files.map(({ path }) => String(path));
  const names = new Set(paths.map((path) => path.replace(/[:#][^]*$/, "")));
  return names.size < files.length || paths.some((path) => path.includes(","));
}

/** Reads one of the files, or the lines of it that its path names. A mistake in its arguments fails only this file. */
async function readFile(
  file: Json,
  at: number,
  schema: JsonSchema,
  batch: ReaderCall,
): Promise<readonly Part[]> {
  let calls: readonly PageCall[] = [];
  try {
    const context = { ...batch, notes: [] };
    calls = await takePageCalls(schema, file, context);
    return await readParts(calls);
  } catch (cause) {
    const error = suggestLines(cause, calls);
    // An abort ends the whole call.
    const isOver = batch.signal?.aborted || !(error instanceof ReadFileError);
    if (isOver) throw error;
    const named = typeof file.path === "string" ? file.path : "";
    const [call, ...others] = calls;
    const path = call?.asked ?? named;
    const next = call === undefined || others.length > 0
      ? file
      : { path, ...call.given, maxChars: call.maxChars };
    const show = (bounds: Size) => showFailure(error, path, at, bounds);
    return [{ next, show: (bounds) => Promise.resolve(show(bounds)) }];
  }
}

/** Names the call that reads the files that did not fit. */
function nameFiles(maxChars: number | undefined): NameLeft {
  return (left, chars) => {
    // Objects, even for paths alone: agents that check calls refuse strings.
    const calls: Json[] = [];
    let room = Math.floor(chars / 4);
    for (const { next } of left) {
      room -= visibleJson(next).length + 1;
      if (room < 0) break;
      calls.push(next);
    }
    const all = left.length;
    const more = all - calls.length;
    const unnamed = more === 0 || more === all
      ? ""
      : `, of which the last ${more} ${
        more === 1 ? "is" : "are"
      } not named here`;
    const next = more === all
      ? `with the last ${more} of these files`
      : visibleJson({ files: calls, maxChars });
    const which = `${all} ${all === 1 ? "file" : "files"}${unnamed}`;
    return `${NOT_READ}: ${which}.\nNext: read_files ${next}`;
  };
}

/** The most characters of the sentence about one file. */
const MOST_SENTENCE_CHARS = 600;

function showFailure(
  failure: ReadFileError,
  path: string,
  at: number,
  { chars }: Size,
): PlainAnswer {
  const { code, message } = failure;
  const isNamed = path !== "" && failure.path === path;
  const which = isNamed ? "" : `files[${at}]: `;
  const most = Math.min(MOST_SENTENCE_CHARS, chars);
  const text = cutText(which + failureText(failure), most);
  return { text, facts: { path, error: { code, message } } };
}
