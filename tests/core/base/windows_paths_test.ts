import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  canonicalPath,
  foldLetters,
  nameMistake,
  shownPath,
  startMistake,
} from "../../../src/core/base/windows_paths.ts";

describe("canonicalPath()", () => {
  it("puts what callers write into the form of the core", () => {
    const forms: Readonly<Record<string, string | undefined>> = {
      "a": "a",
      "a\\b/c": "a/b/c",
      "..\\a": "../a",
      "a\\": "a/",
      "a:b": "a:b",
      "C:\\a\\b": "/C:/a/b",
      "c:/a": "/C:/a",
      "z:\\": "/Z:/",
      "/C:/a": "/C:/a",
      "\\c:\\a": "/C:/a",
      "/C:": "/C:",
      "/c:": "/C:",
      "/C:a": undefined,
      "/CC:/a": undefined,
      "\\\\host\\share\\a": "/host/share/a",
      "//host/share/a": "/host/share/a",
      "\\a": undefined,
      "/a/b": undefined,
      "/": undefined,
      "//": undefined,
      "///host/share": undefined,
      "//host": "/host",
      "//C:/a": undefined,
      "\\\\c:\\a": undefined,
      "//host:80/a": undefined,
    };
    for (const [text, wanted] of Object.entries(forms)) {
      assertEquals(canonicalPath(text), wanted, text);
    }
  });
});

describe("shownPath()", () => {
  it("gives a form that callers may write", () => {
    const forms: Readonly<Record<string, string>> = {
      "/C:": "C:/",
      "/C:/a/b": "C:/a/b",
      "/host/share": "//host/share",
      "/host/share/C:/a": "//host/share/C:/a",
    };
    for (const [path, shown] of Object.entries(forms)) {
      assertEquals(shownPath(path), shown);
      const back = canonicalPath(shown)!.replace(/(?<=:)\/$/, "");
      assertEquals(back, path);
    }
  });
});

describe("startMistake()", () => {
  it("refuses paths of devices, and those that the process decides", () => {
    const device = "begins like the path of a device";
    const drive = "begins at the current directory of a drive";
    const url = "is a file: URL";
    const mistakes: Readonly<Record<string, string | undefined>> = {
      "\\\\?\\C:\\a": device,
      "\\\\.\\C:\\a": device,
      "//./pipe": device,
      "//?/a": device,
      "\\/?\\a": device,
      "\\\\?": device,
      "\\\\.": device,
      "\\??\\C:\\a": device,
      "\\??": device,
      "file:///C:/a": url,
      "FILE:\\\\host\\a": url,
      "a/file:b": undefined,
      "files:a": undefined,
      "C:a": drive,
      "c:": drive,
      "z:..\\a": drive,
      "C:\\a": undefined,
      "c:/a": undefined,
      "\\\\host\\a": undefined,
      "\\\\.host\\a": undefined,
      "\\\\?host\\a": undefined,
      "\\??a": undefined,
      "a\\??\\b": undefined,
      "CC:a": undefined,
      "1:a": undefined,
      "a": undefined,
      ".": undefined,
    };
    for (const [text, problem] of Object.entries(mistakes)) {
      assertEquals(startMistake(text)?.problem, problem, text);
    }
    assertEquals(
      startMistake("C:a")?.hint,
      'write it from the root, or from a drive, as in "C:/dir/name"',
    );
  });
});

describe("nameMistake()", () => {
  it("says why a name is not itself, and what to do", () => {
    const mistakes: Readonly<Record<string, string>> = {
      "a:b": 'has a name with ":", which stands for a stream of a file',
      "NUL:": 'has a name with ":", which stands for a stream of a file',
      "": "has a name with a character that Windows allows in none",
      "a*": "has a name with a character that Windows allows in none",
      "a/b": "has a name with a character that Windows allows in none",
      "\x00": "has a name with a character that Windows allows in none",
      "a.": "has a name that ends with a dot or a blank, which Windows drops",
      "nul.": "has a name that ends with a dot or a blank, which Windows drops",
      "a ": "has a name that ends with a dot or a blank, which Windows drops",
      "NUL.txt": "has a name that Windows takes for a device",
      "com\u00b2": "has a name that Windows takes for a device",
    };
    const hints = new Set<string>();
    for (const [name, problem] of Object.entries(mistakes)) {
      const mistake = nameMistake(name);
      assertEquals(mistake?.problem, problem, name);
      hints.add(mistake!.hint);
    }
    assertEquals([...hints], [
      'name the file without ":" and what follows it',
      "check the spelling, or list the directory",
      "name the file without it",
      "read another file, or have this one renamed",
    ]);
    assertEquals(nameMistake("a.b"), undefined);
  });
});

describe("foldLetters()", () => {
  it("folds each letter by itself", () => {
    assertEquals(foldLetters("aBc-\u00e9\u00ff.1"), "ABC-\u00c9\u0178.1");
    // NTFS has no letter of two characters.
    assertEquals(foldLetters("stra\u00dfe"), "STRA\u00dfE");
    // NTFS does not fold what has another lowercase form: dotless i, long s, final sigma.
    assertEquals(foldLetters("\u0131\u017f\u03c2"), "\u0131\u017f\u03c2");
    assertEquals(foldLetters("\ud801\udc28"), "\ud801\udc00");
    assertEquals(foldLetters("\ud800a"), "\ud800A");
  });
});
