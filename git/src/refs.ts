import type { Workspace } from "@agent-tools/read-file";
import { damaged, missing, quoted, tooLarge } from "./fault.ts";
import { absentOr, type Reading } from "./reading.ts";
import { type Repository, utf8 } from "./repository.ts";

/** The most links between refs, as git has it. */
const MAX_SYMREFS = 5;
/** The most bytes of a ref that are read: a hash, or the name of another ref. */
const MAX_REF_BYTES = 1024;
const MAX_PACKED_REFS_BYTES = 32 * 1024 * 1024;
/** The most refs that are looked at for suggestions. */
const MAX_NAMES = 2000;
const MAX_SUGGESTIONS = 3;

/** Where git looks for a name, in order. */
const PLACES: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => `refs/${name}`,
  (name) => `refs/tags/${name}`,
  (name) => `refs/heads/${name}`,
  (name) => `refs/remotes/${name}`,
  (name) => `refs/remotes/${name}/HEAD`,
];

/** The refs of a repository, loose or packed. */
export class Refs {
  readonly #repository: Repository;
  readonly #reading: Reading;
  #packed: string | undefined;

  constructor(repository: Repository, reading: Reading) {
    this.#repository = repository;
    this.#reading = reading;
  }

  /** The hash that a name stands for; `undefined` if the repository does not have that ref. */
  async find(name: string): Promise<string | undefined> {
    if (!isRefName(name)) return undefined;
    for (const place of PLACES) {
      const found = await this.#follow(place(name));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The hash of a ref, through others that it names. */
  async #follow(ref: string): Promise<string | undefined> {
    const digits = 2 * this.#repository.hash.bytes;
    let at = ref;
    for (let links = 0; links <= MAX_SYMREFS; links++) {
      const text = await this.#textOf(at);
      if (text === undefined) {
        if (links === 0) return undefined;
        throw missing(
          `${quoted(ref)} leads to ${quoted(at)}, which is not there`,
        );
      }
      const other = /^ref:[ \t]*([^\n]*?)\s*(?:\n|$)/.exec(text)?.[1];
      if (other === undefined) {
        const hash = text.slice(0, digits).toLowerCase();
        const isHash = /^[0-9a-f]+$/.test(hash) && hash.length === digits &&
          /^(\s|$)/.test(text.slice(digits));
        if (isHash) return hash;
        // A file of the repository such as "config", which is not a ref.
        if (!at.startsWith("refs/") && at !== "HEAD") return undefined;
        throw damaged(`its ref ${quoted(at)} is not a hash`);
      }
      if (!other.startsWith("refs/") || !isRefName(other)) {
        throw damaged(
          `its ref ${quoted(at)} leads to ${quoted(other)}, no ref`,
        );
      }
      at = other;
    }
    throw damaged(`its ref ${quoted(ref)} leads through too many others`);
  }

  /** What a ref holds. */
  async #textOf(ref: string): Promise<string | undefined> {
    const { gitDir, commonDir } = this.#repository;
    // Each worktree has its own HEAD.
    const isOwn = !/^refs\/(?!bisect\/|worktree\/|rewritten\/)/.test(ref);
    const place = isOwn ? gitDir : commonDir;
    const file = await this.#reading.text(place, ref, MAX_REF_BYTES);
    if (file !== undefined) return utf8(file.text);
    const packed = await this.#packedRefs();
    const name = latin1Of(ref);
    const end = packed.indexOf(` ${name}\n`);
    if (end < 0) return undefined;
    return packed.slice(packed.lastIndexOf("\n", end) + 1, end);
  }

  /** The file of the packed refs, which ends with a line feed. */
  async #packedRefs(): Promise<string> {
    if (this.#packed !== undefined) return this.#packed;
    const { commonDir } = this.#repository;
    const path = "packed-refs";
    const file = await this.#reading.open(commonDir, path);
    const size = file?.stat.size ?? 0;
    if (size > MAX_PACKED_REFS_BYTES) {
      throw tooLarge("its packed refs", size, MAX_PACKED_REFS_BYTES);
    }
    const packed = await this.#reading.text(commonDir, path, size);
    return this.#packed = `${packed?.text ?? ""}\n`;
  }

  /** The names of branches and tags that are like a name. */
  async alike(name: string): Promise<string[]> {
    const packed = await this.#packedRefs();
    const names = new Set(["HEAD"]);
    for (const [, ref = ""] of packed.matchAll(/^[0-9a-f]+ refs\/(.*)$/gm)) {
      names.add(utf8(ref));
      if (names.size > MAX_NAMES) break;
    }
    for (const ref of await this.#looseNames(this.#repository.commonDir)) {
      names.add(ref);
    }
    const short = [...names].map((ref) =>
      ref.replace(/^(heads|tags|remotes)\//, "")
    );
    return nearest(name, new Set(short));
  }

  async #looseNames(place: Workspace): Promise<string[]> {
    const names: string[] = [];
    const { signal } = this.#reading;
    for (const folder of ["heads", "tags", "remotes"]) {
      try {
        const options = { depth: 5, limit: MAX_NAMES };
        const path = `refs/${folder}`;
        const { entries } = await place.list(path, options, { signal });
        for (const { path, kind } of entries) {
          if (kind === "file") names.push(`${folder}/${path}`);
        }
      } catch (error) {
        absentOr(error, folder);
      }
    }
    return names;
  }
}

/** Whether git takes a name as that of a ref: none that leaves the folder of refs. */
function isRefName(name: string): boolean {
  return name !== "" && name.length <= 1024 &&
    !/[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^[/.-]|\/\.|[/.]$|\.lock(\/|$)/
      .test(name) &&
    name.isWellFormed();
}

/** One character for each byte, as packed refs are searched. */
function latin1Of(text: string): string {
  return Array.from(
    new TextEncoder().encode(text),
    (byte) => String.fromCharCode(byte),
  ).join("");
}

/** The names most like another one: those with few other letters, or that hold it. */
export function nearest(name: string, names: Iterable<string>): string[] {
  const wanted = name.toLowerCase();
  const allowed = Math.max(1, Math.floor(wanted.length / 2));
  return Array.from(names, (other) => {
    const given = other.toLowerCase();
    const holds = wanted.length > 2 && given.includes(wanted);
    return { other, distance: holds ? 1 : distanceOf(wanted, given, allowed) };
  })
    .filter(({ other, distance }) => distance <= allowed && other !== name)
    .sort((one, two) =>
      one.distance - two.distance || (one.other < two.other ? -1 : 1)
    )
    .slice(0, MAX_SUGGESTIONS)
    .map(({ other }) => other);
}

/** How many letters must be changed, inserted or left out; `Infinity` where the lengths tell that it is too many. */
function distanceOf(one: string, two: string, allowed: number): number {
  if (Math.abs(one.length - two.length) > allowed) return Infinity;
  if (one.length > 100) return Infinity;
  let row = Array.from({ length: two.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= two.length; j++) {
      const changed = row[j - 1]! + (one[i - 1] === two[j - 1] ? 0 : 1);
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[two.length]!;
}
