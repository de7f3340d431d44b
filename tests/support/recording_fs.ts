/** A port that records every path of its calls. */
import type { FsPort } from "../../mod.ts";

/** Wraps a port; `asked` grows with each call. */
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
