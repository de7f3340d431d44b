import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type DenyOptions,
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "../../../mod.ts";
import { denialOf, readDenyRules } from "../../../src/core/guard/deny.ts";
import { DENIED_TREE } from "../../support/denied_tree.ts";

/** The code and the rule of a refusal; `null` if the file is read. */
async function ruleFor(
  path: string,
  deny: readonly string[],
  fs: FsPort = memoryFs(DENIED_TREE),
): Promise<string | null> {
  const workspace = await openWorkspace("/ws", { fs, deny });
  try {
    await workspace.read(path);
    return null;
  } catch (error) {
    assert(error instanceof ReadFileError, String(error));
    return error.is("POLICY_DENIED") ? error.details.rule : error.code;
  }
}

/** Globs, a path, and the glob that denies it; `null` if the path is allowed. */
const VERDICTS: readonly (readonly [
  claim: string,
  deny: readonly string[],
  path: string,
  verdict: string | null,
])[] = [
  ["denies a name in the root", [".env"], ".env", ".env"],
  [
    "denies a name without a slash in the root only",
    [".env"],
    "sub/.env",
    null,
  ],
  ["denies a name at any depth", ["**/.env"], "sub/.env", "**/.env"],
  [
    "denies a name after **/ in the root as well",
    ["**/.env"],
    ".env",
    "**/.env",
  ],
  ["allows other names", ["**/.env"], "a.txt", null],
  ["matches one name with a star", ["*/b.txt"], "sub/b.txt", "*/b.txt"],
  ["matches names with a leading dot with a star", ["*"], ".env", "*"],
  ["expands braces", ["{x,a}.txt"], "a.txt", "{x,a}.txt"],
  ["denies paths below a denied directory", [".git"], ".git/hooks/pre", ".git"],
  [
    "denies paths below a directory before two stars",
    [".git/**"],
    ".git/config",
    ".git/**",
  ],
  ["denies the directory before two stars", [".git/**"], ".git", ".git/**"],
  ["accepts a slash after a directory", [".git/"], ".git", ".git/"],
  ["denies a missing file", ["**/.env"], "keys/.env", "**/.env"],
  ["denies below a missing directory", ["nope/**"], "nope/a/b", "nope/**"],
  ["applies no rule below a file", ["**/.env"], "a.txt/.env", "NOT_FOUND"],
  [
    "allows a directory whose entries are denied",
    [".git/*"],
    ".git",
    "NOT_A_FILE",
  ],
  ["accepts ./ at the beginning", ["./.env"], ".env", "./.env"],
  ["resolves .. in the path", [".git/**"], "sub/../.git/config", ".git/**"],
  [
    "does not deny a directory that .. leaves",
    [".git/**"],
    ".git/../a.txt",
    null,
  ],
  ["applies to an absolute path", [".git/**"], "/ws/.git/config", ".git/**"],
  ["ignores the case of paths", ["**/.env"], "sub/.ENV", "**/.env"],
  ["ignores the case of rules", ["**/*.PEM"], "keys/a.pem", "**/*.PEM"],
  ["folds the long s", ["**/.ssh"], "sub/.\u017fsh/x", "**/.ssh"],
  ["folds the Kelvin sign", ["keys"], "\u212aeys/a.pem", "keys"],
  ["matches decomposed accents", ["caf\u00e9"], "cafe\u0301", "caf\u00e9"],
  [
    "matches decomposed accents in rules",
    ["cafe\u0301"],
    "caf\u00e9",
    "cafe\u0301",
  ],
  ["matches names with a line feed", ["**/x*y"], "x\ny", "**/x*y"],
  ["makes exceptions", ["keys/*", "!keys/*.pub"], "keys/a.pub", null],
  [
    "makes no other exceptions",
    ["keys/*", "!keys/*.pub"],
    "keys/a.pem",
    "keys/*",
  ],
  [
    "makes no exception for a look-alike",
    ["keys/*", "!keys/k.pub"],
    "keys/\u212a.pub",
    "keys/*",
  ],
  [
    "makes no exception for a long s",
    ["keys/*", "!keys/s.pub"],
    "keys/\u017f.pub",
    "keys/*",
  ],
  [
    "makes exceptions for decomposed accents",
    ["*", "!cafe\u0301"],
    "caf\u00e9",
    "NOT_FOUND",
  ],
  [
    "makes exceptions in other cases",
    ["*", "!caf\u00e9"],
    "CAF\u00e9",
    "NOT_FOUND",
  ],
  ["lets the last rule win", ["!a.txt", "*.txt"], "a.txt", "*.txt"],
  ["lets a repeated rule win", ["a.txt", "!a.txt", "a.txt"], "a.txt", "a.txt"],
  ["lets the last exception win", ["*.txt", "a*", "!a.txt"], "a.txt", null],
  ["names the last rule", ["**", "*.txt"], "a.txt", "*.txt"],
  ["can allow only one directory", ["**", "!sub/**"], "sub/b.txt", null],
  ["denies everything else", ["**", "!sub/**"], "a.txt", "**"],
  [
    "makes no exceptions in a denied directory",
    ["keys", "!keys/a.pub"],
    "keys/a.pub",
    "keys",
  ],
  [
    "makes none in a directory before two stars",
    ["keys/**", "!keys/a.pub"],
    "keys/a.pub",
    "keys/**",
  ],
  ["treats !( as a glob", ["!(a.txt)"], ".env", "!(a.txt)"],
  ["allows the names in !(", ["!(a.txt)"], "a.txt", null],
  ["treats an escaped ! as a character", ["\\!x"], "!x", "\\!x"],
  ["allows everything without rules", [], ".env", null],
  ["denies a link to a denied file", ["**/.env"], "to-env", "**/.env"],
  [
    "denies a link to a denied file through ..",
    ["sub/.env"],
    "to-sub-env",
    "sub/.env",
  ],
  ["denies a link by its own name", ["*.link"], "secret.link", "*.link"],
  ["denies a link, not its target", ["to-env"], ".env", null],
  ["denies a path through a link", [".git/**"], "to-git/config", ".git/**"],
  [
    "denies a path through two links",
    [".git/**"],
    "to-to-git/hooks/pre",
    ".git/**",
  ],
  [
    "denies a path through a denied link",
    ["to-git"],
    "to-to-git/config",
    "to-git",
  ],
  [
    "denies a path through a link to the root",
    [".git/**"],
    "sub/up/.git/config",
    ".git/**",
  ],
  ["applies to the target of a path", ["sub/up/**"], "sub/up", "sub/up/**"],
  [
    "ignores the names of links in a path",
    ["sub/up/a.txt"],
    "sub/up/a.txt",
    null,
  ],
];

