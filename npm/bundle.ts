// Bundles modules for npm. A bundle holds `@std`, which is only on JSR; packages of npm stay outside unless they are named.
import config from "../deno.json" with { type: "json" };
import map from "../tests/npm_std.json" with { type: "json" };
import {
  jsrLicence,
  jsrPackagesIn,
  licenceOf,
  packagesIn,
} from "./licences.ts";

/** Where `@std` comes from: npm has a copy that others made. */
export type Std = "npm" | "jsr";

/** The licences of the packages in a bundle. */
export const LICENCES = "LICENCES.txt";

/** Makes bundles with one source of `@std`. `work` is a folder for its files. */
export class Bundler {
  readonly #aliases: readonly string[];
  readonly #jsr: readonly string[];

  private constructor(aliases: readonly string[], jsr: readonly string[]) {
    this.#aliases = aliases;
    this.#jsr = jsr;
  }

  static async open(std: Std, work: string): Promise<Bundler> {
    const names = Object.entries(map.imports)
      .filter(([name]) => /^@std\/(?!assert)/.test(name));
    const aliases: string[] = [];
    const packages = new Set<string>();
    for (const [at, [name, copy]] of names.entries()) {
      const source = std === "jsr"
        ? await joinFromJsr(name, `${work}/std${at}`, packages)
        : copy.replace(
          /^npm:(deno-std)@[^/]+/,
          `${Deno.cwd()}/node_modules/$1`,
        );
      aliases.push(`--alias:${name}=${source}`);
    }
    return new Bundler(aliases, [...packages]);
  }

  /** Bundles modules into `folder`, with the licences of what they contain. */
  async bundle(
    entries: readonly string[],
    folder: string,
    flags: readonly string[],
  ): Promise<void> {
    const meta = `${folder}.meta.json`;
    await run("node_modules/.bin/esbuild", [
      ...entries,
      "--bundle",
      "--format=esm",
      "--target=node20",
      "--legal-comments=inline",
      // No bundle is the program, even if a runtime runs it.
      "--define:import.meta.main=false",
      ...this.#aliases,
      ...flags,
      `--outdir=${folder}`,
      `--metafile=${meta}`,
    ]);
    const inside = packagesIn(await Deno.readTextFile(meta));
    await Deno.remove(meta);
    if (this.#jsr.length > 0 && inside.includes("deno-std")) {
      throw new Error("npm's copy of @std is in it");
    }
    const licences = await Promise.all([
      ...inside.map(licenceOf),
      ...this.#jsr.map(jsrLicence),
    ]);
    if (licences.length === 0) return;
    const head = "The programs here hold code of these packages.\n\n";
    const text = head + licences.join("\n");
    await Deno.writeTextFile(`${folder}/${LICENCES}`, text);
  }
}

/** Joins the modules of an import such as `@std/path/posix`, as JSR has them; returns the file. */
async function joinFromJsr(
  name: string,
  path: string,
  packages: Set<string>,
): Promise<string> {
  const [std = ""] = /^@std\/[^/]+/.exec(name) ?? [];
  const source = new Map(Object.entries(config.imports)).get(std);
  if (source === undefined) throw new Error(`deno.json does not name ${std}`);
  const [entry, file] = [`${path}.ts`, `${path}.js`];
  const address = name.replace(std, source);
  await Deno.writeTextFile(entry, `export * from "${address}";\n`);
  await run("deno", [
    "bundle",
    "--quiet",
    "--no-config",
    `--output=${file}`,
    entry,
  ]);
  const info = await run("deno", ["info", "--json", "--no-config", entry]);
  jsrPackagesIn(info).forEach((found) => packages.add(found));
  return file;
}

/** Runs a program that must succeed; returns its output. */
export async function run(
  program: string,
  args: readonly string[],
): Promise<string> {
  const command = new Deno.Command(program, { args: [...args] });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  if (success) return decoder.decode(stdout);
  throw new Error(decoder.decode(stdout) + decoder.decode(stderr));
}
