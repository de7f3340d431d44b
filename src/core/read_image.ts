import { Call } from "./base/call.ts";
import type { FileBytes } from "./base/port.ts";
import { ownOf, type Rules, takeOptions } from "./base/check.ts";
import { ReadFileError, refuseArgument } from "./base/errors.ts";
import type { ReadFileErrorDetails } from "./base/errors.ts";
import {
  MAX_IMAGE_BYTES,
  MAX_SHOWN_BYTES,
  SNIFF_BYTES,
} from "./base/limits.ts";
import { checkImage, isImageType } from "./media/check_image.ts";
import { adviceFor, mediaOf, tellMedia } from "./media/signatures.ts";
import { openAndRead } from "./read.ts";
import type { Parts } from "./parts.ts";

/** Options for {@linkcode Workspace.readImage}. */
export interface ReadImageOptions {
  /** The largest file that is read; 5 MiB by default, which is what models take. */
  readonly maxBytes?: number;
}

/** An image, as the file holds it. */
export interface ImageContent {
  /** The path that was asked for, from the root. */
  readonly path: string;
  /** The bytes of the file. */
  readonly bytes: FileBytes;
  /** The media type, by the bytes and not by the name. */
  readonly mediaType:
    | "image/png"
    | "image/jpeg"
    | "image/gif"
    | "image/webp"
    | "image/avif"
    | "image/bmp";
  /** How many pixels wide it is, as its header says. */
  readonly width: number;
  /** How many pixels high it is, as its header says. */
  readonly height: number;
  /** Whether it is animated. */
  readonly animated: boolean;
  /** How many images it holds; `null` if its header does not say. */
  readonly frames: number | null;
}

const RULES: Rules<ReadImageOptions> = {
  maxBytes: { least: 1, most: MAX_SHOWN_BYTES },
};

/** Reads an image, for `workspace.readImage`. */
export async function readImage(
  parts: Parts,
  path: string,
  input: ReadImageOptions,
  signal: AbortSignal | undefined,
): Promise<ImageContent> {
  const options = takeOptions(input, RULES, refuseArgument(path));
  const { maxBytes: limit = MAX_IMAGE_BYTES } = options;
  const { path: name, binary } = await openAndRead(parts, {
    call: new Call(path, signal),
    now: Date.now(),
    options: ownOf({ view: "raw", encoding: "utf-8" }),
    mayCache: false,
    // A file that is not an image, or too large, is not read whole.
    async find(source) {
      const { size } = source;
      const media = imageOf(await source.piece(0, SNIFF_BYTES), path);
      if (size > limit) {
        const details = { what: "file", size, limit } as const;
        const found = `it is ${tellMedia(media)}`;
        const hint = `${found}; make it smaller with another tool`;
        throw new ReadFileError("TOO_LARGE", path, details, { hint });
      }
      const bytes = await source.copyOf(0, size);
      return { runs: [], total: null, next: null, binary: bytes };
    },
  });
  const bytes = binary!;
  const media = imageOf(bytes, path);
  const { type: mediaType, width, height } = media;
  const damaged = (problem: string) => {
    const hint = "the file is damaged: have it written anew";
    return unreadableImage(path, { problem, media }, hint);
  };
  const frames = checkImage(mediaType, bytes);
  // A string is a problem.
  if (typeof frames === "string") throw damaged(frames);
  if (width === undefined || height === undefined) {
    throw damaged("its header does not hold its size");
  }
  const size = { width, height, animated: frames !== 1, frames };
  return { path: name, bytes, mediaType, ...size };
}

/** The type of an image that can be read; fails with `UNREADABLE` for anything else. */
function imageOf(bytes: Uint8Array, path: string) {
  const media = mediaOf(bytes);
  if (media === null) {
    const problem = bytes.length > 0
      ? "its bytes are those of no known image"
      : "it is empty";
    throw unreadableImage(
      path,
      { problem },
      "read it as text, or name an image",
    );
  }
  const { type } = media;
  if (isImageType(type)) return { ...media, type };
  const problem = `it is ${tellMedia(media)}`;
  const hint = type === "image/svg+xml" ? "read it as text" : adviceFor(media);
  throw unreadableImage(path, { problem, media }, hint);
}

/** The failure of a file that is not an image, or not a whole one. */
function unreadableImage(
  path: string,
  facts: Pick<ReadFileErrorDetails["UNREADABLE"], "problem" | "media">,
  hint: string,
): ReadFileError {
  const details = { as: "image", ...facts };
  return new ReadFileError("UNREADABLE", path, details, { hint });
}
