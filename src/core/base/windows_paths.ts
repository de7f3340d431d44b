/**
 * How Windows spells paths. The core and the ports know only `/C:/dir/name` and
 * `/server/share/name`; people, models and the system write the other forms.
 */

/** Why a text cannot be used, as the rest of a sentence, and what to do instead. */
export interface PathMistake {
  readonly problem: string;
  readonly hint: string;
}

/** Names that Windows takes for devices, with any extension; the digits are `0` to `9` and the superscripts. */
const DEVICE =
  /^(?:con|prn|aux|nul|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$|clock\$)$/i;

/** Says why Windows would read `name` as anything but a name of that very text; `undefined` if it would not. */
export function nameMistake(name: string): PathMistake | undefined {
  if (name.includes(":")) {
    return {
      problem: 'has a name with ":", which stands for a stream of a file',
      hint: 'name the file without ":" and what follows it',
    };
  }
  // deno-lint-ignore no-control-regex -- Windows forbids these in names.
  if (name === "" || /[\\/*?"<>|\0-\x1f]/.test(name)) {
    return {
      problem: "has a name with a character that Windows allows in none",
      hint: "check the spelling, or list the directory",
    };
  }
  if (/[. ]$/.test(name)) {
    return {
      problem:
        "has a name that ends with a dot or a blank, which Windows drops",
      hint: "name the file without it",
    };
  }
  if (isDeviceName(name)) {
    return {
      problem: "has a name that Windows takes for a device",
      hint: "read another file, or have this one renamed",
    };
  }
  return undefined;
}

/** Whether Windows takes a name for a device, with any extension. */
export function isDeviceName(name: string): boolean {
  return DEVICE.test(name.replace(/\..*$/s, "").trim());
}

/** Says why a path that a caller writes has no fixed meaning, whatever its names are. */
export function startMistake(text: string): PathMistake | undefined {
  const path = text.replaceAll("\\", "/");
  const hint = 'write it from the root, or from a drive, as in "C:/dir/name"';
  if (/^\/\/[?.](?:\/|$)|^\/\?\?(?:\/|$)/.test(path)) {
    return { problem: "begins like the path of a device", hint };
  }
  // Its name would be "file", with a stream.
  if (/^file:/i.test(path)) return { problem: "is a file: URL", hint };
  if (/^[a-z]:(?!\/)/i.test(path)) {
    const problem = "begins at the current directory of a drive";
    return { problem, hint };
  }
  return undefined;
}

/**
 * The path that the core knows, for one that a caller writes. A relative path stays
 * relative; `undefined` for one that lies on no named drive or server, such as
 * `\dir`.
 */
export function canonicalPath(text: string): string | undefined {
  const path = text.replaceAll("\\", "/");
  const drive = /^\/?([a-z]):(?=\/|$)/i.exec(path);
  if (drive !== null) {
    return `/${drive[1]!.toUpperCase()}:${path.slice(drive[0].length)}`;
  }
  // A server has no ":" in its name: "//C:/dir" does not lie on the drive.
  if (/^\/\/[^/:]+(?:\/|$)/.test(path)) return path.slice(1);
  return path.startsWith("/") ? undefined : path;
}

/** The form that people know and every program on Windows takes, for an absolute path of the core: `C:/dir` or `//server/share`. */
export function shownPath(path: string): string {
  if (/^\/[A-Z]:$/.test(path)) return `${path.slice(1)}/`;
  return /^\/[A-Z]:\//.test(path) ? path.slice(1) : `/${path}`;
}

/** Folds the case of each letter by itself, as NTFS does: there, `ß` is not `SS`, and neither is `ı` an `I` nor `ſ` an `S`. */
export function foldLetters(name: string): string {
  return name.replace(/[^]/gu, (letter) => {
    const upper = letter.toUpperCase();
    return upper.toLowerCase() === letter ? upper : letter;
  });
}

/** Whether a root that is shown like this is one of Windows: no other root begins with a letter or with two slashes. */
export function isRootOfWindows(root: string): boolean {
  return !/^\/(?!\/)/.test(root);
}

/** Whether a path that a caller writes is absolute, below a root that is shown like this. */
export function isAbsolute(path: string, root: string): boolean {
  return isRootOfWindows(root)
    ? /^(?:[a-z]:)?[\\/]/i.test(path)
    : path.startsWith("/");
}
