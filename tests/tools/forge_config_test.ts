import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace } from "../../mod.ts";
import {
  type ForgeReadConfig,
  parseForgeConfig,
} from "../../src/tools/forge_config.ts";
import { createForgeRead } from "../../src/tools/forge_read.ts";

const DEFAULTS = {
  max_file_read_bytes: 204800,
  max_scan_bytes: 2097152,
  show_line_numbers: true,
};

const workspace = openWorkspace("/ws", { fs: memoryFs({ "/ws/a.txt": "a" }) });

describe("parseForgeConfig()", () => {
  it("reads the three keys", () => {
    assertEquals(
      parseForgeConfig(
        "[tools.read_file]\nmax_file_read_bytes = 5\r\nmax_scan_bytes = 1_000 # bytes\nshow_line_numbers = false",
      ),
      {
        max_file_read_bytes: 5,
        max_scan_bytes: 1000,
        show_line_numbers: false,
      },
    );
  });

  it("reads the seed's own example", () => {
    const toml =
      "[tools.read_file]\nmax_file_read_bytes = 204800\nmax_scan_bytes = 2097152\nshow_line_numbers = true\n";
    assertEquals(parseForgeConfig(toml), DEFAULTS);
  });

  it("takes the default for an absent table, or key", () => {
    for (
      const toml of [
        "",
        "[tools]",
        "[tools.read_file]",
        "[other]\nmax = 1",
        "[tools.edit]\nx = 1",
      ]
    ) {
      assertEquals(parseForgeConfig(toml), DEFAULTS);
    }
    assertEquals(
      parseForgeConfig("[tools.read_file]\nmax_scan_bytes = 1"),
      { ...DEFAULTS, max_scan_bytes: 1 },
    );
  });

  it("reads the table however TOML spells it", () => {
    for (
      const toml of [
        "tools.read_file.max_scan_bytes = 7",
        "[tools]\nread_file = { max_scan_bytes = 7 }",
        "[ tools . 'read_file' ]\nmax_scan_bytes = 0x7",
      ]
    ) {
      assertEquals(parseForgeConfig(toml).max_scan_bytes, 7);
    }
  });

  it("refuses an unknown key, and names it and the known ones", () => {
    const parse = () => parseForgeConfig("[tools.read_file]\nmax_bytes = 1");
    assertEquals(
      assertThrows(parse, TypeError).message,
      'Cannot read the configuration: "tools.read_file.max_bytes" is unknown; the keys are max_file_read_bytes, max_scan_bytes, show_line_numbers',
    );
    const inherited = () => parseForgeConfig("[tools.read_file]\ntoString = 1");
    assertStringIncludes(
      assertThrows(inherited, TypeError).message,
      "toString",
    );
  });

  for (const key of ["max_file_read_bytes", "max_scan_bytes"]) {
    it(`refuses a ${key} that is no positive integer`, () => {
      for (
        const value of [
          '"5"',
          "1.5",
          "0",
          "-1",
          "true",
          "[5]",
          "inf",
          "nan",
          "1979-05-27",
          "9007199254740993",
          "{ a = 1 }",
        ]
      ) {
        const parse = () =>
          parseForgeConfig(`[tools.read_file]\n${key} = ${value}`);
        assertEquals(
          assertThrows(parse, TypeError).message,
          `Cannot read the configuration: tools.read_file.${key} must be a positive integer`,
        );
      }
    });
  }

  it("refuses a show_line_numbers that is no boolean", () => {
    for (const value of ['"true"', "1", "[]"]) {
      const parse = () =>
        parseForgeConfig(`[tools.read_file]\nshow_line_numbers = ${value}`);
      assertEquals(
        assertThrows(parse, TypeError).message,
        "Cannot read the configuration: tools.read_file.show_line_numbers must be true or false",
      );
    }
  });

  it("refuses what should be a table and is none", () => {
    for (
      const [toml, name] of [
        ["tools = 5", "tools"],
        ["tools = 1979-05-27", "tools"],
        ["[[tools]]\nx = 1", "tools"],
        ["tools.read_file = 5", "tools.read_file"],
        ["[[tools.read_file]]\nmax_scan_bytes = 1", "tools.read_file"],
      ] as const
    ) {
      assertEquals(
        assertThrows(() => parseForgeConfig(toml), TypeError).message,
        `Cannot read the configuration: ${name} must be a table`,
      );
    }
  });

  it("refuses broken TOML with a SyntaxError that has the line", () => {
    const cases: readonly [string, number][] = [
      ["[tools.read_file", 1],
      ["\n\n[tools\n", 3],
      ["[tools.read_file]\nmax_scan_bytes = 5 5", 2],
      ["[tools.read_file]\n\nmax_scan_bytes = ", 3],
    ];
    for (const [toml, line] of cases) {
      const { message } = assertThrows(
        () => parseForgeConfig(toml),
        SyntaxError,
      );
      assertMatch(message, new RegExp(`\\bline ${line}\\b`));
    }
  });

  it("refuses what is no text", () => {
    for (const toml of [undefined, null, 5, {}, ["[tools]"]]) {
      assertThrows(() => parseForgeConfig(toml as string), TypeError);
    }
  });

  it("lets no table reach a prototype", () => {
    const cases = [
      "[a.b]\n[a.__proto__.polluted]\nx = 1",
      '[a.b]\n\n["a"."\\u005f_proto__".polluted]\nx = 1',
      '[a.b]\n["a"."\\U00005f_proto__".polluted]\nx = 1',
      "a = [1]\n[a.__proto__.polluted]\nx = 1",
      "a = 1979-05-27\n[[a.__proto__.polluted]]\nx = 1",
      "[tools.read_file]\n[tools.__proto__.polluted]\nx = 1",
    ];
    for (const toml of cases) {
      const { message } = assertThrows(() => parseForgeConfig(toml), TypeError);
      const line = toml.startsWith("[a.b]\n\n") ? 3 : 2;
      assertStringIncludes(message, `line ${line} `);
      for (const value of [{}, 1, new Date(0)]) {
        assertEquals("polluted" in Object(value), false);
      }
    }
    assertEquals(
      parseForgeConfig('# __proto__\na = "__proto__ \\u005f"'),
      DEFAULTS,
    );
  });
});

