import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
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

  it("refuses an unknown key, with the known keys", () => {
    for (
      const [key, end] of [
        ["max_bytes", ""],
        ["toString", ""],
        ["max_scan_byte", "; did you mean max_scan_bytes?"],
        ["x".repeat(300), ""],
      ] as const
    ) {
      const parse = () => parseForgeConfig(`[tools.read_file]\n\n${key} = 1`);
      const { message } = assertThrows(parse, TypeError);
      const shown = `tools.read_file.${key}`.slice(0, 256);
      assert(
        message.startsWith(
          `Cannot read the configuration: "${shown}`,
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
          "0",
          "-1",
          "true",
          "[5]",
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
            `^Cannot read the configuration: tools.read_file.${key} must be a whole number from 1 on, not `,
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
        /^Cannot read the configuration: tools\.read_file\.show_line_numbers must be true or false, not /,
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
        `Cannot read the configuration: ${name} must be a table`,
      );
    }
  });

  it("refuses invalid TOML with a SyntaxError that names the line", () => {
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

  it("takes what the parser accepts although it is no TOML", () => {
    for (
      const [toml, max_scan_bytes] of [
        ["max_scan_bytes = 1\nmax_scan_bytes = 2", 2],
        ["max_scan_bytes = 0X10", 16],
        ["max_scan_bytes = 5.0", 5],
      ] as const
    ) {
      const config = parseForgeConfig(`[tools.read_file]\n${toml}`);
      assertEquals(config, { ...DEFAULTS, max_scan_bytes });
    }
  });

  for (
    const toml of [
      "[__proto__]\nmax_scan_bytes = 7",
      "[[__proto__]]\nmax_scan_bytes = 7",
      '["\\u005f_proto__"]\nmax_scan_bytes = 7',
      "__proto__.max_scan_bytes = 7",
      "__proto__ = { max_scan_bytes = 7 }",
      "a = { __proto__ = { max_scan_bytes = 7 } }",
      "[__proto__.tools.read_file]\nmax_scan_bytes = 7",
      "[tools.__proto__.read_file]\nmax_scan_bytes = 7",
      "[tools.__proto__]\nmax_scan_bytes = 7",
      "[tools.read_file.__proto__]\nmax_scan_bytes = 7",
      "[tools.read_file]\n__proto__.max_scan_bytes = 7",
      "[constructor.prototype]\nmax_scan_bytes = 7",
      "[tools.constructor.prototype]\nmax_scan_bytes = 7",
    ]
  ) {
    it(`adds nothing to a prototype: ${JSON.stringify(toml)}`, () => {
      const before = Reflect.ownKeys(Object.prototype);
      try {
        assertEquals(parseForgeConfig(toml), DEFAULTS);
      } catch (error) {
        assert(error instanceof TypeError, String(error));
      }
      assertEquals(Reflect.ownKeys(Object.prototype), before);
      assert(!("max_scan_bytes" in {}));
      assertEquals(parseForgeConfig(""), DEFAULTS);
    });
  }

  it("reads own properties alone", () => {
    const polluted = Object.prototype as Record<string, unknown>;
    const names = ["max_scan_bytes", "tools", "read_file"];
    try {
      for (const name of names) polluted[name] = 7;
      assertEquals(parseForgeConfig("[tools.read_file]"), DEFAULTS);
      assertEquals(parseForgeConfig(""), DEFAULTS);
    } finally {
      for (const name of names) delete polluted[name];
    }
  });

  it("refuses more than 64 KiB, or 1,000 keys, before it parses them", () => {
    const keys = (count: number) =>
      Array.from({ length: count }, (_, at) => `k${at} = 1\n`).join("");
    assertEquals(parseForgeConfig(keys(999)), DEFAULTS);
    assertEquals(parseForgeConfig("#".repeat(65_536)), DEFAULTS);
    // A letter may have two bytes.
    assertThrows(() => parseForgeConfig(`#${"é".repeat(33_000)}`), RangeError);
    for (const toml of [keys(1_001), "#".repeat(65_537), "a={b=1},"]) {
      const refused = toml.length > 100 ? RangeError : SyntaxError;
      assertThrows(() => parseForgeConfig(toml), refused);
    }
  });

  it("counts the tables as keys: they cost the parser as much", () => {
    const lines = (from: number, to: number, write: (at: number) => string) =>
      Array.from({ length: to - from }, (_, at) => write(from + at)).join("\n");
    const heads = [
      (at: number) => `[t${at}]`,
      (at: number) => ` \t[[t${at}]]`,
      (at: number) => `["t${at}"] # [`,
    ];
    const oneLine = lines(0, 1_000, (at) => `[t${at}]`).replaceAll("\n", " ");
    assertEquals(parseForgeConfig(oneLine), DEFAULTS);
    for (const more of ["[x]", "x = 1", 'x = "" [y]']) {
      assertThrows(() => parseForgeConfig(oneLine + more), RangeError);
    }
    for (const head of heads) {
      const keys = lines(0, 500, (at) => `k${at} = 1`);
      const most = `${keys}\n${lines(0, 500, head)}`;
      assertEquals(parseForgeConfig(most), DEFAULTS);
      assertThrows(() => parseForgeConfig(`${most}\n[x]`), RangeError);
    }
    const arrays = `a = [\n${lines(0, 1_200, () => "[1], # one")}\n]`;
    assertEquals(parseForgeConfig(arrays), DEFAULTS);
    const inText = `a = """\n${lines(0, 1_200, () => "[x]")}"""\n#${"["}`;
    assertEquals(parseForgeConfig(inText), DEFAULTS);
  });

  it("counts no equals signs in strings and comments as keys", () => {
    const many = "=".repeat(1_200);
    for (
      const text of [
        `# ${many}`,
        `a = 1 # ${many}`,
        `a = "\\"${many}"`,
        `a = '\\${many}"'`,
        `a = """\n${many} "" \\""" ${many}""""`,
        `a = '''\n${many} '' ${many}''''`,
        `"${many}" = 1`,
        `a = ["${many}", '${many}']`,
      ]
    ) {
      const toml = `${text}\n[tools.read_file]\nmax_scan_bytes = 7\n`;
      assertEquals(parseForgeConfig(toml).max_scan_bytes, 7, text.slice(0, 9));
    }
  });

  it("counts all keys, whatever only looks like a string before them", () => {
    const keys = Array.from({ length: 1_001 }, (_, at) => `k${at}=1\n`).join(
      "",
    );
    for (
      const text of [
        "# it's",
        '# """',
        "#\u2028'''",
        "#\r'''",
        'a = \'"""\'',
        "a = \"'''\"",
        'a = "\\\\"',
        "a = '\\'",
        'a = """"""',
        'a = """\\""""""',
        "a = '''''''",
      ]
    ) {
      const parse = () => parseForgeConfig(`${text}\n${keys}`);
      assertThrows(parse, RangeError, "1000 keys", text);
    }
  });

  it("refuses a value that is not a string", () => {
    for (const toml of [undefined, null, 5, {}, ["[tools]"]]) {
      assertThrows(() => parseForgeConfig(toml as string), TypeError);
    }
  });

  for (
    const [toml, name] of [
      ["[tools.readfile]\nx = 1", "tools.readfile"],
      ["[tool.read_file]", "tool.read_file"],
      ["\n[tools.Read]\nmax_scan_bytes = 1", "tools.Read"],
      ["[tools.read-file]", "tools.read-file"],
      ["[tools.raed_file]", "tools.raed_file"],
      ["tools.ReadFile = { max_scan_bytes = 1 }", "tools.ReadFile"],
      ["[Tools.Read]", "Tools.Read"],
      ["[read_file]\nmax_scan_bytes = 1", "read_file"],
      ["a = 1\nmax_scan_bytes = 1", "max_scan_bytes"],
      ["[tools]\nmax_scan_bytes = 1", "tools.max_scan_bytes"],
      ["[tool]\nmax_scan_bytes = 1", "tool"],
      ['["tools.read_file"]\nmax_scan_bytes = 1', "tools.read_file"],
      [
        '"tools.read_file.max_scan_bytes" = 1',
        "tools.read_file.max_scan_bytes",
      ],
    ] as const
  ) {
    it(`refuses ${JSON.stringify(toml)}, which would have no effect`, () => {
      const { message } = assertThrows(() => parseForgeConfig(toml), TypeError);
      assertEquals(
        message,
        `Cannot read the configuration: "${name}" is not read; write it below [tools.read_file]`,
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
