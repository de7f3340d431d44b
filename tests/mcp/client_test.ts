import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { onDisk } from "../support/disk.ts";
import { connectProgram } from "../support/mcp.ts";

/** A file too large to be read in a test. */
const ENDLESS_BYTES = 2 ** 42;

for (const era of ["2025", "2026"] as const) {
  describe(`the official client, in the revisions of ${era}`, () => {
    it("lists the tools, and calls them", async () => {
      await using place = await onDisk(["ws/a.txt: one\n", "ws/b.txt: two\n"]);
      await using server = await connectProgram([place.root], { era });
      const { tools } = await server.client.listTools();
      assertEquals(tools.map(({ name }) => name), [
        "read_file",
        "read_files",
        "list_directory",
      ]);
      const { text } = await server.call({ path: "a.txt" });
      assertStringIncludes(text, "1\tone");
      const files = { files: ["a.txt", "b.txt"] };
      const several = await server.call(files, "read_files");
      assertStringIncludes(several.text, "1\ttwo");
      const none = await server.call({ path: "none" });
      assertEquals([none.ok, none.code], [false, "NOT_FOUND"]);
      const version = server.client.getNegotiatedProtocolVersion();
      assertEquals(version?.startsWith(era), true, version);
      assertEquals(server.said(), "");
    });

    it("is told the progress of a call, and cancels it", async () => {
      await using place = await onDisk(["ws/endless: ", "ws/a.txt: one\n"]);
      truncateSync(join(place.root, "endless"), ENDLESS_BYTES);
      await using server = await connectProgram([place.root], {
        era,
        args: ["--max-scan", `${ENDLESS_BYTES}`, place.root],
      });
      const controller = new AbortController();
      const told: (number | undefined)[] = [];
      const call = server.client.callTool({
        name: "read_file",
        arguments: { path: "endless", start: 2 },
      }, {
        signal: controller.signal,
        onprogress: ({ progress, total }) => {
          assert(progress > 0);
          told.push(total);
          controller.abort();
        },
      });
      const outcome = await call.then(() => "answered", () => "cancelled");
      assertEquals(outcome, "cancelled");
      assertEquals(told[0], ENDLESS_BYTES);
      const { text } = await server.call({ path: "a.txt" });
      assertStringIncludes(text, "1\tone");
      assertEquals(server.said(), "");
    });

    it("is asked for its roots, and again when they have changed", async () => {
      await using place = await onDisk([
        "ws/one/a.txt: of one\n",
        "ws/two/a.txt: of two\n",
      ]);
      let folder = "one";
      let asked = 0;
      await using server = await connectProgram([place.root], {
        era,
        args: ["--follow-roots", place.root],
        roots: () => {
          asked++;
          return [join(place.root, folder)];
        },
      });
      const read = async () => (await server.call({ path: "a.txt" })).text;
      assertStringIncludes(await read(), "of one");
      assertStringIncludes(await read(), "of one");
      // Without a handshake, the server asks at each call.
      assertEquals(asked, era === "2025" ? 1 : 2);
      folder = "two";
      if (era === "2025") await server.client.sendRootsListChanged();
      assertStringIncludes(await read(), "of two");
    });
  });
}
