import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  createOpenFile,
  createToolkitReadFile,
  type FileMedia,
  memoryFs,
  openWorkspace,
  ReadFileError,
  type Tool,
} from "../../../mod.ts";
import { adviceFor, mediaOf } from "../../../src/core/media/signatures.ts";
import { bytesOf, gif, png } from "../../support/images.ts";
import { assertTimes } from "../../support/growth.ts";

const zeros = (count: number) => new Uint8Array(count);

/** The first bytes of files, and their media types. */
const HEADS: readonly (readonly [Uint8Array, string | null])[] = [
  [bytesOf("%PDF-1.7\n%\xe2\xe3"), "application/pdf"],
  [bytesOf("\n\n%PDF-1.4\n"), "application/pdf"],
  [bytesOf("HTTP/1.1 200\r\n\r\n%PDF-1.4\n"), "application/pdf"],
  [bytesOf("\xef\xbb\xbf%PDF-1.4\n"), "application/pdf"],
  [bytesOf(zeros(1019), "%PDF-1.4\n"), "application/pdf"],
  [bytesOf("PK\x03\x04", zeros(26), "a.txt"), "application/zip"],
  [bytesOf("PK\x05\x06", zeros(18)), "application/zip"],
  [
    bytesOf("PK\x03\x04", zeros(26), "[Content_Types].xml"),
    "application/vnd.openxmlformats-officedocument",
  ],
  [
    bytesOf("PK\x03\x04", zeros(26), "mimetypeapplication/epub+zip"),
    "application/epub+zip",
  ],
  [
    bytesOf(
      "PK\x03\x04",
      zeros(26),
      "mimetypeapplication/vnd.oasis.opendocument.text",
    ),
    "application/vnd.oasis.opendocument",
  ],
  [
    bytesOf("PK\x03\x04", zeros(26), "META-INF/MANIFEST.MF"),
    "application/java-archive",
  ],
  [bytesOf("\x1f\x8b\x08\0"), "application/gzip"],
  [bytesOf("BZh91AY&SY"), "application/x-bzip2"],
  [bytesOf("\xfd7zXZ\0"), "application/x-xz"],
  [bytesOf("(\xb5/\xfd"), "application/zstd"],
  [bytesOf("7z\xbc\xaf\x27\x1c"), "application/x-7z-compressed"],
  [bytesOf("Rar!\x1a\x07\x01\0"), "application/vnd.rar"],
  [bytesOf("a.txt", zeros(252), "ustar\0"), "application/x-tar"],
  [bytesOf("\0asm\x01\0\0\0"), "application/wasm"],
  [bytesOf("\x7fELF\x02\x01"), "application/x-elf"],
  [bytesOf("\xcf\xfa\xed\xfe"), "application/x-mach-binary"],
  [bytesOf("\xca\xfe\xba\xbe\0\0\0\x34"), "application/java-vm"],
  [bytesOf("MZ", zeros(62), "PE"), "application/x-msdownload"],
  [bytesOf("SQLite format 3\0"), "application/vnd.sqlite3"],
  [bytesOf("PAR1\x15"), "application/vnd.apache.parquet"],
  [bytesOf("ID3\x03\0"), "audio/mpeg"],
  [bytesOf("\xff\xfb\x90\0"), "audio/mpeg"],
  [bytesOf("fLaC\0"), "audio/flac"],
  [bytesOf("RIFF", zeros(4), "WAVEfmt "), "audio/wav"],
  [bytesOf("OggS\0"), "application/ogg"],
  [bytesOf("RIFF", zeros(4), "AVI LIST"), "video/x-msvideo"],
  [bytesOf(zeros(4), "ftypqt  "), "video/quicktime"],
  [bytesOf(zeros(4), "ftypisom"), "video/mp4"],
  [bytesOf(zeros(4), "ftypheic"), "image/heic"],
  [bytesOf("\x1aE\xdf\xa3"), "video/webm"],
  [bytesOf("wOF2"), "font/woff"],
  [bytesOf("OTTO\0"), "font/otf"],
  [bytesOf("II*\0"), "image/tiff"],
  [bytesOf("\0\0\x01\0\x01"), "image/x-icon"],
  [bytesOf("<?xml version='1.0'?>\n<!-- a -->\n<svg>"), "image/svg+xml"],
  [bytesOf("\xff\xfea\0"), "text/plain;charset=utf-16le"],
  [bytesOf("\xfe\xff\0a"), "text/plain;charset=utf-16be"],
  [bytesOf("\xff\xfe\0\0a\0\0\0"), "text/plain;charset=utf-32le"],
  [bytesOf("\0\0\xfe\xff\0\0\0a"), "text/plain;charset=utf-32be"],
  // Text that begins like a signature.
  [bytesOf("BM is short for bitmap"), null],
  [
    bytesOf("MZ is how such programs begin, which is what this line is about."),
    null,
  ],
  [bytesOf("BZh is not all of it"), null],
  [bytesOf("<p><svg></p>"), null],
  [bytesOf('const header = "%PDF-1.7";\n'), null],
  [bytesOf("A document begins with %PDF-1.7\n"), null],
  [bytesOf("\0\0\0\0"), null],
  [zeros(0), null],
];

