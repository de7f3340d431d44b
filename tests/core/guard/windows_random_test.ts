/** Random paths on a simulated disk of Windows, against Win32's own normal form. */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { describe, it } from "node:test";
import { openWorkspace, ReadFileError } from "../../../mod.ts";
import { win32Fs } from "../../../src/fs/win32.ts";
import { Random, SEED } from "../../support/random.ts";
import { IS_FULL, shareOf } from "../../support/share.ts";
import { RUNTIMES, SimulatedNtfs } from "../../support/simulated_ntfs.ts";

const PATHS = IS_FULL ? 100_000 : 20_000;

/** The files, by their paths in lower case; each text is another one. */
const FILES: Readonly<Record<string, string>> = {
  "c:\\b\\ws\\a": "1 inside",
  "c:\\b\\ws\\b\\a": "2 inside",
  "c:\\b\\ws\\b\\b\\e": "3 inside",
  "c:\\b\\ws\\e\\a.b": "4 inside",
  "c:\\b\\ws\\.e": "5 denied",
  "c:\\b\\ws\\b\\.e": "6 denied",
  "c:\\b\\ws\\n\\a": "7 denied",
  "c:\\b\\a": "8 outside",
  "c:\\b\\b\\a": "9 outside",
  "c:\\b\\wsx\\a": "10 outside",
  "c:\\a": "11 outside",
  "c:\\e\\a.b": "12 outside",
  "c:\\current\\a": "13 outside",
  "c:\\current\\b\\a": "14 outside",
  "\\\\a\\b\\a": "15 outside",
  "\\\\b\\ws\\a": "16 outside",
};
const DENY = ["**/.e", "n/**"];
const ROOT = "c:\\b\\ws";

/** Draws a path of separators, dots, colons, tildes and letters, or of names with these. */
function drawPath(random: Random): string {
  if (random.below(3) === 0) {
    const length = random.from(1, 9);
    const characters = Array.from(
      { length },
      () => random.pick([..."\\\\//..:~abe "]),
    );
    return characters.join("");
  }
  const starts = ["", "", "", "", "C:\\b\\ws\\", "c:/b/ws/", "/C:/b/ws\\"];
  const odd = ["\\b\\ws\\", "C:", "\\\\", "\\\\?\\C:\\b\\ws\\", "C:\\B\\WS\\"];
  const start = random.pick([...starts, ...odd]);
  const names = Array.from({ length: random.from(1, 5) }, () => {
    const plain = random.pick(["a", "b", "b", "e", ".e", "n", "a.b", "ws"]);
    switch (random.below(12)) {
      case 0:
      case 1:
        return "..";
      case 2:
        return ".";
      case 3:
        return plain.toUpperCase();
      case 4:
        return plain + random.pick([".", " ", "..", ":b", "::$DATA", "~1"]);
      case 5:
        return random.pick(["...", ".. ", "", "c:", "nul", "x"]);
      default:
        return plain;
    }
  });
  const separators = () => random.pick(["\\", "\\", "/", "\\\\", "/\\"]);
  return start +
    names.map((name, at) => (at === 0 ? "" : separators()) + name).join("");
}

/**
 * What Win32 makes of a path below a working directory, as Microsoft's "File path
 * formats on Windows systems" tells it; `undefined` for a device, and for a path whose
 * directory depends on the process.
 */
function normalForm(path: string): string | undefined {
  const text = path.replaceAll("/", "\\");
  if (/^\\\\[?.](?:\\|$)|^\\\?\?/.test(text)) return undefined;
  if (/^[a-z]:(?!\\)/i.test(text)) return undefined;
  const drive = /^[a-z]:\\/i.exec(text)?.[0];
  const share = /^\\\\[^\\]+\\[^\\]+/.exec(text)?.[0];
  const isRooted = drive === undefined && share === undefined &&
    text.startsWith("\\");
  if (isRooted && text.startsWith("\\\\")) return undefined;
  const whole = drive !== undefined || share !== undefined
    ? text
    : isRooted
    ? `c:${text}`
    : `${ROOT}\\${text}`;
  const top = share ?? whole.slice(0, 2);
  const segments: string[] = [];
  for (const segment of whole.slice(top.length).split("\\")) {
    if (segment === "" || segment === ".") continue;
    if (segment === "..") segments.pop();
    else segments.push(segment.replace(/^(.*[^.])\.$/, "$1"));
  }
  const joined = [top, ...segments].join("\\").toLowerCase();
  return joined.replace(/[. ]+$/, "");
}

