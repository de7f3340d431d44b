import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { openWorkspace, ReadFileError } from "../../../mod.ts";
import {
  foldName,
  foldText,
  isShortName,
} from "../../../src/core/guard/path.ts";
import { foldFs, FOLDS_OF_DISKS } from "../../support/fold_fs.ts";

const FILES = {
  "/ws/.env": "SECRET",
  "/ws/keys/a.pem": "SECRET",
  "/ws/stra\u00dfe": "SECRET",
  "/ws/caf\u00e9.key": "SECRET",
  "/ws/\u03c3\u03af\u03b3\u03bc\u03b1\u03c2": "SECRET",
  "/ws/office": "SECRET",
  "/ws/credentials.json": "SECRET",
  "/ws/a.pub": "public",
};

const DENY = [
  "**/.env",
  "keys/**",
  "STRASSE",
  "cafe\u0301.*",
  "\u03a3\u038a\u0393\u039c\u0391\u03a3",
  "office",
  "{credentials,secrets}.json",
  "!**/*.pub",
];

/** Spellings of the files, and the disks on which they name them. */
const SPELLINGS:
  readonly (readonly [path: string, disks: readonly string[]])[] = [
    [".ENV", [
      "ext4 with case folding",
      "HFS+",
      "APFS",
      "ZFS with formKD",
      "NTFS by Win32",
    ]],
    [".e\u200bnv", ["ext4 with case folding", "HFS+"]],
    ["\ufeff.env", ["ext4 with case folding", "HFS+"]],
    [".env\u00ad", ["ext4 with case folding", "HFS+"]],
    [".e\ufe0fnv", ["ext4 with case folding", "HFS+"]],
    [".e\u{e0041}nv", ["ext4 with case folding", "HFS+"]],
    [".\uff45nv", ["ZFS with formKD"]],
    [".env.", ["NTFS by Win32"]],
    [".env ", ["NTFS by Win32"]],
    [".env. . .", ["NTFS by Win32"]],
    [".env::$DATA", ["NTFS by Win32"]],
    ["ENV~1", ["NTFS by Win32"]],
    ["env~1", ["NTFS by Win32"]],
    ["ENV~1.", ["NTFS by Win32"]],
    ["CREDEN~1.JSO", ["NTFS by Win32"]],
    ["keys./a.pem", ["NTFS by Win32"]],
    ["KEYS /a.pem", ["NTFS by Win32"]],
    ["keys::$INDEX_ALLOCATION/a.pem", ["NTFS by Win32"]],
    ["\u212aeys/a.pem", ["ext4 with case folding", "APFS"]],
    ["key\u017f/a.pem", ["ext4 with case folding", "APFS"]],
    ["STRASSE", ["ext4 with case folding", "APFS"]],
    ["strasse", ["ext4 with case folding", "APFS"]],
    ["STRA\u1e9eE", ["ext4 with case folding", "APFS"]],
    ["stra\u017f\u017fe", ["ext4 with case folding", "APFS"]],
    ["cafe\u0301.key", ["ext4 with case folding", "HFS+", "APFS"]],
    ["CAFE\u0301.KEY", ["ext4 with case folding", "HFS+", "APFS"]],
    ["caf\u00c9.key.", ["NTFS by Win32"]],
    ["\u03c3\u03af\u03b3\u03bc\u03b1\u03c3", [
      "ext4 with case folding",
      "APFS",
    ]],
    ["o\ufb00ice", ["ext4 with case folding", "APFS", "ZFS with formKD"]],
    ["of\ufb01ce", ["ext4 with case folding", "APFS", "ZFS with formKD"]],
  ];

describe("a rule on a disk that folds names", () => {
  for (const [path, disks] of SPELLINGS) {
    for (const disk of disks) {
      it(`denies ${JSON.stringify(path)} on ${disk}`, async () => {
        const fs = foldFs(FILES, FOLDS_OF_DISKS[disk]!);
        const open = await openWorkspace("/ws", { fs });
        // Without rules, the spelling reads the secret.
        assertEquals((await open.read(path)).text, "SECRET");
        for (const denied of ["refuse", "hide"] as const) {
          const workspace = await openWorkspace("/ws", {
            fs,
            deny: DENY,
            denied,
          });
          const { code } = await assertRejects(
            () => workspace.read(path),
            ReadFileError,
          );
          assertEquals(code, denied === "hide" ? "NOT_FOUND" : "POLICY_DENIED");
        }
      });
    }
  }
  it("denies its own spelling, on each disk", async () => {
    for (const [disk, isSame] of Object.entries(FOLDS_OF_DISKS)) {
      const fs = foldFs(FILES, isSame);
      const workspace = await openWorkspace("/ws", { fs, deny: DENY });
      assertEquals((await workspace.read("a.pub")).text, "public", disk);
      for (const path of Object.keys(FILES)) {
        if (path === "/ws/a.pub") continue;
        await assertRejects(() => workspace.read(path), ReadFileError);
      }
    }
  });
  it("makes an exception only for its own spelling", async () => {
    const fs = foldFs(FILES, () => true);
    const deny = ["**", "!a.pub"];
    const workspace = await openWorkspace("/ws", { fs, deny });
    const spellings = [
      "a.pub.",
      "a.pub ",
      "a\u200b.pub",
      "a.\uff50ub",
      "A~1.PUB",
    ];
    for (const path of [...spellings, "a.pub::$DATA"]) {
      await assertRejects(
        () => workspace.read(path),
        ReadFileError,
        "rule",
      );
    }
    await workspace.read("A.PUB");
  });
  it("names the rule for short names", async () => {
    const fs = foldFs(FILES, FOLDS_OF_DISKS["NTFS by Win32"]!);
    const workspace = await openWorkspace("/ws", { fs, deny: ["x"] });
    const error = await assertRejects(
      () => workspace.read("ENV~1"),
      ReadFileError,
    );
    assertEquals(error.details, { rule: "**/*~[0-9]*" });
  });
  it("allows short names without rules", async () => {
    const fs = foldFs({ "/ws/A~1": "text" }, () => false);
    const workspace = await openWorkspace("/ws", { fs, deny: [] });
    assertEquals((await workspace.read("A~1")).text, "text");
  });
});

describe("a short name", () => {
  it("has eight characters, a dot and three characters", () => {
    const short = [
      "ENV~1",
      "a~1",
      "ABCDEF~1",
      "AB12CD~1.TXT",
      "A~123456",
      "x~9.a",
      "ENV~1 ",
      "ENV~1::$DATA",
      "EN\u200bV~1",
    ];
    for (const name of short) assert(isShortName(name), name);
    const long = [
      "~1",
      "a~",
      "ABCDEFG~1",
      "a~1b",
      "a~b",
      "a~1.text",
      "a.b~1",
      "a~1.b.c",
    ];
    for (const name of long) assert(!isShortName(name), name);
  });
});

describe("the fold of text", () => {
  it("is the same for all spellings of a character", () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const char = String.fromCodePoint(code);
      const fold = foldText(char);
      for (
        const other of [
          char.toLowerCase(),
          char.toUpperCase(),
          char.normalize("NFD"),
          char.normalize("NFC"),
          char.normalize("NFKC"),
          fold,
        ]
      ) {
        if (foldText(other) === fold) continue;
        assertEquals(foldText(other), fold, `U+${code.toString(16)}`);
      }
    }
  });
  it("is upper case for ASCII, without trailing dots and spaces", () => {
    assertEquals(foldText("a.B_1 ."), "A.B_1 .");
    assertEquals(foldName("a.B_1 ."), "A.B_1");
    assertEquals(foldName("a.\u200b. "), "A");
  });
});