describe("createForgeRead()", () => {
  it("takes what parseForgeConfig() gives, and defaults for what is absent", async () => {
    const config = parseForgeConfig(
      "[tools.read_file]\nshow_line_numbers = false",
    );
    for (
      const [given, text] of [[config, "a"], [{}, "1| a"], [
        undefined,
        "1| a",
      ]] as const
    ) {
      const tool = createForgeRead(await workspace, given);
      assertEquals((await tool.call({ path: "a.txt" })).text, text);
    }
  });

  it("refuses limits that are no positive integers, by their keys", async () => {
    const ws = await workspace;
    for (const key of ["max_file_read_bytes", "max_scan_bytes"]) {
      const message = `Cannot make Read: ${key} must be a positive integer`;
      for (const value of [-1, 0, 1.5, NaN, Infinity, 2 ** 53]) {
        const make = () => createForgeRead(ws, { [key]: value });
        assertEquals(assertThrows(make, RangeError).message, message);
      }
      for (const value of ["5", true, {}]) {
        const make = () =>
          createForgeRead(ws, { [key]: value } as ForgeReadConfig);
        assertEquals(assertThrows(make, TypeError).message, message);
      }
    }
  });

  it("refuses other wrong values and unknown keys, by their keys", async () => {
    const ws = await workspace;
    const cases: readonly [object, string][] = [
      [{ show_line_numbers: "no" }, "show_line_numbers must be true or false"],
      [{ maxScanBytes: 5 }, '"maxScanBytes" is unknown'],
      [[], "config must be an object"],
    ];
    for (const [config, words] of cases) {
      const make = () => createForgeRead(ws, config as ForgeReadConfig);
      const { message } = assertThrows(make, TypeError);
      assert(message.startsWith("Cannot make Read: "), message);
      assertStringIncludes(message, words);
    }
  });
});
