/** Small random trees of files and links, for fast-check. */
import fc from "fast-check";
import type { MemoryFiles } from "../../mod.ts";

/** Few names, so that paths often exist. */
const FOLDERS = ["a", "b", "c"];
const LEAVES = ["x", "y.pem", ".env", "a", "b"];

/** A path of few names, to a folder or perhaps a file. */
export const drawnPath: fc.Arbitrary<string> = fc.tuple(
  fc.array(fc.constantFrom(...FOLDERS), { maxLength: 3 }),
  fc.constantFrom(...LEAVES, ...FOLDERS),
).map(([folders, leaf]) => [...folders, leaf].join("/"));

/** The target of a link: relative, absolute, or outside the root. */
const drawnTarget: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: drawnPath },
  { weight: 3, arbitrary: drawnPath.map((path) => `../${path}`) },
  { weight: 1, arbitrary: drawnPath.map((path) => `../../${path}`) },
  { weight: 3, arbitrary: drawnPath.map((path) => `/ws/${path}`) },
  { weight: 1, arbitrary: drawnPath.map((path) => `/ws/${path}/..`) },
  { weight: 2, arbitrary: drawnPath.map((path) => `${path}/../x`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(".", "..", "../..", "/ws", "/out/x"),
  },
);

const drawnEntry: fc.Arbitrary<MemoryFiles[string]> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.integer({ min: 0, max: 99 }).map((n) => `${n}\n`),
  },
  { weight: 4, arbitrary: drawnTarget.map((link) => ({ link })) },
  { weight: 1, arbitrary: fc.constant({ kind: "other" } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: "directory" } as const) },
);

/** A tree of up to `most` entries. */
export function drawnTree(most: number): fc.Arbitrary<MemoryFiles> {
  return fc.dictionary(drawnPath, drawnEntry, {
    minKeys: 4,
    maxKeys: most,
    noNullPrototype: true,
  }).map((entries) => {
    const files: Record<string, MemoryFiles[string]> = {
      "/ws": { kind: "directory" },
      "/out/x": "OUTSIDE\n",
    };
    // Leave out entries below a file or a link, which cannot exist.
    for (const path of Object.keys(entries).sort()) {
      if (hasRoom(files, path)) files[`/ws/${path}`] = entries[path]!;
    }
    return files;
  });
}

function hasRoom(files: MemoryFiles, path: string): boolean {
  const names = path.split("/");
  for (let depth = 1; depth < names.length; depth++) {
    const above = files[`/ws/${names.slice(0, depth).join("/")}`];
    const isFolder = typeof above === "object" && "kind" in above &&
      above.kind === "directory";
    if (above !== undefined && !isFolder) return false;
  }
  return true;
}

/** Spellings of a path. */
export const drawnSpelling: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: drawnPath },
  { weight: 1, arbitrary: drawnPath.map((path) => `./${path}`) },
  { weight: 1, arbitrary: drawnPath.map((path) => `${path}/`) },
  { weight: 1, arbitrary: drawnPath.map((path) => `${path}/.`) },
  { weight: 1, arbitrary: drawnPath.map((path) => `${path}/..`) },
  { weight: 1, arbitrary: drawnPath.map((path) => `${path}/../x`) },
  { weight: 1, arbitrary: drawnPath.map((path) => `../${path}`) },
  { weight: 2, arbitrary: drawnPath.map((path) => `/ws/${path}`) },
  {
    weight: 2,
    arbitrary: fc.tuple(drawnPath, drawnPath).map((paths) => paths.join("/")),
  },
);

/** Globs, each with an equivalent regular expression. */
export const RULES: Readonly<Record<string, RegExp>> = {
  "**/.env": /(^|\/)\.env$/,
  "**/*.pem": /\.pem$/,
  "a": /^a$/,
  "a/**": /^a(\/|$)/,
  "b/*": /^b\/[^/]+$/,
  "!b/x": /^b\/x$/,
  "*/b/**": /^[^/]+\/b(\/|$)/,
  "**/c": /(^|\/)c$/,
  "!c": /^c$/,
  "x": /^x$/,
  "**": /./,
  "!a/**": /^a(\/|$)/,
  "!b": /^b$/,
};

/** Random deny rules. */
export const drawnRules: fc.Arbitrary<readonly string[]> = fc.array(
  fc.constantFrom(...Object.keys(RULES)),
  { maxLength: 3 },
).filter((globs) =>
  // Rules that consist of exceptions only are refused.
  globs.length === 0 || globs.some((glob) => !glob.startsWith("!"))
);
