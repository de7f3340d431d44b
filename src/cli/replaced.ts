// Deno and Bun.

/** What the published library imports from elsewhere. */
export const MODULES: readonly string[] = [
  "jsr:@std/path@^1.1.3",
  "jsr:@std/streams@^1.0.9",
  "jsr:@std/toml@^1.0.2",
];

/**
 * Finds the modules of a program from the registry that a configuration takes
 * from files instead. It is a help against mistakes: code that has run before
 * can keep it from being told.
 *
 * @param address Where the program itself is from.
 * @param resolve Tells where a module is taken from.
 * @returns A sentence for each.
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
