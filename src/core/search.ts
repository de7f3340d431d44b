import { Call, runInSteps } from "./base/call.ts";
import { ownOf, type Rules, takeOptions } from "./base/check.ts";
import { ReadFileError, refuseArgument } from "./base/errors.ts";
import type { ReadFileErrorCode } from "./base/errors.ts";
import { SNIFF_BYTES } from "./base/limits.ts";
import type { CountTokens } from "./base/tokens.ts";
import { matcherOf } from "./find/query.ts";
import { type Matcher as TextMatcher, searchText } from "./find/search.ts";
import {
  type IgnoreState,
  isIgnored,
  rulesBelow,
  withRules,
} from "./gitignore.ts";
import { listBatch } from "./guard/lister.ts";
import { openBelow, type OpenedFile } from "./guard/open.ts";
import { type Names, parsePath } from "./guard/path.ts";
import { Source } from "./lines/source.ts";
import { isUtf8 } from "./lines/text.ts";
import { loadAll } from "./lines/unsized.ts";
import { type NameMatcher, type NamesMatcher, readMatcher } from "./list.ts";
import type { Page } from "./pages/page.ts";
import type { Parts } from "./parts.ts";
import { readPreparedPage } from "./read.ts";
import { given, type ReadFields, takeReadOptions } from "./read_options.ts";

/** Which files below a directory are searched, as plain JSON. */
export interface TreeOptions {
  /** Only files that the glob matches, in the grammar of a listing. */
  readonly glob?: string;
  /** Whether to search `node_modules`, and what `.gitignore` names. */
  readonly ignored?: boolean;
  /** The file to begin at, by its path from the directory. */
  readonly from?: string;
}

/** The rule of each option. */
const TREE_RULES: Rules<TreeOptions> = {
  glob: "text",
  ignored: "flag",
  from: "text",
};

/** Options of a read that tell where the page in the first file begins. */
const PLACE = ["start", "column", "etag"] as const;

/** Options that mean something in a tree. */
const TAKEN: readonly (keyof ReadFields)[] = [
  "match",
  "regex",
  "ignoreCase",
  "before",
  "after",
  "limit",
  "escape",
  "encoding",
  "binary",
  "maxBytes",
];

/** How many entries of a directory are kept at a time. */
const MOST_ENTRIES = 4096;
/** How many files are searched at a time on a port that answers later. */
const MOST_AT_ONCE = 8;
/** How many failures are named. */
const MOST_FAILED = 10;
/** The most bytes of a `.gitignore` file that are read. */
const MOST_RULES_BYTES = 64 * 1024;
const RULES_NAME = ".gitignore";
const LEAST_BOM = 0xfe;
const ESC = 0x1b;
const START = { position: 0, line: 1, column: 1 } as const;

/** A directory that is being searched. */
interface Frame {
  /** Its names from the directory of the search. */
  readonly below: Names;
  readonly names: NamesMatcher;
  rules: IgnoreState;
  entries: Awaited<ReturnType<typeof listBatch>>["entries"];
  /** The next entry. */
  at: number;
  /** The first name of the next entries, if there are more. */
  next: string | undefined;
  /** What is left of the path to begin at. */
  readonly seen: Names;
  /** Whether its files may be opened without a walk: one was, and its path has no link. */
  isLinkFree: boolean;
}

/** A file or directory that could not be searched. */
export interface Unsearched {
  readonly path: string;
  readonly code: ReadFileErrorCode;
}

/**
 * Searches the files below a directory, in the order of their names. Links are
 * not followed. Each directory is proved to lie in the workspace as for a
 * listing, and each file as for a read.
 */
export class TreeSearch {
  /** How many files were searched to their end. */
  searched = 0;
  /** How many files are binary, and were left out. */
  binary = 0;
  /** How many names a rule denies that would have been searched. */
  denied = 0;
  /** What was left out because of its name. */
  readonly skipped: Set<".git" | "node_modules" | "ignored"> = new Set();
  /** The first files and directories that could not be searched. */
  readonly failed: Unsearched[] = [];
  /** How many others could not. */
  unnamed = 0;
  readonly #parts: Parts;
  readonly #path: string;
  readonly #top: Names;
  readonly #options: ReadFields;
  /** Where the page in the first file begins. */
  readonly #place: ReadFields;
  readonly #tree: TreeOptions;
  /** The names of the file to begin at. */
  readonly #from: Names;
  /** The same as a path: a long one takes milliseconds to join. */
  readonly #fromPath: string;
  readonly #matcher: NameMatcher;
  readonly #signal: AbortSignal | undefined;
  readonly #countTokens: CountTokens | undefined;
  readonly #maxScanBytes: number | undefined;

