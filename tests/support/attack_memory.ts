/** Runs the attacks in memory. */
import { type MemoryFiles, memoryFs } from "../../mod.ts";
import {
  attack,
  type AttackRow,
  BASE,
  type Outcome,
  readWord,
  rootOf,
} from "../suites/attacks.ts";
import { type Wrapping, WRAPPINGS } from "./wrappings.ts";

const NO_MODES = "files in memory have no modes";

/** The rows that cannot be set up in memory, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  "HRD-01": "a memory port has no hard links",
  "UNI-13": "every name in memory is Unicode",
  "ERR-01": NO_MODES,
  "ERR-03": NO_MODES,
  "ERR-07": NO_MODES,
  "ERR-09": NO_MODES,
};

function plant(
  setup: readonly string[],
  base: string,
): Map<string, MemoryFiles[string]> {
  const files = new Map<string, MemoryFiles[string]>();
  for (const word of [...BASE, ...setup]) {
    const { verb, path, value } = readWord(word, base);
    if (verb === "root") continue;
    const entry: MemoryFiles[string] | undefined = {
      f: value,
      s: value,
      l: { link: value },
      d: { kind: "directory" } as const,
      p: { kind: "other" } as const,
      u: { kind: "other" } as const,
    }[verb];
    if (entry === undefined) throw new TypeError(`No ${word} in memory`);
    files.set(`${base}/${path}`, entry);
  }
  return files;
}

/** Runs an attack in memory; `wrapping` wraps the port. */
export function attackMemory(
  row: AttackRow,
  wrapping: Wrapping = "none",
): Promise<Outcome> {
  const base = "/base/of it";
  const fs = memoryFs(Object.fromEntries(plant(row.setup, base)));
  const place = { fs, base, root: rootOf(row, base) };
  return attack(WRAPPINGS[wrapping](place), row.input);
}
