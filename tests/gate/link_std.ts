// Replaces JSR by a folder for each @std package, which contains only types.
import map from "../typed_std.json" with { type: "json" };

interface Config {
  readonly imports: Readonly<Record<string, string>>;
}

/**
 * Links the @std packages that a package imports to generated folders. The folders
 * must lie outside the package, or Deno treats them as a part of it.
 */
export async function linkStd(root: string, folder: string): Promise<void> {
  const path = `${root}/deno.json`;
  const config: Config = JSON.parse(await Deno.readTextFile(path));
  const links: string[] = [];
  for (const [name, source] of Object.entries(config.imports)) {
    const version = source.split(`jsr:${name}@^`)[1];
    if (!name.startsWith("@std/") || version === undefined) {
      throw new Error(`deno.json maps "${name}" to "${source}", not to JSR`);
    }
    const link = `${folder}/${name}`;
    await makePackage(link, name, version);
    links.push(link);
  }
  await Deno.writeTextFile(path, JSON.stringify({ ...config, links }));
}

async function makePackage(
  folder: string,
  name: string,
  version: string,
): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const exports: Record<string, string> = {};
  for (const [specifier, types] of Object.entries(map.imports)) {
    if (specifier !== name && !specifier.startsWith(`${name}/`)) continue;
    const entry = specifier.replace(name, ".");
    exports[entry] = `./${Object.keys(exports).length}.d.ts`;
    await Deno.copyFile(
      new URL(types, import.meta.resolve("../typed_std.json")),
      `${folder}/${exports[entry]}`,
    );
  }
  const config = JSON.stringify({ name, version, exports });
  await Deno.writeTextFile(`${folder}/deno.json`, config);
}
