// Deno and Bun.

/** The imports of the published library. */
export const MODULES: readonly string[] = [
  "jsr:@std/path@^1.1.3",
  "jsr:@std/streams@^1.0.9",
  "jsr:@std/toml@^1.0.2",
];

/**
 * Warns about each module of a program from the registry that a configuration
 * replaces by a local file. This protects against mistakes only: code that ran
 * before can suppress it. `address` is the URL of the program.
 */
export function replacedModules(
  address: string,
  resolve: (name: string) => string,
): string[] {
  // The modules of a checkout and of an installed package are files.
  if (address.startsWith("file:")) return [];
  return MODULES.map((name) => [name, resolve(name)] as const)
    .filter(([, place]) => place.startsWith("file:"))
    .map(([name, place]) =>
      `Not safe: ${name} is taken from ${place}, by a configuration of the working directory; start Deno with --no-config --no-lock --node-modules-dir=none`
    );
}
