/** Runs the attacks on a revision of git. */
import {
  attack,
  type AttackRow,
  BASE,
  type Outcome,
  readWord,
  rootOf,
} from "../suites/attacks.ts";
import type { MadeFile } from "./git_repository.ts";
import { revisionOf } from "./git_place.ts";

const NO_MODES = "files of a revision have no modes that forbid reading";

/** The rows that a revision cannot have, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  "HRD-01": "a revision has no hard links",
  "UNI-13": "the names of this table are Unicode",
  "ERR-01": NO_MODES,
  "ERR-03": NO_MODES,
  "ERR-07": NO_MODES,
  "ERR-09": NO_MODES,
};

/** Runs an attack on a revision with the files of the row. */
export async function attackRevision(row: AttackRow): Promise<Outcome> {
  const base = "/base/of it";
  const files: Record<string, MadeFile> = {};
  for (const word of [...BASE, ...row.setup]) {
    const { verb, path, value } = readWord(word, base);
    const at = `base/of it/${path}`;
    if (verb === "f" || verb === "s") files[at] = value;
    else if (verb === "l") files[at] = { link: value };
    else if (verb === "d") files[`${at}/`] = "";
    // Git stores no FIFO and no socket; a submodule is neither file nor directory, too.
    else if (verb === "p" || verb === "u") {
      files[at] = { submodule: "1".repeat(40) };
    } else if (verb !== "root") throw new TypeError(`No ${word} in a revision`);
  }
  const fs = await revisionOf(files);
  return attack({ fs, base, root: rootOf(row, base) }, row.input);
}
