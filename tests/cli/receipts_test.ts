import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { applyDelta, type Delta, memoryFs } from "../../mod.ts";
import { run } from "./run.ts";

const linesTo = (count: number) =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}\n`);

const fsOf = (lines: readonly string[]) =>
  memoryFs({ "/ws/a": lines.join(""), "/ws/b": "b\n" });

/** The receipt of what a command line prints of some lines. */
async function receiptOf(target: string, lines: readonly string[]) {
  const { output, errors, code } = await run(["--receipt", target], {
    fs: fsOf(lines),
  });
  assertEquals(code, 0);
  const [, receipt = ""] = /^Receipt of "a": (.*)\n$/.exec(errors) ?? [];
  return { output, receipt };
}

describe("read --receipt", () => {
  it("says one receipt for all that is printed, however much that is", async () => {
    const lines = linesTo(30_000);
    const { output, receipt } = await receiptOf("a", lines);
    assertEquals(output, lines.join(""));
    assert(receipt.length > 4 * lines.length);
    const part = await receiptOf("a:3-5", lines);
    assertEquals(part.output, lines.slice(2, 5).join(""));
    assert(part.receipt.length < 60);
  });
});

describe("read --recheck", () => {
  const cases: readonly (readonly [
    string,
    (lines: string[]) => readonly string[],
    string,
    string,
  ])[] = [
    ["same", (lines) => [...lines, "more\n"], "same", '{"same":true}'],
    ["moved", (lines) => ["x\n", ...lines], "moved +1", '{"moved":1}'],
    ["moved up", (lines) => lines.slice(1), "moved -1", '{"moved":-1}'],
    [
      "changed",
      (lines) => lines.with(2, "x\n").with(3, "y\n").with(5, "z\n"),
      "changed 3-4, 6",
      '{"changed":[[3,4],[6,6]]}',
    ],
  ];
  for (const [name, edit, words, json] of cases) {
    it(`prints what has become of the lines: ${name}`, async () => {
      const { receipt } = await receiptOf("a:2-6", linesTo(9));
      const fs = fsOf(edit(linesTo(9)));
      const args = [`--recheck=${receipt}`, "a"];
      assertEquals(await run(args, { fs }), {
        ...{ output: `${words}\n`, errors: "", code: 0 },
      });
      const { output } = await run([...args, "--json"], { fs });
      assertEquals(output, `${json}\n`);
    });
  }
  it("prints that nothing is there any more", async () => {
    const { receipt } = await receiptOf("a", linesTo(9));
    const fs = memoryFs({ "/ws/b": "" });
    const { output } = await run(["--recheck", receipt, "a"], { fs });
    assertEquals(output, "gone\n");
  });
});

describe("read --since", () => {
  const edit = (lines: string[]) => ["new\n", ...lines.with(4, "edited\n")];

  it("prints what is new, and says what is left out", async () => {
    const { receipt } = await receiptOf("a", linesTo(9));
    const fs = fsOf(edit(linesTo(9)));
    const said = await run([`--since=${receipt}`, "a"], { fs });
    assertEquals(said, {
      output: "new\nedited\n",
      errors:
        'Unchanged lines of "a" are left out: 2-5 (then 1-4), 7-10 (then 6-9)\n',
      code: 0,
    });
    const numbered = await run([`--since=${receipt}`, "--numbers", "a"], {
      fs,
    });
    assertEquals(numbered.output, "1  new\n--\n6  edited\n");
    const same = await run([`--since=${receipt}`, "a"], {
      fs: fsOf(linesTo(9)),
    });
    assertEquals(same.output, "");
    assertMatch(same.errors, /are left out: 1-9\n$/);
  });
  it("prints a delta with --json", async () => {
    const lines = linesTo(9);
    const { receipt } = await receiptOf("a:2-8", lines);
    const { output } = await run(["--json", `--since=${receipt}`, "a"], {
      fs: fsOf(edit(lines)),
    });
    const delta = JSON.parse(output) as Delta;
    assertEquals(
      applyDelta(lines.slice(1, 8).join(""), delta),
      edit(lines).slice(2, 9).join(""),
    );
  });
  it("says the next receipt, too", async () => {
    const { receipt } = await receiptOf("a", linesTo(9));
    const fs = fsOf(edit(linesTo(9)));
    const args = [`--since=${receipt}`, "--receipt", "a"];
    const { errors } = await run(args, { fs });
    const [, next = ""] = /Receipt of "a": (.*)\n$/.exec(errors) ?? [];
    const again = await run([`--recheck=${next}`, "a"], { fs });
    assertEquals(again.output, "same\n");
  });
});

describe("the options of receipts", () => {
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [["--since=x", "a"], /^--since is not the receipt of a page.*; read the/],
    [["--recheck=x", "a"], /^--recheck is not the receipt of a page/],
    [["--recheck=x", "a:3"], /^--recheck knows which lines are meant; leave/],
    [["--recheck=x", "a", "b"], /^--recheck needs one PATH; name one/],
    [["--since=x", "a", "b"], /^--since needs one PATH; name one/],
    [["--since=x", "a:/b/"], /^--since and a pattern cannot both be/],
    [["--since=x", "--recheck=x", "a"], /^--since and --recheck cannot/],
    [["--since=x", "--max-bytes=9", "a"], /^--since and --max-bytes cannot/],
    [["--receipt", "--max-bytes=9", "a"], /^--receipt and --max-bytes/],
    [["--recheck=x", "--numbers", "a"], /^--recheck and --numbers cannot/],
    [["--receipt", "--json", "a"], /^--receipt means nothing with --json/],
    [["--since", "--list", "a"], /^--since needs a value, and "--list"/],
    [["--list", "--since=x"], /^--since means nothing with --list/],
  ];
  for (const [args, message] of wrong) {
    it(`are refused where they mean nothing: ${args.join(" ")}`, async () => {
      const { output, errors, code } = await run(args, {
        fs: fsOf(linesTo(9)),
      });
      assertMatch(errors, message);
      assertEquals([output, code], ["", 2]);
    });
  }
});
