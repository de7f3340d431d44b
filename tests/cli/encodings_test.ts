// Not at the edge: the command line needs a disk.
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs } from "../../mod.ts";
import { lazyDetector } from "../../src/cli/packages.ts";
import { encodedIn, utf16Of } from "../support/encoded.ts";
import { run } from "./run.ts";

const JAPANESE = "表示する行だけを読みます。\n次の行です。\n";
const fs = memoryFs({
  "/ws/utf16": utf16Of("\uFEFFone\r\n上 two\r\n"),
  "/ws/sjis": encodedIn(JAPANESE, "shift_jis"),
  "/ws/both": Uint8Array.of(0xc3, 0xa9, 0x0a, 0xff, 0x0a),
});

describe("the command line, on a file in another encoding,", () => {
  it("finds text in it", async () => {
    const args = ["--encoding=sjis", "sjis:/表/"];
    const { output, code } = await run(args, { fs });
    assertEquals([code, output], [0, JAPANESE.split("次")[0]]);
  });
  it("writes bytes to a pipe, and text if an encoding is given", async () => {
    const bytes = await run(["utf16"], { fs });
    assertStringIncludes(bytes.output, "o\0n\0e\0");
    const text = await run(["--encoding=auto", "utf16:2"], { fs });
    assertEquals([text.output, text.code], ["上 two\r\n", 0]);
    assertEquals(
      text.errors,
      '"utf16" is read as utf-16le (byte order mark)\n',
    );
    const named = await run(["--encoding", "sjis", "sjis"], { fs });
    assertEquals([named.output, named.errors], [JAPANESE, ""]);
  });
  it("shows its text on a terminal", async () => {
    const { output, code } = await run(["utf16"], { fs, isTerminal: true });
    assertEquals(code, 0);
    assertStringIncludes(output, "2  上 two\n");
  });
  it("gives pages as JSON in the encoding", async () => {
    const { output } = await run(["--json", "utf16"], { fs });
    const { encoding, exact, lines, base64 } = JSON.parse(output);
    assertEquals(encoding, { label: "utf-16le", why: "byte order mark" });
    assertEquals([exact, lines[1].text], [false, "上 two"]);
    assertEquals(base64, null);
  });
  it("prints arguments for the rest with the encoding", async () => {
    const args = ["--encoding=sjis", "--max-bytes=8", "sjis"];
    const { errors } = await run(args, { fs });
    assertStringIncludes(errors, "--encoding=sjis");
  });
  it("says which bytes cannot be decoded", async () => {
    const { errors } = await run(["--numbers", "both"], { fs });
    assertEquals(
      errors,
      '"both" has bytes that are not utf-8, from line 2 on: they are shown as U+FFFD\n',
    );
  });
  it("refuses an unknown label", async () => {
    const { errors, code } = await run(["--encoding=utf9x", "sjis"], { fs });
    assertEquals(code, 2);
    assertStringIncludes(errors, '--encoding must be "auto" or the label');
  });
});

describe("lazyDetector()", () => {
  it("says once that there is no detector, and how to read without it", async () => {
    const said: string[] = [];
    const detect = lazyDetector(
      (message) => Promise.resolve(void said.push(message)),
      () => Promise.reject(new Error("x could not be loaded")),
    );
    assertEquals(await detect(new Uint8Array(1)), []);
    assertEquals(await detect(new Uint8Array(1)), []);
    assertEquals(said.length, 1);
    assert(said[0]!.includes("--encoding"));
  });
});
