import {
  checkValue,
  type Kind,
  propertyOf,
  refuseMistake,
  takeOptions,
} from "../core/base/check.ts";
import { ReadFileError } from "../core/base/errors.ts";
import { MAX_SHOWN_BYTES } from "../core/base/limits.ts";
import type { ImageContent, ReadImageOptions } from "../core/read_image.ts";
import type { Workspace } from "../core/workspace.ts";
import { CallArguments } from "./arguments.ts";
import {
  frozen,
  isOfImage,
  parametersOf,
  property,
  refuseMaking,
  takeToolContext,
  type Tool,
} from "./call.ts";
import { toBase64 } from "./shown_text.ts";

/**
 * Makes the `read_image` tool. Its answer is an image for {@linkcode imagePart};
 * as text, it says what the image is.
 *
 * @example Usage
 * ```ts
 * import { createReadImage, memoryFs, openWorkspace, respond } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const gif = atob("R0lGODlhAgABAIAAAP///wAAACwAAAAAAgABAAACAgQKADs=");
 * const bytes = Uint8Array.from(gif, (byte) => byte.charCodeAt(0));
 * const fs = memoryFs({ "/repo/dot.gif": bytes });
 * const tool = createReadImage(await openWorkspace("/repo", { fs }));
 * const { content } = await respond(tool, { path: "dot.gif" });
 * assertEquals(content, "image/gif, 2 x 1 pixels, 35 bytes");
 * ```
 */
export function createReadImage(
  workspace: Workspace,
  options?: ReadImageOptions & {
    /** The most pixels a side; 8,000 by default: an API refuses a larger image, and every later request with it. */
    readonly maxSide?: number;
  },
): Tool<ImageContent, {
  /** The image, from the root. */
  readonly path: string;
}, "read_image"> {
  const rules = {
    maxBytes: { least: 1, most: MAX_SHOWN_BYTES },
    maxSide: { least: 1, unlimited: true },
  } as const;
  const refuse = refuseMaking("read_image", workspace);
  const { maxSide = 8000, ...limit } = takeOptions(
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
      const { signal } = takeToolContext("read_image", options);
      const taken = new CallArguments(args, definition.parameters);
      taken.refuseUnknown("read_image");
      const path = taken.needPath();
      const image = await workspace.readImage(path, limit, { signal });
      const { width, height } = image;
      if (Math.max(width, height) <= maxSide) return image;
      const size = `it is ${width} x ${height} pixels`;
      const problem = `${size}, and models take ${maxSide} a side`;
      throw unreadableArgument(
        path,
        problem,
        "make it smaller with another tool",
      );
    },
    render({ mediaType, width, height, bytes, animated, frames }) {
      const moving = animated
        ? `, animated: ${frames ?? "several"} frames`
        : "";
      const size = `${width} x ${height} pixels, ${bytes.length} bytes`;
      return `${mediaType}, ${size}${moving}`;
    },
    insteadOf: (error) => isOfImage(error) ? { path: error.path } : undefined,
    images(image) {
      const { data, mimeType } = imagePart("mcp", image);
      return [{ data, mimeType }];
    },
  };
}

function unreadableArgument(path: string, problem: string, hint: string) {
  const details = { as: "image", problem };
  return new ReadFileError("UNREADABLE", path, details, { hint });
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

/** The types that most models accept; Gemini accepts all but the last. */
const USUAL = ["image/png", "image/jpeg", "image/webp", "image/gif"] as const;

const VENDORS: readonly (keyof VendorImages)[] = [
  "openai",
  "openai-chat",
  "anthropic",
  "gemini",
  "mcp",
  "ai-sdk",
];

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
  checkValue("vendor", vendor, VENDORS, refuse);
  checkValue("image", image, IMAGE, refuse);
  const { path, bytes, mediaType, animated } = image;
  // An image of another type fails the whole request, and each later one.
  const types = vendor === "gemini" ? USUAL.slice(0, 3) : USUAL;
  const type = types.find((usual) => usual === mediaType);
  // OpenAI accepts only GIFs without animation.
  const isAnimatedGif = type === "image/gif" && animated;
  const isRefused = isAnimatedGif && vendor.startsWith("openai");
  if (type === undefined || isRefused) {
    const what = isRefused ? `an animated ${type}` : mediaType;
    const hint = `convert it to one of ${types.join(", ")}`;
    throw unreadableArgument(path, `${vendor} does not take ${what}`, hint);
  }
  // The AI SDK takes the bytes themselves.
  const base64 = vendor === "ai-sdk" ? "" : toBase64(bytes);
  return imageParts(type, bytes, base64)[vendor];
}

function imageParts(
  type: typeof USUAL[number],
  bytes: Uint8Array,
  data: string,
): VendorImages {
  const url = `data:${type};base64,${data}`;
  const source = { type: "base64", media_type: type, data } as const;
  return {
    openai: { type: "input_image", image_url: url, detail: "auto" },
    "openai-chat": { type: "image_url", image_url: { url } },
    anthropic: { type: "image", source },
    gemini: { inlineData: { mimeType: type, data } },
    mcp: { type: "image", data, mimeType: type },
    "ai-sdk": {
      type: "file",
      mediaType: type,
      data: { type: "data", data: bytes },
    },
  };
}

const IMAGE: Kind = {
  wanted: "an image, such as workspace.readImage() gives",
  fits: (value) =>
    propertyOf(value, "bytes") instanceof Uint8Array &&
    typeof propertyOf(value, "path") === "string" &&
    typeof propertyOf(value, "mediaType") === "string",
};
