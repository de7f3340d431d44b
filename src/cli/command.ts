import { ReadFileError } from "../core/base/errors.ts";
import { quote } from "../core/base/words.ts";
import { choosePlace, isThere, type Place } from "../core/places.ts";
import { escapeHidden } from "../core/unicode/escape.ts";
import type { Workspace } from "../core/workspace.ts";
import { hostFs } from "../fs/host.ts";
import { memoryFs } from "../fs/memory.ts";
import { openWorkspace } from "../open_workspace.ts";
import { respond } from "../tools/call.ts";
import {
  changesPrinterOf,
  GitRevisions,
  isNoRevision,
  parseRevision,
} from "./changes.ts";
import { definitionsOf, MAKERS, readConfig } from "./model_tool.ts";
import { lazyDetector } from "./packages.ts";
import { listerOf } from "./list.ts";
import { completionFor, usage, USAGE_HINT } from "./options.ts";
import { type ChosenTarget, printerOf } from "./printer.ts";
import { isInput, readRequest } from "./request.ts";
import type { CallRequest, ListRequest } from "./request.ts";
import type { ReadRequest, Target } from "./request.ts";
import { BrokenPipeError, HostError, UsageError } from "./shell.ts";
import { Reporter, type Shell } from "./shell.ts";

/** Runs the command line of a shell, and returns its exit code. */
export async function runCommand(shell: Shell): Promise<0 | 1 | 2> {
  const reporter = new Reporter(shell);
  try {
    await answer(reporter);
  } catch (error) {
    if (error instanceof UsageError) {
      await reporter.warn(`${error.message}\n${USAGE_HINT}`);
      return 2;
    }
    if (error instanceof ReadFileError || error instanceof HostError) {
      await reporter.fail(error);
    } else if (!(error instanceof BrokenPipeError)) throw error;
  }
  // After a broken pipe, a file that failed earlier still counts.
  return reporter.code;
}

async function answer(reporter: Reporter): Promise<void> {
  const { args, version } = reporter.shell;
  const request = readRequest(args);
  if (request.kind === "help") {
    return await reporter.print(usage(request.isAll));
  }
  if (request.kind === "completion") {
    return await reporter.print(completionFor(request.shell));
  }
  if (request.kind === "version") {
    return await reporter.print(`${await version()}\n`);
  }
  if (request.kind === "definitions") {
    const { vendor, tools } = request;
    const defined = await orUsage(definitionsOf(vendor, tools));
    return await reporter.print(`${JSON.stringify(defined, undefined, 2)}\n`);
  }
  const git = request.kind === "read"
    ? new GitRevisions(reporter, request.gitAllow)
    : undefined;
  const workspace = await open(request, reporter, git);
  try {
    if (request.kind === "call") {
      return await call(workspace, request, reporter);
    }
    if (request.kind === "list") {
      const list = listerOf(workspace, request, reporter);
      return await forEach(request.paths, list, reporter);
    }
    const { changes } = request;
    if (changes !== undefined) await git!.load();
    const print = changes === undefined
      ? printerOf(request, reporter)
      : changesPrinterOf(changes, request, reporter);
    const targets: ChosenTarget[] = [];
    for (const target of request.targets) {
      targets.push(
        isInput(target.text)
          ? await chooseInput(target, request, reporter)
          : await choose(workspace, target, request, git!),
      );
    }
    const printNamed = (target: ChosenTarget) => named(target, print);
    await forEach(targets, printNamed, reporter);
  } finally {
    if (request.stats) {
      const ms = (performance.now() - reporter.began).toFixed(1);
      await reporter.warn(`${reporter.bytesRead} bytes read in ${ms} ms`);
    }
  }
}

async function call(
  workspace: Workspace,
  { tool, args, config }: CallRequest,
  reporter: Reporter,
): Promise<void> {
  const limits = config === undefined
    ? undefined
    : await readConfig(workspace, config);
  const reply = await respond(MAKERS[tool](workspace, limits), args);
  if (!reply.ok) reporter.code = 1;
  const { isTerminal } = reporter.shell.output;
  const { content, notes = [] } = reply;
  await reporter.print(
    isTerminal ? `${escapeHidden(content).replace(/\n$/, "")}\n` : content,
  );
  await reporter.warn(...notes);
}

async function open(
  request: CallRequest | ListRequest | ReadRequest,
  reporter: Reporter,
  revisions: GitRevisions | undefined,
): Promise<Workspace> {
  const { workspace, deny } = request;
  const { fs = hostFs() } = reporter.shell;
  const detect = detectorFor(request, reporter);
  // No cache: a process reads each page once.
  const options = {
    ...{ fs: reporter.metered(fs), deny, detect, cacheBytes: 0 },
    ...revisions && { revisions },
  };
  // A wrong glob is a mistake on the command line.
  return await orUsage(openWorkspace(workspace, options));
}

