// Makes the type declarations of the packages, with the compiler of npm.
import { dirname } from "node:path";
import map from "../tests/typed_std.json" with { type: "json" };
import { run } from "./bundle.ts";

/** Writes the declarations of all modules that `entries` reach into `work`. */
export async function declare(
  entries: readonly string[],
  work: string,
): Promise<void> {
  const home = Deno.cwd();
  const paths = Object.entries(map.imports)
    .filter(([, target]) => target.startsWith("."))
    .map(([name, target]) => [name, [`${home}/tests/${target}`]]);
  const settings = {
    compilerOptions: {
      ...{ target: "ESNext", lib: ["ESNext", "DOM", "DOM.Iterable"] },
      ...{ module: "Preserve", moduleResolution: "Bundler" },
      ...{ types: ["node"], typeRoots: [`${home}/node_modules/@types`] },
      ...{ strict: true, exactOptionalPropertyTypes: true },
      ...{ skipLibCheck: true, allowImportingTsExtensions: true },
      ...{ declaration: true, emitDeclarationOnly: true },
      ...{ rootDir: home, outDir: work, resolveJsonModule: true },
      paths: Object.fromEntries(paths),
    },
    files: entries.map((entry) => `${home}/${entry}`),
  };
  const place = `${work}/tsconfig.json`;
  await Deno.mkdir(work, { recursive: true });
  await Deno.writeTextFile(place, JSON.stringify(settings));
  await run("node_modules/.bin/tsc", ["--project", place]);
}

/** Copies the declarations that `mod.d.ts` reaches, with the names that Node.js resolves. */
export async function copyDeclarations(
  from: string,
  to: string,
): Promise<void> {
  const paths = new Set(["mod.d.ts"]);
  for (const path of paths) {
    const text = await Deno.readTextFile(`${from}/${path}`);
    const found = /((?:\bfrom |\bimport\()")(\.[^"]*)\.ts"/g;
    for (const [, , name] of text.matchAll(found)) {
      const { pathname } = new URL(`${name}.d.ts`, `file:///${path}`);
      paths.add(pathname.slice(1));
    }
    await Deno.mkdir(dirname(`${to}/${path}`), { recursive: true });
    const renamed = text.replace(found, '$1$2.js"');
    await Deno.writeTextFile(`${to}/${path}`, renamed);
  }
}
