import { Call, runInSteps, STEP_ITEMS } from "./base/call.ts";
import { ownOf, type Rules, takeOptions } from "./base/check.ts";
import { MAX_OPEN_FILES } from "./base/limits.ts";
import { tokensIn } from "./base/tokens.ts";
import { MAX_CHAR_BYTES } from "./lines/utf8.ts";
import { SharedViews } from "./media/shared_views.ts";
import { fit, type Written } from "./pages/fit.ts";
import { type Page, shownBytes, withLimits } from "./pages/page.ts";
import { writePage } from "./pages/render.ts";
import type { Parts } from "./parts.ts";
import { bytesWithin, readPreparedPage } from "./read.ts";
import { given, takeContext } from "./read_options.ts";
import type { CallContext, ReadFields, ReadOptions } from "./read_options.ts";
import { orError, refuseTo, takeRequests } from "./requests.ts";
import type { ManyAnswer, PageRequest, Task } from "./requests.ts";
import { type Amounts, shareAmounts } from "./share.ts";

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
  const names = new Set(open.map(({ path }) => path));
  // A text that is shared is made whole, and kept.
  const views = names.size < open.length
    ? new SharedViews().of(workspace.views)
    : workspace.views;
  const parts: RequestPart[] = [];
  let most = Infinity;
  let known = 0;
  for (let at = 0; at < open.length; at += MAX_OPEN_FILES) {
    // Memory does not grow with the number of files: no page is longer than its
    // share. That only becomes less, and is found anew for some more files: for
    // each few of them, it would take a time that grows with the square of their number.
    if (parts.length >= known * 1.25) {
      most = await budget.mostOf(parts);
      known = parts.length;
    }
    // More at a time would only wait for each other, and delay an abort.
    const some = open.slice(at, at + MAX_OPEN_FILES).map((task) =>
      orError(async () => {
        const { path, options } = task;
        const maxBytes = Math.min(most, options.maxBytes ?? Infinity);
        const limited = given({ ...options, maxBytes });
        const call = new Call(path, taken.signal);
        const page = await readPreparedPage(
          { ...workspace, views },
          call,
          limited,
          taken.countTokens,
        );
        return await budget.partOf(task, page);
      }).then((read) => ({ task, read }))
    );
    for (const { task, read } of await Promise.all(some)) {
      if (read.kind === "part") parts.push(read);
      else task.answer = read;
    }
  }
  await budget.shareAmong(parts);
  for (const { task, shown: page } of parts) {
    if (page) task.answer = { kind: "page", path: task.path, page };
  }
  const call = new Call("", taken.signal);
  const answers: ManyAnswer[] = [];
  for (const { path, options, answer } of tasks) {
    if (answers.length % STEP_ITEMS === 0) await call.yieldThenCheck();
    answers.push(
      answer ?? { kind: "skipped", path, next: { ...budget.nextFor(options) } },
    );
  }
  return answers;
}

/** A file that was read. */
interface RequestPart {
  readonly kind: "part";
  readonly task: Task;
  /** As much as could be shown if the other files were empty. */
  readonly page: Page;
  /** What the page takes of each unit of the budget. */
  readonly needs: Shares;
  /** As much as its share has room for; `undefined` if none has. */
  shown?: Page | undefined;
}

/** What the files share, by the names that it has as a limit of {@linkcode fit}; and the option that limits it. */
const UNITS = {
  fileBytes: "maxBytes",
  chars: "maxChars",
  tokens: "maxTokens",
} as const;

type Unit = keyof typeof UNITS;

type Shares = Amounts<Unit>;

/** The least share: most characters fit into it, and where texts count, the lines around them. */
const LEAST: Shares = { fileBytes: MAX_CHAR_BYTES, chars: 200, tokens: 80 };

const EVERYTHING: Shares = {
  fileBytes: Infinity,
  chars: Infinity,
  tokens: Infinity,
};

/** What the pages of a call together may take. */
class Budget {
  readonly #options: ReadManyOptions;
  readonly #context: CallContext;
  readonly #call: Call;
  /** The units that are limited. */
  readonly #units: readonly Unit[];
  /** Their limits. */
  readonly #limits: Shares;

