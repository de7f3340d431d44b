/** Names that models type with plain signs, whatever the disk has. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace, readerTools, respond } from "../../../mod.ts";
import { readerOn } from "../../support/reader.ts";

const NOTE = "Note: the path was taken as this one, which looks the same";

function readerOf(...names: readonly string[]) {
  const files = names.map((name) => [`/ws/${name}`, `text of ${name}\n`]);
  return readerOn(["/ws"], {}, memoryFs(Object.fromEntries(files)));
}

describe("a path that only looks like that of a file", () => {
  const typed = "n/Caf\u00e9's plan - 4 PM.txt";
  const stored = "n/Cafe\u0301\u2019s plan \u2013 4\u202fPM.txt";

  it("is read at once, with the name on the disk and a note", async () => {
    const reader = await readerOf(stored, "n/Cafe\u0301\u2019s plan.txt");
    for (const path of [typed, `/ws/${typed}`, `${typed}:1`]) {
      const { ok, text } = await reader.call({ path });
      assert(ok, text);
      const [head, note, line] = text.split("\n");
      assertEquals(
        JSON.parse(/^"(?:[^"\\]|\\.)*"/.exec(head!)![0]),
        stored,
        path,
      );
      assertEquals(note, NOTE);
      assertStringIncludes(line!, "1\ttext of n/Caf");
    }
  });

  it("is read in read_files, with the note at its file", async () => {
    const reader = await readerOf(stored, "a.txt");
    const files = ["a.txt", typed];
    const { text } = await reader.call({ files }, "read_files");
    const [first, second] = text.split("\n\n");
    assert(!first!.includes(NOTE), first);
    assertStringIncludes(second!, NOTE);
  });

  it("is noted once for several parts of it", async () => {
    const reader = await readerOf(stored);
    const { text } = await reader.call({ path: `${typed}:1,1,-1` });
    assertEquals(text.split(NOTE).length, 2, text);
    assertEquals(text.split("1\ttext of").length, 4, text);
  });

  it("is a suggestion where two files look the same, or none", async () => {
    const twins = ["n/a b.txt", "n/a\u202fb.txt", "n/A b.txt"];
    const two = await readerOf(twins[1]!, "n/a\u2009b.txt");
    assertEquals((await two.call({ path: twins[0] })).code, "NOT_FOUND");
    const other = await readerOf(twins[2]!);
    const { code, text } = await other.call({ path: twins[0] });
    assertEquals(code, "NOT_FOUND");
    assertStringIncludes(text, 'did you mean "n/A b.txt"?');
  });

  it("does not reach what a rule denies", async () => {
    const fs = memoryFs({ "/ws/it\u2019s.key": "secret\n", "/ws/a": "" });
    for (const denied of ["refuse", "hide"] as const) {
      const deny = ["it\u2019s.key"];
      const workspace = await openWorkspace("/ws", { fs, deny, denied });
      const [readFile] = readerTools(workspace);
      const { content } = await respond(readFile, { path: "it's.key" });
      assertStringIncludes(content, "(NOT_FOUND)");
      assert(!content.includes("secret"), content);
    }
  });
});
