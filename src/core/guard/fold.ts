// Runtime-agnostic.

/** A name as it is spelled, but for the case of ASCII letters. */
export function foldCase(name: string): string {
  return isAscii(name)
    ? name.toUpperCase()
    : name.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/**
 * Text as the loosest disk compares it: all spellings that some disk takes for
 * the same name have the same fold.
 *
 * ext4 with case folding takes `straße` for `STRASSE`, and leaves out characters
 * that show nothing; HFS+ and APFS compose accents; ZFS may replace characters
 * by compatible ones.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toUpperCase();
  return text.normalize("NFKD")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    // The capital sharp s has no other upper case; its lower case has one.
    .toLowerCase().toUpperCase().normalize("NFKC");
}

/**
 * The same for a whole name. Windows drops dots and spaces at its end, and takes
 * `name::$DATA` for the content of `name`.
 */
export function foldName(name: string): string {
  return foldText(name).replace(/:.*$/s, "").replace(/[. ]+$/, "");
}

/**
 * Whether a name looks like the short one that Windows gives to a file with a
 * long name: `ENV~1` for `.env`, `CREDEN~1.JSO` for `credentials.json`.
 */
export function isShortName(name: string): boolean {
  return name.includes("~") &&
    /^(?=.{1,8}(?:\.|$))[^.]+~[0-9]+(?:\.[^.]{0,3})?$/s.test(foldName(name));
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}