  constructor(options: ReadManyOptions, context: CallContext) {
    this.#options = options;
    this.#context = context;
    this.#call = new Call("", context.signal);
    const limits = (Object.keys(UNITS) as Unit[])
      .map((unit) => [unit, options[UNITS[unit]] ?? Infinity] as const)
      .filter(([, limit]) => limit < Infinity);
    this.#units = limits.map(([unit]) => unit);
    this.#limits = Object.fromEntries(limits) as Shares;
  }

  /** The options of a request, with the limits of the call that it lacks. */
  nextFor(options: ReadFields): ReadOptions {
    const { maxBytes, maxChars, maxTokens } = this.#options;
    // Cast, since the read checks what can be combined.
    return given({
      ...options,
      maxBytes: options.maxBytes ?? maxBytes,
      maxChars: options.maxChars ?? maxChars,
      maxTokens: options.maxTokens ?? maxTokens,
    }) as ReadOptions;
  }

  /** The most bytes that one more file could show. */
  async mostOf(parts: readonly RequestPart[]): Promise<number> {
    const needs = [...parts.map(({ needs }) => needs), EVERYTHING];
    const own = (await this.#share(needs)).at(-1) ?? LEAST;
    const most = this.#units.map((unit) =>
      [UNITS[unit], Math.min(own[unit], this.#limits[unit])] as const
    );
    return bytesWithin(ownOf(Object.fromEntries(most)));
  }

  /** Measures a page that was read; its next page has the limits of the request, or else those of the call. */
  async partOf(task: Task, read: Page): Promise<RequestPart> {
    const page = withLimits(read, this.nextFor(task.options));
    const { text } = this.#write(page);
    const tokens = this.#units.includes("tokens")
      ? await tokensIn(text, this.#context.countTokens, this.#call)
      : 0;
    const fileBytes = shownBytes(page);
    const needs = { fileBytes, chars: text.length, tokens };
    return { kind: "part", task, page, needs };
  }

  /** Shortens each page to its share. */
  async shareAmong(parts: readonly RequestPart[]): Promise<void> {
    let open = parts;
    for (;;) {
      const shares = await this.#share(open.map(({ needs }) => needs));
      const over: RequestPart[] = [];
      for (const [at, part] of open.entries()) {
        part.shown = undefined;
        const own = shares[at] ?? null;
        if (own === null) continue;
        await this.#call.yieldThenCheck();
        const { page, isWithin } = await this.#fit(part, own);
        if (isWithin) part.shown = page;
        else over.push(part);
      }
      if (over.length === 0) break;
      // Without the last of them, the others have more.
      const last = new Set(over.slice(Math.floor(over.length / 2)));
      open = open.filter((part) => !last.has(part));
    }
    // Each call shows something, so that repeated calls come to an end.
    const isEmpty = ({ shown }: RequestPart) =>
      shown === undefined || shownBytes(shown) === 0;
    if (!parts.every(isEmpty)) return;
    const first = parts.find(({ page }) => shownBytes(page) > 0);
    if (first === undefined) return;
    first.shown = (await this.#fit(first, this.#limits)).page;
  }

  #share(needs: readonly Shares[]) {
    return runInSteps(shareAmounts(needs, this.#limits, LEAST), this.#call);
  }

  async #fit({ page, needs }: RequestPart, limits: Shares) {
    const isWhole = this.#units.every((unit) => needs[unit] <= limits[unit]);
    if (isWhole) return { page, isWithin: true };
    const { countTokens } = this.#context;
    const write = (page: Page) => this.#write(page);
    return await fit(page, limits, write, { countTokens, call: this.#call });
  }

  /** The text of a page, if it counts. */
  #write(page: Page): Written {
    const isNeeded = this.#units.some((unit) => unit !== "fileBytes");
    if (isNeeded) return writePage(page);
    const rows = Array.from({ length: page.lineCount }, () => "");
    return { text: "", frame: "", rows };
  }
}
