import { Call } from "./base/call.ts";
import {
  optionalOf,
  ownOf,
  type Refuse,
  type Rules,
  takeOptions,
} from "./base/check.ts";
import { ReadFileError, refuseArgument } from "./base/errors.ts";
import type { ReadFileErrorCode } from "./base/errors.ts";
import {
  DEFAULT_LISTED,
  MAX_LIST_DEPTH,
  MAX_LISTED,
  MAX_SCANNED_NAMES,
} from "./base/limits.ts";
import type { FileEntry, FileKind, FileStat } from "./base/port.ts";
import { isAnyDepth, readGlob } from "./guard/glob.ts";
import { globTrie, mayGoOn } from "./guard/glob_trie.ts";
import { listBatch } from "./guard/lister.ts";
import { type Names, parsePath } from "./guard/path.ts";
import type { ProofContext } from "./guard/proof.ts";

/** Which entries of a directory a listing shows, as plain JSON. */
export interface ListOptions {
  /** How many levels of directories to list, at most 5; by default 1, or as deep as a glob with a slash or `**` says. */
  readonly depth?: number;
  /**
   * Shows only what the glob matches, in the grammar of
   * {@linkcode DenyOptions.deny} without exceptions. Without a slash it is
   * matched against names, and else against paths from the directory.
   */
  readonly glob?: string;
  /** Shows what comes after this path, as an earlier listing has it. */
  readonly after?: string;
  /** The most entries to show; 1,000 by default, at most 10,000. */
  readonly limit?: number;
  /** Whether entries have their `mtimeMs`. */
  readonly times?: boolean;
}

/** An entry of a directory. */
export interface ListedEntry {
  /** Its path from the listed directory. */
  readonly path: string;
  /** What it is; a link is not followed. */
  readonly kind: FileKind;
  /** The size of a file in bytes; `null` for anything else. */
  readonly size: number | null;
  /** What it is if its kind is `"other"`, where the system tells. */
  readonly special?: NonNullable<FileStat["special"]>;
  /** When it last changed, in milliseconds since the epoch, or `null` if that is unknown; only with `times`. */
  readonly mtimeMs?: number | null;
}

/** Some entries of a directory, sorted by name, each directory before its entries. */
export interface Listing {
  /** The directory, from the root. */
  readonly path: string;
  /** The entries. The list may be empty although more follow: where a glob matches few of very many names. */
  readonly entries: readonly ListedEntry[];
  /** The options of the next call; `null` at the end. */
  readonly next: ListOptions | null;
  /** The directories below it whose entries cannot be shown: the path from the listed directory, and why. */
  readonly unlisted: readonly {
    readonly path: string;
    readonly code: ReadFileErrorCode;
  }[];
  /** Why names were left out: a rule denies them (unless it hides them), or they are not Unicode and so cannot be asked for. */
  readonly omitted: readonly ("denied" | "not Unicode")[];
  /** Whether there are directories at the last level, in which more may be that the glob matches. */
  readonly isDeeper: boolean;
}