/** Whether Win32 leaves each name of a path as it is. */
function isPlain(path: string): boolean {
  return path.replace(/^\/?[a-z]:/i, "").split(/[\\/]/).every((name) =>
    name === "" || name === "." || name === ".." ||
    !/[:]|[. ]$/.test(name) && !/^nul$/i.test(name)
  );
}

/** Whether the way of an absolute path enters the root and leaves it again, or a relative one leaves it. */
function leaves(path: string): boolean {
  const text = path.replaceAll("/", "\\").replace(/^\\(?=[a-z]:)/i, "");
  const start = /^[a-z]:\\/i.exec(text)?.[0];
  const way = start === undefined ? ROOT.split("\\") : [text.slice(0, 2)];
  const isInside = () =>
    `${way.join("\\").toLowerCase()}\\`.startsWith(`${ROOT}\\`);
  for (const name of text.slice(start?.length ?? 0).split("\\")) {
    if (name === "" || name === ".") continue;
    const wasInside = isInside();
    if (name === "..") way.pop();
    else way.push(name);
    if (wasInside && !isInside()) return true;
  }
  return false;
}

const disk = (() => {
  const lines = Object.entries(FILES).map(([path, text]) =>
    `${path} = ${text}`
  );
  const made = new SimulatedNtfs([...lines, "C:\\b\\ws\\long\\ (LONG~1)"]);
  made.plant("C:\\b\\ws\\longname (B~1) = 17 denied");
  return made;
})();

const random = new Random(SEED);
const all = Array.from({ length: PATHS }, () => drawPath(random));

for (const [name, runtime] of Object.entries(RUNTIMES)) {
  describe(`random paths on Windows, as in ${name}`, () => {
    it("are read only if their normal form names an allowed file inside", async () => {
      // Without lists, no failure is searched for what was meant.
      const { list: _, ...fs } = win32Fs(disk.port(runtime));
      const options = { fs, deny: DENY };
      const workspace = await openWorkspace("C:\\b\\ws", options);
      const counts = new Map<string, number>();
      const paths = shareOf(all);
      for (const path of paths) {
        let verdict: string;
        try {
          const page = await workspace.read(path);
          verdict = page.lines[0]!.text;
        } catch (error) {
          if (!(error instanceof ReadFileError)) throw error;
          verdict = error.code;
        }
        const shown = `seed ${SEED}, ${JSON.stringify(path)}: ${verdict}`;
        const normal = normalForm(path.replace(/^\/(?=[a-z]:[\\/])/i, ""));
        const text = normal === undefined ? undefined : FILES[normal];
        const isInside = normal !== undefined &&
          `${normal}\\`.startsWith(`${ROOT}\\`);
        const isRead = /^\d/.test(verdict);
        if (isRead) {
          assert(verdict.endsWith("inside"), shown);
          assertEquals(verdict, text, shown);
        }
        if (isPlain(path) && normal !== undefined) {
          // Every name is itself, so the answer must be right as well as safe.
          // The current drive is that of the process, which no caller knows.
          const isRooted = /^[\\/](?![a-z]:)/i.test(path);
          if (!isInside || isRooted || leaves(path)) {
            assertEquals(verdict, "OUTSIDE_WORKSPACE", shown);
          } else if (text?.endsWith("inside") && !/[\\/]\.*$/.test(path)) {
            assertEquals(verdict, text, shown);
          } else if (text?.endsWith("denied")) {
            assertEquals(verdict, "POLICY_DENIED", shown);
          } else assert(!isRead, shown);
        }
        const kind = isRead ? "read" : verdict;
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
      assertEquals([...disk.contacted], []);
      const kinds = [
        "INVALID_ARGUMENT",
        "NOT_A_FILE",
        "NOT_FOUND",
        "OUTSIDE_WORKSPACE",
        "POLICY_DENIED",
        "read",
      ];
      assertEquals([...counts.keys()].sort(), kinds);
      for (const [kind, count] of counts) {
        assertGreater(count, paths.length / 200, kind);
      }
    });
  });
}
