// Runtime-agnostic.
import { type DraftCase, expect, kindOpened, type Lacks } from "./case.ts";
import { expectMissing } from "./failures.ts";

/** Names that some layer might take for something else than a name. */
const ODD_NAMES: readonly string[] = [
  "constructor",
  "__proto__",
  "toString",
  "caf\u00e9.txt",
  "\ud83d\ude00.txt",
  "\u202etxt.exe",
  "new\nline.txt",
  "back\\slash.txt",
  " blank ",
  "-rf",
  "~",
  "%2e%2e",
  "a:b",
  "s3:",
  "...",
];

/** That a name is a name, whatever it looks like. */
export function nameCases(lacks: Lacks): DraftCase[] {
  const odd = ODD_NAMES.flatMap((name): DraftCase[] => {
    const shown = JSON.stringify(name);
    const missing: DraftCase = {
      name: `names: finds nothing called ${shown} where there is nothing`,
      tree: { "a": "x" },
      check: (place) =>
        expectMissing(place, { verb: "lstat", name, code: "ENOENT", lacks }),
    };
    if (name.includes("\\") && lacks.includes("backslashes")) return [missing];
    return [{
      name: `names: takes ${shown} for a name like any other`,
      tree: { [`${name}/${name}`]: "hello" },
      async check({ fs, root }) {
        const path = `${root}/${name}/${name}`;
        expect(`where ${shown} leads`, await fs.realPath(path), path);
        const { kind } = await fs.lstat(path);
        expect(`the kind of ${shown}`, kind, "file");
        const opened = await kindOpened(fs, path);
        expect(`what opens as ${shown}`, opened, "file");
      },
    }, missing];
  });
  return [...odd, {
    name: "names: takes two spellings of one letter for two names",
    tree: { "caf\u00e9": "one", "cafe\u0301": "22" },
    async check({ fs, root }) {
      const sizeOf = async (name: string) =>
        (await fs.lstat(`${root}/${name}`)).size;
      expect("the size of the composed one", await sizeOf("caf\u00e9"), 3);
      expect("the size of the other", await sizeOf("cafe\u0301"), 2);
    },
  }];
}
