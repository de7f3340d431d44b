/** Randomly damaged files of every kind: each answer is a page, an image, or a failure with a code. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  gunzipView,
  notebookView,
  openWorkspace,
  ReadFileError,
  type ReadOptions,
} from "../../mod.ts";
import { cutFs, CUTS } from "../support/cuts.ts";
import { gzip } from "../support/gzip.ts";
import { avif, bmp, gif, jpeg, png, webp } from "../support/images.ts";
import { SAMPLE } from "../support/notebooks.ts";
import { oneFileFs } from "../support/one_file_fs.ts";
import { Random, SEED } from "../support/random.ts";

const TIMES = 150;

/** Cuts the file, changes bytes, or repeats a part. */
function damage(bytes: Uint8Array, random: Random): Uint8Array {
  const damaged = bytes.slice(
    0,
    random.pick([bytes.length, random.below(bytes.length + 1)]),
  );
  for (let count = random.below(4); count > 0 && damaged.length > 0; count--) {
    damaged[random.below(damaged.length)] = random.pick([
      0,
      0xff,
      0x22,
      0x5c,
      random.below(256),
    ]);
  }
  if (random.below(3) > 0) return damaged;
  const from = random.below(damaged.length + 1);
  return Uint8Array.from([...damaged, ...damaged.subarray(from)]);
}

const IMAGES: Readonly<Record<string, Uint8Array>> = {
  png: png(20, 10, 3),
  jpeg: jpeg(20, 10, "comment"),
  gif: gif(20, 10, 3),
  webp: webp(20, 10, 3),
  "lossless webp": webp(20, 10),
  avif: avif(20, 10),
  bmp: bmp(20, 10),
};

async function open() {
  const fs = oneFileFs();
  const views = [notebookView(), gunzipView()];
  const workspace = await openWorkspace("/ws", { fs, views });
  return { fs, workspace };
}

describe("a damaged image", () => {
  for (const [name, bytes] of Object.entries(IMAGES)) {
    it(`is an image, or a failure with a code: ${name} (seed ${SEED})`, async () => {
      const { fs, workspace } = await open();
      const random = new Random(SEED);
      let refused = 0;
      for (let time = 0; time < TIMES; time++) {
        fs.content = damage(bytes, random);
        try {
          const { width, height, frames } = await workspace.readImage("a");
          assert(width > 0 && height > 0 && (frames === null || frames > 0));
        } catch (error) {
          assert(error instanceof ReadFileError, String(error));
          assertEquals(error.code, "UNREADABLE");
          refused++;
        }
      }
      assert(refused > TIMES / 10, `${refused}`);
    });
  }
});

describe("a damaged file with a view", () => {
  const files = async () => ({
    notebook: new TextEncoder().encode(SAMPLE),
    gzip: await gzip("some text\n".repeat(500)),
  });
  for (const kind of ["notebook", "gzip"] as const) {
    it(`is a page, or a failure with a code: ${kind} (seed ${SEED})`, async () => {
      const { fs, workspace } = await open();
      const random = new Random(SEED);
      const bytes = (await files())[kind];
      for (let time = 0; time < TIMES; time++) {
        fs.content = damage(bytes, random);
        const options = random.pick<ReadOptions>([{}, { tail: 3 }, {
          start: 4,
          maxBytes: 50,
        }]);
        try {
          assert((await workspace.read("a", options)).lines.length >= 0);
        } catch (error) {
          assert(error instanceof ReadFileError, String(error));
          assertEquals(error.code, "UNREADABLE");
        }
      }
    });
    it(`has the same answer for reads of any size: ${kind}`, async () => {
      const { fs } = await open();
      fs.content = (await files())[kind];
      const texts = await Promise.all(CUTS.map(async (most) => {
        const views = [notebookView(), gunzipView()];
        const workspace = await openWorkspace("/ws", {
          fs: cutFs(fs, most),
          views,
        });
        const page = await workspace.read("a");
        return page.lines.map(({ text }) => text).join("\n");
      }));
      assertEquals(new Set(texts).size, 1);
    });
  }
  it("that changes while its view is opened fails with CHANGED", async () => {
    const { fs, workspace } = await open();
    const bytes = new TextEncoder().encode(SAMPLE);
    fs.mtimeMs = 1000;
    fs.content = bytes;
    const read = fs.open.bind(fs);
    let reads = 0;
    fs.open = async (path) => {
      const handle = await read(path);
      return {
        ...handle,
        read(buffer, position) {
          // The first read is at the beginning, and chooses the view.
          if (++reads === 2) {
            fs.mtimeMs = 2000;
            fs.content = bytes.slice().fill(0x20, 500, 600);
          }
          return handle.read(buffer, position);
        },
      };
    };
    const error = await workspace.read("a").then(
      () => undefined,
      (error) => error,
    );
    assertEquals(error?.code, "CHANGED");
  });
});
