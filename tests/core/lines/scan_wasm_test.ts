import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import assembler from "wabt";
import { SCAN_WASM } from "../../../src/core/lines/scan.ts";

describe("scan_wasm.wat", () => {
  it("assembles to the bytes in scan.ts", async () => {
    const { parseWat } = await assembler();
    const file = new URL(
      "../../../src/core/lines/scan_wasm.wat",
      import.meta.url,
    );
    const module = parseWat("scan_wasm.wat", readFileSync(file, "utf8"), {
      simd: true,
    });
    module.validate();
    const { buffer } = module.toBinary({});
    const held = Uint8Array.from(atob(SCAN_WASM), (char) => char.charCodeAt(0));
    assertEquals(toHex(held), toHex(buffer));
  });
});

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"))
    .join(" ");
}
