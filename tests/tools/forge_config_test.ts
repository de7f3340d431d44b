import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace } from "../../mod.ts";
import {
  type ForgeReadConfig,
  parseForgeConfig,
} from "../../src/tools/forge_arguments.ts";
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

  it("reads the example of the specification", () => {
    const toml =
      "[tools.read_file]\nmax_file_read_bytes = 204800\nmax_scan_bytes = 2097152\nshow_line_numbers = true\n";
    assertEquals(parseForgeConfig(toml), DEFAULTS);
  });

  it("uses the default for an absent table or key", () => {
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

  it("reads the table in any TOML syntax", () => {
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

  it("refuses an unknown key, with its line and the known keys", () => {
    for (
      const [key, end] of [
        ["max_bytes", ""],
        ["toString", ""],
        ["__proto__.x", ""],
        ["max_scan_byte", "; did you mean max_scan_bytes?"],
        ["x".repeat(300), ""],
      ] as const
    ) {
      const parse = () => parseForgeConfig(`[tools.read_file]\n\n${key} = 1`);
      const { message } = assertThrows(parse, TypeError);
      const shown = `tools.read_file.${key.replace(".x", "")}`.slice(0, 256);
      assert(
        message.startsWith(
          `Cannot read the configuration: line 3: "${shown}`,
        ),
        message,
      );
      assert(
        message.endsWith(
          `" is unknown; the names are max_file_read_bytes, max_scan_bytes, show_line_numbers${end}`,
        ),
        message,
      );
    }
  });

  for (const key of ["max_file_read_bytes", "max_scan_bytes"]) {
    it(`refuses a ${key} that is not a positive integer`, () => {
      for (
        const value of [
          '"5"',
          "1.5",
          "5.0",
          "5e0",
          "0",
          "-1",
          "true",
          "[5]",
          "inf",
          "nan",
          "1979-05-27",
          "07:32:00",
          "9007199254740993",
          "{ a = 1 }",
        ]
      ) {
        const parse = () =>
          parseForgeConfig(`[tools.read_file]\n${key} = ${value}`);
        assertMatch(
          assertThrows(parse, TypeError).message,
          new RegExp(
            `^Cannot read the configuration: line 2: tools.read_file.${key} must be a whole number from 1 on, not `,
          ),
        );
      }
    });
  }

  it("refuses a show_line_numbers that is not a boolean", () => {
    for (const value of ['"true"', "1", "[]"]) {
      const parse = () =>
        parseForgeConfig(`[tools.read_file]\nshow_line_numbers = ${value}`);
      assertMatch(
        assertThrows(parse, TypeError).message,
        /^Cannot read the configuration: line 2: tools\.read_file\.show_line_numbers must be true or false, not /,
      );
    }
  });

  it("refuses a value in place of a table", () => {
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
        `Cannot read the configuration: line 1: ${name} must be a table`,
      );
    }
  });

  it("refuses invalid TOML with a SyntaxError that names the line", () => {
    const cases: readonly [string, number][] = [
      ["[tools.read_file", 1],
      ["\n\n[tools\n", 3],
      ["[tools.read_file]\nmax_scan_bytes = 5 5", 2],
      ["[tools.read_file]\n\nmax_scan_bytes = ", 3],
      ["[tools.read_file]\nmax_scan_bytes = 0X10", 2],
    ];
    for (const [toml, line] of cases) {
      const { message } = assertThrows(
        () => parseForgeConfig(toml),
        SyntaxError,
      );
      assertMatch(message, new RegExp(`\\bline ${line}\\b`));
    }
  });

  it("refuses a value that is not a string", () => {
    for (const toml of [undefined, null, 5, {}, ["[tools]"]]) {
      assertThrows(() => parseForgeConfig(toml as string), TypeError);
    }
  });

  for (
    const [toml, name, line] of [
      ["[tools.readfile]\nx = 1", "tools.readfile", 1],
      ["[tool.read_file]", "tool.read_file", 1],
      ["\n[tools.Read]\nmax_scan_bytes = 1", "tools.Read", 2],
      ["[tools.read-file]", "tools.read-file", 1],
      ["[tools.raed_file]", "tools.raed_file", 1],
      ["tools.ReadFile = { max_scan_bytes = 1 }", "tools.ReadFile", 1],
      ["[Tools.Read]", "Tools.Read", 1],
      ["[read_file]\nmax_scan_bytes = 1", "read_file", 1],
      ["a = 1\nmax_scan_bytes = 1", "max_scan_bytes", 2],
      ["[tools]\nmax_scan_bytes = 1", "tools.max_scan_bytes", 2],
      ["[tool]\nmax_scan_bytes = 1", "tool", 1],
      ['["tools.read_file"]\nmax_scan_bytes = 1', "tools.read_file", 1],
      [
        '"tools.read_file.max_scan_bytes" = 1',
        "tools.read_file.max_scan_bytes",
        1,
      ],
    ] as const
  ) {
    it(`refuses ${JSON.stringify(toml)}, which would have no effect`, () => {
      const { message } = assertThrows(() => parseForgeConfig(toml), TypeError);
      assertEquals(
        message,
        `Cannot read the configuration: line ${line}: "${name}" is not read; write it below [tools.read_file]`,
      );
    });
  }

  it("ignores other tables", () => {
    for (
      const toml of [
        "[tool.black]\nline-length = 88",
        "[tools.write_file]\nx = 1\n[tools.edit]\n[tools.read_dir]",
        "[read]\ntimeout = 1",
        "[__proto__.signal]\nx = 1",
      ]
    ) assertEquals(parseForgeConfig(toml), DEFAULTS);
  });
});

describe("createForgeRead()", () => {
  it("accepts the result of parseForgeConfig(), with defaults for absent keys", async () => {
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

  it("accepts Infinity as no limit", async () => {
    const config = { max_file_read_bytes: Infinity, max_scan_bytes: Infinity };
    const tool = createForgeRead(await workspace, config);
    assertEquals((await tool.call({ path: "a.txt" })).text, "1| a");
  });

  it("refuses limits that are not positive integers, and names their keys", async () => {
    const ws = await workspace;
    for (const key of ["max_file_read_bytes", "max_scan_bytes"]) {
      const message =
        `Cannot make Read: ${key} must be a whole number from 1 on, not `;
      for (const value of [-1, 0, 1.5, NaN, -Infinity, 2 ** 53]) {
        const make = () => createForgeRead(ws, { [key]: value });
        assertThrows(make, RangeError, message + value);
      }
      for (const value of ["5", true, {}, null]) {
        const make = () => createForgeRead(ws, { [key]: value } as never);
        assertThrows(make, TypeError, message);
      }
    }
  });

  it("refuses other wrong values and unknown keys, and names the keys", async () => {
    const ws = await workspace;
    const cases: readonly [unknown, string][] = [
      [
        { show_line_numbers: "no" },
        'show_line_numbers must be true or false, not "no"',
      ],
      [{ maxScanBytes: 5 }, '"maxScanBytes" is unknown'],
      [[], "config must be a plain object, not an array"],
      [null, "config must be a plain object, not null"],
      [new Map(), "config must be a plain object, not an object"],
    ];
    for (const [config, words] of cases) {
      const make = () => createForgeRead(ws, config as ForgeReadConfig);
      assertThrows(make, TypeError, `Cannot make Read: ${words}`);
    }
  });
});
