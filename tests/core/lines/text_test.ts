import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  memoryFs,
  openWorkspace,
  ReadFileError,
  type ReadOptions,
} from "../../../mod.ts";
import { Call } from "../../../src/core/base/call.ts";
import { plainKernel } from "../../../src/core/lines/scan.ts";
import { Source } from "../../../src/core/lines/source.ts";
import { decodeText } from "../../../src/core/lines/text.ts";
import { Random, SEED } from "../../support/random.ts";

const MIB = 1024 * 1024;

/** Bytes that a decoder treats in different ways. */
const BYTES = [0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xa9, 0xbf]
  .concat(0xc0, 0xc2, 0xdf, 0xe0, 0xe2, 0xed, 0xef, 0xf0, 0xf4, 0xff);

const lossy = new TextDecoder("utf-8", { ignoreBOM: true });

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

describe("a large text", () => {
  it(`is decoded in steps as in one call (seed ${SEED})`, async () => {
    const random = new Random(SEED);
    const workspace = await openWorkspace("/", {
      fs: memoryFs({ "/a": "" }),
    });
    await using file = await workspace.open("a");
    const source = new Source(file, plainKernel(0), new Call("a"));
    const bytes = new Uint8Array(2 * MIB + 99).fill(0x61);
    const words = ["€", "😀", "é"].map((text) =>
      new TextEncoder().encode(text)
    );
    for (let round = 0; round < 60; round++) {
      for (const end of [MIB, 2 * MIB]) {
        bytes.fill(0x61, end - 16, end + 16);
        const drawn = round % 2 === 0
          ? Uint8Array.from({ length: 9 }, () => random.pick(BYTES))
          : random.pick(words);
        bytes.set(drawn, end - random.below(9));
      }
      const { text, exact } = await decodeText(source, bytes, false);
      assert(text === lossy.decode(bytes), `round ${round}`);
      if (exact) assert(isUtf8(bytes), `round ${round}`);
      const strict = async () => await decodeText(source, bytes, true);
      if (isUtf8(bytes)) assertEquals((await strict()).text, text);
      else {
        const { code } = await assertRejects(strict, ReadFileError);
        assertEquals(code, "BINARY");
      }
    }
  });
  const asked: readonly ReadOptions[] = [
    {},
    { binary: "refuse-invalid", maxLineBytes: 9 },
  ];
  for (const options of asked) {
    it(`is decoded in small parts with ${JSON.stringify(options)}`, async () => {
      const size = 32 * MIB;
      const content = new Uint8Array(size).fill(0x61);
      for (let at = 0; at < size; at += 4) content[at] = 0x0a;
      const fs = memoryFs({ "/ws/a": content });
      const workspace = await openWorkspace("/ws", { fs });
      const { decode } = TextDecoder.prototype;
      let most = 0;
      TextDecoder.prototype.decode = function (...args) {
        most = Math.max(most, args[0]?.byteLength ?? 0);
        return decode.apply(this, args);
      };
      try {
        await workspace.read("a", options);
      } finally {
        TextDecoder.prototype.decode = decode;
      }
      assert(most > 0 && most <= size / 8, `${most} bytes at once`);
    });
  }
});
