// Runtime-agnostic.
import { checkValue, isA, propertyOf } from "../core/base/check.ts";
import { refuseMistake } from "../core/base/check.ts";
import { ReadFileError } from "../core/base/errors.ts";
import type { ImageType } from "../core/media/check_image.ts";
import type { ImageContent } from "../core/read_image.ts";
import { toBase64 } from "./shown_text.ts";

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
