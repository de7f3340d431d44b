/** A notation for files on a disk or in memory. */
import { type FsPort, type MemoryFiles, memoryFs } from "../../mod.ts";

/** A created layout; disposing of it removes the files. */
export interface Place extends AsyncDisposable {
  readonly fs: FsPort;
  /** The folder that contains everything; written `$` in a layout. */
  readonly base: string;
  /** The folder `ws` in it, the root of the workspace. */
  readonly root: string;
}

/** Creates a layout, in memory or on the runtime's disk. */
export type LayOut = (layout: readonly string[]) => Promise<Place>;

/** A parsed entry of a layout. */
export type Entry =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "fifo"; readonly path: string }
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  | { readonly kind: "link"; readonly path: string; readonly to: string };

/**
 * Parses a layout. `"dir/"` is a folder, `"a.txt: hello"` a file, `"p|"` a FIFO,
 * and `"link -> a.txt"` a link; `$` stands for the folder that contains everything.
 */
export function readLayout(layout: readonly string[]): Entry[] {
  return layout.map((line): Entry => {
    const colon = line.indexOf(": ");
    const arrow = line.indexOf(" -> ");
    if (colon >= 0 && (arrow < 0 || colon < arrow)) {
      const [path, text] = [line.slice(0, colon), line.slice(colon + 2)];
      return { kind: "file", path, text };
    }
    if (arrow >= 0) {
      const [path, to] = [line.slice(0, arrow), line.slice(arrow + 4)];
      return { kind: "link", path, to };
    }
    const kind = line.endsWith("|") ? "fifo" : "folder";
    return { kind, path: line.slice(0, -1) };
  });
}

/** Creates a layout in memory. */
// deno-lint-ignore require-await
export async function inMemory(layout: readonly string[]): Promise<Place> {
  const base = "/base";
  const files: Record<string, MemoryFiles[string]> = {};
  for (const entry of readLayout(["ws/", ...layout])) {
    files[`${base}/${entry.path}`] = toMemory(entry, base);
  }
  return {
    fs: memoryFs(files),
    base,
    root: `${base}/ws`,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function toMemory(entry: Entry, base: string): MemoryFiles[string] {
  if (entry.kind === "file") return entry.text;
  if (entry.kind === "link") return { link: entry.to.replace("$", base) };
  return { kind: entry.kind === "folder" ? "directory" : "other" };
}
