/**
 * What editors and tools add to the name of a file that they copy or lock, in the
 * upper case of a folded name: a tilde (Emacs also `.~1~`), `.BAK` and the like,
 * Vim's swap and undo files, and a number, unless that is part of a version.
 */
const MARK =
  /(?:\.~[0-9]{1,6}|\.UN)?~$|\.(?:BAK|OLD|ORIG|SAVE|TMP|BACKUP|LOCK|SW[A-P]|(?<![0-9]\.)[0-9]{1,3})$/;
/** The marks before which Vim puts a dot at the start of the name. */
const DOTTED = /^\.(?:SW[A-P]|UN~)$/;
/** Emacs saves between two of these. */
const SAVED = /^#(.+)#$/s;
/** The most marks that are taken off: `.env.bak.1~` has three. */
const MOST_MARKS = 4;

/**
 * The names of which a file with this folded name may be a copy: `SERVER.KEY` for
 * `SERVER.KEY.BAK~`, and `ID_RSA` for `.ID_RSA.SWP`; none for most names.
 */
export function originalsOf(folded: string): readonly string[] {
  const originals: string[] = [];
  let name = folded;
  for (let marks = 0; marks < MOST_MARKS; marks++) {
    const saved = SAVED.exec(name)?.[1];
    const [mark] = saved === undefined ? MARK.exec(name) ?? [] : [];
    if (saved === undefined && mark === undefined) break;
    name = saved ?? name.slice(0, -mark!.length);
    if (name === "") break;
    originals.push(name);
    const isDotted = mark !== undefined && DOTTED.test(mark);
    if (isDotted && /^\../s.test(name)) originals.push(name.slice(1));
  }
  return originals;
}
