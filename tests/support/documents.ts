import { readdirSync, readFileSync } from "node:fs";

const HOME = new URL("../../", import.meta.url);

/** The folders of documents, and of code whose comments are published. */
const FOLDERS = [
  "./",
  "docs/",
  "mcp/",
  "mcp/src/",
  "pdf/",
  "detect/",
  "git/",
  "highlight/",
  "testing/",
  "src/cli/",
];

/** The text of each published document, by its path in the repository. */
export function documents(): ReadonlyMap<string, string> {
  return new Map(FOLDERS.flatMap((folder) =>
    readdirSync(new URL(folder, HOME))
      .filter((name) => /\.(md|ts)$/.test(name))
      .map((name) => new URL(`${folder}${name}`, HOME))
      .map(({ pathname, href }): [string, string] => [
        href.slice(HOME.href.length),
        readFileSync(pathname, "utf8"),
      ])
  ));
}