  /** Checks the options. */
  constructor(
    parts: Parts,
    path: string,
    tree: TreeOptions,
    read: ReadFields,
    { signal, countTokens, maxScanBytes }: {
      readonly signal?: AbortSignal | undefined;
      readonly countTokens?: CountTokens | undefined;
      readonly maxScanBytes?: number | undefined;
    } = {},
  ) {
    const refuse = refuseArgument(path);
    this.#parts = parts;
    this.#path = path;
    this.#top = parsePath(path, parts.root.aliases).names;
    this.#tree = takeOptions(tree, TREE_RULES, refuse);
    const options = ownOf<Record<string, unknown>>(
      { ...takeReadOptions(path, read) },
    );
    const place = ownOf<Record<string, unknown>>({});
    const { from, glob } = this.#tree;
    this.#from = (from ?? "").split("/")
      .filter((name) => name !== "" && name !== ".");
    this.#fromPath = this.#from.join("/");
    for (const name of PLACE) {
      if (options[name] === undefined) continue;
      if (from === undefined) {
        throw refuse(name, "means nothing for a directory; name a file");
      }
      place[name] = options[name];
      delete options[name];
    }
    for (const name of Object.keys(options)) {
      if (TAKEN.includes(name as keyof ReadFields)) continue;
      throw refuse(name, "means nothing for a directory; name a file");
    }
    this.#options = given(options);
    this.#place = place;
    this.#matcher = readMatcher(glob, parts.root, refuse);
    this.#signal = signal;
    this.#countTokens = countTokens;
    this.#maxScanBytes = maxScanBytes;
  }

