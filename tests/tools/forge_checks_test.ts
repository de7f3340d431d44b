import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { failureOf } from "../support/forge.ts";

/** One fault for each check, in the order of the checks: the earlier one is reported. */
const FAULTS: readonly {
  readonly check: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly message: RegExp;
}[] = [
  {
    check: "unknown keys",
    args: { lines: 1 },
    message: /^arguments hold "lines"/,
  },
  {
    check: "types",
    args: { show_line_numbers: 1 },
    message: /must be a boolean$/,
  },
  {
    check: "empty path",
    args: { path: "" },
    message: /^path must not be empty$/,
  },
  { check: ">= 1", args: { tail: 0 }, message: /^tail must be >= 1$/ },
  {
    check: "combinations",
    args: { head: 1, limit: 2 },
    message: /^head\/tail cannot be combined with/,
  },
  {
    check: "start <= end",
    args: { start_line: 5, end_line: 2 },
    message: /^start_line must be <= end_line$/,
  },
  { check: "open", args: { path: "no.txt" }, message: /nothing is there/ },
  {
    check: "binary with range",
    args: { path: "b.bin", limit: 9 },
    message: /^Line ranges are not supported/,
  },
  {
    check: "limits",
    args: { path: "long.txt", limit: 9 },
    message: /^Scan limit exceeded/,
  },
];

describe("Read checks", () => {
  for (const [index, earlier] of FAULTS.entries()) {
    it(`${earlier.check}`, async () => {
      const error = await failureOf({ path: "a.txt", ...earlier.args });
      assert(earlier.message.test(error.message), error.message);
    });
    for (const later of FAULTS.slice(index + 1)) {
      // Two faults of the path cannot be combined.
      if ("path" in earlier.args && "path" in later.args) continue;
      it(`${earlier.check} before ${later.check}`, async () => {
        const args = { path: "a.txt", ...later.args, ...earlier.args };
        const error = await failureOf(args);
        assert(earlier.message.test(error.message), error.message);
      });
    }
  }

  it("the object before all others", async () => {
    const faults = FAULTS.map(({ args }) => args);
    assertEquals(
      (await failureOf(faults)).message,
      "arguments must be an object, or its JSON text",
    );
  });

  it("types before an empty path, also the type of the path", async () => {
    assertEquals(
      (await failureOf({ path: "", head: "1" })).message,
      "head must be an integer",
    );
  });

  it("opening before limits", async () => {
    assertEquals(
      (await failureOf({ path: "no.txt", head: 9 })).code,
      "NOT_FOUND",
    );
  });

  it("binary with range before limits", async () => {
    const error = await failureOf({ path: "b.bin", start_line: 9 });
    assertEquals(error.code, "INVALID_ARGUMENT");
  });
});
