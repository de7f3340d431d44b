import { Call } from "./base/call.ts";
import { ownOf, type Rules, takeOptions } from "./base/check.ts";
import { MAX_OPEN_FILES } from "./base/limits.ts";
import { tokensIn } from "./base/tokens.ts";
import { MAX_CHAR_BYTES } from "./lines/columns.ts";
import { fit, type FitLimits, type Written } from "./pages/fit.ts";
import { type Page, shownBytes, withLimits } from "./pages/page.ts";
import { writePage } from "./pages/render.ts";
import type { Parts } from "./parts.ts";
import { bytesWithin, readPreparedPage } from "./read.ts";
import { given, takeContext } from "./read_options.ts";
import type { CallContext, ReadFields, ReadOptions } from "./read_options.ts";
import { orError, refuseTo, takeRequests } from "./requests.ts";
import type { ManyAnswer, PageRequest, Task } from "./requests.ts";
import { share } from "./share.ts";

/** Options for {@linkcode Workspace.readMany}: what the pages together may take. */
export interface ReadManyOptions {
  /** The most bytes of the files. */
  readonly maxBytes?: number | undefined;
  /** The most UTF-16 code units of the pages' texts, as {@linkcode ReadFields.maxChars} counts them. */
  readonly maxChars?: number | undefined;
  /** The most tokens of the pages' texts, as {@linkcode ReadFields.maxTokens} counts them. */
  readonly maxTokens?: number | undefined;
  /** The most files to read; those after them are skipped, each with its `next`. */
  readonly maxFiles?: number | undefined;
}

const MOST = { least: 1, unlimited: true } as const;

const MANY_RULES: Rules<ReadManyOptions> = {
  maxBytes: MOST,
  maxChars: MOST,
  maxTokens: MOST,
  maxFiles: MOST,
};

/** Reads pages of several files within one budget. Each file is read once; then its page is shortened to its share. */
export async function readMany(
  workspace: Parts,
  requests: readonly PageRequest[],
  input: ReadManyOptions,
  context: CallContext,
): Promise<ManyAnswer[]> {
  const refuse = refuseTo("read several files");
  const options = takeOptions(input, MANY_RULES, refuse);
  const taken = takeContext("", context);
  const tasks = await takeRequests(workspace, requests, refuse, taken.signal);
  const budget = new Budget(options, taken);
  const open = tasks.filter(({ answer }) => answer === undefined)
    .slice(0, options.maxFiles);
  const parts: RequestPart[] = [];
  for (let at = 0; at < open.length; at += MAX_OPEN_FILES) {
    // Memory does not grow with the number of files: no page is longer than its share.
    const most = budget.mostOf(parts);
    // More at a time would only wait for each other, and delay an abort.
    const some = open.slice(at, at + MAX_OPEN_FILES).map((task) =>
      orError(async () => {
        const { path, options } = task;
        const maxBytes = Math.min(most, options.maxBytes ?? Infinity);
        const limited = given({ ...options, maxBytes });
        const call = new Call(path, taken.signal);
        const page = await readPreparedPage(
          workspace,
          call,
          limited,
          taken.countTokens,
        );
        return await budget.partOf(task, page);
      }).then((read) => ({ task, read }))
    );
    for (const { task, read } of await Promise.all(some)) {
      if ("kind" in read) task.answer = read;
      else parts.push(read);
    }
  }
  await budget.shareAmong(parts);
  for (const { task, shown: page } of parts) {
    if (page) task.answer = { kind: "page", path: task.path, page };
  }
  return tasks.map(({ path, options, answer }) =>
    answer ?? { kind: "skipped", path, next: { ...budget.nextFor(options) } }
  );
}

/** A file that was read. */
interface RequestPart {
  readonly task: Task;
  /** As much as could be shown if the other files were empty. */
  readonly page: Page;
  /** What the page takes of each unit of the budget. */
  readonly needs: readonly number[];
  /** As much as its share has room for; `undefined` if none has. */
  shown?: Page | undefined;
}

/** What the files share. */
interface SharedUnit {
  readonly option: "maxBytes" | "maxChars" | "maxTokens";
  /** The limit of {@linkcode fit}. */
  readonly limit: keyof FitLimits;
  /** The least share: most characters fit into it, and where texts count, the lines around them. */
  readonly least: number;
}

const UNITS: readonly SharedUnit[] = [
  { option: "maxBytes", limit: "fileBytes", least: MAX_CHAR_BYTES },
  { option: "maxChars", limit: "chars", least: 200 },
  { option: "maxTokens", limit: "tokens", least: 80 },
];

