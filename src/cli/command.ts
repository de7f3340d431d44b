// Runtime-agnostic.
import { BrokenPipeError, HostError, UsageError } from "./target.ts";
import type { Shell, Target } from "./target.ts";
import { ReadFileError } from "../core/base/errors.ts";
import { quote } from "../core/base/words.ts";
import { escapeHidden } from "../core/unicode/escape.ts";
import type { Workspace } from "../core/workspace.ts";
import { hostFs } from "../fs/host.ts";
import { openWorkspace } from "../host.ts";
import { respond } from "../tools/call.ts";
import { definitionsOf, MAKERS, readConfig } from "./model_tool.ts";
import { lazyDetector } from "./packages.ts";
import { printLists } from "./list.ts";
import { Paper } from "./paper.ts";
import { Printer } from "./printer.ts";
import { readRequest } from "./request.ts";
import type { CallRequest, ListRequest, ReadRequest } from "./request.ts";
import { USAGE, USAGE_HINT } from "./options.ts";

/** 0: success. 1: something could not be read or written. 2: the command line is wrong. */
type ExitCode = 0 | 1 | 2;

export async function runCommand(shell: Shell): Promise<ExitCode> {
  const run = new Run(shell);
  try {
    return await run.answer();
  } catch (error) {
    return await run.fail(error);
  }
}

/** One run of the command line. */
class Run {
  readonly #shell: Shell;
  readonly #paper: Paper;
  readonly #began = performance.now();
  #code: 0 | 1 = 0;

  constructor(shell: Shell) {
    this.#shell = shell;
    this.#paper = new Paper(shell);
  }

  async answer(): Promise<ExitCode> {
    const { args, version } = this.#shell;
    const paper = this.#paper;
    const request = readRequest(args);
    switch (request.kind) {
      case "help":
        await paper.print(USAGE);
        break;
      case "version":
        await paper.print(`${await version()}\n`);
        break;
      case "definitions": {
        const { vendor, tools } = request;
        const defined = await orUsage(definitionsOf(vendor, tools));
        await paper.print(`${JSON.stringify(defined, undefined, 2)}\n`);
        break;
      }
      default:
        await this.#answerFrom(await this.#open(request), request);
    }
    return this.#code;
  }

  async #answerFrom(
    workspace: Workspace,
    request: CallRequest | ListRequest | ReadRequest,
  ): Promise<void> {
    const paper = this.#paper;
    try {
      if (request.kind === "call") await this.#call(workspace, request);
      else if (request.kind === "read") await this.#read(workspace, request);
      else if (!await printLists(workspace, request, paper)) this.#code = 1;
    } finally {
      if (request.stats) {
        const ms = (performance.now() - this.#began).toFixed(1);
        await paper.complain(`${paper.bytesRead} bytes read in ${ms} ms`);
      }
    }
  }

  /** Prints the error, and returns its exit code. */
  async fail(error: unknown): Promise<ExitCode> {
    // A file that failed earlier still counts.
    if (error instanceof BrokenPipeError) return this.#code;
    if (error instanceof UsageError) {
      await this.#paper.complain(`${error.message}\n${USAGE_HINT}`);
      return 2;
    }
    const isKnown = error instanceof ReadFileError ||
      error instanceof HostError;
    if (!isKnown) throw error;
    await this.#paper.complain(error);
    return 1;
  }

  async #call(
    workspace: Workspace,
    { tool, args, config }: CallRequest,
  ): Promise<void> {
    const limits = config === undefined
      ? undefined
      : await readConfig(workspace, config);
    const reply = await respond(MAKERS[tool](workspace, limits), args);
    if (!reply.ok) this.#code = 1;
    const { isTerminal } = this.#shell.output;
    const { content, notes = [] } = reply;
    await this.#paper.print(
      isTerminal ? `${escapeHidden(content).replace(/\n$/, "")}\n` : content,
    );
    for (const note of notes) await this.#paper.complain(note);
  }

  async #read(workspace: Workspace, request: ReadRequest): Promise<void> {
    const printer = new Printer(workspace, request, this.#shell, this.#paper);
    for (const target of request.targets) {
      try {
        await printer.show(target);
      } catch (error) {
        if (!(error instanceof ReadFileError)) throw error;
        // The other files are still read.
        this.#code = 1;
        await this.#paper.complain(withAdvice(error, target));
      }
    }
  }

  async #open(
    request: CallRequest | ListRequest | ReadRequest,
  ): Promise<Workspace> {
    const { workspace, deny } = request;
    const fs = this.#paper.metered(this.#shell.fs ?? hostFs());
    const { isTerminal } = this.#shell.output;
    const detect = isTerminal || request.kind === "read" && showsText(request)
      ? lazyDetector((message) => this.#paper.complain(message))
      : () => [];
    // No cache: a process reads each window once.
    const options = { fs, deny, detect, cacheBytes: 0 };
    // A wrong glob is a mistake on the command line.
    return await orUsage(openWorkspace(workspace, options));
  }
}

/** Whether files are shown as text, not as bytes. */
function showsText({ json, numbers, encoding }: ReadRequest): boolean {
  return json === true || numbers === true || encoding !== undefined;
}

/** Adds advice for a file whose name holds a colon. */
function withAdvice(error: ReadFileError, { text, path }: Target): Error {
  const isWhole = text === path || text.endsWith(":");
  if (!error.is("NOT_FOUND") || isWhole) return error;
  const whole = quote(`${text}:`);
  const advice = `if ${quote(text)} is its whole name, write ${whole}`;
  return error.with({ hint: `${error.hint}; ${advice}` });
}

/** Turns a `TypeError` of the library into a mistake on the command line. */
async function orUsage<Value>(value: Promise<Value>): Promise<Value> {
  try {
    return await value;
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}
