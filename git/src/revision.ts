import type { Whole } from "./copy.ts";
import { damaged, missing, quoted, wrongRev } from "./fault.ts";
import type { ObjectType } from "./hash.ts";
import type { Objects } from "./objects.ts";
import type { Reading } from "./reading.ts";
import type { Refs } from "./refs.ts";
import { readCommit, Tree } from "./tree.ts";

/** The longest name of a revision. */
const MAX_REV_LENGTH = 4096;
/** The most tags on the way to a commit. */
const MAX_TAGS = 100;
/** The most hashes of a short one that a message names. */
const MAX_NAMED = 4;

/** What finding a revision needs. */
export interface RevisionSource {
  readonly reading: Reading;
  readonly objects: Objects;
  readonly refs: Refs;
}

/** An object by its name. */
type Named = Whole & { readonly oid: string };

/** Finds the tree of a revision: of a commit, a tag, a tree, or a folder of it, as in `HEAD:src`. */
export async function findTree(
  source: RevisionSource,
  rev: string,
): Promise<string> {
  const { name, steps, path } = parseRev(rev);
  let oid = await findName(source, name, typeWanted(steps));
  for (const step of steps) oid = await takeStep(source, oid, step);
  const tree = await peel(source, oid, "tree");
  return path === undefined ? tree.oid : await folderIn(source, tree, path);
}

/** Finds the tree of a revision that must be a commit: what a model names must not lead to another folder. */
export async function findCommit(
  source: RevisionSource,
  rev: string,
): Promise<string> {
  const { name, steps, path } = parseRev(rev);
  if (path !== undefined) {
    throw wrongRev("names a path", "name a commit alone, such as HEAD~1");
  }
  let oid = await findName(source, name, "commit");
  for (const step of steps) oid = await takeStep(source, oid, step);
  const commit = await peel(source, oid, "commit");
  return (await peel(source, commit.oid, "tree")).oid;
}

/** A step from one object to another: to a parent, to an ancestor, or to what a tag names. */
type Step =
  | { readonly kind: "parent" | "ancestor"; readonly count: number }
  | { readonly kind: "peel"; readonly type: string };

interface ParsedRev {
  readonly name: string;
  readonly steps: readonly Step[];
  /** A folder of the tree. */
  readonly path: string | undefined;
}

