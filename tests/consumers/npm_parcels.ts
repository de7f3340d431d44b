/** Makes npm packages from folders. */
import { cp } from "node:fs/promises";
import { basename } from "node:path";
import { pack } from "./archive.ts";
import type { Parcel, Registry } from "./registry.ts";

/** Packs the folder of a package; `work` is a new folder. */
export async function parcelOf(folder: string, work: string): Promise<Parcel> {
  await cp(folder, `${work}/package`, {
    recursive: true,
    filter: (source) =>
      basename(source) !== "node_modules" || source === folder,
  });
  const manifest = JSON.parse(
    await Deno.readTextFile(`${folder}/package.json`),
  );
  return { manifest, tarball: await pack(work, `${work}.tgz`) };
}

/** The packages of others that ours depend on. */
const NEEDED = ["highlight.js", "jschardet", "unpdf"];

/** Adds what `deno task pack` made to a registry; `work` is a new folder. */
export async function addPacked(
  registry: Registry,
  packed: string,
  work: string,
): Promise<void> {
  const made = (await Array.fromAsync(Deno.readDir(packed)))
    .map(({ name }) => `${packed}/${name}`);
  const needed = NEEDED.map((name) => `node_modules/${name}`);
  for (const [at, folder] of [...made, ...needed].entries()) {
    registry.addNpm(await parcelOf(folder, `${work}/${at}`));
  }
}
