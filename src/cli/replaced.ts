// Deno and Bun.

/** What the published library imports from elsewhere. */
export const MODULES: readonly string[] = [
  "jsr:@std/path@^1.1.3",
  "jsr:@std/streams@^1.0.9",
  "jsr:@std/toml@^1.0.2",
];

/**
 * Warns of each module of a program from the registry that a configuration takes
 * from a file instead. It helps against mistakes only: code that has run before
 * can suppress it. `address` is where the program is from.
 */
export function replacedModules(
  address: string,
  resolve: (name: string) => string,
): string[] {
  // A checkout and an installed package have their modules in files.
  if (address.startsWith("file:")) return [];
  return MODULES.map((name) => [name, resolve(name)] as const)
    .filter(([, place]) => place.startsWith("file:"))
    .map(([name, place]) =>
      `Not safe: ${name} is taken from ${place}, by a configuration of the working directory; start Deno with --no-config --no-lock --node-modules-dir=none`
    );
}
