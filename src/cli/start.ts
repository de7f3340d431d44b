// Deno and Bun: each is started in its own way.

/** Where the command line has come from. */
interface Origin {
  /** The folder that holds `mod.ts`, with a slash behind it. */
  readonly home: string;
  /** What can be run: a file, an address, or a package of the registry. */
  readonly program: string;
  readonly kind: "remote" | "package" | "checkout";
}

/** Tells by the address of a file in `src/cli` where all of it has come from. */
function originOf(address: string): Origin {
  const { protocol, pathname, href } = new URL("../../", address);
  const home = decodeURIComponent(pathname);
  // What the registry hands to npm is compiled, and its imports lead to npm.
  const isCompiled = address.endsWith(".js");
  const entry = isCompiled ? "mod.js" : "mod.ts";
  if (protocol !== "file:") {
    const onJsr = /^\/(@[^/]+\/[^/]+)\/([^/]+)\/$/.exec(pathname);
    const program = onJsr === null
      ? `${href}${entry}`
      : `jsr:${onJsr[1]}@${onJsr[2]}`;
    return { home, program, kind: "remote" };
  }
  const kind = isCompiled ? "package" : "checkout";
  return { home, program: `${home}${entry}`, kind };
}

/**
 * The words that start the command line in Deno, from any directory, with leave
 * to read `folders`. A program on a disk must be let read its own later parts,
 * and in a checkout the standard library is npm's.
 */
export function denoWords(
  address: string,
  folders: readonly string[],
): string[] {
  const { home, program, kind } = originOf(address);
  const parts = kind === "remote" ? [] : [`${home}src/cli`];
  const allowed = [...folders, ...parts].map(nameable).join(",");
  const library = kind === "checkout"
    ? ["--node-modules-dir=none", `--import-map=${home}tests/npm_std.json`]
    : [];
  return ["deno", "run", ...library, `--allow-read=${allowed}`, program];
}

/** The words that start the command line in Bun, from any directory. */
export function bunWords(address: string): string[] {
  const { home, program, kind } = originOf(address);
  // Only in the checkout itself does Bun find this by `bunfig.toml`.
  const library = kind === "checkout"
    ? ["--preload", `${home}tests/support/bun_std.ts`]
    : [];
  return ["bun", "run", ...library, program];
}

/**
 * What Deno can be told to let be read: it takes each comma for the end of a
 * path, so that where one holds a comma it is the folder above that.
 */
function nameable(path: string): string {
  const comma = path.indexOf(",");
  if (comma === -1) return path;
  const slash = path.lastIndexOf("/", comma);
  return slash === -1 ? "." : path.slice(0, slash) || "/";
}
