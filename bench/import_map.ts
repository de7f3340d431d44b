// The location of the standard library, for a child that reads no configuration.
import { readFileSync } from "node:fs";

interface ImportMap {
  readonly imports: Readonly<Record<string, string>>;
}

/** The import map of the tests as a URL, with the paths of the installed packages. */
export const IMPORT_MAP: string = toUrl(
  JSON.parse(
    readFileSync(new URL("../tests/npm_std.json", import.meta.url), "utf8"),
  ),
);

function toUrl({ imports }: ImportMap): string {
  const installed = (target: string) =>
    target
      .replace(/^npm:(@?[^@]+)@[^/]+/, "../node_modules/$1")
      .replace(/^\.\.\/(?!node_modules)/, "../");
  const entries = Object.entries(imports)
    .filter(([name]) => name.startsWith("@std/"))
    .map(([name, target]) => [
      name,
      new URL(installed(target), import.meta.url).href,
    ]);
  const map: ImportMap = { imports: Object.fromEntries(entries) };
  return `data:application/json,${encodeURIComponent(JSON.stringify(map))}`;
}
