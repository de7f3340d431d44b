/**
 * Replaces `@std` on JSR, which may be unreachable, by the same code from npm's
 * `deno-std`, with the types of these tests. Each entry point is bundled, since
 * `deno-std` is one package and `@std` has many.
 */
import config from "../../deno.json" with { type: "json" };
import code from "../npm_std.json" with { type: "json" };
import types from "../typed_std.json" with { type: "json" };
import { filesOf, pack } from "./archive.ts";
import { runWell } from "./command.ts";
import { npmNameOf, type Release } from "./registry.ts";

const MAPS = new URL("../npm_std.json", import.meta.url);

/** Makes each `@std` package of `deno.json`, in the lowest allowed version. */
export function stdPackages(home: string, folder: string): Promise<Release[]> {
  const wanted = Object.entries<string>(config.imports)
    .filter(([name]) => name.startsWith("@std/"));
  return Promise.all(wanted.map(([name, source]) => {
    const version = source.split(`jsr:${name}@^`)[1];
    if (version === undefined) throw new Error(`${name} is not from JSR`);
    return makePackage({ name, version, home, folder: `${folder}/${name}` });
  }));
}

interface Order {
  readonly name: string;
  readonly version: string;
  readonly home: string;
  readonly folder: string;
}

async function makePackage(
  { name, version, home, folder }: Order,
): Promise<Release> {
  await Deno.mkdir(folder, { recursive: true });
  const sources = Object.entries<string>(code.imports);
  const declared = new Map(Object.entries<string>(types.imports));
  const entries = sources.filter(([specifier]) =>
    specifier === name || specifier.startsWith(`${name}/`)
  );
  await runWell(`${home}/node_modules/.bin/esbuild`, [
    "--bundle",
    "--format=esm",
    `--outdir=${folder}`,
    ...entries.map(([, source], at) =>
      `${at}=${
        source.replace(/^npm:deno-std@[^/]+/, `${home}/node_modules/deno-std`)
      }`
    ),
  ], { cwd: home });
  const exports: Record<string, string> = {};
  const npmExports: Record<string, object> = {};
  for (const [at, [specifier]] of entries.entries()) {
    const entry = specifier.replace(name, ".");
    const [module, declarations] = [`./${at}.js`, `./${at}.d.ts`];
    const source = new URL(declared.get(specifier) ?? specifier, MAPS);
    await Deno.copyFile(source, `${folder}/${declarations}`);
    const text = await Deno.readTextFile(`${folder}/${module}`);
    await Deno.writeTextFile(
      `${folder}/${module}`,
      `/* @ts-self-types="${declarations}" */\n${text}`,
    );
    exports[entry] = module;
    npmExports[entry] = { types: declarations, default: module };
  }
  const files = await filesOf(folder);
  const manifest = {
    name: npmNameOf(name),
    version,
    type: "module",
    exports: npmExports,
  };
  // npm's archives contain everything in a folder of this name.
  await Deno.mkdir(`${folder}.npm/package`, { recursive: true });
  await Deno.writeTextFile(
    `${folder}.npm/package/package.json`,
    JSON.stringify(manifest),
  );
  for (const [path, bytes] of files) {
    await Deno.writeFile(`${folder}.npm/package/${path}`, bytes);
  }
  const tarball = await pack(`${folder}.npm`, `${folder}.tgz`);
  return { name, version, exports, files, npm: { manifest, tarball } };
}
