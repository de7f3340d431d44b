// Runtime-agnostic.
import {
  checkValue,
  isA,
  propertyOf,
  refuseMistake,
  takeOptions,
} from "../core/base/check.ts";
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
import type { ImageType } from "../core/media/check_image.ts";
import { toBase64 } from "./shown_text.ts";

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

/** An image for each vendor's API, in a message or in the result of a tool. */
export interface VendorImages {
  /** OpenAI's Responses API. */
  openai: { type: "input_image"; image_url: string; detail: "auto" };
  /** OpenAI's Chat Completions API, and compatible ones; in user messages. */
  "openai-chat": { type: "image_url"; image_url: { url: string } };
  /** Anthropic's Messages API. */
  anthropic: {
    type: "image";
    source: {
      type: "base64";
      media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
      data: string;
    };
  };
  /** Google's Gemini API. */
  gemini: { inlineData: { mimeType: string; data: string } };
  /** The Model Context Protocol. */
  mcp: { type: "image"; data: string; mimeType: string };
  /** The AI SDK. */
  "ai-sdk": {
    type: "file";
    mediaType: string;
    data: { type: "data"; data: Uint8Array };
  };
}

/** The types that most models accept. */
const USUAL = ["image/png", "image/jpeg", "image/webp", "image/gif"] as const;

/** The types that each vendor accepts: another type fails the whole request, and each later one. */
const TAKEN: Readonly<Record<keyof VendorImages, readonly ImageType[]>> = {
  openai: USUAL,
  "openai-chat": USUAL,
  anthropic: USUAL,
  gemini: USUAL.slice(0, 3),
  mcp: USUAL,
  "ai-sdk": USUAL,
};

/** An image of an accepted type, and its bytes as base64. */
interface Encoded<Type = string> {
  readonly type: Type;
  readonly base64: () => string;
  readonly bytes: Uint8Array;
}

const MAKERS: {
  readonly [Vendor in keyof VendorImages]: (
    image: Encoded<VendorImages["anthropic"]["source"]["media_type"]>,
  ) => VendorImages[Vendor];
} = {
  openai: (image) => (
    { type: "input_image", image_url: urlOf(image), detail: "auto" }
  ),
  "openai-chat": (image) => (
    { type: "image_url", image_url: { url: urlOf(image) } }
  ),
  anthropic: ({ type, base64 }) => (
    {
      type: "image",
      source: { type: "base64", media_type: type, data: base64() },
    }
  ),
  gemini: ({ type, base64 }) => (
    { inlineData: { mimeType: type, data: base64() } }
  ),
  mcp: ({ type, base64 }) => (
    { type: "image", data: base64(), mimeType: type }
  ),
  "ai-sdk": ({ type, bytes }) => (
    { type: "file", mediaType: type, data: { type: "data", data: bytes } }
  ),
};

function urlOf({ type, base64 }: Encoded): string {
  return `data:${type};base64,${base64()}`;
}

/**
 * Makes the part of a message for an image, in the form of a vendor's API.
 *
 * @example Usage
 * ```ts
 * import { imagePart, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const gif = atob("R0lGODlhAgABAIAAAP///wAAACwAAAAAAgABAAACAgQKADs=");
 * const bytes = Uint8Array.from(gif, (byte) => byte.charCodeAt(0));
 * const fs = memoryFs({ "/repo/dot.png": bytes });
 * const workspace = await openWorkspace("/repo", { fs });
 * const part = imagePart("anthropic", await workspace.readImage("dot.png"));
 * assertEquals(part.source.media_type, "image/gif");
 * ```
 *
 * @throws {ReadFileError} With `UNREADABLE`, for a type that the vendor does not accept.
 */
export function imagePart<Vendor extends keyof VendorImages>(
  vendor: Vendor,
  image: ImageContent,
): VendorImages[Vendor] {
  const refuse = refuseMistake("Cannot make a part of an image");
  checkValue("vendor", vendor, Object.keys(MAKERS), refuse);
  checkValue("image", image, IMAGE, refuse);
  const { path, bytes, mediaType: type, animated } = image;
  const taken: readonly string[] = TAKEN[vendor];
  // OpenAI accepts only GIFs without animation.
  const moves = vendor.startsWith("openai") && type === "image/gif" && animated;
  if (!taken.includes(type) || moves) {
    const what = moves ? `an animated ${type}` : type;
    const problem = `${vendor} does not take ${what}`;
    throw new ReadFileError("UNREADABLE", path, { as: "image", problem }, {
      hint: `convert it to one of ${taken.join(", ")}`,
    });
  }
  const base64 = () => toBase64(bytes);
  return MAKERS[vendor]({
    type: type as VendorImages["anthropic"]["source"]["media_type"],
    base64,
    bytes,
  });
}

/** The check that an argument is the result of `readImage`. */
const IMAGE = {
  wanted: "an image, such as workspace.readImage() gives",
  fits: (value: unknown) =>
    isA(propertyOf(value, "bytes"), Uint8Array) &&
    ["path", "mediaType"].every((name) =>
      typeof propertyOf(value, name) === "string"
    ),
};
