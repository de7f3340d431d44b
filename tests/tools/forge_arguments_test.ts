import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { failureOf, fewFiles } from "../support/forge.ts";

const INTEGERS = ["start_line", "end_line", "limit", "head", "tail"];

async function sentence(args: unknown): Promise<string> {
  const error = await failureOf(args);
  assertEquals(error.code, "INVALID_ARGUMENT");
  return error.message;
}

async function text(args: unknown): Promise<string> {
  return (await (await fewFiles()).call(args)).text;
}

describe("Read arguments", () => {
  it("are an object, or its JSON text", async () => {
    assertEquals(await text({ path: "a.txt" }), "1| a\n2| b\n");
    assertEquals(await text('{"path":"a.txt","head":1}'), "1| a\n");
    for (
      const args of [null, undefined, 5, "a.txt", "[]", '"x"', "null", [], [
        "a.txt",
      ]]
    ) {
      assertStringIncludes(
        await sentence(args),
        "arguments must be an object, or its JSON text",
      );
    }
  });

  it("have no unknown name; the message lists the known names", async () => {
    const message = await sentence({ path: "a.txt", heads: 1 });
    assertStringIncludes(message, '"heads"');
    for (const name of ["path", ...INTEGERS, "show_line_numbers"]) {
      assertStringIncludes(message, name);
    }
    await sentence({ path: "a.txt", Head: null });
    await sentence('{"path":"a.txt","__proto__":{"head":1}}');
  });

  it("are ignored if inherited", async () => {
    const args = Object.assign(Object.create({ head: 1 }), { path: "a.txt" });
    assertEquals(await text(args), "1| a\n2| b\n");
  });

  it("require a path that is a string", async () => {
    for (const path of [undefined, null, 5, ["a.txt"]]) {
      assertEquals(await sentence({ path }), "path must be a string");
    }
    assertEquals(await sentence({}), "path must be a string");
  });

  it("require a path that is not empty", async () => {
    assertEquals(await sentence({ path: "" }), "path must not be empty");
  });

  for (const name of INTEGERS) {
    it(`refuse a ${name} that is not an integer`, async () => {
      for (const value of ["1", 1.5, NaN, Infinity, true, [1], {}, 1n]) {
        assertEquals(
          await sentence({ path: "a.txt", [name]: value }),
          `${name} must be an integer`,
        );
      }
      assertEquals(
        await sentence({ path: "a.txt", [name]: 2 ** 53 }),
        `${name} must be at most 9007199254740991`,
      );
    });

    it(`refuse a ${name} below 1`, async () => {
      for (const value of [0, -0, -1, -(2 ** 60)]) {
        assertEquals(
          await sentence({ path: "a.txt", [name]: value }),
          `${name} must be >= 1`,
        );
      }
    });

    it(`accept null for an absent ${name}`, async () => {
      const args = { path: "a.txt", [name]: null };
      assertEquals(await text(args), "1| a\n2| b\n");
      assertEquals(await text({ ...args, [name]: undefined }), "1| a\n2| b\n");
    });
  }

  it("accept integers in any notation", async () => {
    assertEquals(await text('{"path":"a.txt","head":1.0}'), "1| a\n");
    assertEquals(await text('{"path":"a.txt","head":1e0}'), "1| a\n");
  });

  it("refuse a show_line_numbers that is not a boolean", async () => {
    for (const show_line_numbers of ["true", 1, 0, []]) {
      assertEquals(
        await sentence({ path: "a.txt", show_line_numbers }),
        "show_line_numbers must be a boolean",
      );
    }
  });

  it("T-RD-03 head/tail exclusive", async () => {
    for (const end of ["head", "tail"]) {
      for (const name of ["start_line", "end_line", "limit"]) {
        assertEquals(
          await sentence({ path: "a.txt", [end]: 1, [name]: 1 }),
          "head/tail cannot be combined with start_line/end_line/limit",
        );
      }
    }
    assertEquals(
      await sentence({ path: "a.txt", head: 1, tail: 1 }),
      "head and tail cannot be combined",
    );
  });

  it("conflict only if present; null counts as absent", async () => {
    const args = { path: "a.txt", head: 1, tail: null, start_line: null };
    assertEquals(await text(args), "1| a\n");
  });

  it("name the range first if head, tail and a range are combined", async () => {
    assertEquals(
      await sentence({ path: "a.txt", head: 1, tail: 1, limit: 1 }),
      "head/tail cannot be combined with start_line/end_line/limit",
    );
  });

  it("require a start that is not after the end", async () => {
    assertEquals(
      await sentence({ path: "a.txt", start_line: 2, end_line: 1 }),
      "start_line must be <= end_line",
    );
    const same = { path: "a.txt", start_line: 2, end_line: 2 };
    assertEquals(await text(same), "2| b\n");
  });

  it("give a hint with each message", async () => {
    const cases: readonly object[] = [
      { path: "" },
      { head: 0 },
      { head: 1, limit: 1 },
      { head: 1, tail: 1 },
      { start_line: 2, end_line: 1 },
      { path: "b.bin", head: 1 },
      { path: "long.txt" },
      { path: "long.txt", start_line: 2 },
    ];
    for (const args of cases) {
      const { hint, path } = await failureOf({ path: "a.txt", ...args });
      assert(hint !== undefined && hint !== "");
      assertEquals(path, "path" in args ? args.path : "a.txt");
    }
  });
});
