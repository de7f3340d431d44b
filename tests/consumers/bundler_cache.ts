/** A cache that contains only the bundler, which Deno downloads once. */
export async function cacheWithBundler(folder: string): Promise<string> {
  const info = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json"],
  }).output();
  const { denoDir } = JSON.parse(new TextDecoder().decode(info.stdout));
  const cache = `${folder}/cache`;
  for (const part of ["dl", "npm"]) {
    await Deno.mkdir(`${denoDir}/${part}`, { recursive: true });
    await Deno.mkdir(cache, { recursive: true });
    await Deno.symlink(`${denoDir}/${part}`, `${cache}/${part}`);
  }
  return cache;
}
