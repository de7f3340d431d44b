// The modules of the library without their content: what loading as many takes.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** An import, or an export from another module, that is not of types alone. */
const IMPORT = /^(?:import|export) (?!type\b)(?:[^;"]*? from )?"(\.[^"]+)";/gm;

/** Writes a file for each module that `mod.ts` loads, with its imports alone; returns the path of the first. */
export function writeHollow(folder: string): string {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const written = new Set<string>();
  const write = (module: string): string => {
    const path = join(folder, relative(root, module));
    if (written.has(path)) return path;
    written.add(path);
    const imports = Array.from(
      readFileSync(module, "utf8").matchAll(IMPORT),
      ([, address = ""]) => {
        write(join(dirname(module), address));
        return `import "${address}";\n`;
      },
    );
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, imports.join(""));
    return path;
  };
  return write(join(root, "mod.ts"));
}
