// The licence texts of the packages that the program for npm holds.

/** Finds the packages in a bundle, by the metafile of esbuild. */
export function packagesIn(metafile: string): string[] {
  const { inputs } = JSON.parse(metafile) as {
    readonly inputs: Readonly<Record<string, object>>;
  };
  const names = Object.keys(inputs).flatMap((path) =>
    path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? []
  );
  return [...new Set(names)].sort();
}

/** The licence of a package, under its name and version. */
export async function licenceOf(name: string): Promise<string> {
  const folder = `node_modules/${name}`;
  const { version, license } = JSON.parse(
    await Deno.readTextFile(`${folder}/package.json`),
  );
  const text = await Deno.readTextFile(`${folder}/LICENSE`)
    .catch(() => mitLicenceOf(folder));
  return `===== ${name} ${version} (${license})\n\n${text.trim()}\n`;
}

/** `deno-std` has its licence in the first line of each file alone. */
async function mitLicenceOf(folder: string): Promise<string> {
  const code = await Deno.readTextFile(`${folder}/toml/parse.js`);
  const [, holder] = /^\/\/ (Copyright .*)\. MIT license\.\n/.exec(code) ?? [];
  if (holder === undefined) throw new Error(`${folder} has no licence`);
  const ours = await Deno.readTextFile("LICENSE");
  return ours.replace(/^Copyright .*$/m, holder);
}
