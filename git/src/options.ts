import type { FsPort } from "@agent-tools/read-file";
import { nearest } from "./refs.ts";
import { quoted } from "./fault.ts";

/** What both functions take. */
interface GitPlace {
  readonly repository?: string | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly fs?: FsPort | undefined;
  readonly worktree?: string | undefined;
}

/** Checks options and copies their own properties: what other code adds to `Object.prototype` is left out. */
export function takeGitOptions<Options extends GitPlace>(
  failed: string,
  options: Options,
  names: readonly (keyof Options & string)[],
): Options {
  const refuse = (problem: string) => new TypeError(`${failed}: ${problem}`);
  if (Object(options) !== options) throw refuse("options must be an object");
  const taken: Options = Object.assign(Object.create(null), options);
  for (const name of Object.keys(taken)) {
    if ((names as readonly string[]).includes(name)) continue;
    const [likely] = nearest(name, names);
    const known = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
    const meant = likely === undefined ? "" : `; did you mean ${likely}?`;
    throw refuse(`${quoted(name)} is unknown; the names are ${known}${meant}`);
  }
  const { repository, allow, worktree } = taken;
  for (const [name, path] of Object.entries({ repository, worktree })) {
    const isText = typeof path === "string" && path !== "";
    if (path === undefined || isText) continue;
    throw refuse(`${name} must be a string, and not empty`);
  }
  const isList = allow === undefined ||
    Array.isArray(allow) && allow.every((path) => typeof path === "string");
  if (!isList) throw refuse("allow must be an array of paths");
  return allow === undefined
    ? taken
    : Object.assign(taken, { allow: [...allow] });
}
