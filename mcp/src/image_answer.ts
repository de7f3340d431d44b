// Runtime-agnostic.
import {
  type ImageContent,
  imagePart,
  ReadFileError,
} from "@agent-tools/read-file";
import { MOST_IMAGE_BYTES, MOST_IMAGE_SIDE } from "./bounds.ts";
import { noteOf } from "./failure.ts";
import type { Place } from "./scope.ts";
import type { Answer, CallContext, Json } from "./served_tool.ts";
import { pathOf } from "./words.ts";

export function isOfImage(error: unknown): boolean {
  return error instanceof ReadFileError && error.is("BINARY") &&
    /^image\/(?!svg)/.test(error.details.media?.type ?? "");
}

/** Reads an image for a model: one line of text, and the image. */
export async function answerImage(
  { root, path }: Place,
  options: Json,
  { scope, notes, signal }: CallContext,
): Promise<Answer> {
  const limit = { maxBytes: MOST_IMAGE_BYTES };
  const image = await root.workspace.readImage(path, limit, { signal });
  refuseSide(image);
  const { data, mimeType } = partOf(image);
  const names = Object.keys(options);
  if (names.length > 0) {
    notes.push(`${names.join(", ")} means nothing for an image`);
  }
  const shown = scope.show(root, image.path);
  const text = [`${pathOf(shown)}: ${describe(image)}`, ...notes.map(noteOf)];
  const facts = factsOf(image, shown);
  return { text: text.join("\n"), facts, image: { data, mimeType } };
}

/** Models refuse a larger image, and then every later turn of the session, which contains it. */
function refuseSide({ path, width, height }: ImageContent): void {
  if (Math.max(width, height) <= MOST_IMAGE_SIDE) return;
  const problem =
    `it is ${width} x ${height} pixels, and models take ${MOST_IMAGE_SIDE} a side`;
  const hint = "make it smaller with another tool";
  const details = { as: "image", problem };
  throw new ReadFileError("UNREADABLE", path, details, { hint });
}

/** Reads the image for a model; the failure for a type that models refuse names the type. */
function partOf(image: ImageContent): ReturnType<typeof imagePart<"mcp">> {
  try {
    return imagePart("mcp", image);
  } catch (error) {
    if (!(error instanceof ReadFileError) || !error.is("UNREADABLE")) {
      throw error;
    }
    const problem = `models do not take ${image.mediaType}`;
    throw error.with({ details: { ...error.details, problem } });
  }
}

function describe(
  { mediaType, width, height, bytes, animated, frames }: ImageContent,
): string {
  const what = `${mediaType}, ${width} x ${height} pixels`;
  const moving = animated
    ? ` It is animated, with ${
      frames ?? "several"
    } frames; a model may see one.`
    : "";
  // Copilot CLI with a custom model shows only the text.
  return `${what}, ${bytes.length} bytes; the image follows, unless the client leaves images out.${moving}`;
}

function factsOf(
  { mediaType, width, height, frames, bytes: { length } }: ImageContent,
  path: string,
): Json {
  return {
    path,
    ...{ firstLine: null, lastLine: null, totalLines: null, next: null },
    ...{ shown: { start: 0, end: length }, size: length, exact: true },
    ...{ empty: null, hidden: [], hiddenCount: 0, view: null },
    image: { mediaType, width, height, frames },
  };
}
