/** The expected outcome for a path, from `realpath -e` in three worlds. */
import { readFileSync, statSync } from "node:fs";
import { normalize } from "node:path/posix";
import type { Drawing } from "./drawn_paths.ts";
import {
  askRealpath,
  type Whereabouts,
  type World,
  type Worlds,
} from "./worlds.ts";

/** The verdicts for the paths of a drawing, in order. */
export type Verdicts = readonly string[];

const bytes = (text: string) => new TextEncoder().encode(text).length;

/** Reads a path as text: a verdict, or the path relative to the root. */
function readSpelling(
  path: string,
): { readonly verdict: string } | { readonly way: string } {
  const spelt = path.replaceAll("$ROOT", "/base/ws").replaceAll("$NAME", "ws")
    .replaceAll("$WS", "ws")
    .replaceAll("$BASE", "/base");
  const unfit = path === "" || path.includes("\0") || !path.isWellFormed() ||
    // Paths near this limit contain no `$`.
    bytes(path) > 4_096;
  if (unfit) return { verdict: "INVALID_ARGUMENT" };
  const outside = { verdict: "OUTSIDE_WORKSPACE" };
  // Such a path, as in "/base/ws/a/." or "a/..", names a directory.
  const asFolder = /(^|\/)\.{0,2}$/.test(spelt) ? "/" : "";
  let way = normalize(spelt).replace(/\/$/, "");
  if (spelt.startsWith("/")) {
    if (leavesAgain(spelt)) return outside;
    if (`${way}/`.startsWith("/base/ws/")) way = way.slice("/base/ws/".length);
    else return outside;
  }
  if (/^\.\.(\/|$)/.test(way)) return outside;
  if (way.split("/").some((name) => bytes(name) > 255)) {
    return { verdict: "INVALID_ARGUMENT" };
  }
  return { way: `${way}${asFolder}` };
}

/** Whether an absolute path enters the root and leaves it, even if it returns. */
function leavesAgain(path: string): boolean {
  const names = path.split("/");
  const isInside = names.map((_, last) => {
    const way = normalize(`${names.slice(0, last + 1).join("/")}/`);
    return way.startsWith("/base/ws/");
  });
  return isInside.lastIndexOf(false) > isInside.indexOf(true) &&
    isInside.includes(true);
}

/** Computes the verdict of every path of every drawing. */
export function judge(
  drawings: readonly Drawing[],
  { full, filed, looping }: Worlds,
): Verdicts[] {
  const spellings = drawings.map(({ paths }) => paths.map(readSpelling));
  const answers = [full, filed, looping].map((world) =>
    askRealpath(
      spellings.flatMap((list, tree) =>
        list.map((spelling) =>
          "way" in spelling
            ? `${world.root(tree)}/${spelling.way}`
            : world.root(tree)
        )
      ),
    )
  );
  return spellings.map((list, tree) =>
    list.map((spelling) => {
      const [one, ...others] = [full, filed, looping].map((world, index) =>
        toldFrom(world, tree, answers[index]!.shift()!)
      );
      if ("verdict" in spelling) return spelling.verdict;
      // The worlds differ only outside the root: a path with different outcomes leaves it.
      return others.every((other) => other === one)
        ? verdictOf(one!, full, tree)
        : "OUTSIDE_WORKSPACE";
    })
  );
}

/** The outcome of a path, relative to the root; equal in all worlds if it stays inside. */
function toldFrom(world: World, tree: number, where: Whereabouts): string {
  if ("reason" in where) return where.reason;
  const root = world.root(tree);
  const isInside = `${where.path}/`.startsWith(`${root}/`);
  return isInside ? `inside${where.path.slice(root.length)}` : "outside";
}

const REASONS: Readonly<Record<string, string>> = {
  "outside": "OUTSIDE_WORKSPACE",
  "No such file or directory": "NOT_FOUND missing",
  "Not a directory": "NOT_FOUND not_a_directory",
  "Too many levels of symbolic links": "SYMLINK_LOOP",
  "File name too long": "INVALID_ARGUMENT",
};

function verdictOf(told: string, world: World, tree: number): string {
  if (!told.startsWith("inside")) return REASONS[told] ?? told;
  const path = `${world.root(tree)}${told.slice("inside".length)}`;
  const stat = statSync(path);
  if (stat.isDirectory()) return "NOT_A_FILE directory";
  return stat.isFile()
    ? `ok ${readFileSync(path, "utf8")}`
    : "NOT_A_FILE other";
}
