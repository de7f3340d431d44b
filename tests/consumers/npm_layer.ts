/** What JSR serves to npm, as far as running or checking a program shows. */
import { filesOf, pack, unpack } from "./archive.ts";

interface Parcel {
  /** The archive of `deno pack`, to be replaced. */
  readonly tarball: string;
  /** The folder of the published files. */
  readonly release: string;
  /** A folder for it, which does not exist yet. */
  readonly folder: string;
}

/**
 * Makes the archive of JSR's npm layer of that of `deno pack`. Both compile what
 * the entry leads to, by imports that can be read off, types' included; JSR adds
 * every other file just as it was published. (It adds the sources of what it has
 * compiled, too, for editors to show; they are left out here.)
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
