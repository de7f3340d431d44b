import {
  type FsPort,
  openWorkspace,
  ReadFileError,
  type Workspace,
} from "@agent-tools/read-file";
import {
  damaged,
  type Fault,
  missing,
  outside,
  quoted,
  unsupported,
} from "./fault.ts";
import { type HashFormat, SHA1, SHA256 } from "./hash.ts";
import { absentOr, type Reading } from "./reading.ts";

/** A repository that was found: its folders, each a workspace of its own. */
export interface Repository {
  /** The folder with HEAD. */
  readonly gitDir: Workspace;
  /** The folder with the refs and the objects: another one in a linked worktree. */
  readonly commonDir: Workspace;
  /** The folders with objects: the repository's, and its alternates. */
  readonly stores: readonly Workspace[];
  readonly hash: HashFormat;
}

/** Where a repository is, and what it may name. */
export interface RepositoryPlace {
  readonly repository: string;
  readonly allow: readonly string[];
  readonly fs: FsPort | undefined;
}

/** The most bytes of files that hold a path or settings. */
const MAX_SETTINGS_BYTES = 1024 * 1024;
const MAX_ALTERNATES = 64;

/** Finds the parts of a repository. */
export async function findRepository(
  reading: Reading,
  { repository, allow, fs }: RepositoryPlace,
): Promise<Repository> {
  const { signal } = reading;
  const open = (path: string) =>
    // Hiding, so that a missing file is not looked for elsewhere.
    openWorkspace(path, { ...fs && { fs }, denied: "hide", signal });
  const root = await open(repository);
  const allowed = await Promise.all(allow.map(open));
  /** Finds a folder that the repository names, in what the host has allowed. */
  const folderAt = async (text: string, from: Workspace, what: string) => {
    const path = pathFrom(from.root, text);
    for (const place of [root, from, ...allowed]) {
      let below: string;
      try {
        below = place.normalize(path);
      } catch (error) {
        if (!(error instanceof ReadFileError)) throw error;
        if (error.is("OUTSIDE_WORKSPACE")) continue;
        throw damaged(`${what} names a path that cannot be one`);
      }
      return await narrow(place, below, reading);
    }
    const name = quoted(path);
    throw outside(
      `${what} names ${name}, which is outside of the repository`,
      `allow it, if you trust the repository: { allow: [${name}] }`,
    );
  };
  const gitDir = await findGitDir(root, reading, folderAt);
  const linked = await firstLine(gitDir, "commondir", reading);
  const commonDir = linked === undefined
    ? gitDir
    : await folderAt(linked, gitDir, "commondir");
  if (commonDir === undefined) throw damaged("its common folder is not there");
  const hash = await checkConfig(commonDir, reading);
  const objects = await narrow(commonDir, "objects", reading);
  if (objects === undefined) throw noRepository();
  const stores = [objects];
  const seen = new Set([objects.root]);
  for (const store of stores) {
    for (const line of await alternatesOf(store, reading)) {
      const other = await folderAt(line, store, "objects/info/alternates");
      if (other === undefined || seen.has(other.root)) continue;
      seen.add(other.root);
      if (stores.push(other) > MAX_ALTERNATES) throw tooManyAlternates();
    }
  }
  return { gitDir, commonDir, stores, hash };
}

type FolderAt = (
  text: string,
  from: Workspace,
  what: string,
) => Promise<Workspace | undefined>;

/** Finds the folder with HEAD: `.git`, what the file `.git` names, or the repository itself. */
async function findGitDir(
  root: Workspace,
  reading: Reading,
  folderAt: FolderAt,
): Promise<Workspace> {
  const inside = await narrow(root, ".git", reading);
  if (inside !== undefined) return inside;
  const line = await firstLine(root, ".git", reading);
  if (line !== undefined) {
    const named = /^gitdir: *(.+)$/.exec(line)?.[1];
    if (named === undefined) throw damaged('its file ".git" names no folder');
    const folder = await folderAt(named, root, 'its file ".git"');
    if (folder === undefined) {
      throw damaged('the folder that its file ".git" names is not there');
    }
    return folder;
  }
  const isBare = await reading.open(root, "HEAD") !== undefined &&
    await narrow(root, "objects", reading) !== undefined;
  if (!isBare) throw noRepository();
  return root;
}

function noRepository(): Fault {
  const hint = "name its folder as { repository }";
  return missing("no git repository is there", [], hint);
}