/** Detects encodings where files are shown as text, not as bytes. */
function detectorFor(
  request: CallRequest | ListRequest | ReadRequest,
  reporter: Reporter,
) {
  const { isTerminal } = reporter.shell.output;
  const isText = isTerminal || request.kind === "read" && showsText(request);
  return isText ? lazyDetector((message) => reporter.warn(message)) : () => [];
}

/** Whether a pipe gets files as text, not as bytes. */
function showsText({ json, numbers, encoding, color }: ReadRequest): boolean {
  return json === true || numbers === true || encoding !== undefined ||
    color === "always";
}

/** The most bytes of the standard input, which is kept in memory. */
const MAX_INPUT_BYTES = 64 * 1024 * 1024;

/** Reads the standard input as a file of its own. */
async function chooseInput(
  { text, places }: Target,
  request: ReadRequest,
  reporter: Reporter,
): Promise<ChosenTarget> {
  const bytes = await reporter.shell.readInput(MAX_INPUT_BYTES);
  const workspace = await openWorkspace("/", {
    fs: memoryFs({ "/-": bytes }),
    detect: detectorFor(request, reporter),
  });
  const place = places.find(({ path }) => path === "-") ?? places.at(-1)!;
  return placed(workspace, "", text, place);
}

/** What a revision has, and hardly any name of a file. */
const REVISION_SIGN = /[~^@]|^HEAD/;

/** Chooses the file that a target means: one with that very name, if it is there, or else one at a revision. */
async function choose(
  workspace: Workspace,
  target: Target,
  { placesFor }: ReadRequest,
  git: GitRevisions,
): Promise<ChosenTarget> {
  const chosen = await choosePlace(target.places, isIn(workspace));
  const old = parseRevision(target.text);
  // A rule may deny the text as a name: short names of Windows hold "~1".
  const namesLines = chosen.parts.length > 0;
  if (
    old === undefined || namesLines && await isFile(workspace, chosen.path)
  ) {
    return placed(workspace, "", target.text, chosen);
  }
  const { rev, path } = old;
  const isPlace = chosen.path === rev && namesLines;
  if (isPlace && !REVISION_SIGN.test(rev)) {
    return placed(workspace, "", target.text, chosen);
  }
  const start = `${rev}:`;
  const places = placesFor(path);
  let there: Workspace;
  try {
    await git.load();
    there = await workspace.at(rev);
  } catch (error) {
    // Perhaps a name of a file with a colon, or lines that are misspelt.
    const isMeant = !isNoRevision(error) || REVISION_SIGN.test(rev) ||
      await isIn(workspace)((await choosePlace(places, isIn(workspace))).path);
    if (isMeant) throw error;
    return placed(workspace, "", target.text, chosen);
  }
  const place = await choosePlace(places, isIn(there));
  return placed(there, start, target.text, place);
}

async function isFile(workspace: Workspace, path: string): Promise<boolean> {
  try {
    await workspace.realPath(path);
    return true;
  } catch (error) {
    if (error instanceof ReadFileError) return false;
    throw error;
  }
}

function isIn(workspace: Workspace): (path: string) => Promise<boolean> {
  return (path) => isThere(workspace, path, undefined);
}

function placed(
  workspace: Workspace,
  start: string,
  text: string,
  { path, parts, problem }: Place,
): ChosenTarget {
  if (problem === undefined) {
    const own = text.slice(start.length);
    const lines = own.startsWith(path) ? own.slice(path.length) : "";
    return { workspace, start, path, parts, lines };
  }
  throw new UsageError(`Cannot read ${quote(text)}: ${problem}`);
}

/** Prints a target; a failure names its revision, and what it suggests has its lines. */
async function named(
  target: ChosenTarget,
  print: (target: ChosenTarget) => Promise<void>,
): Promise<void> {
  try {
    await print(target);
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error;
    const { start, path, lines } = target;
    const named = start === "" ? error : error.with({ path: start + path });
    if (!named.is("NOT_FOUND")) throw named;
    const { suggestions: meant } = named.details;
    if (meant === undefined || lines === "") throw named;
    const suggestions = meant.map((path) => path + lines);
    throw named.with({ details: { ...named.details, suggestions } });
  }
}

/** Prints all targets, also after one that fails. */
async function forEach<Target>(
  targets: readonly Target[],
  print: (target: Target) => Promise<void>,
  reporter: Reporter,
): Promise<void> {
  for (const target of targets) {
    try {
      await print(target);
    } catch (error) {
      if (!(error instanceof ReadFileError)) throw error;
      await reporter.fail(error);
    }
  }
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
