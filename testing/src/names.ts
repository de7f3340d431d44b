import type { Awaitable } from "@agent-tools/read-file";
import {
  type DraftCase,
  expect,
  expectCode,
  kindOpened,
  type Lacks,
  type Method,
  METHODS,
  type PlantedPort,
} from "./port_case.ts";

/** The claims about missing paths. */
export function failureCases(lacks: Lacks): DraftCase[] {
  const files = { "a": "hello" };
  const cases = METHODS.map((method): DraftCase => ({
    name: `${method}(): fails with ENOENT and ENOTDIR like a disk`,
    tree: files,
    async check(place) {
      for (const [name, code] of Object.entries(MISSING)) {
        await expectMissing(place, { method, name, code, lacks });
      }
    },
  }));
  if (lacks.includes("links")) return cases;
  const circles = METHODS.map((method): DraftCase => ({
    name:
      `${method}(): fails with ELOOP for a link in the path that leads to itself`,
    tree: { "loop": { link: "loop" } },
    async check({ fs, root }) {
      const ask = () => fs[method](`${root}/loop/a`);
      await expectCode(`${method}() of "loop/a"`, ask, "ELOOP");
    },
  }));
  return [...cases, ...circles];
}

/** Missing paths and their codes; "a" is a file. */
const MISSING = { "nope": "ENOENT", "nope/a": "ENOENT", "a/b": "ENOTDIR" };

/** A call that must fail. */
interface Missing {
  readonly method: Method;
  readonly name: string;
  readonly code: string;
  readonly lacks: Lacks;
}

/** Fails unless the port fails. A port without directories may answer that the path is one, except in open(). */
async function expectMissing(
  { fs, root }: PlantedPort,
  { method, name, code, lacks }: Missing,
): Promise<void> {
  const what = `${method}() of ${JSON.stringify(name)}, which is missing,`;
  const ask = () => fs[method](`${root}/${name}`);
  if (!lacks.includes("directories")) return expectCode(what, ask, code);
  const codes = ["ENOENT", "ENOTDIR"];
  if (method === "open") return expectCode(what, ask, ...codes);
  if (method === "readLink") return expectCode(what, ask, ...codes, "EINVAL");
  if (await kindTold(ask) !== "directory") {
    await expectCode(what, ask, ...codes);
  }
}

/** The kind in an answer; a real path counts as a directory. */
async function kindTold(ask: () => Awaitable<unknown>): Promise<unknown> {
  try {
    const answer = await ask();
    return typeof answer === "string" ? "directory" : Object(answer).kind;
  } catch {
    return undefined;
  }
}

/** Names with characters that a layer of the port may misinterpret. */
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

/** Those of them that Windows reads as something else. */
const RESERVED = /[\\:\n]|[. ]$/;

/** The claims about names. */
export function nameCases(lacks: Lacks): DraftCase[] {
  const odd = ODD_NAMES.flatMap((name): DraftCase[] => {
    const shown = JSON.stringify(name);
    const missing: DraftCase = {
      name: `names: finds no file ${shown} if it is missing`,
      tree: { "a": "x" },
      check: (place) =>
        expectMissing(place, { method: "lstat", name, code: "ENOENT", lacks }),
    };
    const isAbsent = lacks.includes("reserved") && RESERVED.test(name) ||
      lacks.includes("backslashes") && name.includes("\\");
    if (isAbsent) return [missing];
    return [{
      name: `names: treats ${shown} as an ordinary name`,
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
  if (lacks.includes("compositions")) return odd;
  return [...odd, {
    name: "names: treats two spellings of one letter as two names",
    tree: { "caf\u00e9": "one", "cafe\u0301": "22" },
    async check({ fs, root }) {
      const sizeOf = async (name: string) =>
        (await fs.lstat(`${root}/${name}`)).size;
      expect(
        "the size of the composed name's file",
        await sizeOf("caf\u00e9"),
        3,
      );
      expect(
        "the size of the decomposed name's file",
        await sizeOf("cafe\u0301"),
        2,
      );
    },
  }];
}