/** Takes a revision apart. */
function parseRev(rev: string): ParsedRev {
  if (rev === "") throw wrongRev("must not be empty");
  if (rev.length > MAX_REV_LENGTH) {
    throw wrongRev(`is longer than ${MAX_REV_LENGTH} characters`);
  }
  // The words of `^{…}` may hold a colon.
  const colon = /^(?:[^:{]|\{[^}]*\}?)*/.exec(rev)![0].length;
  const path = colon < rev.length ? rev.slice(colon + 1) : undefined;
  const text = rev.slice(0, colon);
  const how = "name a branch, a tag or a commit, such as HEAD~1";
  if (text === "") {
    throw wrongRev("names nothing before the colon", how);
  }
  if (text.includes("..")) throw wrongRev("is a range, not one revision", how);
  if (text.includes("@{")) {
    throw wrongRev("names an entry of the reflog, which is not read", how);
  }
  const [name = ""] = /^[^~^]*/.exec(text)!;
  if (name === "") throw wrongRev("names nothing before its steps", how);
  const steps: Step[] = [];
  let rest = text.slice(name.length);
  while (rest !== "") {
    const found = /^(?:~(\d*)|\^\{(\w*)\}|\^(?!\{)(\d*))/.exec(rest);
    if (found === null) {
      throw wrongRev(`has an unknown step, ${quoted(rest)}`, how);
    }
    const [step, ancestors, type, parent] = found;
    rest = rest.slice(step.length);
    if (type !== undefined) steps.push({ kind: "peel", type });
    else {
      const kind = ancestors === undefined ? "parent" : "ancestor";
      const count = Number((ancestors ?? parent) || "1");
      steps.push({ kind, count });
    }
  }
  return { name: name === "@" ? "HEAD" : name, steps, path };
}

/** Finds the object of a hash, a ref or a short hash. */
async function findName(
  source: RevisionSource,
  name: string,
  wanted: ObjectType | undefined,
): Promise<string> {
  const { refs, objects, reading } = source;
  const digits = 2 * objects.hash.bytes;
  const lower = name.toLowerCase();
  const isHex = /^[0-9a-f]+$/.test(lower);
  if (isHex && lower.length === digits) return lower;
  const found = await refs.find(name);
  if (found !== undefined) return found;
  // "v1.2-3-gabcdef" is what `git describe` writes.
  const short = isHex ? lower : /-g([0-9a-f]+)$/.exec(lower)?.[1];
  if (short !== undefined && short.length >= 4 && short.length < digits) {
    const names = await objects.namesWith(reading, short);
    const [oid] = names;
    if (oid !== undefined && names.length === 1) return oid;
    if (oid !== undefined) return await preferred(source, names, wanted);
  }
  throw missing(`there is no ${quoted(name)}`, await refs.alike(name));
}

/** What a short hash must lead to, as git takes it: a commit before a step to a parent, and else a tree. */
function typeWanted([first]: readonly Step[]): ObjectType | undefined {
  if (first === undefined) return "tree";
  if (first.kind !== "peel" || first.type === "commit") return "commit";
  return first.type === "tree" ? "tree" : undefined;
}

/** Of objects with one short hash, the only one that leads to what is wanted. */
async function preferred(
  source: RevisionSource,
  names: readonly string[],
  wanted: ObjectType | undefined,
): Promise<string> {
  const fitting: string[] = [];
  for (const oid of names) {
    if (wanted === undefined || await leadsTo(source, oid, wanted)) {
      fitting.push(oid);
    }
  }
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only;
  const all = only === undefined ? names : fitting;
  const shown = all.slice(0, MAX_NAMED).map((oid) => oid.slice(0, 12));
  throw wrongRev(
    `is short for ${all.length} objects: ${shown.join(", ")}`,
    "write more digits",
  );
}

async function leadsTo(
  source: RevisionSource,
  oid: string,
  type: ObjectType,
): Promise<boolean> {
  // A large file has one of these names, too.
  const first = await source.objects.readIfSmall(source.reading, oid);
  if (first === undefined || first.type === "blob") return false;
  if (first.type === "tag" || first.type === "commit") {
    const { type: found } = await follow(source, oid, type);
    return found === type;
  }
  return first.type === type;
}

async function takeStep(
  source: RevisionSource,
  oid: string,
  step: Step,
): Promise<string> {
  if (step.kind === "peel") return await peelTo(source, oid, step.type);
  let commit = await peel(source, oid, "commit");
  if (step.count === 0) return commit.oid;
  const isParent = step.kind === "parent";
  const which = isParent ? step.count - 1 : 0;
  for (let left = isParent ? 1 : step.count; left > 0; left--) {
    const { hash } = source.objects;
    const { parents } = readCommit(commit.bytes, hash, commit.oid);
    const parent = parents[which];
    if (parent === undefined) {
      const short = commit.oid.slice(0, 12);
      throw missing(
        parents.length === 0
          ? `the commit ${short} has no parent`
          : `the commit ${short} has no parent ${step.count}, only ${parents.length}`,
      );
    }
    // In a shallow clone, it may not be there.
    const object = await source.objects.read(source.reading, parent);
    if (object.type !== "commit") {
      throw damaged(`the object ${parent} is a ${object.type}, not a commit`);
    }
    commit = { ...object, oid: parent };
    await source.reading.yieldIfDue();
  }
  return commit.oid;
}

/** The object of `^{…}`. */
async function peelTo(
  source: RevisionSource,
  oid: string,
  type: string,
): Promise<string> {
  if (type === "object") return oid;
  if (type === "") return (await follow(source, oid, undefined)).oid;
  if (type === "commit" || type === "tree") {
    return (await peel(source, oid, type)).oid;
  }
  throw wrongRev(`asks for ${quoted(type)}, which has no files`);
}

/** The commit or the tree that an object leads to. */
async function peel(
  source: RevisionSource,
  oid: string,
  type: "commit" | "tree",
): Promise<Named> {
  const found = await follow(source, oid, type);
  if (found.type === type) return found;
  const what = found.type === "blob" ? "file" : found.type;
  throw wrongRev(
    `names a ${what}, not a ${type}`,
    "name a branch, a tag or a commit, such as HEAD~1",
  );
}

/** Follows tags, and to a tree also a commit. */
async function follow(
  { objects, reading }: RevisionSource,
  oid: string,
  wanted: ObjectType | undefined,
): Promise<Named> {
  let at = oid;
  let isOfCommit = false;
  for (let tags = 0; tags <= MAX_TAGS; tags++) {
    const object = await objects.read(reading, at);
    if (isOfCommit && object.type !== "tree") {
      throw damaged(`the object ${at} is a ${object.type}, not a tree`);
    }
    const goesOn = object.type === "tag" ||
      (object.type === "commit" && wanted === "tree");
    if (!goesOn || object.type === wanted) return { ...object, oid: at };
    isOfCommit = object.type === "commit";
    at = readCommit(object.bytes, objects.hash, at).target;
  }
  throw damaged(`the tag ${oid} leads through more than ${MAX_TAGS} others`);
}

/** The tree of a folder. */
async function folderIn(
  source: RevisionSource,
  tree: Named,
  path: string,
): Promise<string> {
  const { objects, reading } = source;
  let here = tree;
  for (const name of path.split("/")) {
    if (name === "" || name === ".") continue;
    const entry = new Tree(here.bytes, objects.hash, here.oid).get(name);
    if (entry === undefined) {
      throw missing(`nothing is at ${quoted(path)} in it`);
    }
    if (entry.kind !== "directory") {
      throw wrongRev(
        `names ${quoted(path)}, which is not a folder`,
        "name the revision alone, and read the file from it",
      );
    }
    here = { ...await objects.read(reading, entry.oid), oid: entry.oid };
    if (here.type !== "tree") {
      throw damaged(`the object ${here.oid} is a ${here.type}, not a tree`);
    }
  }
  return here.oid;
}