describe("the kind of a file", () => {
  it("is recognized from its first bytes", () => {
    for (const [head, type] of HEADS) {
      assertEquals(
        mediaOf(head)?.type ?? null,
        type,
        JSON.stringify(String.fromCharCode(...head)),
      );
    }
  });
  it("takes linear time, whatever the bytes are", async () => {
    const ask = (head: Uint8Array) => () => {
      for (let turn = 0; turn < 20; turn++) mediaOf(head);
    };
    const usual = ask(new Uint8Array(8192).fill(0x61));
    for (
      const fill of ["<!-- ", "<!---->", "PK\x03\x04", "<?xml", "\n", "%PDF"]
    ) {
      const head = bytesOf(
        fill.startsWith("P") ? "" : "<?xml>",
        fill.repeat(1500),
      ).slice(0, 8192);
      await assertTimes(40, ask(head), usual, 5);
    }
  });
});

describe("a file that is refused as binary", () => {
  const fs = memoryFs({
    "/repo/a.txt": png(640, 480),
    "/repo/b.txt": bytesOf("\x1f\x8b\x08\0\0", zeros(99)),
    "/repo/c.txt": bytesOf("text\0", zeros(9)),
    "/repo/d.txt": bytesOf(gif(3, 4), "line\n".repeat(90_000)),
  });
  const media: FileMedia = {
    type: "image/png",
    name: "a PNG image",
    width: 640,
    height: 480,
  };

  it("has its type in the details, and advice in the hint", async () => {
    const workspace = await openWorkspace("/repo", { fs });
    const binary = "refuse-nul" as const;
    const read = (path: string, start = 1) =>
      assertRejects(
        () => workspace.read(path, { start, count: 1, binary }),
        ReadFileError,
      );
    const error = await read("a.txt");
    assertEquals(error.details, { sign: "nul", media });
    assertEquals(
      error.message,
      'Cannot read "a.txt": it is binary: it holds a NUL byte',
    );
    assertEquals(
      error.hint,
      "it is a PNG image of 640 x 480 pixels; use a tool that shows images",
    );
    assertEquals(
      (await read("b.txt")).hint,
      "it is gzip data; use a tool that decompresses it",
    );
    assertEquals((await read("c.txt")).hint, 'read it with "binary": "bytes"');
    // The first bytes are no longer in the buffer.
    const late = await assertRejects(
      () =>
        workspace.read("d.txt", {
          tail: 1,
          binary: "refuse-invalid",
        }),
      ReadFileError,
    );
    assert(late.is("BINARY"));
    assertEquals(late.details.media?.type, "image/gif");
  });
  it("has advice for each type", () => {
    for (const [head, type] of HEADS) {
      if (type === null) continue;
      assertMatch(adviceFor(mediaOf(head)!), /^use a tool that /, type);
    }
    const advice = (head: Uint8Array) => adviceFor(mediaOf(head)!);
    assertEquals(
      advice(bytesOf("SQLite format 3\0")),
      "use a tool that queries it, such as sqlite3",
    );
    assertEquals(
      advice(bytesOf("PK\x05\x06", zeros(18))),
      "use a tool that unpacks it: unzip, tar, 7z",
    );
  });
  it("has the same messages in the tools", async () => {
    const workspace = await openWorkspace("/repo", { fs });
    const ask = async (tool: Tool, args: object) =>
      await assertRejects(() => tool.call(args as never), ReadFileError);
    const open = await ask(createOpenFile(workspace), { file_path: "a.txt" });
    assertEquals(open.message, "binary file cannot be displayed as text");
    const read = await ask(createToolkitReadFile(workspace), { path: "a.txt" });
    for (const error of [open, read]) {
      assert(error.is("BINARY"));
      assertEquals(error.details.media, media);
      assertEquals(
        error.hint,
        "it is a PNG image of 640 x 480 pixels; use a tool that shows images",
      );
    }
  });
});
