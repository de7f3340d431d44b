// Runtime-agnostic.
import type { FileBytes } from "./base/port.ts";
import { type Rules, takeOptions } from "./base/check.ts";
import { ReadFileError, refuseArgument } from "./base/errors.ts";
import type { FileMedia } from "./base/errors.ts";
import { MAX_IMAGE_BYTES, MAX_SHOWN_BYTES } from "./base/limits.ts";
import { SNIFF_BYTES } from "./base/limits.ts";
import { locateAll } from "./lines/locate.ts";
import { checkImage, isImageType } from "./media/check_image.ts";
import type { ImageType } from "./media/check_image.ts";
import { adviceFor, mediaOf, tellMedia } from "./media/signatures.ts";
import type { Source } from "./lines/source.ts";
import { type Finder, readFound } from "./read.ts";
import type { FileRoot } from "./workspace.ts";

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
  readonly mediaType: ImageType;
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
  workspace: FileRoot,
  path: string,
  input: ReadImageOptions,
  signal: AbortSignal | undefined,
): Promise<ImageContent> {
  const refuse = refuseArgument(path);
  const { maxBytes = MAX_IMAGE_BYTES } = takeOptions(input, RULES, refuse);
  const finder: Finder = {
    check: (source) => checkHead(source, maxBytes),
    find: locateAll,
    keepsBytes: true,
  };
  const policy = { binary: "bytes", signal } as const;
  const content = await readFound(workspace, path, finder, policy);
  const { bytes } = content;
  const media = mediaOf(bytes);
  refuseOther(media, bytes.length, path);
  const structure = checkImage(media.type, bytes);
  const { type: mediaType, width, height } = media;
  if ("problem" in structure || width === undefined || height === undefined) {
    const problem = "problem" in structure
      ? structure.problem
      : "its header does not hold its size";
    const hint = "the file is damaged: have it written anew";
    const details = { as: "image", problem, media };
    throw new ReadFileError("UNREADABLE", path, details, { hint });
  }
  const { frames } = structure;
  const size = { width, height, animated: frames !== 1, frames };
  return { path: content.path, bytes, mediaType, ...size };
}

/** Checks the first bytes, so that a file that is not an image, or too large, is not read whole. */
async function checkHead(source: Source, limit: number): Promise<void> {
  const { size, path } = source;
  const media = mediaOf(await source.piece(0, Math.min(size, SNIFF_BYTES)));
  refuseOther(media, size, path);
  if (size <= limit) return;
  const details = { what: "file", size, limit } as const;
  const hint = `it is ${tellMedia(media)}; make it smaller with another tool`;
  throw new ReadFileError("TOO_LARGE", path, details, { hint });
}

/** Fails with `UNREADABLE` unless the type is one of the images that can be read. */
function refuseOther(
  media: FileMedia | null,
  size: number,
  path: string,
): asserts media is FileMedia & { readonly type: ImageType } {
  if (isImageType(media?.type)) return;
  let problem = size === 0
    ? "it is empty"
    : "its bytes are those of no known image";
  let hint = "read it as text, or name an image";
  if (media !== null) {
    problem = `it is ${tellMedia(media)}`;
    const isText = media.type === "image/svg+xml";
    hint = isText ? "read it as text" : adviceFor(media);
  }
  const details = { as: "image", problem, ...(media && { media }) };
  throw new ReadFileError("UNREADABLE", path, details, { hint });
}
