/** The readers in a race: those of the library, and a control that must leak. */
import { constants } from "node:fs";
import { lstat, open, readdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  bunFs,
  denoFs,
  type FsPort,
  openWorkspace,
  readerTools,
  ReadFileError,
} from "../../mod.ts";
import { overlayFs } from "../../layers/mod.ts";
import { callAsModel, FOUR_TOOLS } from "../support/four_tools.ts";
import { attackOf, type Mode, PUBLIC, SECRET } from "./stage.ts";

/** The result of a read: its text, or a refusal. */
export interface Answer {
  /** Why it was refused. */
  readonly refusal?: string;
  /** All text that was returned. */
  readonly text: string;
  /** How many chances to leak the read had: one by default. */
  readonly chances?: number;
}

/** Reads the file once. */
export type Reader = () => Promise<Answer>;

/** The name of the control. */
export const CONTROL = "control";

/** `Workspace.open` on an asynchronous port, which gives an attacker more time. */
export const WAITING = "Workspace.open nonBlocking";

/** `Workspace.open` through a layer, whose stats come some steps after those of the disk. */
export const LAYERED = "Workspace.open overlay";

/** `read_file` with `match` in the directory of the file: a listing, reads, and listings of what fails. */
export const SEARCH = "search";

/** The readers of the library. */
export const READERS: readonly string[] = [
  "Workspace.open",
  "Workspace.list",
  ...FOUR_TOOLS.map(({ name }) => name),
];

/** Makes a reader before the attack starts. */
export async function makeReader(
  name: string,
  mode: Mode,
  root: string,
): Promise<Reader> {
  const { file, reads = [file], narrow = "." } = attackOf(mode);
  let turn = 0;
  const next = () => reads[turn++ % reads.length]!;
  if (name === CONTROL) return checkThenOpen(mode, join(root, narrow), next);
  const nonBlocking = name === WAITING;
  const disk = "Bun" in globalThis
    ? bunFs({ nonBlocking })
    : denoFs({ nonBlocking });
  let opened = 0;
  const counting: FsPort = {
    ...disk,
    open(path) {
      const handle = disk.open(path);
      if (path.endsWith(".txt")) opened++;
      return handle;
    },
  };
  const fs = name === LAYERED
    ? overlayFs(disk, {})
    : name === SEARCH
    ? counting
    : disk;
  const whole = await openWorkspace(root, { fs });
  const workspace = await whole.narrow({ root: narrow });
  if (name === "Workspace.list") {
    const directory = narrow === "." ? dirname(file) : ".";
    return async () => {
      try {
        const { entries } = await workspace.list(directory);
        return { text: entries.map(({ path }) => path).join("\n") };
      } catch (error) {
        return { refusal: codeOf(error), text: String(error) };
      }
    };
  }
  if (name === SEARCH) {
    const directory = narrow === "." ? dirname(file) : ".";
    const [readFile] = readerTools(workspace);
    const args = { path: directory, match: ".", regex: true };
    // Each file that it opens may be one outside. Names come from the listing alone.
    const isOfFiles = !OF_NAMES.has(mode) && mode !== "oracle";
    return async () => {
      opened = 0;
      const answer = answerOf(mode, await callAsModel(readFile, { ...args }));
      return { ...answer, chances: isOfFiles ? Math.max(1, opened) : 1 };
    };
  }
  const tool = FOUR_TOOLS.find((tool) => tool.name === name);
  if (tool !== undefined) {
    const made = tool.make(workspace);
    return async () => {
      const args = { [tool.pathName]: join(root, narrow, next()) };
      const { ok, code, content } = await callAsModel(made, args);
      return ok ? { text: content } : { refusal: `${code}`, text: content };
    };
  }
  return async () => {
    try {
      await using opened = await workspace.open(next());
      const buffer = new Uint8Array(64);
      const length = await opened.read(buffer, 0);
      return { text: decode(buffer.subarray(0, length)) };
    } catch (error) {
      const { details } = error as { readonly details?: unknown };
      const text = `${error} ${JSON.stringify(details)}`;
      return { refusal: codeOf(error), text };
    }
  };
}

/** The modes in which names are secrets. */
const OF_NAMES: ReadonlySet<Mode> = new Set(["listing", "fewer"]);

/** Judges a search as a read of the file. */
function answerOf(
  mode: Mode,
  { ok, code, content }: Awaited<ReturnType<typeof callAsModel>>,
): Answer {
  // The names of files outside are secrets, too.
  const text = content.replaceAll("secret-", SECRET);
  if (!ok) return { refusal: `${code}`, text };
  const [, failed] = /^Note: could not search .*\((\w+)\)$/m.exec(text) ?? [];
  // A directory that is listed must not seem to be without its file.
  const isOfNames = OF_NAMES.has(mode);
  const isFound = text.includes(PUBLIC);
  if (mode === "oracle") return { refusal: "NOT_FOUND", text };
  const refusal = failed ?? (isFound || isOfNames ? undefined : "CHANGED");
  return { ...(!isFound && refusal !== undefined && { refusal }), text };
}

/**
 * The control, a common pattern: resolve the real path, check it, and open it
 * without following links.
 *
 * In mode `leaf`, open follows links, so only the check protects the file. In mode
 * `fifo`, opening a FIFO counts as a leak.
 */
function checkThenOpen(
  mode: Mode,
  root: string,
  next: () => string,
): Reader {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const flags = O_RDONLY | O_NONBLOCK | (mode === "leaf" ? 0 : O_NOFOLLOW);
  return async () => {
    const file = next();
    try {
      if (mode === "oracle") return await checkThenLook(root, file);
      const isDirectory = mode === "moved" &&
        (await lstat(dirname(join(root, file)))).isDirectory();
      const path = isDirectory
        ? join(root, file)
        : await realpath(join(root, file));
      const isFine = mode === "fifo"
        ? (await lstat(path)).isFile()
        : path.startsWith(`${root}/`);
      if (!isFine) return { refusal: "CHANGED", text: "" };
      if (OF_NAMES.has(mode)) {
        return { text: (await readdir(path)).join("\n") };
      }
      await using opened = await open(path, flags);
      if ((await opened.stat()).isFIFO()) return { text: SECRET };
      const buffer = new Uint8Array(64);
      const { bytesRead } = await opened.read(buffer, 0, 64, 0);
      return { text: decode(buffer.subarray(0, bytesRead)) };
    } catch (error) {
      return { refusal: codeOf(error), text: "" };
    }
  };
}

/** The same pattern for a directory, which finds the kind of its entry. */
async function checkThenLook(root: string, file: string): Promise<Answer> {
  try {
    const path = await realpath(join(root, dirname(file)));
    if (!path.startsWith(`${root}/`)) return { refusal: "CHANGED", text: "" };
    await lstat(join(root, file));
    return { refusal: "NOT_A_FILE", text: "" };
  } catch {
    return { refusal: "NOT_FOUND", text: "" };
  }
}

function codeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: string; name?: string };
  return error instanceof ReadFileError ? error.code : `${name} ${code}`;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
