import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace, ReadFileError } from "../../mod.ts";
import {
  avif,
  bmp,
  bytesOf,
  gif,
  jpeg,
  little,
  png,
  webp,
} from "../support/images.ts";

async function workspaceOf(
  files: Readonly<Record<string, Uint8Array | string>>,
) {
  const entries = Object.entries(files)
    .map(([name, bytes]) => [`/repo/${name}`, bytes]);
  return await openWorkspace("/repo", {
    fs: memoryFs(Object.fromEntries(entries)),
  });
}

async function failureOf(bytes: Uint8Array | string, maxBytes?: number) {
  const workspace = await workspaceOf({ "a.png": bytes });
  const options = maxBytes === undefined ? {} : { maxBytes };
  return await assertRejects(
    () => workspace.readImage("a.png", options),
    ReadFileError,
  );
}

/** Images of each format, with media type and number of frames. */
const IMAGES:
  readonly (readonly [string, Uint8Array, string, number | null])[] = [
    ["a PNG", png(640, 480), "image/png", 1],
    ["an animated PNG", png(640, 480, 7), "image/png", 7],
    ["a GIF", gif(640, 480), "image/gif", 1],
    ["an animated GIF", gif(640, 480, 12), "image/gif", 12],
    ["a JPEG", jpeg(640, 480), "image/jpeg", 1],
    [
      "a JPEG with its size deep in the file",
      jpeg(640, 480, "x".repeat(65_000)),
      "image/jpeg",
      1,
    ],
    ["a lossless WebP", webp(640, 480), "image/webp", 1],
    ["a lossy WebP", webp(640, 480, "lossy"), "image/webp", 1],
    ["an animated WebP", webp(640, 480, 3), "image/webp", 3],
    ["an AVIF", avif(640, 480), "image/avif", 1],
    ["an animated AVIF", avif(640, 480, true), "image/avif", null],
    ["a BMP", bmp(640, 480), "image/bmp", 1],
  ];

describe("workspace.readImage", () => {
  for (const [name, bytes, mediaType, frames] of IMAGES) {
    it(`reads ${name}, whatever the name of the file`, async () => {
      const workspace = await workspaceOf({ "notes.txt": bytes });
      const image = await workspace.readImage("./notes.txt");
      const told = { path: "notes.txt", width: 640, height: 480, mediaType };
      assertEquals(image, { ...told, bytes, frames, animated: frames !== 1 });
    });
    it(`refuses ${name} that is cut anywhere in its pixels`, async () => {
      const end = bytes.length - 1;
      const places = [
        Math.min(60, end),
        200,
        end - 1000,
        end >> 1,
        end - 9,
        end,
      ]
        .filter((at) => at >= 30 && at <= end);
      for (const at of places) {
        const error = await failureOf(bytes.slice(0, at));
        assertEquals(error.code, "UNREADABLE", `${at} of ${bytes.length}`);
      }
    });
  }
  it("refuses a PNG that is cut in its header", async () => {
    const error = await failureOf(png(640, 480).slice(0, 24));
    assertEquals(
      [error.message, error.hint],
      [
        'Cannot read "a.png": it cannot be shown as "image": it ends before its pixels do',
        "the file is damaged: have it written anew",
      ],
    );
  });
  it("refuses a GIF without a trailer: frames may be missing", async () => {
    for (const frames of [1, 12]) {
      const error = await failureOf(gif(640, 480, frames).slice(0, -1));
      assert(error.is("UNREADABLE"));
      assertEquals(error.details.problem, "it has no trailer");
    }
  });
  it("names the type of a file that is not an image", async () => {
    const files: readonly (readonly [Uint8Array | string, string])[] = [
      ["", "it is empty"],
      ["PNG", "its bytes are those of no known image"],
      ["<svg width='1'/>", "it is an SVG image"],
      ["%PDF-1.7\n", "it is a PDF document"],
      [bytesOf("\x1f\x8b\x08", new Uint8Array(20)), "it is gzip data"],
    ];
    for (const [bytes, problem] of files) {
      const error = await failureOf(bytes);
      assert(error.is("UNREADABLE"));
      assertEquals([error.details.as, error.details.problem], [
        "image",
        problem,
      ]);
    }
  });
  it("refuses an image above the limit, with its size in pixels and advice", async () => {
    const bytes = png(3000, 2000);
    const { length } = bytes;
    const error = await failureOf(bytes);
    assert(error.is("TOO_LARGE"));
    assertEquals(error.details, {
      what: "file",
      size: length,
      limit: 5_242_880,
    });
    assertEquals(
      error.hint,
      "it is a PNG image of 3000 x 2000 pixels; make it smaller with another tool",
    );
    const workspace = await workspaceOf({ "a.png": bytes });
    const image = await workspace.readImage("a.png", { maxBytes: length });
    assertEquals(image.bytes.length, length);
    assertEquals((await failureOf(bytes, length - 1)).code, "TOO_LARGE");
  });
  it("refuses an AVIF with deeply nested boxes", async () => {
    const start = avif(1, 1).slice(0, 20);
    const depth = 50_000;
    const bytes = new Uint8Array(start.length + 8 * depth);
    bytes.set(start);
    const view = new DataView(bytes.buffer);
    for (let at = start.length; at < bytes.length; at += 8) {
      view.setUint32(at, bytes.length - at);
      bytes.set(new TextEncoder().encode("iprp"), at + 4);
    }
    assertEquals((await failureOf(bytes)).code, "UNREADABLE");
  });
  it("refuses a BMP with missing rows, even if its header has no size", async () => {
    const bytes = bmp(20, 10);
    bytes.fill(0, 2, 6);
    const workspace = await workspaceOf({ "a.bmp": bytes });
    assertEquals((await workspace.readImage("a.bmp")).height, 10);
    assertEquals((await failureOf(bytes.slice(0, -1))).code, "UNREADABLE");
  });
  it("refuses a width or height of 0", async () => {
    const error = await failureOf(
      bytesOf(png(1, 1).slice(0, 16), little(0, 4), png(1, 1).slice(20)),
    );
    assertEquals(error.code, "UNREADABLE");
  });
  it("reads through the guard", async () => {
    const fs = memoryFs({
      "/secret.png": png(1, 1),
      "/repo/link.png": { link: "../secret.png" },
      "/repo/denied.png": png(1, 1),
    });
    const workspace = await openWorkspace("/repo", { fs, deny: ["denied.*"] });
    const codeOf = async (path: string) =>
      (await assertRejects(() => workspace.readImage(path), ReadFileError))
        .code;
    assertEquals(await codeOf("link.png"), "OUTSIDE_WORKSPACE");
    assertEquals(await codeOf("denied.png"), "POLICY_DENIED");
    assertEquals(await codeOf("none.png"), "NOT_FOUND");
    const signal = AbortSignal.abort();
    const aborted = () => workspace.readImage("denied.png", {}, { signal });
    assertEquals((await assertRejects(aborted, ReadFileError)).code, "ABORTED");
  });
  it("refuses unknown and invalid options", async () => {
    for (
      const options of [{ most: 1 }, { maxBytes: 0 }, { maxBytes: Infinity }]
    ) {
      const workspace = await workspaceOf({ "a.png": png(1, 1) });
      const error = await assertRejects(
        () => workspace.readImage("a.png", options as never),
        ReadFileError,
      );
      assertEquals(error.code, "INVALID_ARGUMENT");
    }
  });
});
