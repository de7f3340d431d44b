// Runtime-agnostic.
import { ReadFileError } from "../core/errors.ts";
import { quote } from "../core/quote.ts";
import { escapeHidden } from "../core/pages/escape.ts";
import type { Workspace } from "../core/workspace.ts";
import { hostFs } from "../fs/host.ts";
import { openWorkspace } from "../host.ts";
import { respond } from "../tools/tool.ts";
import { meteredFs } from "./meter.ts";
import { definitionsOf, makeTool, readConfig } from "./model_tool.ts";
import { Printer } from "./printer.ts";
import { Progress } from "./progress.ts";
import {
  type Boundary,
  type CallRequest,
  type ReadRequest,
  readRequest,
} from "./request.ts";
import {
  BrokenPipeError,
  LoadError,
  type Shell,
  UsageError,
  WriteError,
} from "./shell.ts";
import type { Target } from "./target.ts";
import { USAGE, USAGE_HINT } from "./usage.ts";

/** All went well; something could not be read or written; the command line is wrong. */
export type ExitCode = 0 | 1 | 2;

/** Runs the command line. */
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
  readonly #progress: Progress;
  readonly #began = performance.now();
  #bytesRead = 0;
  #code: 0 | 1 = 0;

  constructor(shell: Shell) {
    this.#shell = shell;
    this.#progress = new Progress(shell.errors, shell.patienceMs);
  }

  async answer(): Promise<ExitCode> {
    const { args, version } = this.#shell;
    const request = readRequest(args);
    switch (request.kind) {
      case "help":
        await this.#print(USAGE);
        break;
      case "version":
        await this.#print(`${await version()}\n`);
        break;
      case "definitions": {
        const tools = await orUsage(
          definitionsOf(request.vendor, request.tools),
        );
        await this.#print(`${JSON.stringify(tools, undefined, 2)}\n`);
        break;
      }
      case "call":
        await this.#call(request);
        break;
      case "read":
        await this.#read(request);
    }
    return this.#code;
  }

  /** Says what went wrong, and gives the code that says so too. */
  async fail(error: unknown): Promise<ExitCode> {
    // What failed before it still counts.
    if (error instanceof BrokenPipeError) return this.#code;
    if (error instanceof UsageError) {
      await this.#complain(`${error.message}\n${USAGE_HINT}`);
      return 2;
    }
    if (
      error instanceof ReadFileError || error instanceof WriteError ||
      error instanceof LoadError
    ) {
      await this.#complain(`${error.message}\n`);
      return 1;
    }
    throw error;
  }

  async #call(request: CallRequest): Promise<void> {
    const workspace = await this.#open(request);
    const { tool, args, config, stats } = request;
    try {
      const limits = config === undefined
        ? undefined
        : await readConfig(workspace, config);
      const reply = await respond(makeTool(tool, workspace, limits), args);
      if (!reply.ok) this.#code = 1;
      const { isTerminal } = this.#shell.output;
      const { content } = reply;
      await this.#print(
        isTerminal ? `${escapeHidden(content).replace(/\n$/, "")}\n` : content,
      );
    } finally {
      if (stats) await this.#sayStats();
    }
  }

  async #read(request: ReadRequest): Promise<void> {
    const workspace = await this.#open(request);
    const printer = new Printer(workspace, request, this.#shell, {
      print: (output) => this.#print(output),
      complain: (message) => this.#complain(message),
    });
    try {
      for (const target of request.targets) {
        try {
          await printer.show(target);
        } catch (error) {
          if (!(error instanceof ReadFileError)) throw error;
          // One that fails does not keep the others from being read.
          this.#code = 1;
          await this.#complain(`${error.message}${hintFor(error, target)}\n`);
        }
      }
    } finally {
      if (request.stats) await this.#sayStats();
    }
  }

  async #open({ workspace, deny }: Boundary): Promise<Workspace> {
    const fs = meteredFs(this.#shell.fs ?? hostFs(), (bytes, size) => {
      this.#bytesRead += bytes;
      this.#progress.saw(bytes, size);
    });
    // A glob that can match nothing.
    return await orUsage(openWorkspace(workspace, { fs, deny }));
  }

  async #print(output: string | Uint8Array): Promise<void> {
    await this.#progress.clear();
    if (output.length > 0) await this.#shell.output.write(output);
  }

  async #complain(message: string): Promise<void> {
    const { errors } = this.#shell;
    await this.#progress.clear();
    // Where no one listens there is no one to tell.
    await errors.write(errors.isTerminal ? escapeHidden(message) : message)
      .catch(() => {});
  }

  async #sayStats(): Promise<void> {
    const ms = (performance.now() - this.#began).toFixed(1);
    await this.#complain(`${this.#bytesRead} bytes read in ${ms} ms\n`);
  }
}

/** Who has a colon in the name of a file may not know how to write it. */
function hintFor(error: ReadFileError, { text, path }: Target): string {
  if (!error.is("NOT_FOUND") || text === path || text.endsWith(":")) return "";
  return `; if ${quote(text)} is its whole name, write ${quote(`${text}:`)}`;
}

/** What the library cannot take of its caller, this caller has from the command line. */
async function orUsage<Value>(value: Promise<Value>): Promise<Value> {
  try {
    return await value;
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}
