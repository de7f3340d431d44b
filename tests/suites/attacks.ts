/** The threat model as a table: every row is an attempt to read outside the workspace. */
import { assert, assertEquals, assertLess } from "@std/assert";
import { describe, it } from "node:test";
import { type FsPort, openWorkspace, ReadFileError } from "../../mod.ts";
import corpus from "./attacks.json" with { type: "json" };
import { OWN_ROWS } from "./own_attacks.ts";
import { countingFs } from "../support/counting_fs.ts";

/** One attack. */
export interface AttackRow {
  readonly id: string;
  /** The files next to {@linkcode BASE}, as {@linkcode readWord} parses them. */
  readonly setup: readonly string[];
  /**
   * The requested path; `$T` in it is the folder that holds everything, `$HALF`
   * half a surrogate pair, which JSON formatters replace.
   */
  readonly input: unknown;
  /** `ok:CONTENT` or a kind of refusal; `|` separates an alternative, which is not used. */
  readonly expect: string;
  readonly note: string;
  readonly plat: string;
}

/** The files of every row. */
export const BASE: readonly string[] = corpus.base;

/** The rows for POSIX systems: the corpus, and those of this repository. */
export const ROWS: readonly AttackRow[] = [
  ...(corpus.rows as readonly AttackRow[]).filter(({ plat }) =>
    plat === "posix"
  ),
  ...OWN_ROWS,
];

/** The numbers of rows for other systems. */
export const ELSEWHERE: Readonly<Record<string, number>> = {
  windows: 8,
  macos: 3,
  // They take many thousand reads each; tests/race/ runs them.
  race: 3,
};

/** One parsed entry of a set-up. */
export interface Word {
  /** `f`, `s`, `l`, `h`, `d`, `p`, `u`, `m`, or `root`. */
  readonly verb: string;
  /** The path it makes or changes. */
  readonly path: string;
  /** The text, the target, the mode. */
  readonly value: string;
}

/** Parses an entry of a set-up; `base` replaces `$T`. */
export function readWord(word: string, base: string): Word {
  const [, verb = "", rest = ""] = /^(\w+) ([^]*)$/.exec(word) ?? [];
  if (verb === "m") {
    const [mode = "", path = ""] = rest.split(" ");
    return { verb, path, value: mode };
  }
  const mark = { f: "=", s: "=", l: " -> ", h: " = " }[verb];
  if (mark === undefined) return { verb, path: rest, value: "" };
  const at = rest.indexOf(mark);
  const value = rest.slice(at + mark.length).replace("$T", base);
  return { verb, path: rest.slice(0, at), value };
}

/** The target of an attack. */
export interface Target {
  readonly fs: FsPort;
  readonly base: string;
  readonly root: string;
}

/** The outcome of an attack: plain data, which a child process can print. */
export interface Outcome {
  readonly verdict: string;
  /** The message, the details and the cause of the failure, as text. */
  readonly told: string;
  /** How many calls of the port it took. */
  readonly calls: number;
  /** How many files were opened, and how many of them were not closed. */
  readonly opened: number;
  readonly open: number;
  /** Paths outside the root that the port was called with. */
  readonly strayed: readonly string[];
  readonly target: { readonly base: string; readonly root: string };
}

/** The root of the workspace of a row, below `base`. */
export function rootOf({ setup }: AttackRow, base: string): string {
  const word = setup.map((word) => readWord(word, base))
    .find(({ verb }) => verb === "root");
  const path = word?.path ?? "ws";
  return path === "/" ? path : `${base}/${path}`;
}

