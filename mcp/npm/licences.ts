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
  const pdfJs = name === "unpdf" ? await pdfJsLicence() : "";
  return `===== ${name} ${version} (${license})\n\n${text.trim()}\n${pdfJs}`;
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
