/** Plays a conversation on real files, and counts its tokens, as docs/workflows.md says. */
import { assert, assertEquals } from "@std/assert";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import {
  createReadSession,
  memoryFs,
  openWorkspace,
  renderPage,
} from "../../mod.ts";

const HOME = new URL("../../", import.meta.url);
const DOC = readFileSync(new URL("docs/workflows.md", HOME), "utf8");

/** Ten files, with their lines. */
const SIZES = "server 260, store 200, routes 160, test 150, auth 120, " +
  "types 90, README 80, config 60, log 50, package 40";

/** An agent works on two files and reads each of them eight times, and most others once. */
const STEPS = "README; package; server; routes; store; types; auth; server; " +
  "store 40-120; edit store 88; store; test; store 80-100; server 100-180; " +
  "edit server 130; server; test; store; config; server; routes; " +
  "edit routes 20; routes; log; server; store; edit test 60; test; server; " +
  "store; types; test; server; store";

/** Files of the library with as many lines as in the document. */
function filesOf(sizes: string): Map<string, string[]> {
  const core = new URL("src/core/", HOME);
  const sources = readdirSync(core, { recursive: true }).map(String)
    .filter((path) => path.endsWith(".ts")).sort()
    .map((path) => readFileSync(new URL(path, core), "utf8"))
    .map((text) => text.match(/[^\n]*\n/g) ?? [])
    .sort((one, other) => other.length - one.length);
  const files = new Map<string, string[]>();
  for (const [, name = "", count] of sizes.matchAll(/(\w+) (\d+)/g)) {
    const lines = sources[files.size]!.slice(0, Number(count));
    assertEquals(lines.length, Number(count), name);
    files.set(name, lines);
  }
  return files;
}

const tokensOf = (text: string) => encode(text).length;

describe("the conversation of docs/workflows.md", () => {
  it("costs at most a third of the tokens with a session, and as many as the page says", async () => {
    const files = filesOf(SIZES);
    const steps = STEPS.split("; ");
    const open = () =>
      openWorkspace("/", {
        fs: memoryFs(Object.fromEntries(
          [...files].map(([name, lines]) => [`/${name}`, lines.join("")]),
        )),
      });
    const session = createReadSession();
    let [without, withSession, reads] = [0, 0, 0];
    for (const step of steps) {
      const edit = /^edit (\w+) (\d+)$/.exec(step);
      if (edit !== null) {
        files.get(edit[1]!)![Number(edit[2]) - 1] = "  edited();\n";
        continue;
      }
      const [name = "", range = "1-9999"] = step.split(" ");
      const [start = 1, end = 1] = range.split("-").map(Number);
      const page = await (await open()).read(name, { start, end });
      reads++;
      without += tokensOf(renderPage(page));
      withSession += tokensOf(session.answer(page).text);
    }
    assertEquals([files.size, reads], [10, 30]);
    const share = withSession / without;
    assert(share <= 1 / 3, `${withSession} of ${without}`);
    const told = Number(/costs (\d+) % of the tokens/.exec(DOC)?.[1]);
    // The token counts change with the files of the library.
    assert(Math.abs(told - share * 100) < 3, `${share}`);
  });
});