/** A folder of a workspace, as a workspace; `undefined` if it is not there, or is a file. */
async function narrow(
  place: Workspace,
  root: string,
  { signal }: Reading,
): Promise<Workspace | undefined> {
  try {
    return await place.narrow({ root, signal });
  } catch (error) {
    const isFile = error instanceof ReadFileError && error.is("NOT_A_FILE") &&
      error.details.kind === "file";
    return isFile ? undefined : absentOr(error, root);
  }
}

/** The first line of a file; `undefined` if it is not there. */
async function firstLine(place: Workspace, path: string, reading: Reading) {
  const file = await reading.text(place, path, MAX_SETTINGS_BYTES);
  return file && utf8(file.text).split("\n")[0]!.trimEnd();
}

/** The folders of objects that a folder of objects names. */
async function alternatesOf(store: Workspace, reading: Reading) {
  const path = "info/alternates";
  const file = await reading.text(store, path, MAX_SETTINGS_BYTES);
  const lines = utf8(file?.text ?? "").split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (lines.length > MAX_ALTERNATES) throw tooManyAlternates();
  const line = lines.find((line) => line.startsWith('"'));
  if (line === undefined) return lines;
  throw unsupported(
    `objects/info/alternates has a quoted path, ${quoted(line)}`,
    "write it without quotes",
  );
}

function tooManyAlternates(): Fault {
  return damaged(`it has more than ${MAX_ALTERNATES} alternates`);
}

/** The extensions that change nothing for a reader. */
const HARMLESS: readonly string[] = [
  "noop",
  "partialclone",
  "preciousobjects",
  "relativeworktrees",
  "worktreeconfig",
];

/** Checks that the form of the repository is known; returns the format of its hashes. */
async function checkConfig(
  commonDir: Workspace,
  reading: Reading,
): Promise<HashFormat> {
  const file = await reading.text(commonDir, "config", MAX_SETTINGS_BYTES);
  let hash = SHA1;
  for (const [name, value] of settingsIn(file?.text ?? "")) {
    if (name === "core.repositoryformatversion" && !/^[01]$/.test(value)) {
      throw unknownForm(`version ${value} of its form`);
    }
    const extension = /^extensions\.(.*)$/.exec(name)?.[1];
    if (extension === undefined || HARMLESS.includes(extension)) continue;
    if (extension === "objectformat") {
      if (value !== "sha1" && value !== "sha256") {
        throw unknownForm(`the object format ${quoted(value)}`);
      }
      hash = value === "sha256" ? SHA256 : SHA1;
    } else if (extension === "refstorage") {
      if (value !== "files") {
        throw unsupported(
          `its refs are stored as ${quoted(value)}, which is not read`,
          "run git refs migrate --ref-format=files in the repository",
        );
      }
    } else throw unknownForm(`the extension ${quoted(extension)}`);
  }
  return hash;
}

function unknownForm(what: string): Fault {
  return unsupported(`the repository has ${what}, which is unknown`, "use git");
}

/** The settings of a configuration file: "section.name", and the value. */
function* settingsIn(text: string): Generator<[name: string, value: string]> {
  let section = "";
  for (const line of text.split("\n")) {
    let setting = line.trim();
    const header = /^\[([-.\w]+)([^\]]*)\]([^]*)$/.exec(setting);
    if (header !== null) {
      section = header[1]! + header[2]!;
      setting = header[3]!.trim();
    }
    const [, name, value = "true"] =
      /^([a-z][-a-z0-9]*)\s*(?:=([^#;]*)[^]*)?$/i.exec(setting) ?? [];
    if (name === undefined) continue;
    const plain = value.replaceAll('"', "").trim();
    yield [`${section}.${name}`.toLowerCase(), plain];
  }
}

/** The text of bytes that stand as one character each. */
export function utf8(latin1: string): string {
  const bytes = Uint8Array.from(latin1, (unit) => unit.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}

/** The drive or the server that an absolute path of Windows begins with. */
const START = /^(?:\/?[a-z]:(?=\/)|\/\/[^/]+\/[^/]+)/i;

/** A path as it is from a folder, absolute and without `.` and `..`, by its text. */
function pathFrom(folder: string, path: string): string {
  // The root of a workspace on Windows is like `C:/dir` or `//server/share`.
  const isOfWindows = !/^\/(?!\/)/.test(folder);
  const isAbsolute = path.startsWith("/") || isOfWindows && START.test(path);
  const whole = isAbsolute ? path : `${folder}/${path}`;
  const start = isOfWindows ? START.exec(whole)?.[0] ?? "" : "";
  const names: string[] = [];
  for (const name of whole.slice(start.length).split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `${start}/${names.join("/")}`;
}
