/** Imitates the npm packages of JSR, as far as running or checking a program needs. */
import { filesOf, pack, unpack } from "./archive.ts";

interface Parcel {
  /** The archive of `deno pack`, which is replaced. */
  readonly tarball: string;
  /** The folder of the published files. */
  readonly release: string;
  /** A new folder for the unpacked archive. */
  readonly folder: string;
}

/**
 * Turns an archive of `deno pack` into one like JSR's. Both contain the compiled
 * files that the entry points import. JSR also adds all other published files
 * unchanged, and the sources of the compiled files for editors. The sources are
 * left out here.
 */
export async function packAsJsr(
  { tarball, release, folder }: Parcel,
): Promise<void> {
  await unpack(await Deno.readFile(tarball), folder);
  const home = `${folder}/package`;
  const packed = await filesOf(home);
  for (const [path, bytes] of await filesOf(release)) {
    if (packed.has(path) || packed.has(path.replace(/\.ts$/, ".js"))) continue;
    const to = `${home}/${path}`;
    await Deno.mkdir(to.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeFile(to, bytes);
  }
  await pack(folder, tarball);
}
