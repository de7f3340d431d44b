/** Makes npm packages from folders. */
import { cp } from "node:fs/promises";
import { basename } from "node:path";
import { pack } from "./archive.ts";
import type { Parcel } from "./registry.ts";

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
