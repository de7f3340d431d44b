// Runtime-agnostic.
import type { FsPort } from "../core/base/port.ts";
import {
  BrokenPipeError,
  LoadError,
  NOT_ALL,
  UsageError,
  WriteError,
} from "./target.ts";
import type { Outlet, Shell, Target } from "./target.ts";
import { ReadFileError } from "../core/base/errors.ts";
import { quote } from "../core/base/words.ts";
import { escapeHidden } from "../core/unicode/escape.ts";
import type { Workspace } from "../core/workspace.ts";
import { hostFs } from "../fs/host.ts";
import { openWorkspace } from "../host.ts";
import { respond } from "../tools/call.ts";
import { definitionsOf, makeTool, readConfig } from "./model_tool.ts";
import { lazyDetector } from "./packages.ts";
import { printLists } from "./list.ts";
import { Printer } from "./printer.ts";
import { readRequest } from "./request.ts";
import type { CallRequest, ListRequest, ReadRequest } from "./request.ts";
import { USAGE, USAGE_HINT } from "./options.ts";

/** Wraps a file system; `onRead` is called with the bytes of each read, and the size of the file. */
function meteredFs(
  fs: FsPort,
  onRead: (bytes: number, size: number) => void,
): FsPort {
  return {
    ...fs,
    async open(path) {
      const handle = await fs.open(path);
      let size = 0;
      return {
        async stat() {
          const stat = await handle.stat();
          size = stat.size;
          return stat;
        },
        async read(buffer, position) {
          const bytes = await handle.read(buffer, position);
          onRead(bytes, size);
          return bytes;
        },
        path: () => handle.path(),
        close: () => handle.close(),
      };
    },
  };
}

/** How often the progress is written, in milliseconds. */
const PACE_MS = 100;

const MIB = 1 << 20;

/** A line of progress on standard error; it is cleared before other output. */
class Progress {
  readonly #errors: Outlet;
  readonly #patienceMs: number;
  #since = performance.now();
  #drawnAt = -Infinity;
  #width = 0;
  #bytes = 0;

  constructor(errors: Outlet, patienceMs: number) {
    this.#errors = errors;
    this.#patienceMs = patienceMs;
  }

  /** Counts bytes read of a file of `size` bytes. */
  saw(bytes: number, size: number): void {
    if (!this.#errors.isTerminal) return;
    this.#bytes += bytes;
    const now = performance.now();
    if (now - this.#since < this.#patienceMs) return;
    if (now - this.#drawnAt < PACE_MS) return;
    this.#drawnAt = now;
    const [read, all] = [Math.floor(this.#bytes / MIB), Math.ceil(size / MIB)];
    const line = `${read} MiB read, in a file of ${all} MiB`;
    // Best effort: a read neither waits for it nor fails with it.
    this.#errors.write(`\r${line.padEnd(this.#width)}`).catch(() => {});
    this.#width = line.length;
  }

  /** Clears the line; the next one appears after the full delay. */
  async clear(): Promise<void> {
    const blank = " ".repeat(this.#width);
    if (blank !== "") await this.#errors.write(`\r${blank}\r`).catch(() => {});
    this.#since = performance.now();
    this.#drawnAt = -Infinity;
    this.#width = 0;
    this.#bytes = 0;
  }
}

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
        const { vendor, tools } = request;
        const defined = await orUsage(definitionsOf(vendor, tools));
        await this.#print(`${JSON.stringify(defined, undefined, 2)}\n`);
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
    try {
      if (request.kind === "call") await this.#call(workspace, request);
      else if (request.kind === "list") await this.#list(workspace, request);
      else await this.#read(workspace, request);
    } finally {
      if (request.stats) {
        const ms = (performance.now() - this.#began).toFixed(1);
        await this.#complain(`${this.#bytesRead} bytes read in ${ms} ms\n`);
      }
    }
  }

  /** Prints the error, and returns its exit code. */
  async fail(error: unknown): Promise<ExitCode> {
    // A file that failed earlier still counts.
    if (error instanceof BrokenPipeError) return this.#code;
    if (error instanceof UsageError) {
      await this.#complain(`${error.message}\n${USAGE_HINT}`);
      return 2;
    }
    if (
      error instanceof ReadFileError || error instanceof WriteError ||
      error instanceof LoadError
    ) {
      await this.#complain(`${sentenceOf(error)}\n`);
      return 1;
    }
    throw error;
  }

  async #call(
    workspace: Workspace,
    { tool, args, config }: CallRequest,
  ): Promise<void> {
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
    for (const note of reply.notes ?? []) await this.#complain(`${note}\n`);
  }

  async #list(workspace: Workspace, request: ListRequest): Promise<void> {
    const isWhole = await printLists(workspace, request, {
      print: (rows) => this.#print(rows),
      complain: (what) => this.#complain(`${sentenceOf(what)}\n`),
    });
    if (!isWhole) this.#code = 1;
  }

  async #read(workspace: Workspace, request: ReadRequest): Promise<void> {
    const printer = new Printer(workspace, request, this.#shell, {
      print: (output) => this.#print(output),
      complain: (message) => this.#complain(message),
    });
    for (const target of request.targets) {
      try {
        await printer.show(target);
      } catch (error) {
        if (!(error instanceof ReadFileError)) throw error;
        // The other files are still read.
        this.#code = 1;
        const sentence = sentenceOf(error) + hintFor(error, target);
        await this.#complain(`${sentence}\n`);
      }
    }
  }

  async #open(
    request: CallRequest | ListRequest | ReadRequest,
  ): Promise<Workspace> {
    const { workspace, deny } = request;
    const fs = meteredFs(this.#shell.fs ?? hostFs(), (bytes, size) => {
      this.#bytesRead += bytes;
      this.#progress.saw(bytes, size);
    });
    // A wrong glob is a mistake on the command line.
    const { isTerminal } = this.#shell.output;
    const detect = isTerminal || request.kind === "read" && showsText(request)
      ? lazyDetector((message) => this.#complain(message))
      : () => [];
    // No cache: a process reads each window once.
    const options = { fs, deny, detect, cacheBytes: 0 };
    return await orUsage(openWorkspace(workspace, options));
  }

  async #print(output: string | Uint8Array): Promise<void> {
    await this.#progress.clear();
    if (output.length > 0) await this.#shell.output.write(output);
  }

  async #complain(message: string): Promise<void> {
    const { errors, styles } = this.#shell;
    await this.#progress.clear();
    let shown = message;
    if (errors.isTerminal) {
      shown = escapeHidden(message);
      // Only continuations are bold, so that a line of a file cannot look like one.
      if (styles && shown.startsWith(NOT_ALL)) {
        shown = `\x1b[1m${NOT_ALL}\x1b[0m${shown.slice(NOT_ALL.length)}`;
      }
    }
    // Best effort: standard error itself may be broken.
    await errors.write(shown).catch(() => {});
  }
}

/** Whether files are shown as text, not as bytes. */
function showsText({ json, numbers, encoding }: ReadRequest): boolean {
  return json || numbers === true || encoding !== undefined;
}

/** What went wrong and, if known, what to do next. */
function sentenceOf(error: Error | string): string {
  if (typeof error === "string") return error;
  const { message, hint } = error as Partial<ReadFileError> & Error;
  return hint === undefined ? message : `${message}; ${hint}`;
}

/** Advice for a file whose name holds a colon. */
function hintFor(error: ReadFileError, { text, path }: Target): string {
  if (!error.is("NOT_FOUND") || text === path || text.endsWith(":")) return "";
  return `; if ${quote(text)} is its whole name, write ${quote(`${text}:`)}`;
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
