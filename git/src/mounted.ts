import type { FileStat, FsPort } from "@agent-tools/read-file";

/** A port whose root is at a path of another one: the folders above hold nothing else. */
export function mountedAt(base: string, fs: FsPort): FsPort {
  const start = base === "/" ? "" : base;
  /** The path in the port; `undefined` for a folder above it. */
  const inner = (path: string): string | undefined => {
    if (path === start || path.startsWith(`${start}/`)) {
      return path.slice(start.length) || "/";
    }
    const folder = path.replace(/\/+$/, "");
    if (start.startsWith(`${folder}/`)) return undefined;
    throw failure("ENOENT");
  };
  const outer = (path: string) => path === "/" ? base : `${start}${path}`;
  const within = (path: string, code: string) => {
    const found = inner(path);
    if (found === undefined) throw failure(code);
    return found;
  };
  return {
    async realPath(path) {
      const found = inner(path);
      return found === undefined ? path : outer(await fs.realPath(found));
    },
    lstat(path, role, signal) {
      const found = inner(path);
      return found === undefined ? above(path) : fs.lstat(found, role, signal);
    },
    readLink: (path, signal) => fs.readLink(within(path, "EINVAL"), signal),
    async open(path, signal) {
      const file = await fs.open(within(path, "EISDIR"), signal);
      return {
        stat: () => file.stat(),
        read: (buffer, position) => file.read(buffer, position),
        close: () => file.close(),
        path() {
          const path = file.path();
          // The port of a tree answers at once.
          return typeof path === "string" ? outer(path) : path;
        },
      };
    },
    list: (path, most, signal) =>
      fs.list!(within(path, "EACCES"), most, signal),
  };
}

/** A folder above the root of a revision. */
function above(path: string): FileStat {
  const id = `above ${path}`;
  return {
    ...{ kind: "directory", size: 0, mtimeMs: 0, ctimeMs: 0, id },
    fixed: true,
  };
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}