describe("deny", () => {
  for (const [claim, deny, path, verdict] of VERDICTS) {
    it(`${claim}: ${JSON.stringify(deny)}, ${JSON.stringify(path)}`, async () => {
      assertEquals(await ruleFor(path, deny), verdict);
    });
  }
  it("works in a workspace whose root is /", async () => {
    const fs = memoryFs({ "/.env": "SECRET", "/a/.env": "SECRET" });
    const workspace = await openWorkspace("/", { fs, deny: ["**/.env"] });
    for (const path of [".env", "a/.env"]) {
      const error = await assertRejects(
        () => workspace.read(path),
        ReadFileError,
      );
      assertEquals(error.code, "POLICY_DENIED");
    }
  });
  it("denies a file through a link that uses the given name of the root", async () => {
    const fs = memoryFs({
      "/ws/.env": "SECRET",
      "/alias": { link: "ws" },
      "/ws/l": { link: "/alias/.env" },
    });
    const workspace = await openWorkspace("/alias", { fs, deny: [".env"] });
    for (const path of ["l", "/alias/.env", "/ws/.env"]) {
      const error = await assertRejects(
        () => workspace.read(path),
        ReadFileError,
      );
      assertEquals(error.code, "POLICY_DENIED");
    }
  });
  it("applies to the path of the open file, and to the directories above it", async () => {
    const files = memoryFs({
      "/ws/keys/sub/a.pem": "SECRET",
      "/ws/a": "SECRET",
    });
    // As if the directory was swapped between the walk and open().
    const fs: FsPort = {
      ...files,
      async open(path) {
        const handle = await files.open(path);
        return { ...handle, path: () => "/ws/keys/sub/a.pem" };
      },
    };
    assertEquals(await ruleFor("a", [], fs), null);
    for (const rule of ["keys", "keys/sub", "keys/*"]) {
      assertEquals(await ruleFor("a", [rule, "!**/a.pem"], fs), rule);
    }
    assertEquals(await ruleFor("a", ["**/a.pem"], fs), "**/a.pem");
  });
  it("applies to the path of a removed open file, and of a file named like one", async () => {
    const files = memoryFs({
      "/ws/a": "SECRET",
      "/ws/b (deleted)": "public",
      "/ws/keys/a": "SECRET",
    });
    // Linux reports the path of a removed file like this.
    const removed = (name: string): FsPort => ({
      ...files,
      open: async (path) => ({ ...await files.open(path), path: () => name }),
    });
    const fs = removed("/ws/keys/a (deleted)");
    assertEquals(await ruleFor("a", ["keys/a"], fs), "keys/a");
    assertEquals(await ruleFor("a", ["keys/b"], fs), null);
    // This file has the suffix in its name; it was not removed.
    assertEquals(await ruleFor("b (deleted)", ["b"], files), null);
  });
  it("names the rule of the first denied directory", () => {
    const rules = (
      base: string,
      deny: readonly string[],
      mode: "refuse" | "hide",
    ) => readDenyRules(base, deny, mode);
    const path = "/ws/a/b/c";
    const refused = rules("/ws", ["a/b", "a/b/c"], "refuse");
    const hidden = rules("/ws/a", ["b"], "hide");
    const above = rules("/ws", ["a"], "refuse");
    assertEquals(denialOf([refused], path), { mode: "refuse", rule: "a/b" });
    assertEquals(denialOf([hidden, refused], path), {
      mode: "hide",
      rule: "b",
    });
    assertEquals(denialOf([refused, hidden], path)?.rule, "a/b");
    assertEquals(denialOf([hidden, above], path)?.rule, "a");
    assertEquals(denialOf([hidden, above], "/ws/x"), undefined);
    assertEquals(denialOf([hidden], "/ws/ab"), undefined);
    assertEquals(denialOf([above], "/ws/a/LONGNA~1")?.rule, "a");
  });
  it("gives the same verdicts from its cache", () => {
    const sets = [readDenyRules("/ws", ["**/*7", "!**/77"], "refuse")];
    for (let round = 0; round < 2; round++) {
      for (let at = 0; at < 3000; at++) {
        const isDenied = String(at).endsWith("7") && at !== 77;
        const denial = denialOf(sets, `/ws/a/${at}`);
        assertEquals(denial !== undefined, isDenied, String(at));
      }
    }
  });
  it("says OUTSIDE_WORKSPACE for a path outside, not the rule", async () => {
    const deny = ["**"];
    assertEquals(await ruleFor("../.env", deny), "OUTSIDE_WORKSPACE");
    assertEquals(await ruleFor("/etc/.env", deny), "OUTSIDE_WORKSPACE");
    assertEquals(await ruleFor("a\0.env", deny), "INVALID_ARGUMENT");
  });
});

