/** A port that records the paths of its calls. */
import type { FsPort } from "../../mod.ts";

/** Wraps a port; each call appends its path to `asked`. */
export function recordingFs(
  fs: FsPort,
): FsPort & { readonly asked: readonly string[] } {
  const asked: string[] = [];
  const note = (path: string) => (asked.push(path), path);
  return {
    asked,
    realPath: (path) => fs.realPath(note(path)),
    lstat: (path, role) => fs.lstat(note(path), role),
    readLink: (path) => fs.readLink(note(path)),
    open: (path) => fs.open(note(path)),
  };
}
