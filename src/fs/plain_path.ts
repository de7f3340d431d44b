// Runtime-agnostic.

/** What is left of `path` below `top`: empty, or with a slash first; `undefined` if it lies elsewhere. */
export function restBelow(top: string, path: string): string | undefined {
  if (path === top) return "";
  if (top === "/") return path;
  return path.startsWith(`${top}/`) ? path.slice(top.length) : undefined;
}

/** The directory that `path` is in. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/** `rest`, empty or with a slash first, below `top`. */
export function below(top: string, rest: string): string {
  return top === "/" ? rest || "/" : top + rest;
}

/**
 * The one spelling of a path where no links are: absolute, with neither `.` nor
 * `..`, and no slash that says nothing. It never climbs above `/`.
 */
export function plainPath(path: string): string {
  if (/^(\/(?!\.{0,2}(\/|$))[^/]+)+$/.test(path)) return path;
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}
