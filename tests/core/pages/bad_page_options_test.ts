import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertThrows,
} from "@std/assert";
import { describe, it } from "node:test";
import {
  type JsonSchema,
  ReadFileError,
  type ReadOptions,
} from "../../../mod.ts";
import {
  assertTellsNothing,
  isMistyped,
  workspaceOf,
} from "../../support/bad_answers.ts";
import { anyArguments, anyValue } from "../../support/bad_input.ts";
import { Random, SEED } from "../../support/random.ts";
import { forged, withCheck } from "../../support/forged_etags.ts";

/** How many calls a test makes. */
const CALLS = 1_000;
const PARTS = [0, 1, 2, 3, 4] as const;

/** A schema of the page options, from which wrong options are made. */
const PAGE: JsonSchema = {
  type: "object",
  properties: {
    ...Object.fromEntries(
      ["start", "count", "end", "tail", "around", "before", "after"]
        .concat("maxBytes", "column", "width")
        .map((name) => [name, { type: "integer" }]),
    ),
    escape: { type: "boolean" },
    numbered: { type: "boolean" },
    etag: { type: "string" },
  },
};

/** Valid values of single options, which do not conflict. */
function anyPageOptions(random: Random): unknown {
  const names = Object.keys(PAGE.properties!);
  const properties = Object.fromEntries(
    [random.pick(names), random.pick(names)]
      .map((name) => [name, PAGE.properties![name]!]),
  );
  return anyArguments({ type: "object", properties }, random);
}

describe("Workspace.read() with any options", () => {
  for (const part of PARTS) {
    const seed = SEED + part;
    it(`gives a page, or fails with a code (seed ${seed})`, async () => {
      const { workspace, counts } = await workspaceOf();
      const random = new Random(seed);
      let answered = 0;
      for (let call = 0; call < CALLS; call++) {
        const options = anyPageOptions(random);
        const isOdd = random.below(9) === 0;
        const path = isOdd ? anyValue(random) : "a.txt";
        const { opened } = counts;
        const code = await codeOf(
          workspace.read(path as string, options as ReadOptions),
        );
        if (code === null) answered++;
        const wrong = typeof path !== "string" || options === null ||
          typeof options === "string" ||
          (options !== undefined && isWrongPage(options));
        if (!wrong) continue;
        assertEquals(code, "INVALID_ARGUMENT");
        assertEquals(counts.opened, opened, "a file was opened");
      }
      assert(answered > CALLS / 20, `${answered} calls were answered`);
      assertEquals(counts.open, 0);
    });
  }

  /** Whether options are not an object. */
  function isWrongPage(options: unknown): boolean {
    if (isMistyped({ type: "object" }, options)) return true;
    const { escape = false, numbered = false, etag = "", ...numbers } = {
      ...options as ReadOptions,
    };
    return typeof (escape ?? false) !== "boolean" ||
      typeof (numbered ?? false) !== "boolean" ||
      typeof (etag ?? "") !== "string" ||
      Object.entries(numbers).some(([name, value]) =>
        Object.hasOwn(PAGE.properties!, name) && value !== undefined &&
        !(value === Infinity && /^(count|end|maxBytes|width)$/.test(name)) &&
        !Number.isSafeInteger(value)
      );
  }

  for (
    const options of [null, 5, "start", true, [], [1], () => ({}), 1n, Symbol()]
  ) {
    it(`refuses ${String(options)} (${typeof options}) for options`, async () => {
      const { workspace } = await workspaceOf();
      const wrong = options as unknown as ReadOptions;
      const error = await assertRejects(
        () => workspace.read("a.txt", wrong),
        ReadFileError,
      );
      assertMatch(
        error.message,
        /^Cannot read "a\.txt": options must be a plain object, not /,
      );
      // pages() fails before its first page.
      assertThrows(
        () => workspace.pages("a.txt", wrong),
        ReadFileError,
        error.message,
      );
    });
  }

  it("refuses wrong options of pages() before the first page", async () => {
    const { workspace } = await workspaceOf();
    const wrong: readonly [object, object, string][] = [
      [{ start: 0 }, {}, "start must be a whole number"],
      [{ strat: 1 }, {}, '"strat" is unknown'],
      [{ tail: 1, start: 1 }, {}, "cannot be combined"],
      [{}, { signal: {} }, "signal must be"],
      [{}, { singal: null }, '"singal" is unknown'],
    ];
    for (const [options, limits, problem] of wrong) {
      assertThrows(
        () => workspace.pages("a.txt", options, limits),
        ReadFileError,
        problem,
      );
    }
  });

  it("refuses a forged etag", async () => {
    const { workspace } = await workspaceOf();
    const page = await workspace.read("big.txt", { count: 3 });
    const random = new Random(SEED);
    const most = Number.MAX_SAFE_INTEGER;
    // Impossible numbers, and numbers in more or fewer characters than they need.
    for (
      const [size, end, length, width] of [
        [1, 1, 2, 1],
        [1, 2, 1, 1],
        [0, 0, 1, 1],
        [1, 1, most, 9],
        [most, most, 2 ** 53, 9],
        [2 ** 53, 1, 1, 9],
        [1, 1, 1, 2],
        [1, 1, 1, 9],
        [64, 1, 1, 1],
      ] as const
    ) {
      const etag = forged(page.etag, { size, end, length }, width);
      const code = await codeOf(workspace.read("big.txt", { start: 2, etag }));
      assertEquals(code, "INVALID_ARGUMENT", etag);
    }
    const codes = new Map<string | null, number>();
    for (let call = 0; call < CALLS; call++) {
      const body = Array.from(
        page.etag.slice(0, -2),
        (char) =>
          random.below(30) === 0 ? random.pick("AZaz09-_".split("")) : char,
      );
      const options = { start: 2, etag: withCheck(body.join("")) };
      const code = await codeOf(workspace.read("big.txt", options));
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    const found = [...codes.keys()].map(String).sort();
    assertEquals(found, ["CHANGED", "INVALID_ARGUMENT", "null"]);
  });

  async function codeOf(reading: Promise<unknown>): Promise<string | null> {
    try {
      await reading;
      return null;
    } catch (error) {
      if (!(error instanceof ReadFileError)) throw error;
      if (error.code === "INVALID_ARGUMENT") assertTellsNothing(error.message);
      return error.code;
    }
  }
});
