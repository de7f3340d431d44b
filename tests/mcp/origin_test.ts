import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs } from "../../mod.ts";
import config from "../../mcp/deno.json" with { type: "json" };
import {
  codeFrom,
  LIBRARY_MODULES,
  type Started,
} from "../../mcp/src/origin.ts";
import { MODULES } from "../../src/cli/main.ts";

const REMOTE: Started = {
  address: "https://jsr.io/@scope/name/1.2.3/src/main.ts",
  resolve: (name) => name,
  options: [],
  bunDirectory: undefined,
};

const fs = memoryFs({ "/a repo/bunfig.toml": "", "/other/x": "" });

function found(started: Partial<Started>): Promise<string[]> {
  return codeFrom(["/other", "/a repo"], fs, { ...REMOTE, ...started });
}

describe("code from a served directory", () => {
  it("is not reported for modules from registries", async () => {
    assertEquals(await found({}), []);
  });
  for (
    const replaced of [...Object.values(config.imports), ...LIBRARY_MODULES]
  ) {
    it(`is reported if it is ${replaced}`, async () => {
      const place = "file:///a%20repo/x.ts";
      const resolve = (name: string) => name === replaced ? place : name;
      assertEquals(await found({ resolve }), [
        `${replaced} is taken from ${place}`,
      ]);
    });
  }
  it("is reported if it is the server's own", async () => {
    const address = "file:///a%20repo/node_modules/read-file-mcp.js";
    assertEquals(await found({ address }), [
      `this server is taken from ${address}`,
    ]);
  });
  it("is not reported for another directory whose name begins alike", async () => {
    assertEquals(await found({ address: "file:///a%20repository/x.js" }), []);
    assertEquals(await found({ address: "https://x/a%20repo/x.js" }), []);
  });
  it("is not reported for a module that is not found", async () => {
    const resolve = () => {
      throw new TypeError();
    };
    assertThrows(resolve);
    assertEquals(await found({ resolve }), []);
  });
  it("is reported for the settings of Bun, unless others were named", async () => {
    const bunDirectory = "/a repo";
    const told =
      "the configuration of Bun is taken from file:///a repo/bunfig.toml";
    assertEquals(await found({ bunDirectory }), [told]);
    for (const option of ["--config=/dev/null", "-c=x"]) {
      assertEquals(await found({ bunDirectory, options: [option] }), []);
    }
    for (const file of ["tsconfig.json", "jsconfig.json"]) {
      const some = memoryFs({ [`/a/${file}`]: "" });
      const bunned = (options: readonly string[]) =>
        codeFrom(["/a"], some, { ...REMOTE, bunDirectory: "/a", options });
      assertEquals(await bunned(["--config=/dev/null"]), [
        `the configuration of Bun is taken from file:///a/${file}`,
      ]);
      assertEquals(await bunned(["--tsconfig-override=/dev/null"]), []);
    }
    assertEquals(await found({ bunDirectory: "/other" }), []);
    assertEquals(await found({ bunDirectory: "/elsewhere" }), []);
  });
  it("is reported for a directory that is named by a link", async () => {
    const linked = memoryFs({ "/real/x": "", "/link": { link: "/real" } });
    const started = { ...REMOTE, address: "file:///real/server.js" };
    assertEquals((await codeFrom(["/link"], linked, started)).length, 1);
    assertEquals(await codeFrom(["/gone"], linked, started), []);
  });
  it("is searched in all imports of the library", () => {
    assertEquals(LIBRARY_MODULES, MODULES);
  });
});
