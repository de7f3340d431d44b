import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { describe, it } from "node:test";
import { onDisk } from "../support/disk.ts";
import { connect } from "../support/mcp.ts";

/** Characters that move what is seen, or that a terminal obeys. */
const HIDDEN = "\u202e\u009b31m\u200b";
const RAW = /[\x7f-\x9f\u200b\u202e]/;

describe("what the server says of a name", () => {
  it("has no hidden character, in an answer or in its log", async () => {
    await using place = await onDisk([`one${HIDDEN}/a.txt: x`, "two/a.txt: x"]);
    const folders = [`one${HIDDEN}`, "two"].map((name) =>
      join(place.base, name)
    );
    const said: string[] = [];
    {
      await using server = await connect(folders);
      for (
        const args of [
          { path: HIDDEN },
          { path: "two/a.txt", etag: "1", view: HIDDEN },
          { path: `two/${HIDDEN}`, etag: "1" },
        ]
      ) {
        const { ok, text } = await server.call(args);
        assert(!ok);
        said.push(text);
      }
    }
    {
      const roots = () => [`file:///none${HIDDEN}`];
      await using server = await connect(folders, { args: [], roots });
      const { ok, text } = await server.call({ path: HIDDEN });
      assert(!ok);
      said.push(text, server.said());
    }
    assertEquals(said.filter((text) => RAW.test(text)), []);
  });
});
