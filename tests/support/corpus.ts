/** The data of the conformance tests: read from the disk or, at the edge, passed in. */

/** The part of `node:fs` that this file uses. */
interface NodeFs {
  readdirSync(path: string): string[];
  readFileSync(path: string): Uint8Array;
}

interface NodeHost {
  readonly process: { getBuiltinModule(name: "node:fs"): NodeFs };
}

/** The content of files as Base64, by path below `tests/conformance`. */
export type HandedIn = Readonly<Record<string, string>>;

let handedIn: HandedIn | undefined;

/** Sets the data, for runtimes without a disk. */
export function handIn(files: HandedIn): void {
  handedIn = files;
}

/** The path on the disk of a file or folder of the data. */
export function conformancePath(path: string): string {
  const { pathname } = new URL(`../conformance/${path}`, import.meta.url);
  // On Windows, a slash stands before the drive: "/C:/dir".
  return decodeURI(pathname).replace(/^\/(?=[A-Z]:)/, "");
}

/** A file of the data. */
export function conformanceFile(path: string): Uint8Array {
  if (handedIn === undefined) {
    return new Uint8Array(nodeFs().readFileSync(conformancePath(path)));
  }
  const base64 = handedIn[path]!;
  return Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
}

/** The names of the files in a folder of the data. */
export function conformanceNames(folder: string): string[] {
  if (handedIn === undefined) {
    return nodeFs().readdirSync(conformancePath(folder));
  }
  const start = `${folder}/`;
  return Object.keys(handedIn).filter((path) => path.startsWith(start))
    .map((path) => path.slice(start.length));
}

function nodeFs(): NodeFs {
  const { process } = globalThis as unknown as NodeHost;
  return process.getBuiltinModule("node:fs");
}