export async function listDirectory(
  { fs, root }: Pick<ProofContext, "fs" | "root">,
  path: string,
  input: ListOptions,
  signal: AbortSignal | undefined,
): Promise<Listing> {
  const refuse = refuseArgument(path);
  const { after = "", ...others } = takeOptions(input, RULES, refuse);
  const options = ownOf<ListOptions>(others);
  const { limit = DEFAULT_LISTED, times = false } = options;
  const { names: listed } = parsePath(path, root.aliases);
  const { matchIn, levels } = readMatcher(options.glob, root, refuse);
  const { depth = levels } = options;
  const context = { fs, root, call: new Call(path, signal) };
  const omitted = new Set<Listing["omitted"][number]>();
  const unlisted: Listing["unlisted"][number][] = [];
  /** How many names were read, of those that may be shown. */
  let scanned = 0;
  /** The path after which the next call continues, once this call has shown or read enough. */
  let last: string | undefined;
  let isDeeper = false;

  /** Gives the entries below the directory `above`; with `seen`, those after this path from there. */
  async function* entriesBelow(
    above: Names,
    seen: Names,
  ): AsyncGenerator<ListedEntry, void> {
    const [first, ...rest] = seen;
    const { matches, leadsOn } = matchIn(above);
    // Some disks list entries without their kinds.
    const mayHold = ({ name, kind }: FileEntry) => {
      const isBelow = above.length + 1 < depth;
      if (isBelow && kind === "other") return true;
      if (kind !== "directory" || !leadsOn(name)) return false;
      if (!isBelow) isDeeper = true;
      return isBelow;
    };
    const request = {
      names: [...listed, ...above],
      most: limit + 1,
      isWanted: (entry: FileEntry) => mayHold(entry) || matches(entry.name),
    };
    for (let from: string | undefined = first ?? ""; from !== undefined;) {
      const batch = await listBatch(context, { ...request, from });
      scanned += batch.scanned;
      for (const why of batch.omitted) omitted.add(why);
      for (const { name, stat } of batch.entries) {
        const { kind, size, mtimeMs } = stat;
        const special = optionalOf(stat, "special");
        const names = [...above, name];
        const path = names.join("/");
        // An earlier call listed it, and entries below it up to `rest`.
        const wasListed = name === first;
        if (!wasListed && matches(name)) {
          const facts = {
            path,
            kind,
            size: kind === "file" ? size : null,
            ...(special && { special }),
          };
          yield times ? { ...facts, mtimeMs } : facts;
        }
        if (kind !== "directory" || names.length >= depth) continue;
        if (!leadsOn(name)) continue;
        if (!wasListed && scanned > MAX_SCANNED_NAMES) {
          last = path;
          return;
        }
        try {
          yield* entriesBelow(names, wasListed ? rest : []);
        } catch (error) {
          // The walk continues after a directory that cannot be listed.
          context.call.check();
          if (!(error instanceof ReadFileError)) throw error;
          unlisted.push({ path, code: error.code });
        }
        if (last !== undefined) return;
      }
      from = batch.next;
    }
  }

  const from = after.split("/").filter((name) => name !== "");
  const entries: ListedEntry[] = [];
  for await (const entry of entriesBelow([], from)) {
    if (entries.length === limit) {
      last = entries.at(-1)!.path;
      break;
    }
    entries.push(entry);
  }
  return {
    path: listed.join("/") || ".",
    entries,
    next: last === undefined ? null : { ...options, after: last },
    unlisted,
    omitted: [...omitted].sort(),
    isDeeper,
  };
}

const RULES: Rules<ListOptions> = {
  depth: { least: 1, most: MAX_LIST_DEPTH },
  glob: "text",
  after: "text",
  limit: { least: 1, most: MAX_LISTED },
  times: "flag",
};

/** What a glob says of the names in a directory. */
export interface NamesMatcher {
  /** Whether the glob matches the path of a name. */
  matches(name: string): boolean;
  /** Whether it may match paths below a directory with this name. */
  leadsOn(name: string): boolean;
}

/** What a glob says of a tree. */
export interface NameMatcher {
  /** How many levels it asks for by itself. */
  readonly levels: number;
  matchIn(above: Names): NamesMatcher;
}

const ALL: NameMatcher = {
  levels: 1,
  matchIn: () => ({ matches: () => true, leadsOn: () => true }),
};

/** The most parts of a glob, with each choice: each of them may be compared with each character of a name, which then takes some milliseconds. */
const MOST_PARTS = 8192;

/** Reads a glob of names, or of paths from a directory below a root. */
export function readMatcher(
  given: string | undefined,
  { aliases }: Pick<ProofContext["root"], "aliases">,
  refuse: Refuse,
): NameMatcher {
  if (given === undefined) return ALL;
  // No name on Windows has a backslash, so there it separates names.
  const glob = aliases.spelling?.form === "windows"
    ? given.replaceAll("\\", "/")
    : given;
  // A disk may compose accents in another way than the caller.
  const folds = [(name: string) => name.normalize("NFC")];
  const trie = globTrie(folds, folds);
  const isOfNames = !glob.includes("/");
  // "a/" means all that is in a directory.
  const text = isOfNames
    ? `**/${glob}`
    : glob.replace(/^(\.?\/+)+/, "").replace(/(?<=[^\\/])\/+$/, "/**");
  let levels = 1;
  try {
    for (const choice of readGlob(text, MOST_PARTS)) {
      trie.add("top", choice, 0);
      const isDeep = choice.slice(isOfNames ? 1 : 0).some(isAnyDepth);
      levels = Math.max(
        levels,
        isDeep ? Infinity : isOfNames ? 1 : choice.length,
      );
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw refuse("glob", error.message);
  }
  const start = trie.enter("top");
  return {
    levels,
    matchIn(above) {
      const here = above.reduce((at, name) => trie.step(at, name), start);
      // Both are asked about one name after the other.
      let last: string | undefined;
      let state = here;
      const at = (name: string) => {
        if (name !== last) state = trie.step(here, name);
        last = name;
        return state;
      };
      return {
        matches: (name) => at(name).last >= 0,
        leadsOn: (name) => mayGoOn(at(name)),
      };
    },
  };
}
