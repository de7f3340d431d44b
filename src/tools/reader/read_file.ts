import { ReadFileError } from "../../core/base/errors.ts";
import { visibleJson } from "../../core/base/words.ts";
import { quotePath, withNotes } from "../../core/pages/frame.ts";
import { writePlace } from "../../core/places.ts";
import type { ImageContent } from "../../core/read_image.ts";
import { isOfImage, isTooLargeFile } from "../call.ts";
import { createReadImage, imagePart } from "../image.ts";
import { type NameLeft, NOT_READ, readParts, writeBatch } from "./batch.ts";
import { boundsOf, fits, sizeOf } from "./bounds.ts";
import { fitChanges, readChanged } from "./changed.ts";
import { readOrLookAlike } from "./look_alike.ts";
import {
  fitPage,
  type FittedPage,
  type PageCall,
  readWhole,
  suggestLines,
  takePageCalls,
} from "./page_call.ts";
import type { PlainAnswer, ReaderCall, Setup, ToolPlan } from "./tool_plan.ts";
import {
  factsOfFile,
  factsOfImage,
  pageFactsSchema,
  pageSchema,
} from "./schema.ts";
import type { Json } from "../../core/base/check.ts";
import { isOfTree, searchFiles } from "./search_files.ts";
import { SharedViews } from "../../core/media/shared_views.ts";

/** Plans the tool `read_file`. */
export function readFileTool(
  { schema, paths, typed }: Setup,
): ToolPlan<"read_file"> {
  const parameters = pageSchema(schema);
  return {
    name: "read_file",
    title: "Read a file",
    description: [
      "Reads a text file as numbered lines, searches a directory (match), or shows an image. The first line of the answer says which lines these are of how many.",
      "If more follows, the last line is the next call of this tool: make it to read further.",
      paths,
    ].join(" "),
    parameters,
    factsSchema: pageFactsSchema(typed),
    insteadOf(error, lines) {
      const { path } = error;
      if (isOfImage(error)) return { path };
      const isOther = isTooLargeFile(error) || isOfText(error);
      return isOther ? { path, ...lines } : undefined;
    },
    async call(args, context) {
      const calls = await takePageCalls(parameters, args, context);
      try {
        return await answer(calls, context);
      } catch (error) {
        throw suggestLines(error, calls);
      }
    },
  };
}

/** Answers the calls for the parts of one file. */
async function answer(
  calls: readonly PageCall[],
  context: ReaderCall,
): Promise<PlainAnswer> {
  const [call] = calls;
  if (call === undefined || calls.length > 1) {
    return await answerParts(calls, context);
  }
  if (call.changes !== undefined) {
    return await fitChanges(await readChanged(call, call.changes), call);
  }
  const read = () => readOrLookAlike(call, answerPage);
  return await call.roots.at(call.asked, read);
}

/** Answers with a page, or with an image if the file is one, or with what matches in a directory. */
async function answerPage(call: PageCall): Promise<PlainAnswer> {
  try {
    const fitted = await fitPage(await readWhole(call), call);
    return { text: textToSend(fitted, call), facts: fitted.facts };
  } catch (error) {
    if (isOfTree(error, call)) {
      return await (await searchFiles(call)).show(call.bounds);
    }
    if (!(error instanceof ReadFileError && isOfImage(error))) throw error;
    return await answerImage(call);
  }
}

/** Reads several parts of a file, each as a call of its own would, within the bounds of one answer. */
async function answerParts(
  calls: readonly PageCall[],
  context: ReaderCall,
): Promise<PlainAnswer> {
  const views = new SharedViews();
  const alone = calls.map((call, at): PageCall => ({
    ...call,
    views,
    // The answer has the notes once, and forgets once what it showed.
    notes: [],
    refresh: call.refresh && at === 0,
  }));
  const parts = await readParts(alone, textToSend);
  const maxChars = calls[0]?.maxChars;
  const bounds = boundsOf(maxChars, context.bounds);
  const nameLeft: NameLeft = (left, chars) =>
    nameParts(calls.slice(-left.length), chars);
  const written = await writeBatch(parts, { ...context, bounds }, nameLeft);
  const [first, ...others] = written.parts;
  const facts = {
    ...first,
    others: others.map((part) => factsOfFile(part, context.typed)),
  };
  return { text: written.text, facts };
}

