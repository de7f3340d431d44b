import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  applyDelta,
  memoryFs,
  openWorkspace,
  overlayFs,
  type PageOptions,
  parsePage,
  ReadFileError,
  type Rechecked,
  renderPage,
} from "../../mod.ts";
import { runAtOnce } from "../../src/core/base/call.ts";
import { charsetOf } from "../../src/core/encodings/charsets.ts";
import { Sha256 } from "../../src/core/pages/digest.ts";
import { writeStamp } from "../../src/core/pages/receipt.ts";
import { draws } from "../support/share.ts";
import { checkScripts } from "../suites/receipts.ts";
import { oneFileFs } from "../support/one_file_fs.ts";
import { Random, SEED } from "../support/random.ts";

/** A page of each kind. */
const ENCODINGS = [
  ...["utf-8", "utf-16le", "windows-1252", "x-user-defined"],
  ...["shift_jis", "gb18030", "iso-2022-jp"],
];

const encoder = new TextEncoder();
const linesTo = (count: number) =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}\n`);

async function receiptOf(text: string, options: PageOptions = {}) {
  const workspace = await openWorkspace("/", { fs: memoryFs({ "/a": text }) });
  return (await workspace.read("a", options)).receipt;
}

async function recheck(text: string, receipt: string): Promise<Rechecked> {
  const workspace = await openWorkspace("/", { fs: memoryFs({ "/a": text }) });
  return await workspace.recheck("a", receipt);
}

/** The answer for lines 100 to 120 of 200 after an edit. */
async function after(
  edit: (lines: string[]) => readonly string[],
  options: PageOptions = { start: 100, end: 120 },
): Promise<Rechecked> {
  const lines = linesTo(200);
  const receipt = await receiptOf(lines.join(""), options);
  return await recheck(edit(lines).join(""), receipt);
}

describe("a receipt", () => {
  it("is `same` for an unchanged page, in every encoding", async () => {
    const bytes = new TextEncoder().encode("aééébcd\ne\n");
    const fs = memoryFs({ "/a": bytes });
    const workspace = await openWorkspace("/", { fs });
    for (const encoding of ENCODINGS) {
      const { receipt } = await workspace.read("a", { encoding, column: 4 });
      const told = await workspace.recheck("a", receipt);
      assertEquals(told, { same: true }, encoding);
    }
  });
  for (const encoding of ["utf-16le", "utf-16be", "shift_jis", "gb18030"]) {
    it(`gives the same answers in ${encoding} as in UTF-8`, async () => {
      const random = new Random(SEED);
      const encode = (text: string, label: string) =>
        label === "utf-8"
          ? new TextEncoder().encode(text)
          : charsetOf(label)!.encode(text)!;
      const open = (text: string, label: string) =>
        openWorkspace("/", { fs: memoryFs({ "/a": encode(text, label) }) });
      // In UTF-16, these letters often contain the byte of a line feed.
      const letters = encoding.startsWith("utf-16") ? "\u0a05\u0b0ax" : "表ソa";
      const line = () => {
        const at = random.below(3);
        return `${letters[at]}${random.below(1000)}\n`;
      };
      for (let round = 0; round < 60; round++) {
        const lines = Array.from({ length: 12 }, line);
        const edited = [...lines];
        const at = random.below(edited.length);
        if (round % 4 === 1) edited.splice(0, 0, line(), line());
        if (round % 4 === 2) edited[at] = line();
        if (round % 4 === 3) edited.splice(at, 1);
        const start = 1 + random.below(8);
        const answers: unknown[] = [];
        for (const label of ["utf-8", encoding]) {
          const options = { start, count: 4, encoding: label };
          const page = await (await open(lines.join(""), label))
            .read("a", options);
          const now = await open(edited.join(""), label);
          const { receipt: since } = page;
          const delta = await now.read("a", { since, encoding: label });
          const shown = lines.slice(start - 1, start + 3).join("");
          answers.push([
            await now.recheck("a", since),
            delta.lines,
            applyDelta(shown, delta),
          ]);
        }
        assertEquals(answers[1], answers[0], `round ${round}`);
      }
    });
  }
  it("has at most 40 characters, and 4 for each line", async () => {
    const text = "x".repeat(99).concat("\n").repeat(3000);
    for (
      const options of [
        {},
        { start: 2999 },
        { start: 10, count: 200 },
        { start: 7, column: 40, width: 9 },
        { tail: 3, numbered: false },
        { start: 9999 },
      ]
    ) {
      const workspace = await openWorkspace("/", {
        fs: memoryFs({ "/a": text }),
      });
      const { receipt, lines } = await workspace.read("a", options);
      assert(receipt.length <= 40 + 4 * lines.length, receipt);
    }
  });
  it("is equal for the same page only", async () => {
    const first = await receiptOf("one\ntwo\nthree\n", { count: 2 });
    assertEquals(first, await receiptOf("one\ntwo\nthree\n", { end: 2 }));
    assertEquals(first, await receiptOf("one\ntwo\nthree, more", { count: 2 }));
    const others = [
      await receiptOf("one\ntwo\nthree\n", { count: 3 }),
      await receiptOf("one\ntwo\n", { count: 2 }),
      await receiptOf("0\none\ntwo\nthree\n", { start: 2, count: 2 }),
      await receiptOf("one\ntwO\nthree\n", { count: 2 }),
      await receiptOf("one\ntwo\nthree\n", { maxBytes: 6 }),
    ];
    assertEquals(new Set([first, ...others]).size, 6);
  });
  it("does not depend on the port, the times, or the display options", async () => {
    const text = "a\u202eb\r\nc\n";
    const fs = oneFileFs();
    fs.content = encoder.encode(text);
    const workspace = await openWorkspace("/ws", { fs });
    const first = await receiptOf(text);
    assertEquals((await workspace.read("a")).receipt, first);
    assertEquals((await workspace.read("a", { escape: true })).receipt, first);
    const over = overlayFs(memoryFs({ "/a": "" }), new Map([["/a", text]]));
    const other = await openWorkspace("/", { fs: over });
    assertEquals((await other.read("a")).receipt, first);
  });
  it("equals the receipt of the first release", async () => {
    assertEquals(
      await receiptOf("one\ntwo\n"),
      "rmPBBIAw_nIwoOisfLxiW8noBy-PADFG1YLCe",
    );
  });
  it("can be made from a rendered page", async () => {
    const workspace = await openWorkspace("/", {
      fs: memoryFs({ "/a": "one\ntwo\r\nthree" }),
    });
    for (const options of [{}, { count: 2 }, { column: 2, width: 1 }]) {
      const page = await workspace.read("a", options);
      assertEquals(parsePage(renderPage(page)).receipt, page.receipt);
    }
  });
  it("contains the first 128 bits of SHA-256", async () => {
    for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 9999]) {
      const bytes = Uint8Array.from({ length }, (_, at) => at * 7 + 3);
      const hash = new Sha256();
      for (let at = 0; at < length; at += 37) {
        hash.add(bytes.subarray(at, at + 37));
      }
      const whole = await crypto.subtle.digest("SHA-256", bytes);
      const text = String.fromCharCode(...new Uint8Array(whole, 0, 16));
      const base64 = btoa(text).replaceAll("+", "-").replaceAll("/", "_");
      assertEquals(hash.end(), base64.slice(0, 22));
    }
  });
});

describe("recheck()", () => {
  it("is `same` after a touch, and after edits of other lines", async () => {
    const fs = oneFileFs();
    fs.content = encoder.encode("one\ntwo\n");
    fs.mtimeMs = 1_000;
    const workspace = await openWorkspace("/ws", { fs });
    const { receipt } = await workspace.read("a", { count: 1 });
    fs.mtimeMs = 5_000;
    assertEquals(await workspace.recheck("a", receipt), { same: true });
    assertEquals(await after((lines) => lines.with(50, "new\n")), {
      same: true,
    });
    assertEquals(await after((lines) => lines.slice(0, 120)), { same: true });
  });
  it("is `moved` after lines were inserted or removed above", async () => {
    const more = (lines: string[]) => [...linesTo(12), ...lines];
    assertEquals(await after(more), { moved: 12 });
    assertEquals(await after((lines) => lines.slice(30)), { moved: -30 });
    const far = (lines: string[]) => [...linesTo(9000), ...lines];
    // The new lines 100 to 120 are equal to the shown ones.
    assertEquals(await after(far), { same: true });
    const one = { start: 100, count: 1 };
    assertEquals(await after((lines) => ["x\n", ...lines], one), { moved: 1 });
  });
  it("is `changed`, and names the lines", async () => {
    assertEquals(await after((lines) => lines.with(109, "new\n")), {
      changed: [[110, 110]],
    });
    assertEquals(
      await after((lines) => ["x\n", ...lines.with(109, "new\n")]),
      { changed: [[110, 110]] },
    );
    assertEquals(
      await after((lines) => lines.with(99, "new\n").with(119, "new\n")),
      { changed: [[100, 100], [120, 120]] },
    );
    assertEquals(await after((lines) => lines.toSpliced(109, 2)), {
      changed: [[110, 111]],
    });
    assertEquals(await after((lines) => lines.toSpliced(109, 0, "new\n")), {
      changed: [[109, 110]],
    });
    assertEquals(await after(() => ["other\n"]), { changed: [[100, 120]] });
    assertEquals(await after(() => []), { changed: [[100, 120]] });
  });
  it("notices an added or removed ending of the last line", async () => {
    const receipt = await receiptOf("one\ntwo");
    assertEquals(await recheck("one\ntwo", receipt), { same: true });
    assertEquals(await recheck("one\ntwo\n", receipt), { changed: [[2, 2]] });
    assertEquals(await recheck("one\ntwofold", receipt), { changed: [[2, 2]] });
    const crLf = await receiptOf("one\r\ntwo\n");
    assertEquals(await recheck("one\ntwo\n", crLf), { changed: [[1, 1]] });
  });
  it("handles parts of lines", async () => {
    const text = "a\n0123456789\nb\n";
    const part = await receiptOf(text, { start: 2, column: 4, width: 3 });
    assertEquals(await recheck(text, part), { same: true });
    const edited = text.replace("9", "x");
    assertEquals(await recheck(edited, part), { same: true });
    assertEquals(await recheck(`x${edited}`, part), { same: true });
    const other = text.replace("4", "x");
    assertEquals(await recheck(other, part), { changed: [[2, 2]] });
    const shifted = text.replace("0", "");
    assertEquals(await recheck(shifted, part), { changed: [[2, 2]] });
    const two = await receiptOf("xxb\nc\n", { column: 3 });
    assertEquals(await recheck("b\nd\n", two), { changed: [[1, 2]] });
    const rest = await receiptOf(text, { start: 2, column: 4 });
    assertEquals(await recheck(`new\n${text}`, rest), { moved: 1 });
  });
  it("handles lines counted from the end", async () => {
    const receipt = await receiptOf("one\ntwo\nthree\n", {
      tail: 2,
      numbered: false,
    });
    assertEquals(await recheck("new\ntwo\nthree\n", receipt), { same: true });
    assertEquals(await recheck("one\ntwo\nthree\nx\n", receipt), { moved: -1 });
    assertEquals(await recheck("two\nTHREE\n", receipt), {
      changed: [[-1, -1]],
    });
    assertEquals(await recheck("three\n", receipt), { changed: [[-2, -2]] });
  });
  it("handles pages that showed nothing", async () => {
    const empty = await receiptOf("");
    assertEquals(await recheck("", empty), { same: true });
    assertEquals(await recheck("new", empty), { changed: [[1, 1]] });
    const past = await receiptOf("one\n", { start: 4 });
    assertEquals(await recheck("one\ntwo\n", past), { same: true });
    assertEquals(await recheck("1\n2\n3\n4\n", past), { changed: [[4, 4]] });
  });
  it("handles the several runs of lines of a page of hits", async () => {
    const lines = linesTo(90);
    const text = lines.join("");
    const found = { match: "5", before: 0, after: 1 };
    const receipt = await receiptOf(text, found);
    assertEquals(await recheck(text, receipt), { same: true });
    assertEquals(await recheck(`new\n${text}`, receipt), { moved: 1 });
    const edited = lines.with(24, "new\n").with(1, "new\n").join("");
    assertEquals(await recheck(edited, receipt), { changed: [[25, 25]] });
    const apart = lines.toSpliced(80, 0, "new\n").join("");
    assertEquals(await recheck(apart, receipt), { changed: [[85, 86]] });
  });
  it("is `gone` for a missing or hidden file", async () => {
    const fs = memoryFs({ "/a.key": "one\n", "/b": "" });
    const { receipt } = await (await openWorkspace("/", { fs })).read("a.key");
    const hiding = await openWorkspace("/", {
      fs,
      deny: ["*.key"],
      denied: "hide",
    });
    assertEquals(await hiding.recheck("a.key", receipt), { gone: true });
    assertEquals(await hiding.recheck("none.key", receipt), { gone: true });
    const denying = await openWorkspace("/", { fs, deny: ["*.key"] });
    const error = await assertRejects(
      () => denying.recheck("a.key", receipt),
      ReadFileError,
    );
    assertEquals(error.code, "POLICY_DENIED");
  });
  it("reports the lines of another file as changed", async () => {
    const receipt = await receiptOf("other\nlines\n");
    assertEquals(await recheck("one\ntwo\n", receipt), { changed: [[1, 2]] });
  });
  it("never answers `same` to a forged receipt, and reads no impossible bytes", async () => {
    const text = linesTo(50).join("");
    const workspace = await openWorkspace("/", {
      fs: memoryFs({ "/a": text }),
    });
    const most = Number.MAX_SAFE_INTEGER;
    const numbers = [null, 0, 1, -1, 7, -50, 2 ** 31, most, -most];
    const random = new Random(SEED);
    const answers = new Set<string>();
    for (let call = 0; call < 500; call++) {
      const tags = "AbC9".repeat(random.pick([0, 1, 2, 50, 300]));
      const forged = runAtOnce(writeStamp({
        kind: random.from(0, 6),
        numbers: [...[0, 1, 2].map(() => random.pick(numbers)), 0],
        tail: "A".repeat(random.pick([22, 22, 22, 21])) + tags,
      }));
      for (
        const ask of [
          () => workspace.recheck("a", forged),
          async () => {
            const page = await workspace.read("a", { since: forged });
            return {
              lines: page.lines.every((line) => text.includes(line.text)),
            };
          },
        ]
      ) {
        try {
          answers.add(Object.keys(await ask()).join());
        } catch (error) {
          assert(error instanceof ReadFileError, `${error}`);
          answers.add(error.code);
        }
      }
    }
    const told = [...answers].sort();
    assertEquals(told, ["INVALID_ARGUMENT", "changed", "lines"]);
  });
  it("refuses a text that is not a receipt, and says what to do", async () => {
    const workspace = await openWorkspace("/", { fs: memoryFs({ "/a": "a" }) });
    const { receipt, etag } = await workspace.read("a");
    const long = await receiptOf(linesTo(9).join(""));
    const bad: unknown[] = [undefined, 1, null, {}, "", "abc", etag];
    for (let end = 0; end < receipt.length; end++) {
      bad.push(receipt.slice(0, end));
    }
    bad.push(long.slice(0, -4), long.slice(0, -1), `${receipt}AAAA`);
    bad.push(`${receipt.slice(0, 5)}A${receipt.slice(5)}`);
    bad.push(receipt.toUpperCase());
    for (const text of bad) {
      const error = await assertRejects(
        () => workspace.recheck("a", text as string),
        ReadFileError,
      );
      assertEquals(error.code, "INVALID_ARGUMENT");
      assertMatch(error.message, /receipt is not the receipt of a page/);
      assertEquals(error.hint, "read the lines again");
    }
  });
  it("does not compare a file that changes during the read", async () => {
    const fs = oneFileFs();
    fs.content = encoder.encode(linesTo(3).join(""));
    fs.mtimeMs = 1;
    const workspace = await openWorkspace("/ws", { fs });
    const { receipt } = await workspace.read("a");
    const { open } = fs;
    const raced = await openWorkspace("/ws", {
      fs: {
        ...fs,
        lstat: fs.lstat,
        open: (path) => {
          const handle = open(path) as Awaited<ReturnType<typeof open>>;
          return {
            ...handle,
            read: async (buffer, position) => {
              const count = await handle.read(buffer, position);
              fs.content = encoder.encode(
                `${linesTo(2).join("")}LINE 3\nmore\n`,
              );
              return count;
            },
          };
        },
      },
    });
    const error = await assertRejects(
      () => raced.recheck("a", receipt),
      ReadFileError,
    );
    assertEquals(error.code, "CHANGED");
  });
});

describe("recheck() after random edits", () => {
  const { seed, numRuns } = draws(2_000, 2_000);
  it(`agrees with the edited lines, ${numRuns} times (seed ${seed})`, async () => {
    await checkScripts(numRuns, seed);
  });
});
