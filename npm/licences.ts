// The licence texts of the packages that the program for npm holds.

/** Finds the packages of npm in the metafile of esbuild, or in what `deno bundle` joined: there, a comment names each file. */
export function packagesIn(text: string): string[] {
  const names = text.matchAll(
    /^(?:\/\/! |\s*").*?\bnode_modules\/((?:@[^/"\s]+\/)?[^/"\s]+)\//gm,
  );
  return [...new Set(Array.from(names, ([, name = ""]) => name))].sort();
}

/** Finds the packages of JSR in what `deno info --json` says, with their versions. */
export function jsrPackagesIn(info: string): string[] {
  const { modules } = JSON.parse(info) as {
    readonly modules: readonly { readonly specifier: string }[];
  };
  const names = modules.map(({ specifier }) =>
    /^https?:\/\/[^/]+\/(@[^/]+\/[^/]+)\/([^/]+)\//.exec(specifier)
  );
  return [
    ...new Set(
      names.flatMap((found) => found ? `${found[1]} ${found[2]}` : []),
    ),
  ].sort();
}

/** The licence of a package of JSR, by its name and version: all of `@std` have one. */
export async function jsrLicence(name: string): Promise<string> {
  if (!name.startsWith("@std/")) throw new Error(`${name} has which licence?`);
  const text = await mitLicenceOf("node_modules/deno-std");
  return `===== ${name} (MIT), from JSR\n\n${text.trim()}\n`;
}

/** The licence of a package, under its name and version. */
export async function licenceOf(name: string): Promise<string> {
  const folder = `node_modules/${name}`;
  const { version, license } = JSON.parse(
    await Deno.readTextFile(`${folder}/package.json`),
  );
  const text = await Deno.readTextFile(`${folder}/LICENSE`)
    .catch(() => mitLicenceOf(folder));
  const pdfJs = name === "unpdf" ? await pdfJsLicence() : "";
  const copy = name === "deno-std" ? ", npm's copy of @std" : "";
  return `===== ${name} ${version} (${license})${copy}\n\n${text.trim()}\n${pdfJs}`;
}

/** `unpdf` contains PDF.js without its licence. The licence of `openai` has the same terms. */
async function pdfJsLicence(): Promise<string> {
  const apache = await Deno.readTextFile("node_modules/openai/LICENSE");
  const [terms] = /^ +Apache License\n[^]*END OF TERMS AND CONDITIONS$/m
    .exec(apache) ?? [];
  if (terms === undefined) throw new Error("openai has another licence now");
  return `\n===== PDF.js, within unpdf (Apache-2.0)\n\nCopyright Mozilla Foundation\n\n${terms}\n`;
}

/** `deno-std` has no licence file; the first line of each of its files names the licence. */
async function mitLicenceOf(folder: string): Promise<string> {
  const code = await Deno.readTextFile(`${folder}/toml/parse.js`);
  const holder = /^\/\/ (Copyright .*)\. MIT license\.\n/.exec(code)?.[1];
  if (holder === undefined) throw new Error(`${folder} has no licence`);
  const ours = await Deno.readTextFile("LICENSE");
  return ours.replace(/^Copyright .*$/m, holder);
}
