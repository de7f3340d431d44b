/** Simulated disks on which several spellings name one file. */
import { type FileHandle, type FsPort, memoryFs } from "../../mod.ts";

/** How a disk compares a requested name with a stored one. */
export type SameName = (stored: string, asked: string) => boolean;

/** Compares names by a derived key. */
function by(key: (name: string) => string): SameName {
  return (stored, asked) => key(stored) === key(asked);
}

/** Letters that fold to several letters, or not to their lower case. */
const FOLDS: readonly (readonly [RegExp, string])[] = [
  [/[\u00df\u1e9e]/g, "ss"],
  [/\ufb01/g, "fi"],
  [/\ufb00/g, "ff"],
  [/\u017f/g, "s"],
  [/\u03c2/g, "\u03c3"],
  [/\u0130/g, "i\u0307"],
  [/\u0345/g, "\u03b9"],
  [/\u1e9b/g, "\u1e61"],
];

/** Some invisible characters. */
const IGNORED =
  /[\u00ad\u034f\u115f\u17b4\u180b\u200b-\u200f\u202a-\u202e\u2060-\u2064\u3164\ufe00-\ufe0f\ufeff\uffa0\u{1d173}\u{e0001}-\u{e007f}]/gu;

function caseFold(name: string): string {
  const folded = FOLDS.reduce(
    (text, [letter, fold]) => text.replace(letter, fold),
    name.normalize("NFD"),
  );
  return folded.toLowerCase().replace(/\u03c2/g, "\u03c3");
}

/** The disks, by their names. */
export const FOLDS_OF_DISKS: Readonly<Record<string, SameName>> = {
  "ext4 with case folding": by((name) =>
    caseFold(name.replace(IGNORED, "")).normalize("NFD")
  ),
  "HFS+": by((name) =>
    name.normalize("NFD").replace(IGNORED, "").toLowerCase()
  ),
  "APFS": by((name) => caseFold(name).normalize("NFD")),
  "ZFS with formKD": by((name) => name.normalize("NFKD").toLowerCase()),
  "NTFS by Win32": (stored, asked) => {
    const long = asked.replace(/:.*$/s, "").replace(/[. ]+$/, "");
    const upper = (name: string) =>
      name.replace(/[^]/gu, (char) => {
        const other = char.toUpperCase();
        return other.length === char.length ? other : char;
      });
    return upper(stored) === upper(long) ||
      shortNameOf(stored) === upper(long);
  },
};

/** The first short (8.3) name that Windows would give to a name. */
function shortNameOf(name: string): string {
  const [, base = "", extension = ""] =
    /^\.*(.*?)(?:\.([^.]*))?$/s.exec(name.toUpperCase()) ?? [];
  const clean = (text: string) => text.replace(/[ .]/g, "");
  const short = `${clean(base || extension).slice(0, 6)}~1`;
  return base === "" || extension === ""
    ? short
    : `${short}.${clean(extension).slice(0, 3)}`;
}

/**
 * A port that finds a file by any spelling of its name. Like Linux, an open file
 * reports the requested spelling.
 */
export function foldFs(
  files: Readonly<Record<string, string>>,
  isSame: SameName,
): FsPort {
  const disk = memoryFs(files);
  const paths = Object.keys(files);
  const childrenOf = (path: string) =>
    paths.filter((other) => other.startsWith(`${path}/`))
      .map((other) => other.slice(path.length + 1).split("/")[0]!);
  const stored = (path: string) => {
    let found = "";
    for (const name of path.split("/").slice(1)) {
      const names = childrenOf(found);
      const same = names.find((one) => one === name) ??
        names.find((one) => isSame(one, name)) ?? name;
      found += `/${same}`;
    }
    return found;
  };
  return {
    realPath: (path) => disk.realPath(stored(path)),
    lstat: (path, role) => disk.lstat(stored(path), role),
    readLink: (path) => disk.readLink(stored(path)),
    async open(path): Promise<FileHandle> {
      const handle = await disk.open(stored(path));
      return {
        stat: () => handle.stat(),
        read: (buffer, position) => handle.read(buffer, position),
        path: () => path,
        close: () => handle.close(),
      };
    },
  };
}