/** Runs the attack. */
export async function attack(
  { fs, base, root }: Target,
  input: unknown,
): Promise<Outcome> {
  const watched = watchedFs(fs);
  const { counts, ...counted } = countingFs(watched.fs);
  const path = typeof input === "string"
    ? input.replace("$T", base).replace("$HALF", "\ud800")
    : input;
  let verdict: string;
  let told = "";
  try {
    const workspace = await openWorkspace(root, { fs: counted });
    verdict = `ok:${(await workspace.read(path as string)).text}`;
  } catch (error) {
    verdict = verdictOf(error);
    told = wordsOf(error);
  }
  const { open, opened, calls } = counts;
  const { strayed } = watched;
  const target = { base, root };
  return { verdict, told, calls, open, opened, strayed, target };
}

/** Defines a test for each row; `outcomeOf` runs the attack. */
export function attackSuite(
  name: string,
  outcomeOf: (row: AttackRow) => Outcome | Promise<Outcome>,
  leftOut: Readonly<Record<string, string>>,
): void {
  const told = new Map<string, string>();
  describe(`${name}: attacks`, () => {
    for (const row of ROWS) {
      if (Object.hasOwn(leftOut, row.id)) continue;
      const expected = row.expect.split("|")[0]!;
      it(`${row.id} ends in ${expected} ${row.note}`.trim(), async () => {
        const outcome = await outcomeOf(row);
        told.set(row.id, outcome.told);
        assertEquals(outcome.verdict, expected);
        assertHarmless(outcome, row.input);
      });
    }
    it("gives the same messages whatever lies outside the root", () => {
      assertEquals(told.get("OWN-17"), told.get("SYM-01"));
      if (Object.hasOwn(leftOut, "ERR-07")) return;
      assertEquals(told.get("OWN-17"), told.get("ERR-07"));
    });
  });
}

/** How many calls of the port an attack may cost. */
const MOST_CALLS = 20_000;

/** Checks that an outcome reveals nothing. */
function assertHarmless(outcome: Outcome, input: unknown): void {
  const { verdict, told, calls, open, opened, strayed, target } = outcome;
  assertLess(calls, MOST_CALLS, "it took too many calls");
  assertEquals(open, 0, "a file was left open");
  assertEquals(strayed, [], "it used a path outside the root");
  // The file must not even be opened: the writer of a FIFO would notice.
  if (!verdict.startsWith("ok:")) assertEquals(opened, 0, "it opened a file");
  const given = [input, target.root].map((path) =>
    JSON.stringify(path).replace("$T", target.base)
  );
  const rest = given.reduce((rest, path) => rest.replaceAll(path, ""), told);
  assert(!rest.includes(target.base), `it reveals a path: ${told}`);
  assert(!told.includes("SECRET"), `it reveals a secret: ${told}`);
}

function verdictOf(error: unknown): string {
  if (!(error instanceof ReadFileError)) return `thrown: ${error}`;
  if (error.is("NOT_FOUND")) {
    const { reason } = error.details;
    return reason === "missing" ? "not_found" : reason;
  }
  if (error.is("NOT_A_FILE")) {
    const { kind } = error.details;
    return kind === "directory" ? "is_directory" : "not_regular_file";
  }
  if (error.is("INVALID_ARGUMENT")) return "invalid_path";
  return error.code.toLowerCase();
}

function wordsOf(error: unknown): string {
  const { message, details, cause } = error as ReadFileError;
  return `${message} ${JSON.stringify(details)} ${cause ?? ""}`;
}

/** Records each path outside the root that the port is called with. */
function watchedFs(fs: FsPort): { fs: FsPort; strayed: readonly string[] } {
  const strayed: string[] = [];
  let root = "";
  const note = (path: string) => {
    // The real path of the root is taken: the given root may contain links.
    if (path.endsWith("/.")) return path;
    if (path !== root && !path.startsWith(root === "/" ? "/" : `${root}/`)) {
      strayed.push(path);
    }
    return path;
  };
  return {
    strayed,
    fs: {
      realPath: async (path) => root = await fs.realPath(path),
      lstat: (path, role) => fs.lstat(note(path), role),
      readLink: (path) => fs.readLink(note(path)),
      open: (path) => fs.open(note(path)),
    },
  };
}
