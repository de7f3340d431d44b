// Runtime-agnostic.
import { takeOptions } from "../core/base/check.ts";
import { loadPart } from "../core/base/errno.ts";
import { ReadFileError } from "../core/base/errors.ts";
import { MAX_SHOWN_BYTES } from "../core/base/limits.ts";
import type { ImageContent } from "../core/read_image.ts";
import type { FileRoot } from "../core/workspace.ts";
import { CallArguments } from "./arguments.ts";
import {
  frozen,
  parametersOf,
  property,
  refuseMaking,
  takeCallOptions,
  type Tool,
} from "./call.ts";

/** Options for {@linkcode createReadImage}. */
export interface ReadImageToolOptions {
  /** The largest file that is read; 5 MiB by default. */
  readonly maxBytes?: number;
  /** The most pixels a side; 8,000 by default: an API refuses a larger image, and every later request with it. */
  readonly maxSide?: number;
}

/** The arguments of `read_image`. */
export interface ReadImageArguments {
  /** The image, from the root. */
  readonly path: string;
}

const MAX_SIDE = 8000;

/**
 * Makes the `read_image` tool. Its answer is the image, of which
 * {@linkcode imagePart} makes a part for a vendor's API; as text, it says what
 * the image is.
 *
 * @example Usage
 * ```ts
 * import { callTool, createReadImage, imagePart, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const gif = atob("R0lGODlhAgABAIAAAP///wAAACwAAAAAAgABAAACAgQKADs=");
 * const bytes = Uint8Array.from(gif, (byte) => byte.charCodeAt(0));
 * const fs = memoryFs({ "/repo/dot.gif": bytes });
 * const tool = createReadImage(await openWorkspace("/repo", { fs }));
 * const { output } = await callTool(tool, { path: "dot.gif" });
 * assert(output !== undefined);
 * assertEquals(imagePart("anthropic", output).source.media_type, "image/gif");
 * assertEquals(tool.render(output), "image/gif, 2 x 1 pixels, 35 bytes");
 * ```
 */
export function createReadImage(
  workspace: FileRoot,
  options?: ReadImageToolOptions,
): Tool<ImageContent, ReadImageArguments, "read_image"> {
  const rules = {
    maxBytes: { least: 1, most: MAX_SHOWN_BYTES },
    maxSide: { least: 1, unlimited: true },
  } as const;
  const refuse = refuseMaking("read_image", workspace);
  const { maxSide = MAX_SIDE, ...limit } = takeOptions<ReadImageToolOptions>(
    options,
    rules,
    refuse,
  );
  const definition = frozen({
    name: "read_image" as const,
    description: "Shows an image of the workspace: PNG, JPEG, GIF or WebP.",
    parameters: parametersOf({
      path: property("string", "Path of the image, relative to the workspace."),
    }),
  });
  return {
    definition,
    aliases: [],
    async call(args, options) {
      const { signal } = takeCallOptions(options, "read_image");
      const taken = new CallArguments(args, definition.parameters);
      taken.refuseUnknown("read_image");
      taken.needPath();
      const { path } = taken;
      const { readImage } = await loadPart(
        path,
        import("../core/read_image.ts"),
      );
      const image = await readImage(workspace, path, limit, signal);
      refuseSide(image, maxSide);
      return image;
    },
    render: tellImage,
  };
}

function refuseSide({ path, width, height }: ImageContent, most: number): void {
  if (Math.max(width, height) <= most) return;
  const problem =
    `it is ${width} x ${height} pixels, and models take ${most} a side`;
  const hint = "make it smaller with another tool";
  const details = { as: "image", problem };
  throw new ReadFileError("UNREADABLE", path, details, { hint });
}

function tellImage(
  { mediaType, width, height, bytes, animated, frames }: ImageContent,
): string {
  const moving = animated ? `, animated: ${frames ?? "several"} frames` : "";
  const size = `${width} x ${height} pixels, ${bytes.length} bytes`;
  return `${mediaType}, ${size}${moving}`;
}
