// The modules of the library without their content: the least time that loading as many modules takes.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** An import or export of another module, except of types. */
const IMPORT = /^(?:import|export) (?!type\b)(?:[^;"]*? from )?"(\.[^"]+)";/gm;

/** Writes a file with only the imports of each module that `mod.ts` loads; returns the path of the first file. */
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
