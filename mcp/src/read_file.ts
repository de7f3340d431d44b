// Runtime-agnostic.
import {
  createReadImage,
  createReadSession,
  type ImageContent,
  imagePart,
  type ReadSession,
} from "@agent-tools/read-file";
import { fits, sizeOf } from "./bounds.ts";
import type { Json } from "./messages.ts";
import { fitPage, takePageCall } from "./page_answer.ts";
import type { FittedPage, PageCall } from "./page_answer.ts";
import { factsOfPage, PAGE_OUTPUT, pageSchema } from "./page_schema.ts";
import type { PageToolOptions } from "./page_schema.ts";
import type { Answer, ServedTool } from "./served_tool.ts";
import { linesIn, nextCall, quotePath, writeWords } from "./words.ts";
import { hasCode, withNotes } from "./visible.ts";

export function readFileTool(tool: PageToolOptions): ServedTool {
  const parameters = pageSchema(tool);
  return {
    name: "read_file",
    title: "Read a file",
    description: [
      "Reads a text file as numbered lines, or shows an image. The first line of the answer says which lines these are of how many.",
      "If more follows, the last line is the call that goes on: make it to read further, as often as needed.",
      tool.paths,
    ].join(" "),
    parameters,
    output: PAGE_OUTPUT,
    async call(args, context) {
      const call = await takePageCall(parameters, args, context);
      return await call.scope.at(call.asked, async () => {
        try {
          const page = await fitPage(call);
          // The answer to a cancelled call is not sent, so the session ignores it.
          const text = tool.session && !call.signal.aborted
            ? withoutShown(page, call)
            : page.text;
          return { text, facts: factsOfPage(page) };
        } catch (error) {
          if (!isOfImage(error)) throw error;
          return await answerImage(call);
        }
      });
    },
  };
}

function isOfImage(error: unknown): boolean {
  return hasCode(error, "BINARY") &&
    /^image\/(?!svg)/.test(error.details.media?.type ?? "");
}

/** The most bytes of an image: as base64 they are 5 MiB, and models refuse more. */
const MOST_IMAGE_BYTES = 3_932_160;

/** Reads an image for a model: one line of text, and the image. */
async function answerImage(
  { root, path, given, scope, notes, signal }: PageCall,
): Promise<Answer> {
  const tool = createReadImage(root.workspace, { maxBytes: MOST_IMAGE_BYTES });
  const image = await tool.call({ path }, { signal });
  const { data, mimeType } = partOf(image);
  const names = Object.keys(given);
  if (names.length > 0) {
    notes.push(`${names.join(", ")} means nothing for an image`);
  }
  const shown = scope.show(root, image.path);
  const text = withNotes(`${quotePath(shown)}: ${describe(image)}`, notes);
  const facts = factsOf(image, shown);
  return { text, facts, image: { data, mimeType } };
}

/** Reads the image for a model; the failure for a type that models refuse names the type. */
function partOf(image: ImageContent): ReturnType<typeof imagePart<"mcp">> {
  try {
    return imagePart("mcp", image);
  } catch (error) {
    if (!hasCode(error, "UNREADABLE")) throw error;
    const problem = `models do not take ${image.mediaType}`;
    throw error.with({ details: { ...error.details, problem } });
  }
}

function describe(
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

function factsOf(
  { mediaType, width, height, frames, bytes: { length } }: ImageContent,
  path: string,
): Json {
  return {
    path,
    firstLine: null,
    lastLine: null,
    totalLines: null,
    shown: { start: 0, end: length },
    size: length,
    encoding: null,
    empty: null,
    next: null,
    exact: true,
    hits: null,
    hidden: [],
    hiddenCount: 0,
    view: null,
    image: { mediaType, width, height, frames },
  };
}

function sessionOf({ root, sessions }: PageCall): ReadSession {
  // With --session, the operator says that the client keeps what it was shown.
  const session = sessions.get(root.path) ??
    createReadSession(root.workspace, { remember: true });
  sessions.set(root.path, session);
  return session;
}

/** Leaves out the lines that the connection was shown before; `refresh` shows all of them. */
function withoutShown(fitted: FittedPage, call: PageCall): string {
  const { page, path, next, notes, text } = fitted;
  const session = sessionOf(call);
  if (call.refresh) session.forget(page.path);
  const { kind, lines, times, kept } = session.answer(page);
  const runs = linesIn(kept);
  const loop = times < LOOP_TIMES
    ? []
    : [`these lines were asked for ${times} times, and are the same each time`];
  if (kind === "unchanged") {
    const shown = quotePath(path);
    const head =
      `${shown}: ${runs}, unchanged since an earlier answer showed them; this line stands for their text. ${REFRESH}`;
    const after = next === null ? [] : [nextCall("read_file", next)];
    return [withNotes(head, [...notes, ...loop]), ...after].join("\n");
  }
  const left = kind === "page" ? [] : [
    `unchanged since an earlier answer, and left out: ${runs}. ${REFRESH}`,
  ];
  const all = [...notes, ...left, ...loop];
  const words = writeWords({ ...fitted, page: { ...page, lines }, notes: all });
  return fits(sizeOf(words.text), call.bounds) ? words.text : text;
}

/** After how many equal answers the text says that the caller may be in a loop. */
const LOOP_TIMES = 3;

const REFRESH = 'If they are not above, send "refresh": true.';