/** What the pages of a call together may take. */
class Budget {
  readonly #options: ReadManyOptions;
  readonly #context: CallContext;
  readonly #call: Call;
  /** The units that are limited. */
  readonly #units: readonly SharedUnit[];

  constructor(options: ReadManyOptions, context: CallContext) {
    this.#options = options;
    this.#context = context;
    this.#call = new Call("", context.signal);
    this.#units = UNITS
      .filter(({ option }) => (options[option] ?? Infinity) < Infinity);
  }

  /** The options of a request, with the limits of the call that it lacks. */
  nextFor(options: ReadFields): ReadOptions {
    const limits = UNITS.map(({ option }) =>
      [option, options[option] ?? this.#options[option]] as const
    );
    // Cast, since the read checks what can be combined.
    const all = { ...options, ...Object.fromEntries(limits) };
    return given(all) as ReadOptions;
  }

  /** The most bytes that one more file could show. */
  mostOf(parts: readonly RequestPart[]): number {
    const shares = this.#units.map(({ option, least }, unit) => {
      const most = this.#options[option]!;
      const needs = [...parts.map(({ needs }) => needs[unit]!), Infinity];
      const own = share(needs, most, least).at(-1) ?? least;
      return [option, Math.min(most, own)];
    });
    return bytesWithin(ownOf(Object.fromEntries(shares)));
  }

  /** Measures a page that was read; its next page has the limits of the request, or else those of the call. */
  async partOf(task: Task, read: Page): Promise<RequestPart> {
    const page = withLimits(read, this.nextFor(task.options));
    const { text } = this.#write(page);
    const needs = await Promise.all(
      this.#units.map(({ option }) =>
        option === "maxBytes"
          ? shownBytes(page)
          : option === "maxChars"
          ? text.length
          : tokensIn(text, this.#context.countTokens, this.#call)
      ),
    );
    return { task, page, needs };
  }

  /** Shortens each page to its share. */
  async shareAmong(parts: readonly RequestPart[]): Promise<void> {
    let open = parts;
    for (;;) {
      const limits = this.#sharesOf(open);
      const over: RequestPart[] = [];
      for (const [at, part] of open.entries()) {
        part.shown = undefined;
        const own = limits[at];
        if (own === undefined) continue;
        const { page, isWithin } = await this.#fit(part, own);
        if (isWithin) part.shown = page;
        else over.push(part);
      }
      if (over.length === 0) break;
      // Without the last of them, the others have more.
      const last = over.slice(Math.floor(over.length / 2));
      open = open.filter((part) => !last.includes(part));
    }
    // Each call shows something, so that repeated calls come to an end.
    const isEmpty = ({ shown }: RequestPart) =>
      shown === undefined || shownBytes(shown) === 0;
    if (!parts.every(isEmpty)) return;
    const first = parts.find(({ page }) => shownBytes(page) > 0);
    if (first === undefined) return;
    const limits = this.#units
      .map(({ option, limit }) => [limit, this.#options[option]]);
    first.shown = (await this.#fit(first, Object.fromEntries(limits))).page;
  }

  /** The limits of each page; `undefined` if nothing is left for it. */
  #sharesOf(parts: readonly RequestPart[]): (FitLimits | undefined)[] {
    const cut = new Set<RequestPart>();
    const limits = new Map(parts.map((part) => [part, {} as FitLimits]));
    for (const [unit, { option, limit, least }] of this.#units.entries()) {
      // The text of a page that is cut names the next call, which takes as much as the least.
      const needs = parts.map((part) =>
        part.needs[unit]! + (cut.has(part) ? least : 0)
      );
      const shares = share(needs, this.#options[option]!, least);
      for (const [at, part] of parts.entries()) {
        const most = shares[at]!;
        const own = limits.get(part);
        if (most === null) limits.delete(part);
        else if (own !== undefined) limits.set(part, { ...own, [limit]: most });
        if (most === null || most < part.needs[unit]!) cut.add(part);
      }
    }
    return parts.map((part) => limits.get(part));
  }

  async #fit({ page, needs }: RequestPart, limits: FitLimits) {
    const isWhole = this.#units
      .every(({ limit }, unit) => needs[unit]! <= limits[limit]!);
    if (isWhole) return { page, isWithin: true };
    const { countTokens } = this.#context;
    const write = (page: Page) => this.#write(page);
    return await fit(page, limits, write, { countTokens, call: this.#call });
  }

  /** The text of a page, if it counts. */
  #write(page: Page): Written {
    const isNeeded = this.#units.some(({ option }) => option !== "maxBytes");
    if (isNeeded) return writePage(page);
    const rows = Array.from({ length: page.lineCount }, () => "");
    return { text: "", frame: "", rows };
  }
}
