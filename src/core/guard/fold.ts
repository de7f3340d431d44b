// Runtime-agnostic.

/** Folds only the case of ASCII letters. */
export function foldCase(name: string): string {
  return isAscii(name)
    ? name.toUpperCase()
    : name.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/**
 * Folds text: all spellings that some file system treats as the same name have
 * the same fold.
 *
 * ext4 with case folding treats `straße` as `STRASSE`, and ignores invisible
 * characters; HFS+ and APFS compose accents; ZFS may replace characters by
 * compatible ones.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toUpperCase();
  return text.normalize("NFKD")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    // The capital sharp s has no other uppercase form; its lowercase form has one.
    .toLowerCase().toUpperCase().normalize("NFKC");
}

/**
 * The same for a whole name. Windows drops dots and spaces at its end, and
 * `name::$DATA` is the content of `name`.
 */
export function foldName(name: string): string {
  return foldText(name).replace(/:.*$/s, "").replace(/[. ]+$/, "");
}

/**
 * Whether a name looks like a short name, which Windows gives to a file with a
 * long one: `ENV~1` for `.env`, `CREDEN~1.JSO` for `credentials.json`.
 */
export function isShortName(name: string): boolean {
  return name.includes("~") &&
    /^(?=.{1,8}(?:\.|$))[^.]+~[0-9]+(?:\.[^.]{0,3})?$/s.test(foldName(name));
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}
