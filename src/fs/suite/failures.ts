// Runtime-agnostic.
import type { Awaitable } from "../../core/port.ts";
import {
  type DraftCase,
  expectCode,
  type Lacks,
  type Verb,
  VERBS,
} from "./case.ts";
import type { PlantedPort } from "./port_suite.ts";

/** How a port says that something is not there. */
export function failureCases(lacks: Lacks): DraftCase[] {
  const files = { "a": "hello" };
  const cases = VERBS.map((verb): DraftCase => ({
    name: `${verb}(): says ENOENT and ENOTDIR as a disk does`,
    tree: files,
    async check(place) {
      for (const [name, code] of MISSING) {
        await expectMissing(place, { verb, name, code, lacks });
      }
    },
  }));
  if (lacks.includes("links")) return cases;
  const circles = VERBS.map((verb): DraftCase => ({
    name: `${verb}(): says ELOOP where a link on the way leads to itself`,
    tree: { "loop": { link: "loop" } },
    async check({ fs, root }) {
      const ask = () => fs[verb](`${root}/loop/a`);
      await expectCode(`${verb}() of "loop/a"`, ask, "ELOOP");
    },
  }));
  return [...cases, ...circles];
}

/** What is not there, and how that is said; "a" is a file. */
const MISSING: readonly (readonly [string, string])[] = [
  ["nope", "ENOENT"],
  ["nope/a", "ENOENT"],
  ["a/b", "ENOTDIR"],
];

/** What must fail, and how. */
interface Missing {
  readonly verb: Verb;
  readonly name: string;
  readonly code: string;
  readonly lacks: Lacks;
}

/** Fails unless the port fails; one that cannot list may take it for a directory until it opens. */
export async function expectMissing(
  { fs, root }: PlantedPort,
  { verb, name, code, lacks }: Missing,
): Promise<void> {
  const what = `${verb}() of ${JSON.stringify(name)}, which is not there,`;
  const ask = () => fs[verb](`${root}/${name}`);
  if (!lacks.includes("directories")) return expectCode(what, ask, code);
  const codes = ["ENOENT", "ENOTDIR"];
  if (verb === "open") return expectCode(what, ask, ...codes);
  if (verb === "readLink") return expectCode(what, ask, ...codes, "EINVAL");
  if (await taken(ask) !== "directory") await expectCode(what, ask, ...codes);
}

/** What the answer takes it for; a way that leads on is that of a directory. */
async function taken(ask: () => Awaitable<unknown>): Promise<unknown> {
  try {
    const answer = await ask();
    return typeof answer === "string" ? "directory" : Object(answer).kind;
  } catch {
    return undefined;
  }
}