  /** Gives the paths of the files that may match, from the root, in order. */
  async *paths(): AsyncGenerator<string, void> {
    const call = new Call(this.#path, this.#signal);
    const { root } = this.#parts;
    // A matcher keeps where it is in a file.
    const matchers: TextMatcher[] = [];
    while (matchers.length < (root.answersLater ? MOST_AT_ONCE : 1)) {
      const steps = matcherOf(this.#options, refuseArgument(this.#path));
      matchers.push(await runInSteps(steps, call));
    }
    const rules = await this.#rulesAbove(call);
    const frames = [await this.#enter([], rules, this.#from)];
    for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
      await call.yieldIfDue();
      const entry = frame.entries[frame.at++];
      if (entry === undefined) {
        if (frame.next === undefined) frames.pop();
        else await this.#load(frame, frame.next);
        continue;
      }
      const { name, stat: { kind } } = entry;
      const below = [...frame.below, name];
      const [first, ...rest] = frame.seen;
      if (kind === "directory") {
        if (!frame.names.leadsOn(name)) continue;
        if (await this.#leavesOut(frame, name, true, call)) continue;
        const rules = await runInSteps(rulesBelow(frame.rules, name), call);
        try {
          const seen = name === first ? rest : [];
          frames.push(await this.#enter(below, rules, seen));
        } catch (error) {
          await this.#noteListed(below, error);
        }
      } else if (kind === "file" && frame.names.matches(name)) {
        if (await this.#leavesOut(frame, name, false, call)) continue;
        if (!root.answersLater) {
          const mayMatch = await this.#mayMatch(frame, below, matchers[0]!);
          if (mayMatch) yield this.#pathOf(below);
          continue;
        }
        const after = await this.#filesAfter(frame, matchers.length - 1, call);
        const some = [below, ...after];
        const looks = some.map((one, at) =>
          this.#mayMatch(frame, one, matchers[at]!)
        );
        for (const [at, mayMatch] of (await Promise.all(looks)).entries()) {
          if (mayMatch) yield this.#pathOf(some[at]!);
        }
      }
    }
  }

  /** Reads the lines of a file that match; `undefined` if there are none, or if the file is left out. */
  async read(path: string, limits: ReadFields): Promise<Page | undefined> {
    const isFirst = this.below(path) === this.#fromPath;
    const place = isFirst ? this.#place : {};
    const options = given({
      ...this.#options,
      binary: "refuse-shown",
      ...place,
      ...limits,
    });
    const call = new Call(path, this.#signal, this.#maxScanBytes);
    try {
      const page = await readPreparedPage(
        this.#parts,
        call,
        options,
        this.#countTokens,
      );
      return page.empty === null ? page : undefined;
    } catch (error) {
      const isStale = place.etag !== undefined &&
        error instanceof ReadFileError && error.is("CHANGED");
      if (isStale) throw error;
      const code = this.#note(error);
      this.searched--;
      if (code !== undefined) this.failed.push({ path, code });
      return undefined;
    }
  }

  /** The path from the directory of the search, of one from the root. */
  below(path: string): string {
    return path.split("/").slice(this.#top.length).join("/");
  }

  #pathOf(below: Names): string {
    return [...this.#top, ...below].join("/");
  }

  /** The files that directly follow, to be searched at the same time: a port over a network takes long for each. */
  async #filesAfter(frame: Frame, most: number, call: Call): Promise<Names[]> {
    const files: Names[] = [];
    while (files.length < most) {
      const { name, stat } = frame.entries[frame.at] ?? {};
      if (name === undefined || stat?.kind !== "file") break;
      frame.at++;
      if (!frame.names.matches(name)) continue;
      if (await this.#leavesOut(frame, name, false, call)) continue;
      files.push([...frame.below, name]);
    }
    return files;
  }

  /** Whether the name of a file or directory leaves it out. */
  async #leavesOut(
    { rules }: Frame,
    name: string,
    isDirectory: boolean,
    call: Call,
  ): Promise<boolean> {
    const isGit = isDirectory && name === ".git";
    const isOfPackages = isDirectory && name === "node_modules";
    const why = isGit
      ? ".git"
      : this.#tree.ignored
      ? undefined
      : isOfPackages
      ? "node_modules"
      : await runInSteps(isIgnored(rules, name, isDirectory), call)
      ? "ignored"
      : undefined;
    if (why === undefined) return false;
    this.skipped.add(why);
    return true;
  }

  async #enter(below: Names, rules: IgnoreState, seen: Names): Promise<Frame> {
    const names = this.#matcher.matchIn(below);
    const frame: Frame = {
      below,
      names,
      rules,
      entries: [],
      at: 0,
      next: undefined,
      seen,
      isLinkFree: false,
    };
    await this.#load(frame, seen[0] ?? "", true);
    return frame;
  }

  /** Lists a part of a directory; with the first part, reads the rules of its `.gitignore`. */
  async #load(frame: Frame, from: string, isFirst = false): Promise<void> {
    const { fs, root } = this.#parts;
    const { names, below } = frame;
    const own = [...this.#top, ...below];
    const path = below.length === 0 ? this.#path : own.join("/");
    const call = new Call(path, this.#signal);
    const batch = await listBatch(
      { fs, root, call },
      {
        names: own,
        from,
        most: MOST_ENTRIES,
        isOpened: true,
        isWanted: ({ name, kind }) =>
          kind === "directory" || kind === "other"
            ? names.leadsOn(name) || names.matches(name)
            : kind === "file" && (name === RULES_NAME || names.matches(name)),
      },
    );
    frame.entries = batch.entries;
    frame.at = 0;
    frame.next = batch.next;
    if (!isFirst) return;
    const mayHaveRules = from !== "" || batch.next !== undefined ||
      batch.entries.some(({ name }) => name === RULES_NAME);
    if (!this.#tree.ignored && mayHaveRules) {
      const steps = withRules(frame.rules, await this.#rulesOf(own));
      frame.rules = await runInSteps(steps, call);
    }
    this.denied += batch.otherDenied;
    for (const { name, kind } of batch.denied) {
      await call.yieldIfDue();
      const isDirectory = kind === "directory";
      const isWanted = isDirectory ? names.leadsOn(name) : names.matches(name);
      if (!isWanted) continue;
      if (!await this.#leavesOut(frame, name, isDirectory, call)) this.denied++;
    }
  }

  /** The rules of the directories above the one of the search, up to the root. */
  async #rulesAbove(call: Call): Promise<IgnoreState> {
    let rules: IgnoreState = [];
    if (this.#tree.ignored) return rules;
    for (const [depth, name] of this.#top.entries()) {
      const text = await this.#rulesOf(this.#top.slice(0, depth));
      const added = await runInSteps(withRules(rules, text), call);
      rules = await runInSteps(rulesBelow(added, name), call);
    }
    return rules;
  }

  /** The text of a directory's `.gitignore`; empty if it has none that may be read. */
  async #rulesOf(directory: Names): Promise<string> {
    const { fs, root } = this.#parts;
    const path = [...directory, RULES_NAME].join("/");
    const call = new Call(path, this.#signal);
    try {
      const { file } = await openBelow(fs, root, path, call);
      try {
        const most = Math.min(file.stat.size, MOST_RULES_BYTES);
        const bytes = new Uint8Array(most);
        for (let at = 0; at < most;) {
          const count = await file.read(bytes.subarray(at), at);
          if (count === 0) break;
          at += count;
        }
        return new TextDecoder().decode(bytes);
      } finally {
        await file.close();
      }
    } catch (error) {
      if (!(error instanceof ReadFileError) || error.is("ABORTED")) throw error;
      return "";
    }
  }

  /** Whether a file may match: it has a hit as UTF-8, or may be in another encoding. */
  async #mayMatch(
    frame: Frame,
    below: Names,
    matcher: TextMatcher,
  ): Promise<boolean> {
    const { fs, root, semaphore } = this.#parts;
    const path = this.#pathOf(below);
    const call = new Call(path, this.#signal, this.#maxScanBytes);
    const slot = semaphore.acquire();
    if (slot !== undefined) await call.wait(slot, () => semaphore.release());
    try {
      // A wrong guess is found out when the file is open: its own path must be this one.
      const guess = frame.isLinkFree;
      const opened = await openBelow(fs, root, path, call, guess);
      const { file } = opened;
      frame.isLinkFree = opened.isLinkFree;
      try {
        return await this.#look(file, call, matcher);
      } finally {
        await file.close();
      }
    } catch (error) {
      await this.#noteListed(below, error);
      return false;
    } finally {
      semaphore.release();
    }
  }

  async #look(
    opened: OpenedFile,
    call: Call,
    matcher: TextMatcher,
  ): Promise<boolean> {
    const { kernels, encodings } = this.#parts;
    const { encoding = "auto" } = this.#options;
    const isUnsized = opened.stat.size === 0 && !opened.stat.remote;
    const file = isUnsized ? await loadAll(opened, call) : opened;
    const { size } = file.stat;
    this.searched++;
    if (size === 0) return false;
    if (!/^(?:auto|utf-?8)$/i.test(encoding)) return true;
    const kernel = kernels.take(size);
    const source = new Source(file, kernel, call);
    try {
      const head = await source.piece(0, SNIFF_BYTES);
      const hasNul = kernel.has(0, head.length, 0);
      if (hasNul || head[0]! >= LEAST_BOM) {
        const detected = await encodings.detect(source);
        if (detected?.codec !== undefined) return true;
        if (hasNul) {
          this.searched--;
          this.binary++;
          return false;
        }
      }
      const search = searchText(source, matcher, START, size);
      if (await search.next()) return true;
      // In another encoding, characters beyond ASCII have other bytes.
      if (matcher.isAscii || encoding !== "auto" || isAllUtf8(source)) {
        return false;
      }
      const detected = await encodings.detect(source, {
        isMissed: true,
        span: { start: size, end: size },
        text: "",
        bytes: () => new Uint8Array(0),
      });
      return detected?.codec !== undefined;
    } catch (error) {
      this.searched--;
      throw error;
    } finally {
      // A read that an abort left pending may still write into the buffer.
      if (!source.isReading) kernels.give(kernel);
    }
  }

  /** Notes a failure of a listed name; the search goes on, unless it was aborted. */
  async #noteListed(below: Names, error: unknown): Promise<void> {
    const why = this.#note(error);
    if (why === undefined) return;
    const path = this.#pathOf(below);
    if (this.failed.length >= MOST_FAILED) {
      this.unnamed++;
      return;
    }
    // A directory that is swapped may be listed with names of another one, which must
    // not be told. One that cannot be listed again is told as the whole search.
    try {
      if (await this.#has(below)) this.failed.push({ path, code: why });
    } catch (error) {
      const code = this.#note(error);
      const path = this.#top.join("/") || ".";
      const isTold = this.failed.some((one) => one.path === path);
      if (code !== undefined && !isTold) this.failed.push({ path, code });
    }
  }

  /** Counts a failure; returns its code if it is to be told. */
  #note(error: unknown): ReadFileErrorCode | undefined {
    if (!(error instanceof ReadFileError) || error.is("ABORTED")) throw error;
    if (error.is("BINARY")) this.binary++;
    else if (error.is("POLICY_DENIED")) this.denied++;
    // It was removed, or replaced by a link, after it was listed.
    else if (!error.is("NOT_FOUND") && !error.is("NOT_A_FILE")) {
      return error.code;
    }
    return undefined;
  }

  /** Whether a name is in its directory, as for a listing that shows it, and is no link. */
  async #has(below: Names): Promise<boolean> {
    const { fs, root } = this.#parts;
    const above = [...this.#top, ...below.slice(0, -1)];
    const from = below.at(-1)!;
    const call = new Call(above.join("/"), this.#signal);
    const isWanted = ({ name }: { readonly name: string }) => name === from;
    const request = { names: above, from, most: 1, isWanted };
    const { entries } = await listBatch({ fs, root, call }, request);
    const [entry] = entries;
    // Windows may list a link as what it leads to.
    return entry !== undefined && entry.stat.kind !== "symlink";
  }
}

/** Whether the buffer shows that a file is UTF-8; an escape may begin characters of ISO-2022-JP. */
function isAllUtf8({ kernel, start, end, size }: Source): boolean {
  if (start > 0 || end < size || kernel.has(0, size, ESC)) return false;
  return kernel.isAscii?.(0, size) ||
    isUtf8(kernel.buffer.subarray(0, size), true);
}
