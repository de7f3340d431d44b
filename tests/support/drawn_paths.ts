/** Random trees with links of all kinds, and random paths into them. */
import { Random } from "./random.ts";

/**
 * An entry of a tree. In the target of a link, `$ROOT` stands for the root,
 * `$BASE` for the folder that contains it, and `$WS` for its name.
 */
export type Planted =
  | { readonly path: string; readonly kind: "folder" | "fifo" }
  | { readonly path: string; readonly kind: "file"; readonly text: string }
  | { readonly path: string; readonly kind: "link"; readonly to: string };

/** A tree, and paths to read in it; `$NAME` stands for the real name of the root. */
export interface Drawing {
  readonly seed: number;
  readonly tree: readonly Planted[];
  readonly paths: readonly string[];
}

/** Plain names are drawn often, so that paths meet existing entries. */
const PLAIN = ["a", "b", "c", "d"];

/** All names that entries can have. */
export const NAMES: readonly string[] = [
  ...PLAIN,
  "...",
  "..x",
  ".x",
  " ",
  "-e",
  "~",
  "x\ny",
  "x\\y",
  "%2e%2e",
  "a:b",
  "'\"",
  "\u00e9",
  "e\u0301",
  "\ud83d\ude00",
  "\u202e",
  "constructor",
];

/** Names of the largest length. */
export const LONGEST = {
  plain: "n".repeat(255),
  linked: "y".repeat(255),
  accented: "\u00e9".repeat(127),
} as const;

/** Names that entries cannot have. */
const UNFIT = ["\0", "\ud800", "\udc00x", "a\0b"];

/** Draws a tree and `count` paths. */
export function draw(seed: number, count: number): Drawing {
  const random = new Random(seed);
  const tree = drawTree(random);
  const paths = Array.from({ length: count }, () => drawPath(random, tree));
  return { seed, tree, paths };
}

function drawName(random: Random): string {
  return random.pick(random.below(4) === 0 ? NAMES : PLAIN);
}

function drawNames(random: Random, most: number): string {
  const names = Array.from(
    { length: random.from(1, most) },
    () => drawName(random),
  );
  return names.join("/");
}

function drawTree(random: Random): Planted[] {
  const tree = new Map<string, Planted>();
  const folders = [""];
  for (let left = random.from(3, 18); left > 0; left--) {
    const folder = random.pick(folders);
    const path = folder + drawName(random);
    if (tree.has(path)) continue;
    const entry = drawEntry(random, path, [...tree.keys()]);
    tree.set(path, entry);
    if (entry.kind === "folder") folders.push(`${path}/`);
  }
  return [...tree.values()];
}

function drawEntry(
  random: Random,
  path: string,
  others: readonly string[],
): Planted {
  const lot = random.below(20);
  if (lot < 6) return { path, kind: "folder" };
  if (lot < 11) {
    return { path, kind: "file", text: `${path} ${random.below(9)}` };
  }
  if (lot < 12) return { path, kind: "fifo" };
  return { path, kind: "link", to: drawTarget(random, path, others) };
}

function drawTarget(
  random: Random,
  path: string,
  others: readonly string[],
): string {
  const up = "../".repeat(path.split("/").length - 1);
  const other = others.length > 0 ? random.pick(others) : "a";
  const more = random.below(3) === 0 ? `/${drawNames(random, 2)}` : "";
  const to = `${other}${more}`;
  switch (random.below(20)) {
    case 0:
      return drawNames(random, 3);
    case 1:
      return `${up}../${drawNames(random, 2)}`;
    case 2:
      return `${up}../$WS/${to}`;
    case 3:
      return `${up}../../${drawNames(random, 2)}`;
    case 4:
      return random.pick([".", "..", "./", "../", "../..", "$ROOT", "$BASE"]);
    case 5:
      return `$BASE/${drawNames(random, 2)}`;
    case 6:
      return `$BASE/$WS/../$WS/${to}`;
    case 7:
      return `$BASE/$WS/${drawName(random)}/../${to}`;
    case 8:
      return `${up}${other}/../${drawNames(random, 2)}`;
    case 9:
      return `${up}${to}/..`;
    case 10:
      return `${up}${to}/`;
    case 11:
      return `.//${up}./${to}/.`;
    case 12:
      return path.split("/").at(-1)!;
    case 13:
      return `${up}${LONGEST.linked + random.pick(["", "y"])}`;
    case 14:
    case 15:
      return `$ROOT/${to}`;
    case 16:
      return `$ROOT//${to}/`;
    default:
      return `${up}${to}`;
  }
}

function drawPath(random: Random, tree: readonly Planted[]): string {
  const plain = random.below(4) === 0
    ? drawNames(random, 4)
    : random.pick(tree).path;
  const more = random.below(3) === 0 ? `/${drawNames(random, 2)}` : "";
  return respell(random, `${plain}${more}`);
}

function respell(random: Random, path: string): string {
  const name = drawName(random);
  switch (random.below(26)) {
    case 0:
      return `./${path}`;
    case 1:
      return path.replaceAll("/", "//");
    case 2:
      return path.replaceAll("/", "/./");
    case 3:
      return `${name}/../${path}`;
    case 4:
      return `${path}/../${name}`;
    case 5:
      return `${path}/${random.pick(["", ".", "..", "./", "../", "/"])}`;
    case 6:
      return `../${random.pick(["$WS", "$NAME", name])}/${path}`;
    case 7:
      return `${name}/../../$NAME/${path}`;
    case 8:
      return `$ROOT/${path}`;
    case 9:
      return `$ROOT//${name}/../${path}`;
    case 10:
      return `$ROOT/../$NAME/${path}`;
    case 11:
      return `$ROOT/../${name}`;
    case 12:
      return `$BASE/outside/${path}`;
    case 13:
      return random.pick(["", ".", "..", "/", "$ROOT", "$ROOT/", "$BASE"]);
    case 14:
      return `${path}${random.pick(UNFIT)}`;
    case 15:
      return `${path}/${LONGEST.plain + random.pick(["", "n"])}`;
    case 16:
      return `${"./".repeat(random.pick([1_900, 2_100]))}${path}`;
    case 17:
      return `${path}/${LONGEST.accented + random.pick(["", "\u00e9"])}`;
    default:
      return path;
  }
}
