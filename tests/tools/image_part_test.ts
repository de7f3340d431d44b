import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  type ImageContent,
  imagePart,
  memoryFs,
  openWorkspace,
  ReadFileError,
  type VendorImages,
} from "../../mod.ts";
import { avif, gif, png } from "../support/images.ts";
import { base64 } from "../support/notebooks.ts";

async function imageOf(bytes: Uint8Array): Promise<ImageContent> {
  const workspace = await openWorkspace("/", { fs: memoryFs({ "/a": bytes }) });
  return await workspace.readImage("a");
}

const BYTES = png(3, 2);
const DATA = base64(BYTES);
const TYPE = "image/png";
const URL = `data:${TYPE};base64,${DATA}`;

const PARTS: { readonly [Vendor in keyof VendorImages]: VendorImages[Vendor] } =
  {
    openai: { type: "input_image", image_url: URL, detail: "auto" },
    "openai-chat": { type: "image_url", image_url: { url: URL } },
    anthropic: {
      type: "image",
      source: { type: "base64", media_type: TYPE, data: DATA },
    },
    gemini: { inlineData: { mimeType: TYPE, data: DATA } },
    mcp: { type: "image", data: DATA, mimeType: TYPE },
    "ai-sdk": {
      type: "file",
      mediaType: TYPE,
      data: { type: "data", data: BYTES },
    },
  };

const VENDORS = Object.keys(PARTS) as (keyof VendorImages)[];

describe("imagePart()", () => {
  for (const vendor of VENDORS) {
    it(`makes a part for ${vendor}`, async () => {
      assertEquals(imagePart(vendor, await imageOf(BYTES)), PARTS[vendor]);
    });
    it(`refuses a type that ${vendor} does not accept`, async () => {
      const image = await imageOf(avif(3, 2));
      const error = assertThrows(() => imagePart(vendor, image), ReadFileError);
      assertEquals(error.code, "UNREADABLE");
      assertEquals(error.details, {
        as: "image",
        problem: `${vendor} does not take image/avif`,
      });
    });
  }
  it("accepts an animated GIF only for vendors that do", async () => {
    const [still, moving] = [
      await imageOf(gif(3, 2)),
      await imageOf(gif(3, 2, 4)),
    ];
    const takes = (image: ImageContent) =>
      VENDORS.filter((vendor) => {
        try {
          return imagePart(vendor, image) !== undefined;
        } catch {
          return false;
        }
      });
    assertEquals(takes(still), VENDORS.filter((vendor) => vendor !== "gemini"));
    assertEquals(takes(moving), ["anthropic", "mcp", "ai-sdk"]);
  });
  it("refuses an unknown vendor, and a value that is not an image", async () => {
    const image = await imageOf(BYTES);
    assertThrows(
      () => imagePart("other" as never, image),
      TypeError,
      "vendor must be one of",
    );
    for (const wrong of [null, undefined, {}, BYTES, "image"]) {
      assertThrows(
        () => imagePart("mcp", wrong as never),
        TypeError,
        "image must be",
      );
    }
  });
});
