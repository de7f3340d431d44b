/**
 * The part of a glob after a directory that it repeats: models write
 * `src/*.ts` beside the path `src`. `undefined` if it repeats none.
 */
export function globBelow(path: string, glob: unknown): string | undefined {
  const plain = String(glob).replace(/^\.?\/+/, "");
  const names = path.split("/").filter((name) => !/^\.?$/.test(name));
  for (const at of names.keys()) {
    const start = `${names.slice(at).join("/")}/`;
    if (plain.startsWith(start)) return plain.slice(start.length) || "**";
  }
  return undefined;
}
