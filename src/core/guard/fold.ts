// Runtime-agnostic.

/** A name as it is spelled, but for the case of ASCII letters. */
export function foldCase(name: string): string {
  if (isPlain(name)) return name.toUpperCase();
  return name.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/**
 * Text as the loosest disk compares it: names of one file have one fold.
 *
 * ext4 and f2fs fold all of Unicode's case (`STRASSE`, `straße`), HFS+ and they
 * leave out characters that show nothing, APFS and ZFS compose and decompose.
 */
export function foldText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toUpperCase();
  return text.normalize("NFKD").replace(
    /\p{Default_Ignorable_Code_Point}/gu,
    "",
  )
    // A capital sharp s has no upper case of its own, but a lower one.
    .toLowerCase().toUpperCase().normalize("NFKC");
}

/** {@linkcode foldText} of a whole name: Windows drops dots and spaces at its end. */
export function foldName(name: string): string {
  return isPlain(name)
    ? name.toUpperCase()
    : foldText(name).replace(/[. ]+$/, "");
}

/** Whether all that a disk may fold in the name is the case of its letters. */
function isPlain(name: string): boolean {
  return /^[\x20-\x7e]*[\x21-\x2d\x2f-\x7e]$/.test(name);
}

/**
 * Whether the name may be the short one that Windows gives to files with long
 * names, as `ENV~1` for `.env`: eight characters, a dot and three.
 */
export function isShortName(name: string): boolean {
  return name.includes("~") &&
    /^(?=.{1,8}(?:\.|$))[^.]+~[0-9]+(?:\.[^.]{0,3})?$/s.test(foldName(name));
}