/** The text of a page, without what the session showed before. */
function textToSend(fitted: FittedPage, call: PageCall): string {
  // The answer to a cancelled call is not sent, so the session ignores it.
  return call.schema.session && call.signal?.aborted !== true
    ? withoutShown(fitted, call)
    : fitted.text;
}

/** A call of at most so many characters is named, however small the answer is. */
const SHORT_CALL_CHARS = 300;

/** Names the call that reads the last parts of a place. */
function nameParts(left: readonly PageCall[], chars: number): string {
  const count = left.length;
  const next = visibleJson(callFor(left));
  const isNamed = next.length <= Math.max(SHORT_CALL_CHARS, chars / 4);
  const args = isNamed ? next : `with the last ${count} of these parts`;
  const which = `${count} ${count === 1 ? "part" : "parts"}`;
  return `${NOT_READ}: ${which}.\nNext: read_file ${args}`;
}

/** The call for some parts of a place, with the other arguments of this one. */
function callFor(parts: readonly PageCall[]): Json {
  const [{ asked, given, part, maxChars }] = parts as [PageCall];
  const shared = Object.entries(given).filter(([name]) =>
    !Object.hasOwn(part, name)
  );
  const path = writePlace(asked, parts.map(({ part }) => part));
  return { path, ...Object.fromEntries(shared), maxChars };
}

/** Whether another tool refused a text because of its encoding, which this one detects. */
function isOfText(error: ReadFileError): boolean {
  return error.is("BINARY") &&
    error.details.media?.type.startsWith("text/") === true;
}

/** The most bytes of an image: as base64 they are 5 MiB, and models refuse more. */
const MOST_IMAGE_BYTES = 3_932_160;

/**
 * Reads an image for a model: one line of text, and the image. This opens the
 * file again: only the refusal as text says that it is an image, and an image is
 * read whole, under other limits.
 */
async function answerImage(
  { root, path, given, roots, notes, signal, typed }: PageCall,
): Promise<PlainAnswer> {
  const tool = createReadImage(root.workspace, { maxBytes: MOST_IMAGE_BYTES });
  const image = await tool.call({ path }, { signal });
  const { data, mimeType } = partOf(image);
  const names = Object.keys(given);
  if (names.length > 0) {
    notes.push(`${names.join(", ")} means nothing for an image`);
  }
  const shown = roots.show(root, image.path);
  const text = withNotes(`${quotePath(shown)}: ${descriptionOf(image)}`, notes);
  const facts = factsOfImage(image, shown, typed);
  return { text, facts, images: [{ data, mimeType }] };
}

/** Reads the image for a model; the failure for a type that models refuse names the type. */
function partOf(image: ImageContent): ReturnType<typeof imagePart<"mcp">> {
  try {
    return imagePart("mcp", image);
  } catch (error) {
    if (!(error instanceof ReadFileError && error.is("UNREADABLE"))) {
      throw error;
    }
    const problem = `models do not take ${image.mediaType}`;
    throw error.with({ details: { ...error.details, problem } });
  }
}

function descriptionOf(
  { mediaType, width, height, bytes, animated, frames }: ImageContent,
): string {
  const what = `${mediaType}, ${width} x ${height} pixels`;
  // Copilot CLI with a custom model shows only the text.
  const text =
    `${what}, ${bytes.length} bytes; the image follows, unless the client leaves images out.`;
  if (!animated) return text;
  const count = frames ?? "several";
  return `${text} It is animated, with ${count} frames; a model may see one.`;
}

/** Leaves out the lines that the conversation was shown before; `refresh` shows all of them. */
function withoutShown(fitted: FittedPage, call: PageCall): string {
  const { page, path, next, text } = fitted;
  const { root, memory, notes, bounds, countTokens } = call;
  const { pages, maxTokens = Infinity } = call.options;
  const session = memory.sessionOf(root.path);
  if (call.refresh) session.forget(page.path);
  const hint = 'If they are not above, send "refresh": true.';
  const answer = session.answer(page, { path, next, notes, pages, hint });
  const isWithin = fits(sizeOf(answer.text), bounds) &&
    (maxTokens === Infinity || countTokens(answer.text) <= maxTokens);
  if (isWithin) return answer.text;
  // This shows more than the session knows of.
  session.forget(page.path);
  return text;
}