describe("the globs of deny", () => {
  const bad = async (options: object, message: string) => {
    const open = () =>
      openWorkspace("/ws", {
        fs: memoryFs(DENIED_TREE),
        ...options as DenyOptions,
      });
    const error = await assertRejects(open, TypeError);
    assertEquals(error.message, `Cannot deny paths: ${message}`);
  };
  for (const glob of ["[z-a]", "**/x[b-a]/**", "![z-a]"]) {
    it(`are refused if a class is reversed: ${glob}`, () => {
      const shown = JSON.stringify(glob);
      return bad(
        { deny: [glob] },
        `the glob ${shown} has a class whose range is reversed, as [z-a]`,
      );
    });
  }
  for (
    const glob of [
      "",
      ".",
      "..",
      "./",
      "!",
      "!./",
      "../x",
      "a/../b",
      "a//b",
      "a/./b",
    ]
  ) {
    it(`are refused if one can match nothing: ${JSON.stringify(glob)}`, () => {
      const shown = JSON.stringify(glob);
      return bad(
        { deny: [glob] },
        `the glob ${shown} matches no path below the root`,
      );
    });
  }
  for (const glob of ["/.env", "!/x", "/"]) {
    it(`are refused if one begins with a slash: ${JSON.stringify(glob)}`, () => {
      const shown = JSON.stringify(glob);
      return bad(
        { deny: [glob] },
        `the glob ${shown} begins with a slash; write it from the root`,
      );
    });
  }
  for (
    const [glob, home] of [
      ["~/.ssh", "~"],
      ["~", "~"],
      ["./~/x", "~"],
      ["!~/x", "~"],
      ["$HOME/x", "$HOME"],
      ["${HOME}/x", "${HOME}"],
      ["%USERPROFILE%/x", "%USERPROFILE%"],
    ] as const
  ) {
    it(`are refused if one uses shell syntax: ${glob}`, () => {
      const advice = `write it from the root, or "\\${home}" for a name`;
      return bad(
        { deny: [glob] },
        `the glob ${
          JSON.stringify(glob)
        } begins with ${home}, which only a shell expands; ${advice}`,
      );
    });
  }
  it("deny such names below the root, and in it with a backslash", async () => {
    const paths = ["~/x", "$HOME/x", "a/~/x", "~$a", "$b.c/x"];
    const fs = memoryFs(
      Object.fromEntries(paths.map((path) => [`/ws/${path}`, "x"])),
    );
    const deny = ["\\~/x", "\\${HOME}/x", "a/~", "~$*", "$b.c"];
    for (const path of paths) {
      assert(await ruleFor(path, deny, fs) !== null, path);
    }
  });
  it("are refused if one is not a string", async () => {
    await bad({ deny: [7] }, "deny[0] must be a string, not 7");
    await bad({ deny: ["a", null] }, "deny[1] must be a string, not null");
    await bad({ deny: [1n] }, "deny[0] must be a string, not 1");
  });
  it("are refused if all are exceptions, which deny nothing", async () => {
    const problem = "deny holds only exceptions; write what they except first";
    await bad({ deny: ["!**/*.ts"] }, problem);
    await bad({ deny: ["!a", "!b"] }, problem);
  });
  it("are refused if they are not an array", async () => {
    const problem = "deny must be an array of globs, not";
    await bad({ deny: "**" }, `${problem} "**"`);
    await bad({ deny: null }, `${problem} null`);
  });
  it("are refused with an unknown mode", async () => {
    const denied = "Hide" as "refuse" | "hide";
    await bad(
      { deny: [], denied },
      'denied must be one of "refuse", "hide", not "Hide"; did you mean hide?',
    );
    const big = 1n as unknown as "refuse" | "hide";
    await bad(
      { deny: [], denied: big },
      'denied must be one of "refuse", "hide", not 1',
    );
  });
  it("allow a path of any length", async () => {
    const deny = ["**/*a*/**/*b*/*.pem", "**/{a,c}/**"];
    const names = Array.from({ length: 200 }, () => "ab".repeat(5));
    const path = `${names.join("/")}/x`;
    const fs = memoryFs({ [`/ws/${path}`]: "x" });
    const rule = await ruleFor(path, deny, fs);
    assertEquals(rule, null);
  });
});
